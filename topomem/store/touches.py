"""Which commits last changed the own text of symbols, going back from one commit.

Only commits behind the one that is asked about are met, along the parents that git names, so that
the answer is that of a store which ends there. A merge whose text is that of one of its parents
changed nothing. A symbol is followed as long as it goes by its name in its file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from topomem.model.history import Position
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
                break
            at = older[0]
        return found

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
