"""Decision records as of a revision: list, show, check."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import History, build

import topomem
from topomem.api.memory import Memory
from topomem.errors import UnknownItem

HISTORY = """
=== c1
--- src/shop.py
class Shop:
    def total(self):
        return 1
--- docs/adr/README.md
# Index
--- docs/adr/0001-use-lists.md
# 1. Use lists

Date: 2020-01-02

## Status

Accepted

## Decision

`Shop.total` in `src/shop.py` sums a list.
=== c2 < c1
--- docs/adr/0001-use-lists.md
# 1. Use lists

Date: 2020-01-02

## Status

Superseded by [2. Use columns](0002-use-columns.md)

## Decision

`Shop.total` in `src/shop.py` sums a list.
--- docs/adr/0002-use-columns.md
# 2. Use columns

Date: 2020-02-02

## Status

Accepted

Supersedes [1. Use lists](0001-use-lists.md)

## Affected components

- src/shop.py#Shop
- `src/gone.py`
--- elsewhere/choice.md
---
status: accepted
deciders: Ada
date: 2020-03-03
---
# Choose well
--- notes/0001-note.md
# Note

Status: accepted
=== c3 < c2
--- .adr-dir
notes
"""


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    return build(HISTORY, tmp_path_factory.mktemp("decisions"))


@pytest.fixture(scope="module")
def memory(history: History) -> Memory:
    opened = topomem.open(history.folder)
    opened.index(jobs=1)
    return opened


def listed(memory: Memory, as_of: str, *, every: bool = True) -> dict[str, str]:
    found = memory.decisions(all=every, as_of=as_of).decisions
    return {one.entry.placed.path: one.entry.status for one in found}


def test_records_are_those_of_the_revision(memory: Memory, history: History) -> None:
    first, second = history.ids["c1"], history.ids["c2"]
    assert listed(memory, first) == {"docs/adr/0001-use-lists.md": "accepted"}
    assert listed(memory, second) == {
        "docs/adr/0001-use-lists.md": "superseded",
        "docs/adr/0002-use-columns.md": "accepted",
        "elsewhere/choice.md": "accepted",
    }


def test_only_those_that_hold_are_listed_by_default(memory: Memory, history: History) -> None:
    assert set(listed(memory, history.ids["c2"], every=False)) == {
        "docs/adr/0002-use-columns.md",
        "elsewhere/choice.md",
    }


def test_the_folder_that_the_repository_names(memory: Memory) -> None:
    assert "notes/0001-note.md" in listed(memory, "HEAD")


def test_texts_that_are_no_records_are_told(memory: Memory) -> None:
    notes = memory.decisions().notes
    assert any("docs/adr/README.md" in note for note in notes)


def test_a_record_has_its_links_from_either_side(memory: Memory) -> None:
    old = memory.decision("1", as_of="HEAD~1").decision.entry
    new = memory.decision("Use columns").decision.entry
    assert [link.path for link in old.linked("superseded_by")] == ["docs/adr/0002-use-columns.md"]
    assert [link.path for link in new.linked("supersedes")] == ["docs/adr/0001-use-lists.md"]


def test_what_a_record_governs(memory: Memory, history: History) -> None:
    said = memory.decision("0001-use-lists", as_of=history.ids["c1"]).decision.governs
    assert [(one.kind, one.target, one.origin) for one in said] == [
        ("path", "src/shop.py", "code"),
        ("symbol", "src/shop.py#Shop.total", "code"),
    ]
    assert all(one.confidence < 1 for one in said)
    claimed = memory.decision("0002-use-columns").decision.governs
    assert [(one.kind, one.target, one.found, one.confidence) for one in claimed] == [
        ("path", "src/gone.py", False, 1.0),
        ("symbol", "src/shop.py#Shop", True, 1.0),
    ]


def test_parts_are_word_for_word(memory: Memory, history: History) -> None:
    shown = memory.decision("0002-use-columns").decision
    by_name = {part.name: part for part in shown.parts}
    assert by_name["status"].text.startswith("Accepted")
    assert shown.text.split("\n")[by_name["date"].start_line - 1] == by_name["date"].text
    assert shown.citation is not None
    assert shown.citation.commit == history.ids["c3"]


def test_an_unknown_record_and_an_ambiguous_one(memory: Memory) -> None:
    with pytest.raises(UnknownItem):
        memory.decision("77")
    with pytest.raises(UnknownItem, match="several"):
        memory.decision("use")


def test_check_finds_what_is_gone(memory: Memory) -> None:
    report = memory.check_decisions(as_of="HEAD~1")
    assert [(one.code, one.path) for one in report.failed] == [
        ("component_gone", "docs/adr/0002-use-columns.md")
    ]


def test_configured_paths_need_no_new_index(history: History, tmp_path: Path) -> None:
    file = tmp_path / "topomem.toml"
    file.write_text('[decision]\npaths = ["docs/adr/README.md", "notes"]\n')
    asked = topomem.open(history.folder, config=file)
    topomem.open(history.folder).index(jobs=1)
    assert "notes/0001-note.md" in listed(asked, history.ids["c2"])


def test_a_repository_without_records(tmp_path: Path) -> None:
    build("=== c1\n--- a.py\nx = 1\n", tmp_path)
    opened = topomem.open(tmp_path)
    opened.index(jobs=1)
    answer = opened.decisions(all=True)
    assert answer.empty is not None
    assert answer.empty.reason == "no_match"
    assert not opened.check_decisions(today="2030-01-01").failed


def check_shown(memory: Memory, task: str, as_of: str) -> list[str]:
    """Return the paths of the records that a bundle shows."""
    bundle = memory.bundle(task, as_of=as_of)
    assert bundle.used_tokens <= bundle.budget_tokens
    assert not memory.verify(bundle).failed
    return [item.path for item in bundle.items if item.kind == "decision"]


def test_show_brings_what_governs_a_symbol_through_its_class(memory: Memory) -> None:
    answer = memory.show("src/shop.py#Shop.total")
    assert [(entry.placed.path, one.target) for entry, one in answer.decisions] == [
        ("docs/adr/0002-use-columns.md", "src/shop.py#Shop")
    ]


def test_a_bundle_brings_what_holds_at_its_revision(memory: Memory, history: History) -> None:
    task = "how does the shop sum a list for its total?"
    first, second = history.ids["c1"], history.ids["c2"]
    assert check_shown(memory, task, first) == ["docs/adr/0001-use-lists.md"]
    assert check_shown(memory, task, second) == ["docs/adr/0002-use-columns.md"]


def test_a_superseded_record_is_told_as_such(memory: Memory) -> None:
    bundle = memory.bundle("use lists to sum a list")
    assert all(item.path != "docs/adr/0001-use-lists.md" for item in bundle.items)
    (told,) = bundle.stale
    assert "0001-use-lists.md" in told
    assert "superseded by docs/adr/0002-use-columns.md" in told


def test_a_task_about_something_else_brings_no_record(memory: Memory) -> None:
    assert not check_shown(memory, "weather forecast on neptune", "HEAD")


def test_a_record_that_repeats_the_words_does_not_come_back(tmp_path: Path) -> None:
    old = "client retries client retries client retries"
    build(
        "=== c1\n--- client.py\ndef send():\n    return 3\n"
        f"--- adr/0001-a.md\n# Client retries\n\nStatus: accepted\n\n{old}: retries = 3\n"
        "=== c2 < c1\n"
        f"--- adr/0001-a.md\n# Client retries\n\nStatus: superseded by [2](0002-b.md)\n\n{old}\n"
        "--- adr/0002-b.md\n# Five\n\nStatus: accepted\n\nSupersedes [1](0001-a.md). Now 5.\n",
        tmp_path,
    )
    memory = topomem.open(tmp_path)
    memory.index(jobs=1)
    assert check_shown(memory, "client retries", "HEAD") == ["adr/0002-b.md"]
    assert check_shown(memory, "client retries", "HEAD~1") == ["adr/0001-a.md"]


def test_two_branches_that_decide_alike_are_a_conflict_after_the_merge(tmp_path: Path) -> None:
    record = "# Pool size\n\nStatus: accepted\n\nThe pool size is"
    build(
        "=== c1\n--- a.py\nx = 1\n"
        f"=== left < c1\n--- adr/0001-left.md\n{record} 5.\n"
        f"=== right < c1\n--- adr/0001-right.md\n{record} 9.\n"
        f"=== both < left, right\n--- adr/0001-right.md\n{record} 9.\n",
        tmp_path,
    )
    memory = topomem.open(tmp_path)
    memory.index(jobs=1)
    assert [one.code for one in memory.check_decisions().failed] == ["same_number"]
    bundle = memory.bundle("what is the pool size?")
    assert len(bundle.conflicts) == 1
    assert {item.path for item in bundle.items if item.kind == "decision"} == {
        "adr/0001-left.md", "adr/0001-right.md",
    }  # fmt: skip


def test_uncommitted_records_are_read_from_disk(tmp_path: Path) -> None:
    history = build("=== c1\n--- a.py\nx = 1\n--- adr/0001-a.md\n# A\n\nStatus: draft\n", tmp_path)
    history.checkout()
    memory = topomem.open(tmp_path)
    memory.index(jobs=1)
    (tmp_path / "adr/0001-a.md").write_text("# A\n\nStatus: accepted\n")
    (tmp_path / "adr/0002-b.md").write_text("# B\n\nStatus: accepted\n")
    assert listed(memory, "WORKTREE") == {"adr/0001-a.md": "accepted", "adr/0002-b.md": "accepted"}
    assert listed(memory, "HEAD") == {"adr/0001-a.md": "proposed"}
    shown = memory.decision("2", as_of="WORKTREE").decision
    assert shown.citation is not None
    assert shown.citation.commit is None


@pytest.mark.parametrize("place", ["src/store.py", "lib/shop.py", "lib/store.py"])
def test_a_file_that_is_governed_is_followed_wherever_it_went(tmp_path: Path, place: str) -> None:
    record = "# A\n\nStatus: accepted\n\n## Governs\n\n- src/shop.py\n"
    build(
        "=== c1\n--- src/shop.py\ndef price(order):\n    return order * 2 + 7\n"
        f"--- adr/0001-a.md\n{record}=== c2 < c1\n--> src/shop.py -> {place}\n",
        tmp_path,
    )
    memory = topomem.open(tmp_path)
    memory.index(jobs=1)
    told = memory.decision("1").decision.governs
    assert [(one.target, one.moved_from) for one in told] == [(place, "src/shop.py")]
    (pair,) = memory.show(f"{place}#price").decisions
    assert pair[0].placed.path == "adr/0001-a.md"
    assert memory.check_decisions().failed == ()


def test_a_record_governs_what_its_component_became(tmp_path: Path) -> None:
    body = "".join(
        f"    def step_{n}(self, order):\n        return order * {n} + {n}\n\n" for n in range(5)
    )
    record = "# A\n\nStatus: accepted\n\n## Governs\n\n- src/shop.py#Shop\n- src/shop.py\n"
    build(
        f"=== c1\n--- src/shop.py\nclass Shop:\n{body}"
        f"--- adr/0001-a.md\n{record}"
        "=== c2 < c1\n--> src/shop.py -> lib/store.py\n"
        "=== c3 < c2\n--x lib/store.py\n--- lib/other.py\nx = 1\n",
        tmp_path,
    )
    memory = topomem.open(tmp_path)
    memory.index(jobs=1)
    told = memory.decision("1", as_of="HEAD~1").decision.governs
    assert {(one.kind, one.target, one.moved_from) for one in told} == {
        ("symbol", "lib/store.py#Shop", "src/shop.py#Shop"),
        ("path", "lib/store.py", "src/shop.py"),
    }
    assert [one.code for one in memory.check_decisions(as_of="HEAD~1").failed] == []
    (pair,) = memory.show("lib/store.py#Shop.step_1", as_of="HEAD~1").decisions
    assert pair[0].placed.path == "adr/0001-a.md"
    assert all(not one.moved_from for one in memory.decision("1", as_of="HEAD~2").decision.governs)
    assert [one.code for one in memory.check_decisions().failed] == ["component_gone"] * 2
