"""Questions about what is not stored: uncommitted text, and commits near an indexed one."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import History, git
from support.shop import shop

import topomem
from topomem.api.documents import bundle_document, symbols_document
from topomem.api.memory import Memory
from topomem.errors import NotIndexed


@pytest.fixture
def history(tmp_path: Path) -> History:
    return shop(tmp_path)


@pytest.fixture
def memory(history: History) -> Memory:
    opened = topomem.open(history.folder)
    opened.index(head_only=True)
    return opened


def append(history: History, path: str, text: str) -> None:
    file = history.folder / path
    file.write_text((file.read_text() if file.exists() else "") + text)


def test_what_is_on_disk_is_answered_and_said_to_be_uncommitted(
    history: History, memory: Memory
) -> None:
    append(history, "shop/prices.py", "\ndef discount(amount):\n    return tax(amount)\n")
    append(history, "shop/new.py", "from shop.prices import discount\n\nSHOWN = discount(1)\n")
    answer = memory.symbols("discount", as_of="WORKTREE")
    (symbol,) = answer.symbols
    assert symbol.commit is None
    assert symbol.base_commit == history.ids["c2"]
    assert answer.as_of.uncommitted
    document = symbols_document(answer)
    assert document["as_of"] == "WORKTREE"
    assert document["symbols"][0]["uncommitted"] is True
    callers = memory.refs("discount", kinds=["calls"], as_of="WORKTREE").neighbours
    assert [n.edge.source.path for n in callers] == ["shop/new.py"]
    assert memory.symbols("discount").symbols == ()


def test_a_bundle_of_uncommitted_text_verifies_until_it_changes(
    history: History, memory: Memory
) -> None:
    append(history, "shop/prices.py", "\ndef discount(amount):\n    return tax(amount)\n")
    bundle = memory.bundle("discount an amount", as_of="WORKTREE")
    assert bundle.items[0].qualified_name == "discount"
    assert memory.verify(bundle_document(bundle)).failed == ()
    append(history, "shop/prices.py", "# one more line\n")
    failed = memory.verify(bundle).failed
    assert {finding.code for finding in failed} == {"changed"}


def test_a_commit_near_an_indexed_one_is_answered(history: History, memory: Memory) -> None:
    append(history, "shop/prices.py", "\ndef discount(amount):\n    return tax(amount)\n")
    git(history.folder, "commit", "-q", "-a", "-m", "discounts")
    answer = memory.symbols("discount")
    assert answer.as_of.commit == memory.status().head
    assert [symbol.commit for symbol in answer.symbols] == [answer.as_of.commit]
    assert memory.status().behind == 1
    assert answer.notes
    memory.index()
    indexed = memory.symbols("discount")
    assert indexed.symbols == answer.symbols
    assert indexed.notes == ()


def test_a_commit_without_an_indexed_ancestor_is_refused(memory: Memory) -> None:
    with pytest.raises(NotIndexed) as caught:
        memory.symbols(as_of="HEAD~1")
    assert caught.value.hint == "run: topomem index"
