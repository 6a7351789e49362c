"""Commits that nothing leads to any more are named as such, and never taken for current."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import topomem as topomem_command
from support.history import History, git
from support.shop import shop

import topomem
from topomem.api.memory import Memory
from topomem.errors import NotIndexed, UnknownRevision


@pytest.fixture
def history(tmp_path: Path) -> History:
    return shop(tmp_path)


@pytest.fixture
def memory(history: History) -> Memory:
    opened = topomem.open(history.folder)
    opened.index()
    return opened


def amend(history: History) -> str:
    """Put another commit in the place of the last one; return the id of that."""
    lost = git(history.folder, "rev-parse", "HEAD").strip()
    history.add("amended", ["c1"], {"shop/other.py": "def other(): ...\n"})
    history.branch("main", "amended")
    return lost


def forget(history: History) -> None:
    git(history.folder, "reflog", "expire", "--expire=now", "--all")
    git(history.folder, "gc", "-q", "--prune=now")


def test_a_lost_commit_is_told_before_and_after_the_next_index(
    history: History, memory: Memory
) -> None:
    assert memory.symbols(as_of="HEAD~1").notes == ()
    lost = amend(history)
    for _ in range(2):
        assert memory.symbols(as_of=lost).notes == (
            f"no reference leads to commit {lost[:12]} any more",
        )
        assert memory.symbols(as_of=history.ids["c1"]).notes == ()
        memory.reindex()
    history.branch("kept", "c2")
    assert memory.symbols(as_of=lost).notes == ()


def test_what_git_forgot_is_answered_while_the_index_has_it(
    history: History, memory: Memory
) -> None:
    lost = amend(history)
    forget(history)
    memory.reindex()
    for revision in (lost, lost[:9], f"@{lost}"):
        answer = memory.symbols(as_of=revision)
        assert answer.as_of.commit == lost
        assert answer.symbols
        assert answer.notes == (
            f"no reference leads to commit {lost[:12]} any more, and git has it no more",
        )
    assert memory.show("Cart", as_of=lost).symbol.commit == lost
    assert memory.history("Cart", as_of=lost).notes[0].startswith("no reference leads to")


def test_what_nobody_has_is_told_with_a_hint(memory: Memory) -> None:
    with pytest.raises(UnknownRevision) as caught:
        memory.symbols(as_of="0123456789" * 4)
    assert "no more" in caught.value.hint
    with pytest.raises(UnknownRevision) as caught:
        memory.symbols(as_of="no-such-branch")
    assert caught.value.hint == ""


def test_on_the_command_line(history: History, memory: Memory) -> None:
    lost = amend(history)
    forget(history)
    memory.reindex()
    told = topomem_command("symbols", "--as-of", lost, "--json", cwd=history.folder)
    assert (told.code, told.document["as_of"]) == (0, lost)
    assert "git has it no more" in told.document["notes"][0]
    gone = topomem_command("symbols", "--as-of", "f" * 40, "--json", cwd=history.folder)
    assert (gone.code, gone.document["error"]["code"]) == (3, "unknown_revision")
    assert "no more" in gone.document["error"]["hint"]


def test_the_command_that_indexes_it_is_named(history: History, memory: Memory) -> None:
    parent = "far0"
    history.add("far0", [], {f"f{n}.py": "x = 1\n" for n in range(300)})
    with pytest.raises(NotIndexed) as caught:
        memory.symbols(as_of=history.ids[parent])
    assert caught.value.hint == f"run: topomem reindex {history.ids[parent]}"
    memory.reindex([history.ids[parent]])
    assert memory.symbols(as_of=history.ids[parent]).symbols


def test_head_is_never_a_lost_commit(history: History, memory: Memory) -> None:
    lost = amend(history)
    status = memory.status()
    assert (status.indexed_head, status.behind) == (history.ids["c1"], 1)
    assert memory.symbols("Cart").as_of.commit != lost


def test_doctor_only_remarks_on_what_git_rightly_forgot(history: History, memory: Memory) -> None:
    lost = amend(history)
    forget(history)
    for _ in range(2):  # before and after the index knows
        report = memory.doctor(sample=9)
        assert report.failed == ()
        assert report.notes == (
            f"git has commit {lost[:12]} no more, and no reference leads to it",
        )
        memory.reindex(jobs=1)
