"""Uncommitted text and near commits: rows in memory over the stored ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import LANGUAGE, blob, calls, commit, entry, placed, region

from topomem.model.code import SymbolKind
from topomem.model.ids import FilePath, Moniker
from topomem.store.links import LinkedFile
from topomem.store.snapshot import SymbolFilter
from topomem.store.store import Store
from topomem.store.topology import FileState

MODULE = region("", SymbolKind.MODULE, nested=(20,))
OLD = region("old", SymbolKind.FUNCTION)
NEW = region("new", SymbolKind.FUNCTION)
OLD_FILE = blob("old text", placed(MODULE, "", -1, (1, 20)), placed(OLD, "old", 0, (3, 12)))
NEW_FILE = blob("new text", placed(MODULE, "", -1, (1, 24)), placed(NEW, "new", 0, (7, 16)))
A, B = FilePath("a.x"), FilePath("b.x")


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Store:
    store = Store(tmp_path, "example")
    with store.write() as writer:
        writer.put_regions([MODULE, OLD])
        writer.put_blobs([OLD_FILE])
        (links,) = writer.put_links(
            [LinkedFile(calls(A, OLD_FILE, {0: ((9, Moniker("a.x#old")),)}), {MODULE.key: MODULE})]
        )
        writer.add_commit(
            commit("one"),
            [
                FileState(A, entry("old text"), LANGUAGE, links),
                FileState(B, entry("old text"), LANGUAGE),
            ],
        )
    return store


def test_changes_stand_over_the_stored_files(store: Store) -> None:
    with store.read() as reader:
        added = reader.overlay()
        added.put_regions([MODULE, NEW])
        added.put_blobs([NEW_FILE])
        (links,) = added.put_links(
            [LinkedFile(calls(A, NEW_FILE, {0: ((9, Moniker("a.x#new")),)}), {MODULE.key: MODULE})]
        )
        changes = [
            FileState(A, entry("new text"), LANGUAGE, links),
            FileState(B, None),
            FileState(FilePath("c.x"), entry("old text"), LANGUAGE),
        ]
        now = reader.open_snapshot(commit("one").id, changes)
        before = reader.open_snapshot(commit("one").id)
        assert [row.path for row in now.files()] == ["a.x", "c.x"]
        assert [(s.path, s.qualified_name, s.start_line) for s in now.symbols()] == [
            ("a.x", "new", 7),
            ("c.x", "old", 3),
        ]
        assert [(e.line, getattr(e.target, "start_line", None)) for e in now.edges()] == [(18, 7)]
        (symbol,) = now.symbols(SymbolFilter(name="new"))
        assert (symbol.commit, symbol.base_commit) == (None, commit("one").id)
        assert [row.path for row in before.files()] == ["a.x", "b.x"]
        assert [symbol.qualified_name for symbol in before.symbols()] == ["old", "old"]
        assert before.commit == commit("one").id
    with store.read() as reader:
        assert (NEW_FILE.blob, LANGUAGE) not in reader.known_blobs()


def test_a_near_commit_is_its_own(store: Store) -> None:
    with store.read() as reader:
        reader.overlay()
        near = reader.open_near(commit("two").id, commit("one").id, [FileState(B, None)])
        assert [row.path for row in near.files()] == ["a.x"]
        assert {symbol.commit for symbol in near.symbols()} == {commit("two").id}


def test_uncommitted_text_on_an_unborn_branch(tmp_path: Path) -> None:
    with Store(tmp_path / "none", "example").read() as reader:
        added = reader.overlay()
        added.put_regions([MODULE, NEW])
        added.put_blobs([NEW_FILE])
        now = reader.open_snapshot(None, [FileState(A, entry("new text"), LANGUAGE)])
        assert [symbol.id for symbol in now.symbols()] == ["a.x#new"]
    assert not (tmp_path / "none").exists()


def test_words_of_added_text_are_found(store: Store) -> None:
    with store.read() as reader:
        added = reader.overlay()
        added.put_regions([MODULE, NEW])
        added.put_blobs([NEW_FILE])
        now = reader.open_snapshot(commit("one").id, [FileState(A, entry("new text"), LANGUAGE)])
        found = now.connection.execute(
            "SELECT visible.path FROM retrieval.word AS word "
            "JOIN retrieval.name_word AS hit USING (word_int) "
            "JOIN topology.placement AS placement USING (name_int) "
            "JOIN visible USING (blob_int) WHERE word.word = 'new'"
        ).fetchall()
        assert found == [("a.x",)]
