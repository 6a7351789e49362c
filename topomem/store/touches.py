"""Which commits last changed the own text of symbols, going back from one commit.

Only commits behind the one that is asked about are met, along the parents that git names, so that
the answer is that of a store which ends there. A merge whose text is that of one of its parents
changed nothing. A touch is looked for as long as a symbol goes by its name in its file; an edit
also before that, through renames and moves, and what only moved was not edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from topomem.model.history import IDENTITY, Position
from topomem.model.ids import CommitId, FilePath, QualifiedName
from topomem.store.past import Past

Key = tuple[FilePath, QualifiedName]

_FURTHEST = 300
"""So many changes of its file are looked at for one symbol."""

_TEXTS = """
    WITH wanted AS (SELECT unnest($paths::VARCHAR[]) AS path, unnest($names::VARCHAR[]) AS name),
    version AS (
        SELECT DISTINCT wanted.path, wanted.name, name.name_int, span.blob_int
        FROM wanted
        JOIN topology.name AS name ON name.name = wanted.name
        JOIN topology.path AS path ON path.path = wanted.path
        JOIN topology.span AS span ON span.path_int = path.path_int
    )
    SELECT version.path, version.name, version.blob_int, min(placement.region_int)
    FROM version
    JOIN topology.placement AS placement ON placement.blob_int = version.blob_int
        AND placement.name_int = version.name_int
    GROUP BY ALL
"""


_OLDER = """
    WITH wanted AS (
        SELECT unnest($row::INTEGER[]) AS row, unnest($path::VARCHAR[]) AS path,
            unnest($name::VARCHAR[]) AS name, unnest($track::INTEGER[]) AS track,
            unnest($seq::INTEGER[]) AS seq
    )
    SELECT wanted.row, alias.ordinal, old_path.path, old_name.name,
        alias.old_hash = alias.new_hash
    FROM wanted
    JOIN topology.path AS new_path ON new_path.path = wanted.path
    JOIN topology.name AS new_name ON new_name.name = wanted.name
    JOIN topology.alias AS alias ON alias.track = wanted.track AND alias.seq = wanted.seq
        AND alias.new_path = new_path.path_int AND alias.new_name = new_name.name_int
    JOIN topology.path AS old_path ON old_path.path_int = alias.old_path
    JOIN topology.name AS old_name ON old_name.name_int = alias.old_name
    WHERE alias.kind IN (SELECT unnest($kinds::VARCHAR[])) AND alias.confidence >= $least
    ORDER BY wanted.row, alias.confidence, old_path.path, old_name.name
"""

_MOST_MOVES = 3
_LEAST_SURE = 0.5


def last_edits(
    connection: duckdb.DuckDBPyConnection,
    past: Past,
    keys: Sequence[Key],
    at: Position,
    most: int,
) -> dict[Key, tuple[CommitId, ...]]:
    """Return, per symbol, at most `most` commits that edited its own lines, latest first.

    As `last_touches`, but followed through renames and moves, surest aliases first.
    """
    found: dict[Key, list[Position]] = {key: [] for key in keys}
    waiting = {key: (key, at) for key in keys}
    for _ in range(_MOST_MOVES + 1):
        births = _walk_on(connection, past, waiting, found, most)
        waiting = _moved(connection, past, births, found, most)
        if not waiting:
            break
    told = past.commits(sorted({one for places in found.values() for one in places}))
    return {key: tuple(told[one].id for one in places) for key, places in found.items() if places}


def _walk_on(
    connection: duckdb.DuckDBPyConnection,
    past: Past,
    waiting: Mapping[Key, tuple[Key, Position]],
    found: Mapping[Key, list[Position]],
    most: int,
) -> dict[Key, tuple[Key, Position]]:
    """Walk back from where each symbol stands, under the key it has there; return their births."""
    texts = _texts(connection, [key for key, _ in waiting.values()])
    past.load_files(path for path, _ in texts)
    files = {path: _Walk(past, path) for path, _ in texts}
    births = {}
    for origin, (key, place) in waiting.items():
        if key in texts:
            wanted = most - len(found[origin])
            places, born = files[key[0]].back(texts[key], place, wanted)
            found[origin].extend(places)
            if born is not None:
                births[origin] = key, born
    return births


def _moved(
    connection: duckdb.DuckDBPyConnection,
    past: Past,
    births: Mapping[Key, tuple[Key, Position]],
    found: Mapping[Key, list[Position]],
    most: int,
) -> dict[Key, tuple[Key, Position]]:
    """Return what was there before a birth that was none, and where; a mere move is no edit."""
    if not births:
        return {}
    origins = list(births)
    wanted: dict[str, object] = {
        "row": list(range(len(origins))),
        "path": [births[one][0][0] for one in origins],
        "name": [births[one][0][1] for one in origins],
        "track": [births[one][1].track for one in origins],
        "seq": [births[one][1].seq for one in origins],
        "kinds": list(IDENTITY),
        "least": _LEAST_SURE,
    }
    waiting: dict[Key, tuple[Key, Position]] = {}
    rows = connection.execute(_OLDER, wanted).fetchall()
    surest = {row: older for row, *older in rows}  # the surest comes last
    for row, (ordinal, path, name, is_same) in surest.items():
        origin = origins[row]
        born = births[origin][1]
        parents = dict(past.parents(born))
        if ordinal not in parents:
            continue
        if is_same and found[origin][-1:] == [born]:
            found[origin].pop()
        if len(found[origin]) < most:
            waiting[origin] = (path, name), parents[ordinal]
    return waiting


def last_touches(
    connection: duckdb.DuckDBPyConnection,
    past: Past,
    keys: Sequence[Key],
    at: Position,
    most: int,
) -> dict[Key, tuple[CommitId, ...]]:
    """Return, per symbol, at most `most` commits that changed its own lines, latest first.

    Own lines: without those of symbols nested in it.
    """
    return _last_touches(past, _texts(connection, keys), at, most)


def light_touches(
    past: Past, keys: Sequence[Key], at: Position, most: int
) -> dict[Key, tuple[CommitId, ...]]:
    """Return the same of variables and fields; some queries for each of them."""
    return _last_touches(past, {key: past.contents(key) for key in keys}, at, most)


def removals(past: Past, keys: Sequence[Key], at: Position) -> dict[Key, CommitId]:
    """Return, per symbol that does not stand at a place, the last commit up to it that removed it.

    A merge is that only where all its parents still had the symbol.
    """
    past.load_files(path for path, _ in keys)
    places = {key: _removal(past, key, at) for key in keys}
    found = {key: place for key, place in places.items() if place is not None}
    told = past.commits(sorted(set(found.values())))
    return {key: told[place].id for key, place in found.items()}


def _removal(past: Past, key: Key, at: Position) -> Position | None:
    if past.standing(key, at) is not None:
        return None
    for _ in range(_FURTHEST):
        place = past.last_change(key[0], at)
        parents = [parent for _, parent in past.parents(place)]
        without = [parent for parent in parents if past.standing(key, parent) is None]
        if not without:
            return place if parents else None
        at = without[0]
    return None


def _last_touches(
    past: Past, texts: Mapping[Key, Mapping[int, object]], at: Position, most: int
) -> dict[Key, tuple[CommitId, ...]]:
    past.load_files(path for path, _ in texts)
    files = {path: _Walk(past, path) for path, _ in texts}
    walks = {key: files[key[0]].touches(versions, at, most) for key, versions in texts.items()}
    told = past.commits(sorted({one for places in walks.values() for one in places}))
    return {key: tuple(told[one].id for one in places) for key, places in walks.items()}


def _texts(connection: duckdb.DuckDBPyConnection, keys: Sequence[Key]) -> dict[Key, dict[int, int]]:
    """Return the region of each symbol in every stored version of its file, by blob."""
    rows = connection.execute(
        _TEXTS, {"paths": [path for path, _ in keys], "names": [name for _, name in keys]}
    ).fetchall()
    found: dict[Key, dict[int, int]] = {}
    for path, name, blob, region in rows:
        found.setdefault((path, name), {})[blob] = region
    return found


@dataclass(frozen=True, slots=True)
class _Change:
    """The nearest commit back on a track that may have changed a file, and its parents."""

    place: Position
    blob: int | None
    parents: tuple[tuple[Position, int | None], ...]

    @property
    def is_real(self) -> bool:
        """Whether the file is not that of any parent."""
        return all(blob != self.blob for _, blob in self.parents)


class _Walk:
    """Goes back along the versions of one file; what it meets is kept for its other symbols."""

    def __init__(self, past: Past, path: FilePath) -> None:
        self._past, self._path = past, path
        self._changes: dict[Position, _Change] = {}

    def touches(self, texts: Mapping[int, object], at: Position, most: int) -> list[Position]:
        """Return where the text of a symbol, given by blob, changed last."""
        return self.back(texts, at, most)[0]

    def back(
        self, texts: Mapping[int, object], at: Position, most: int
    ) -> tuple[list[Position], Position | None]:
        """Return where a text changed last, and where no parent has it, if that is the last."""
        found: list[Position] = []
        looked = 0
        while len(found) < most and looked < _FURTHEST:
            change = self._change(at)
            here = _text(texts, change.blob)
            if here is None:
                break
            looked += change.is_real
            above = [(parent, _text(texts, blob)) for parent, blob in change.parents]
            same = [parent for parent, text in above if text == here]
            if same:
                at = same[0]
                continue
            if not self._past.is_cut(change.place):
                found.append(change.place)
            older = [parent for parent, text in above if text is not None]
            if not older:
                is_born = bool(change.parents) and found[-1:] == [change.place]
                return found, change.place if is_born else None
            at = older[0]
        return found, None

    def _change(self, at: Position) -> _Change:
        known = self._changes.get(at)
        if known is None:
            past, path = self._past, self._path
            place = past.last_change(path, at)
            parents = [(parent, past.blob(path, parent)) for _, parent in past.parents(place)]
            known = self._changes[at] = _Change(place, past.blob(path, place), tuple(parents))
        return known


def _text(texts: Mapping[int, object], blob: int | None) -> object:
    return None if blob is None else texts.get(blob)
