from __future__ import annotations

from pathlib import Path

import pytest
from support.history import History, build, git
from support.indexed import Indexed, check_equals_one_run, check_trees

from topomem.index.configuration import Configuration
from topomem.index.pipeline import IndexOptions, index
from topomem.index.plan import Scope
from topomem.index.report import IndexReport
from topomem.store.doctor import check_rows

TOOLS = """
=== c0
--- pkg/a.py
def first(x):
    return x + 1
--- tool
#!/usr/bin/env python3
def tool(): ...
--- notes/adr/0001-a.md
# Use a
=== c1 < c0
--- pkg/a.py
def first(x):
    return x + 2
--- pkg/b.py
from pkg.a import first
def second(): return first(1)
--- tool
#!/usr/bin/env python3
def tool2(): ...
=== s1 < c0
--- pkg/s.py
from pkg.a import first
def side(): return first(3)
=== c2 < c1
--> pkg/a.py -> pkg/z.py
--- pkg/b.py
from pkg.z import renamed
def second(): return renamed(1)
--- pkg/z.py
def renamed(x):
    return x + 2
=== c3 < c2, s1
--- pkg/s.py
from pkg.z import renamed
def side(): return renamed(3)
=== c4 < c3
--- last.py
LAST = 1
"""


@pytest.fixture
def up(tmp_path: Path) -> History:
    history = build(TOOLS, tmp_path / "up")
    git(history.folder, "config", "uploadpack.allowFilter", "true")
    git(history.folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    return history


def clone(up: History, filtered: str) -> Indexed:
    folder = up.folder.parent / "down"
    git(up.folder.parent, "clone", "-q", f"--filter={filtered}", f"file://{up.folder}", "down")
    return Indexed(folder, up.folder.parent / "store")


def fetch_all(indexed: Indexed) -> None:
    git(indexed.folder, "fetch", "-q", "--refetch", "--no-filter")


def follow(indexed: Indexed) -> IndexReport:
    options = IndexOptions(Scope(), jobs=1, follow=True)
    return index(indexed.repository, indexed.store, Configuration(), options)


CHANGES = """
    SELECT commit_id, ordinal, path, name, kinds FROM topology.change
    JOIN meta.commit USING (track, seq) JOIN topology.path USING (path_int)
    JOIN topology.name USING (name_int)
"""


def aliases(indexed: Indexed) -> set[tuple[object, ...]]:
    """Return all aliases, and what changed of symbols that kept their keys."""
    with indexed.store.read() as reader:
        found = {
            (reader.commit_at(one.position), one.ordinal, one.id, one.kind, one.confidence)
            for one in reader.all_aliases()
        }
        return found | set(reader.connection.execute(CHANGES).fetchall())


def check_healed(indexed: Indexed, place: Path) -> None:
    check_trees(indexed)
    check_equals_one_run(indexed, place)
    other = Indexed(indexed.folder, place)
    assert indexed.commits() == other.commits()
    assert aliases(indexed) == aliases(other)
    with indexed.store.read() as reader:
        assert check_rows(reader) == []
        assert reader.missing_blobs() == []
        ids = reader.known_commits()
        records = reader.known_records()
    with other.store.read() as reader:
        assert records == reader.known_records()
    assert ids


def test_missing_content_is_read_once_it_is_there(up: History, tmp_path: Path) -> None:
    indexed = clone(up, "blob:none")
    report = indexed.run()
    assert (report.commits_indexed, len(report.skipped)) == (6, 4)
    assert any("missing" in warning for warning in report.warnings)
    assert indexed.run().commits_indexed == 0
    fetch_all(indexed)
    assert any("topomem index" in warning for warning in follow(indexed).warnings)
    assert indexed.run().commits_indexed > 0
    check_healed(indexed, tmp_path / "other")
    assert indexed.run().commits_indexed == 0


def test_nothing_is_fetched(up: History) -> None:
    indexed = clone(up, "blob:none")
    up.folder.rename(up.folder.with_name("gone"))
    assert indexed.run().commits_indexed == 6
    assert indexed.run().commits_indexed == 0


def test_commits_without_trees_are_told_and_not_taken_for_empty(
    up: History, tmp_path: Path
) -> None:
    indexed = clone(up, "tree:0")
    report = indexed.run()
    assert indexed.commits() == {up.ids["c4"]}
    assert any("5 commits are not indexed" in warning for warning in report.warnings)
    with indexed.store.read() as reader:
        assert [commit.boundary for commit in reader.commits()] == [True]
    fetch_all(indexed)
    assert indexed.run().commits_indexed == 5
    check_healed(indexed, tmp_path / "other")


@pytest.mark.parametrize("depth", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_a_shallow_clone_that_is_deepened_has_the_same_lineage(
    up: History, tmp_path: Path, depth: int
) -> None:
    url = f"file://{up.folder}"
    git(tmp_path, "clone", "-q", f"--depth={depth}", url, "down")
    indexed = Indexed(tmp_path / "down", tmp_path / "store")
    indexed.run()
    git(tmp_path / "down", "fetch", "-q", "--deepen=1")
    indexed.run()
    git(tmp_path / "down", "fetch", "-q", "--unshallow")
    report = indexed.run()
    assert report.blobs_parsed <= 5
    check_healed(indexed, tmp_path / "other")


def test_what_others_are_about_to_need_does_not_vanish(up: History) -> None:
    indexed = clone(up, "blob:none")
    indexed.run()
    fetch_all(indexed)
    with indexed.store.indexing():
        assert indexed.run().commits_indexed == 0
    assert indexed.run().commits_indexed > 0
