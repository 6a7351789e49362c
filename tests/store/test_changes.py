"""What commits say and changed, in units of a snapshot; only what is behind it counts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from support.history import History, build
from support.indexed import Indexed

from topomem.index.plan import Scope
from topomem.model.history import Position
from topomem.store.changes import MOST_FILES, Changes
from topomem.store.search import Search
from topomem.store.tracks import DEEPEST

BODY = "    total = 0\n    for part in parts:\n        total += part\n    return total"
COPIES = "SELECT track FROM meta.track WHERE base_track IS NULL"
MANY = "\n".join(f"--- many/m{number}.py\nx = {number}" for number in range(MOST_FILES + 1))

HISTORY = f"""
=== c1
> begin
--- a.py
def one(parts):
{BODY}

def two():
    return 2
=== c2 < c1
> the cookie loses its domain (#4)
--- a.py
def one(parts):
{BODY}

def two():
    return 22
=== side < c1
> parcels are quick
--- a.py
def one(parts):
{BODY} + 1

def two():
    return 2
=== merge < c2, side
> bring cookie and parcels together
--- a.py
def one(parts):
{BODY} + 1

def two():
    return 22
=== moved < merge
> a better home
--> a.py -> b.py
=== mass < moved
> reformat cookie everywhere
{MANY}
=== fork < c2
> cookie from another line
--- a.py
def one(parts):
    return 0

def two():
    return 23
=== main = mass
=== other = fork
"""


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    return build(HISTORY, tmp_path_factory.mktemp("changes") / "repository")


@pytest.fixture(scope="module")
def indexed(history: History, tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    made = Indexed(history, tmp_path_factory.mktemp("changes") / "store")
    made.run(Scope(all_refs=True))
    return made


def changed(indexed: Indexed, ids: dict[str, str], at: str) -> dict[str, list[str]]:
    """Return what each commit behind `at` changed of what is there, by the names of the test."""
    names = {commit: name for name, commit in ids.items()}
    with indexed.store.read() as reader:
        connection = reader.open_snapshot(ids[at]).connection  # type: ignore[arg-type]
        search = Search(connection)
        behind = reader.ancestors(ids[at])  # type: ignore[arg-type]
        changes = Changes(connection, behind)
        places = [(track, seq) for track, top in behind.items() for seq in range(top + 1)]
        called = search.names(range(len(search.units)))
        return {
            names[change.commit]: [called[unit][0] for unit in change.units if called[unit][0]]
            for change in changes.of(places).values()
        }


def check(indexed: Indexed, history: History, at: str, wanted: dict[str, list[str]]) -> None:
    found = changed(indexed, dict(history.ids), at)
    assert {commit: found.get(commit, []) for commit in wanted} == wanted
    assert set(found) <= set(wanted)


def test_a_commit_leads_to_what_it_changed(indexed: Indexed, history: History) -> None:
    check(indexed, history, "c2", {"c1": ["one", "two"], "c2": ["two"]})


def test_a_merge_changed_nothing_that_its_parents_brought(
    indexed: Indexed, history: History
) -> None:
    wanted = {"c1": ["one", "two"], "c2": ["two"], "side": ["one"]}
    check(indexed, history, "merge", wanted)


def test_a_symbol_that_moved_is_found_where_it_is_now(indexed: Indexed, history: History) -> None:
    found = changed(indexed, dict(history.ids), "mass")
    assert found["c2"] == ["two"]
    assert found["side"] == ["one"]


def test_a_commit_that_changes_very_much_tells_nothing(indexed: Indexed, history: History) -> None:
    assert "mass" not in changed(indexed, dict(history.ids), "mass")


def messages(indexed: Indexed, commit: str, words: Iterable[str]) -> list[Position]:
    with indexed.store.read() as reader:
        connection = reader.open_snapshot(commit).connection  # type: ignore[arg-type]
        changes = Changes(connection, reader.ancestors(commit))  # type: ignore[arg-type]
        numbers = [word.number for word in Search(connection).vocabulary(list(words))]
        return [Position(*place) for place in changes.messages(numbers).places]


def test_only_what_is_behind_is_heard(indexed: Indexed, history: History) -> None:
    assert messages(indexed, history.ids["c1"], ["cooky", "cookie", "cooki"]) == []
    assert len(messages(indexed, history.ids["c2"], ["cooky", "cookie", "cooki"])) == 1
    assert len(messages(indexed, history.ids["fork"], ["cooky", "cookie", "cooki"])) == 2


def test_tickets_lead_to_their_commits(indexed: Indexed, history: History) -> None:
    with indexed.store.read() as reader:
        for at, count in (("c1", 0), ("c2", 1), ("fork", 1)):
            connection = reader.open_snapshot(history.ids[at]).connection
            changes = Changes(connection, reader.ancestors(history.ids[at]))
            assert len(changes.naming(["#4", "#5"])) == count


def test_a_track_that_starts_with_a_copy_changed_only_its_own(tmp_path: Path) -> None:
    text = "=== x0\n" + "".join(f"--- f{n}.py\ndef f{n}():\n    return {n}\n" for n in range(3))
    branches = ""
    for n in range(1, DEEPEST + 4):  # each branch leaves the one before: tracks hang off tracks
        text += f"=== x{n} < x{n - 1}\n--- a.py\ndef a():\n    return {n}\n"
        text += f"=== y{n} < x{n}\n--- b.py\ndef b():\n    return {n}\n"
        branches += f"=== b{n:02} = y{n}\n"
    history = build(f"{text}=== main = y1\n{branches}", tmp_path / "repository")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run(Scope(all_refs=True))
    with indexed.store.read() as reader:
        copies = reader.connection.execute(COPIES).fetchall()
        assert len(copies) > 1  # the first commit starts with everything, too
    last = DEEPEST + 3
    found = changed(indexed, dict(history.ids), f"y{last}")
    wanted = {f"x{n}": ["a"] for n in range(1, last + 1)}
    assert found == {"x0": ["f0", "f1", "f2"], **wanted, f"y{last}": ["b"]}
