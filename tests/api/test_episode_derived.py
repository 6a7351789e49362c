"""What git tells by itself: taken back, brought again, repaired, released; and how surely."""

from __future__ import annotations

import pytest
from support.history import git, start

import topomem
from topomem.api.memory import Memory

FIRST = "def tax(amount):\n    return amount * 0.2\n\n\ndef label():\n    return 'x'\n"
ROUNDED = FIRST.replace("amount * 0.2", "round(amount * 0.2)")


@pytest.fixture(scope="module", name="memory")
def _memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("derived")
    history = start(folder)
    history.add("c1", [], {"shop.py": FIRST}, message="first")
    rounded = history.add("c2", ["c1"], {"shop.py": ROUNDED}, message="Round the tax")
    undone = f'Revert "Round the tax"\n\nThis reverts commit {rounded}.\n\nCents are lost.'
    history.add("c3", ["c2"], {"shop.py": FIRST}, message=undone)
    history.add("c4", ["c3"], {"other.py": "x = 1\n"}, message="add other")
    fix = f'repair other\n\nFixes: {history.ids["c4"][:12]} ("add other")'
    history.add("c5", ["c4"], {"other.py": "x = 2\n"}, message=fix)
    again = f'Reapply "Round the tax"\n\nThis reverts commit {history.ids["c3"]}.'
    history.add("c6", ["c5"], {"shop.py": ROUNDED}, message=again)
    history.branch("main", "c6")
    history.checkout()
    git(folder, "tag", "v1.0.0", history.ids["c4"])
    opened = topomem.open(folder)
    opened.index(jobs=1)
    return opened


def told(memory: Memory, **query: object) -> list[tuple[str, str, str]]:
    answer = memory.episodes(derived=True, **query)  # type: ignore[arg-type]
    return [(one.episode.kind, one.episode.outcome, one.episode.title) for one in answer.episodes]


def test_git_tells_what_was_taken_back_brought_again_repaired_and_released(memory: Memory) -> None:
    assert told(memory) == [
        ("rollback", "succeeded", "Round the tax"),
        ("fix", "succeeded", "repair other"),
        ("release", "succeeded", "v1.0.0"),
    ]
    one = memory.episodes(derived=True).episodes[0]
    assert [event.kind for event in one.episode.events] == ["patch", "rollback", "patch"]
    assert one.episode.conclusion == "Cents are lost."
    assert one.provenance.method in ("parsed", "inferred")
    assert one.provenance.source.startswith("git: ")
    assert 0.5 <= one.provenance.confidence <= 1.0
    assert memory.episode(one.episode.id).answer == one


def test_nothing_is_told_before_it_happened(memory: Memory) -> None:
    assert told(memory, as_of="HEAD~1")[-1] == ("rollback", "rolled_back", "Round the tax")
    assert told(memory, as_of="HEAD~4") == []


def test_what_is_asked_for_is_told(memory: Memory) -> None:
    assert told(memory, symbol="tax") == [("rollback", "succeeded", "Round the tax")]
    assert told(memory, symbol="label") == []
    assert told(memory, text="cents lost") == [("rollback", "succeeded", "Round the tax")]
    assert told(memory, text="unheard of") == []
    assert told(memory, outcome="failed") == []


def test_a_symbol_and_a_task_are_told_what_was_taken_back(memory: Memory) -> None:
    (found,) = memory.show("tax", as_of="HEAD~1").episodes
    assert (found.episode.outcome, found.episode.title) == ("rolled_back", "Round the tax")
    assert memory.show("label").episodes == ()
    items = [
        one for one in memory.bundle("change tax", as_of="HEAD~1").items if one.kind == "episode"
    ]
    assert items[0].text.startswith("rolled_back: Round the tax")
    assert items[0].provenance.source.startswith("git: ")


def test_they_are_not_listed_among_what_was_recorded(memory: Memory) -> None:
    assert memory.episodes(all=True).episodes == ()
