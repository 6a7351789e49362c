from __future__ import annotations

from pathlib import Path

import pytest
from support.history import start
from support.shop import shop

import topomem
from topomem.api.memory import Memory
from topomem.errors import NotIndexed, UnknownSymbol


def test_nothing_calls_it(memory: Memory) -> None:
    answer = memory.refs("unused")
    assert answer.neighbours == ()
    assert answer.empty is not None
    assert answer.empty.reason == "no_match"
    assert answer.empty.indexed_commit == answer.as_of.commit


def test_there_is_no_such_name(memory: Memory) -> None:
    with pytest.raises(UnknownSymbol):
        memory.refs("shop/prices.py#gone")


def test_the_file_is_of_no_supported_language(memory: Memory) -> None:
    answer = memory.refs("notes.xyz#tax")
    assert answer.symbol is None
    assert answer.empty is not None
    assert answer.empty.reason == "unsupported_language"


def test_the_file_could_not_be_read(memory: Memory) -> None:
    answer = memory.refs("picture.py#draw")
    assert answer.empty is not None
    assert answer.empty.reason == "unreadable"
    listed = memory.symbols(path="picture.py")
    assert listed.empty is not None
    assert listed.empty.reason == "unreadable"


def test_the_commit_is_not_indexed(tmp_path: Path) -> None:
    shop(tmp_path)
    with pytest.raises(NotIndexed) as caught:
        topomem.open(tmp_path).refs("unused")
    assert "topomem index" in caught.value.hint


def test_the_file_has_changed_since(tmp_path: Path) -> None:
    shop(tmp_path)
    memory = topomem.open(tmp_path)
    memory.index(head_only=True)
    prices = tmp_path / "shop" / "prices.py"
    prices.write_text(prices.read_text() + "\nunused()\n")
    answer = memory.refs("unused")
    assert answer.empty is not None
    assert any("changed since" in reason for reason in answer.partial)


def test_a_reader_with_a_name_learns_less(memory: Memory, root: Path) -> None:
    del root
    folder = memory.status().store.split("/.git/")[0]
    answer = topomem.open(folder, principal="guest").symbols("no_such_name")
    assert answer.empty is not None
    assert answer.empty.reason == "no_access_or_no_match"


@pytest.mark.parametrize("bare", [True, False])
def test_no_commits_yet_is_no_error(tmp_path: Path, bare: bool) -> None:  # noqa: FBT001
    start(tmp_path, bare=bare)
    memory = topomem.open(tmp_path)
    report = memory.index()
    assert report.commits_indexed == 0
    answer = memory.symbols()
    assert answer.symbols == ()
    assert answer.empty is not None
    assert answer.empty.reason == "not_indexed"
    assert answer.notes == ("no commits yet",)
    assert memory.edges().edges == ()
    assert memory.status().head is None


def test_a_head_that_names_no_branch_is_told(tmp_path: Path) -> None:
    history = shop(tmp_path, bare=True)
    history.library.set_head("refs/heads/nope")
    note = topomem.open(tmp_path).symbols().notes[0]
    assert "'nope'" in note
    assert "main" in note
