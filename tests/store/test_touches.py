"""Which commits last changed a symbol, and that only what is behind a commit says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import History, build
from support.indexed import Indexed

from topomem.index.plan import Scope
from topomem.model.ids import CommitId, FilePath, QualifiedName

HISTORY = """
=== c1
--- a.py
def one():
    return 1

def two():
    return 2
=== c2 < c1
--- a.py
def one():
    return 1

def two():
    return 22
=== side < c1
--- a.py
def one():
    return 11

def two():
    return 2
=== merge < c2, side
--- a.py
def one():
    return 11

def two():
    return 22
=== c5 < merge
--- b.py
def other():
    return 0
=== c6 < c5
--- a.py
# moved down

def one():
    return 11

def two():
    return 222
=== fork < c2
--- a.py
def one():
    return "fork"
=== main = c6
=== other = fork
"""

WANTED = {
    "c1": {"one": ["c1"], "two": ["c1"]},
    "c2": {"one": ["c1"], "two": ["c2", "c1"]},
    "side": {"one": ["side", "c1"], "two": ["c1"]},
    "merge": {"one": ["side", "c1"], "two": ["c2", "c1"]},
    "c5": {"one": ["side", "c1"], "two": ["c2", "c1"]},
    "c6": {"one": ["side", "c1"], "two": ["c6", "c2", "c1"]},
    "fork": {"one": ["fork", "c1"], "two": []},
}


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    return build(HISTORY, tmp_path_factory.mktemp("touches") / "repository")


@pytest.fixture(scope="module")
def whole(history: History, tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    indexed = Indexed(history, tmp_path_factory.mktemp("touches") / "store")
    indexed.run(Scope(all_refs=True))
    return indexed


def touches(indexed: Indexed, commit: CommitId) -> dict[str, list[CommitId]]:
    keys = [(FilePath("a.py"), QualifiedName(name)) for name in ("one", "two")]
    with indexed.store.read() as reader:
        found = reader.last_touches(keys, commit, 3)
    return {name: list(found.get((path, QualifiedName(name)), ())) for path, name in keys}


def test_the_latest_commits_behind_are_told(history: History, whole: Indexed) -> None:
    names = {commit: name for name, commit in history.ids.items()}
    for at, wanted in WANTED.items():
        found = touches(whole, history.ids[at])
        assert {key: [names[one] for one in ids] for key, ids in found.items()} == wanted, at


@pytest.mark.parametrize("at", ["merge", "fork"])
def test_a_store_that_ends_there_says_the_same(
    history: History, whole: Indexed, tmp_path: Path, at: str
) -> None:
    build(f"{HISTORY.partition('=== main')[0]}=== main = {at}\n", tmp_path / "ending")
    ending = Indexed(tmp_path / "ending", tmp_path / "store")
    ending.run()
    assert ending.commits() < whole.commits()
    assert touches(ending, history.ids[at]) == touches(whole, history.ids[at])


MOVES = """
=== c1
--- a.py
def one(parts):
    total = 0
    for part in parts:
        total += part
    return total
=== c2 < c1
--- a.py
def one(parts):
    total = 0
    for part in parts:
        total += part * 2
    return total
=== moved < c2
--> a.py -> lib/b.py
=== renamed < moved
--- lib/b.py
def first(parts):
    total = 0
    for part in parts:
        total += part * 2
    return total
=== c5 < renamed
--- other.py
def other():
    return 0
"""


def test_a_move_is_no_edit_and_what_was_before_it_is_told(tmp_path: Path) -> None:
    history = build(MOVES, tmp_path / "repository")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    names = {commit: name for name, commit in history.ids.items()}

    def edits(at: str, path: str, name: str) -> list[str]:
        key = FilePath(path), QualifiedName(name)
        with indexed.store.read() as reader:
            found = reader.last_edits([key], history.ids[at], 3)
        return [names[one] for one in found.get(key, ())]

    assert edits("c2", "a.py", "one") == ["c2", "c1"]
    assert edits("moved", "lib/b.py", "one") == ["c2", "c1"]
    assert edits("c5", "lib/b.py", "first") == ["renamed", "c2", "c1"]
    assert edits("c5", "other.py", "other") == ["c5"]
    assert edits("c5", "a.py", "one") == []
