from __future__ import annotations

from pathlib import Path

import duckdb
from support.history import build
from support.indexed import Indexed

from topomem.git.repository import open_repository
from topomem.index.recheck import Difference, Recheck
from topomem.model.ids import CommitId, FilePath

TEXT = """
=== c1
--- a.py
from b import g


def f():
    return g()
--- b.py
def g():
    return 1
=== c2 < c1
--- b.py
def h():
    return 1
"""


def differences(indexed: Indexed, commit: CommitId) -> list[Difference]:
    with indexed.store.read() as reader:
        recheck = Recheck(open_repository(indexed.folder), reader, indexed.configuration)
        return recheck.differences(commit)


def test_a_sound_store_has_none(tmp_path: Path) -> None:
    history = build(TEXT, tmp_path / "r")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    for commit in history.ids.values():
        assert differences(indexed, commit) == []


def test_what_was_lost_or_changed_is_found(tmp_path: Path) -> None:
    history = build(TEXT, tmp_path / "r")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    with duckdb.connect(str(tmp_path / "store" / "derived.duckdb")) as connection:
        connection.execute("UPDATE topology.edge SET confidence = 0.123")
        connection.execute("DELETE FROM topology.placement WHERE ordinal = 1")
    commit = history.ids["c1"]
    found = differences(indexed, commit)
    assert Difference(commit, FilePath("a.py"), "links") in found
    assert Difference(commit, FilePath("b.py"), "blob") in found


def test_a_record_that_says_something_else_is_found(tmp_path: Path) -> None:
    text = TEXT + "--- docs/adr/0001-a.md\n# A\n\nStatus: accepted\n"
    indexed = Indexed(build(text, tmp_path / "r"), tmp_path / "store")
    indexed.run()
    commit = indexed.repository.resolve("HEAD")
    assert differences(indexed, commit) == []
    with duckdb.connect(str(tmp_path / "store" / "derived.duckdb")) as connection:
        connection.execute("UPDATE decision.record SET body = replace(body, 'accepted', 'draft')")
    assert differences(indexed, commit) == [
        Difference(commit, FilePath("docs/adr/0001-a.md"), "record")
    ]
