from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.growth import grow
from support.history import History, build, start
from support.indexed import Indexed

from topomem.errors import NotIndexed, UsageError
from topomem.index.near import MOST_CHANGES, Near, Overlay
from topomem.index.plan import Scope
from topomem.model.answer import Edge, Symbol
from topomem.model.ids import CommitId

TEXT = """
=== c1
--- app.py
from tax import tax


def total(lines):
    return tax(lines)
--- tax.py
def tax(amount):
    return amount
=== c2 < c1
--- tax.py
def duty(amount):
    return amount
--- app.py
from tax import duty


def total(lines):
    return duty(lines)
"""


@pytest.fixture
def history(tmp_path: Path) -> History:
    made = build(TEXT, tmp_path / "r")
    made.checkout()
    return made


@pytest.fixture
def indexed(history: History, tmp_path: Path) -> Indexed:
    return Indexed(history, tmp_path / "store")


def answers(near: Near) -> tuple[list[Symbol], list[Edge]]:
    return near.snapshot.symbols(), near.snapshot.edges()


def at_commit(indexed: Indexed, commit: CommitId) -> tuple[list[Symbol], list[Edge]]:
    with indexed.store.read() as reader:
        overlay = Overlay(indexed.repository, reader, indexed.configuration)
        return answers(overlay.commit(commit))


def worktree(indexed: Indexed) -> tuple[list[str], list[str]]:
    """Return the ids of symbols and the ends of calls in the work tree."""
    with indexed.store.read() as reader:
        near = Overlay(indexed.repository, reader, indexed.configuration).worktree()
        symbols, edges = answers(near)
    assert all(symbol.commit is None for symbol in symbols)
    assert all(symbol.base_commit == indexed.repository.head() for symbol in symbols)
    calls = [
        f"{edge.source.qualified_name} -> {edge.target}" for edge in edges if edge.kind == "calls"
    ]
    return [symbol.id for symbol in symbols], calls


def test_a_commit_after_the_last_indexed_one(
    indexed: Indexed, history: History, tmp_path: Path
) -> None:
    history.branch("main", "c1")
    indexed.run()
    found = at_commit(indexed, history.ids["c2"])
    history.branch("main", "c2")
    other = Indexed(history, tmp_path / "other")
    other.run()
    assert found == other.answers()[history.ids["c2"]][1:]
    assert indexed.commits() == {history.ids["c1"]}


def test_nothing_is_written(indexed: Indexed, history: History) -> None:
    history.branch("main", "c1")
    indexed.run()
    files = {p: p.read_bytes() for p in sorted(indexed.store.folder.rglob("*")) if p.is_file()}
    at_commit(indexed, history.ids["c2"])
    history.branch("main", "c2")
    worktree(indexed)
    assert files == {p: p.read_bytes() for p in files}


def test_uncommitted_text_of_every_kind(indexed: Indexed, history: History) -> None:
    indexed.run()
    top = history.folder
    (top / "tax.py").write_text(
        "def duty(amount):\n    return 2\n\n\ndef extra():\n    return duty(1)\n"
    )
    (top / "new.py").write_text("from tax import duty\n\n\ndef new():\n    return duty(3)\n")
    symbols, calls = worktree(indexed)
    assert symbols == ["app.py#total", "new.py#new", "tax.py#duty", "tax.py#extra"]
    assert len(calls) == 3
    (top / "tax.py").unlink()
    symbols, calls = worktree(indexed)
    assert symbols == ["app.py#total", "new.py#new"]


def test_a_clean_work_tree_answers_as_head(indexed: Indexed, history: History) -> None:
    indexed.run()
    symbols, _ = worktree(indexed)
    assert symbols == indexed.names(history.ids["c2"])


def test_a_work_tree_before_the_first_commit(tmp_path: Path) -> None:
    history = start(tmp_path / "r")
    (tmp_path / "r/a.py").write_text("def a(): ...\n")
    symbols, _ = worktree(Indexed(history, tmp_path / "store"))
    assert symbols == ["a.py#a"]


def test_a_bare_repository_has_no_work_tree(tmp_path: Path) -> None:
    indexed = Indexed(build(TEXT, tmp_path / "r", bare=True), tmp_path / "store")
    indexed.run()
    with pytest.raises(UsageError):
        worktree(indexed)


def test_what_is_far_from_anything_stored_is_refused(tmp_path: Path) -> None:
    history = start(tmp_path / "r")
    history.add("c1", [], {"a.py": "x = 1\n"})
    many = {f"m{number}.py": "y = 1\n" for number in range(MOST_CHANGES + 1)}
    history.add("c2", ["c1"], many)
    history.add("root", [], {"a.py": "x = 1\n"})
    history.branch("main", "c1")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    for name in ("c2", "root"):
        with pytest.raises(NotIndexed):
            at_commit(indexed, history.ids[name])


def test_a_descendant_is_no_base(indexed: Indexed, history: History) -> None:
    indexed.run(Scope(head_only=True))
    with pytest.raises(NotIndexed):
        at_commit(indexed, history.ids["c1"])


@settings(max_examples=5)
@given(seed=st.integers(0, 1 << 16))
def test_near_commits_answer_as_stored_ones(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("grown")
    history = grow(folder / "r", seed, 6)
    full = Indexed(history, folder / "full")
    full.run(Scope(all_refs=True))
    expected = full.answers()
    history.branch("main", "c0")
    indexed = Indexed(history, folder / "store")
    indexed.run()
    for name in ("c1", "c3", "c5"):
        commit = history.ids[name]
        if history.ids["c0"] in {c.id for c in indexed.repository.walk([commit])}:
            assert at_commit(indexed, commit) == expected[commit][1:]
