"""Which commits last changed the own text of symbols, going back from one commit.

Only commits behind the one that is asked about are met, along the parents that git names, so that
the answer is that of a store which ends there. A merge whose text is that of one of its parents
changed nothing, under the name that the parent has for it. A touch is looked for as long as a
symbol goes by its name in its file; an edit also before that, through renames and moves, and what
only moved was not edited.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import duckdb

from topomem.model.history import IDENTITY, Position
from topomem.model.ids import CommitId, FilePath, QualifiedName
from topomem.store.lineage import StoredAlias
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
_JUST_RENAMED = (), ("format",)


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
    walks = _Walks(past, texts, partial(_texts_of, connection))
    births = {}
    for origin, (key, place) in waiting.items():
        if key in texts:
            places, born = walks.back(key, place, most - len(found[origin]))
            found[origin].extend(places)
            if born is not None:
                births[origin] = born
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
    texts = _texts(connection, keys)
    return _last_touches(past, _Walks(past, texts, partial(_texts_of, connection)), at, most)


def light_touches(
    past: Past, keys: Sequence[Key], at: Position, most: int
) -> dict[Key, tuple[CommitId, ...]]:
    """Return the same of any symbol, with what is nested in it where it is a function.

    Variables and fields too; some queries for each of them.
    """
    texts = {key: past.contents(key) for key in keys}
    return _last_touches(past, _Walks(past, texts, past.contents), at, most)


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
    past: Past, walks: _Walks, at: Position, most: int
) -> dict[Key, tuple[CommitId, ...]]:
    found = {key: walks.back(key, at, most, with_moves=True)[0] for key in walks.keys}
    told = past.commits(sorted({one for places in found.values() for one in places}))
    return {key: tuple(told[one].id for one in places) for key, places in found.items()}


def _texts(connection: duckdb.DuckDBPyConnection, keys: Sequence[Key]) -> dict[Key, dict[int, int]]:
    """Return the region of each symbol in every stored version of its file, by blob."""
    rows = connection.execute(
        _TEXTS, {"paths": [path for path, _ in keys], "names": [name for _, name in keys]}
    ).fetchall()
    found: dict[Key, dict[int, int]] = {}
    for path, name, blob, region in rows:
        found.setdefault((path, name), {})[blob] = region
    return found


def _texts_of(connection: duckdb.DuckDBPyConnection, key: Key) -> Mapping[int, object]:
    return _texts(connection, [key]).get(key, {})


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


class _Walks:
    """Goes back along several symbols, of which the texts are given by blob."""

    def __init__(
        self,
        past: Past,
        texts: Mapping[Key, Mapping[int, object]],
        read: Callable[[Key], Mapping[int, object]],
    ) -> None:
        """Take the texts of what is asked for, and what reads those of another name."""
        self._past, self._read = past, read
        self._texts: dict[Key, Mapping[int, object]] = dict(texts)
        self._files: dict[FilePath, _Walk] = {}
        self.keys = list(texts)
        past.load_files(path for path, _ in texts)

    def back(
        self, key: Key, at: Position, most: int, *, with_moves: bool = False
    ) -> tuple[list[Position], tuple[Key, Position] | None]:
        """Return where a text changed last, and what it was and where at its birth, if met.

        `with_moves`: on the other side of a merge that took it over, where it was renamed too.
        """
        found: list[Position] = []
        while True:
            stop = self._file(key[0]).back(self._of(key), at, most - len(found))
            found += stop.places
            if stop.merge is None:
                return found, None if stop.birth is None else (key, stop.birth)
            older = self._taken_over(key, stop.merge)
            if older is not None:
                alias, parent = older
                if with_moves and alias.position != stop.merge.place:
                    found.append(alias.position)
                key, at = (alias.old.path, alias.old.name), parent
                continue
            found.append(stop.merge.place)
            blobs = self._of(key)
            left = [parent for parent, blob in stop.merge.parents if _text(blobs, blob) is not None]
            if not left or len(found) >= most:
                return found, None if left else (key, stop.merge.place)
            at = left[0]

    def _taken_over(self, key: Key, merge: _Change) -> tuple[StoredAlias, Position] | None:
        """Return by what name a parent has the very text that a merge has, and that parent."""
        here = _text(self._of(key), merge.blob)
        for ordinal, parent in self._past.parents(merge.place):
            if _text(self._of(key), self._past.blob(key[0], parent)) is not None:
                continue
            told = self._past.aliases_to(key).get((merge.place, ordinal), [])
            same = {(one.old.path, one.old.name) for one in told if one.changes in _JUST_RENAMED}
            for alias, _ in self._past.names_in(key, merge.place, parent, _surest):
                old = alias.old.path, alias.old.name
                text = _text(self._of(old), self._past.blob(old[0], parent))
                if text == here or old in same:
                    return alias, parent
        return None

    def _of(self, key: Key) -> Mapping[int, object]:
        if key not in self._texts:
            self._texts[key] = self._read(key)
        return self._texts[key]

    def _file(self, path: FilePath) -> _Walk:
        if path not in self._files:
            self._files[path] = _Walk(self._past, path)
        return self._files[path]


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a text changed, and why the walk ended there.

    `birth`: no parent has it. `merge`: some parent does not have it, and no other has this text.
    """

    places: list[Position]
    birth: Position | None = None
    merge: _Change | None = None


class _Walk:
    """Goes back along the versions of one file; what it meets is kept for its other symbols."""

    def __init__(self, past: Past, path: FilePath) -> None:
        self._past, self._path = past, path
        self._changes: dict[Position, _Change] = {}

    def back(self, texts: Mapping[int, object], at: Position, most: int) -> _Stop:
        """Go back until `most` changes of a text, given by blob, are found."""
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
            is_cut = self._past.is_cut(change.place)
            if len(above) > 1 and not is_cut and any(text is None for _, text in above):
                return _Stop(found, merge=change)
            if not is_cut:
                found.append(change.place)
            older = [parent for parent, text in above if text is not None]
            if not older:
                is_born = bool(change.parents) and found[-1:] == [change.place]
                return _Stop(found, birth=change.place if is_born else None)
            at = older[0]
        return _Stop(found)

    def _change(self, at: Position) -> _Change:
        known = self._changes.get(at)
        if known is None:
            past, path = self._past, self._path
            place = past.last_change(path, at)
            parents = [(parent, past.blob(path, parent)) for _, parent in past.parents(place)]
            known = self._changes[at] = _Change(place, past.blob(path, place), tuple(parents))
        return known


def _surest(rows: list[StoredAlias]) -> tuple[StoredAlias, float] | None:
    """Return the identity that is followed where no verdicts are known."""
    sure = [row for row in rows if row.kind in IDENTITY and row.confidence >= _LEAST_SURE]
    best = max(sure, key=lambda row: row.confidence, default=None)
    return (best, best.confidence) if best else None


def _text(texts: Mapping[int, object], blob: int | None) -> object:
    return None if blob is None else texts.get(blob)
