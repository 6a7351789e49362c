"""New records and successors in a work tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import build, git

import topomem
from topomem.api.decision_writing import NewDecision
from topomem.api.memory import Memory
from topomem.errors import UsageError

TEXT = """
=== c1
--- src/a.py
x = 1
--- CODEOWNERS
src/ @core
--- docs/adr/0001-use-lists.md
# 1. Use lists

## Status

Accepted

## Context

Lists of things.
--- docs/adr/0002-lists-are-sorted.md
---
status: accepted
governs: [src/a.py]
---
# Lists are sorted
"""


def opened(folder: Path) -> Memory:
    history = build(TEXT, folder)
    history.checkout()
    memory = topomem.open(folder)
    memory.index(jobs=1)
    return memory


def committed(folder: Path, memory: Memory) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
    memory.index(jobs=1)


def test_a_new_record_is_filled_in(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    wanted = NewDecision(
        "Lists are lazy",
        "2024-05-06",
        status="accepted",
        governs=("src/a.py",),
        supersedes=("1",),
    )
    written = memory.new_decision(wanted)
    assert written.paths == ("docs/adr/0003-lists-are-lazy.md", "docs/adr/0001-use-lists.md")
    committed(tmp_path, memory)
    shown = memory.decision("3").decision
    decision = shown.entry.placed.decision
    assert decision.owners == ("@core",)
    assert [(one.kind, one.target) for one in shown.governs] == [("path", "src/a.py")]
    assert "0002-lists-are-sorted.md" in shown.text
    assert memory.decision("1").decision.entry.status == "superseded"
    assert not [one for one in memory.check_decisions().failed if one.code != "no_date"]


def test_a_proposal_leaves_in_force_what_it_is_to_supersede(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    old = (tmp_path / "docs/adr/0001-use-lists.md").read_bytes()
    written = memory.new_decision(NewDecision("Lists are lazy", "2024-05-06", supersedes=("1",)))
    assert written.paths == ("docs/adr/0003-lists-are-lazy.md",)
    assert "docs/adr/0001-use-lists.md holds until" in written.notes[0]
    assert (tmp_path / "docs/adr/0001-use-lists.md").read_bytes() == old
    committed(tmp_path, memory)
    assert memory.decision("1").decision.entry.status == "accepted"
    assert [one.code for one in memory.check_decisions().failed] == []
    memory.supersede("1", "3")
    committed(tmp_path, memory)
    assert memory.decision("1").decision.entry.status == "superseded"


def test_no_circle_of_supersession_is_made(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    memory.supersede("1", "2")
    wanted = NewDecision("Lists are lazy", "2024-05-06", status="accepted", supersedes=("2",))
    memory.new_decision(wanted)
    before = {path: path.read_bytes() for path in (tmp_path / "docs/adr").iterdir()}
    for old, new in (("2", "1"), ("3", "2"), ("3", "1")):
        with pytest.raises(UsageError, match="already"):
            memory.supersede(old, new)
    assert {path: path.read_bytes() for path in (tmp_path / "docs/adr").iterdir()} == before
    memory.supersede("1", "2")


@pytest.mark.parametrize("status", ["bogus", "", "accepted\nx: y"])
def test_a_status_is_one_that_is_known(tmp_path: Path, status: str) -> None:
    memory = opened(tmp_path)
    with pytest.raises(UsageError, match="unknown status") as found:
        memory.new_decision(NewDecision("X", "2024-05-06", status=status))
    assert "proposed" in found.value.hint
    assert len(list((tmp_path / "docs/adr").iterdir())) == 2


def test_two_records_are_linked_both_ways(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    written = memory.supersede("1", "2")
    assert written.paths == ("docs/adr/0001-use-lists.md", "docs/adr/0002-lists-are-sorted.md")
    committed(tmp_path, memory)
    assert [one.code for one in memory.check_decisions().failed] == []
    assert [link.path for link in memory.decision("1").decision.entry.linked("superseded_by")] == [
        "docs/adr/0002-lists-are-sorted.md"
    ]


def test_a_record_that_is_not_committed_may_be_the_successor(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    memory.new_decision(NewDecision("Lists are lazy", "2024-05-06"))
    memory.supersede("1", "3")
    text = (tmp_path / "docs/adr/0001-use-lists.md").read_text()
    assert "Superseded by [3. Lists are lazy](0003-lists-are-lazy.md)" in text


def test_nothing_is_written_out_of_the_work_tree(tmp_path: Path) -> None:
    memory = opened(tmp_path / "repository")
    with pytest.raises(UsageError):
        memory.new_decision(NewDecision("X", "2024-05-06", folder="../elsewhere"))
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(UsageError):
        memory.supersede("1", "1")
