"""Aliases: written with their commit, read by symbol or by commit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import duckdb

from topomem.model.history import Alias, Position, SymbolAt, SymbolChange
from topomem.store.bulk import Table

ALIAS = Table.of(
    "topology.alias",
    "track:int seq:int ordinal:int alias_id:text kind:text old_path:int old_name:int "
    "new_path:int new_name:int old_hash:text new_hash:text confidence:real alone:real "
    "evidence:text changes:text",
)
CHANGE = Table.of(
    "topology.change", "track:int seq:int ordinal:int path_int:int name_int:int kinds:text"
)
_UNKNOWN = "?"
ALIAS_LIMIT = Table.of("topology.alias_limit", "track:int seq:int ordinal:int left_out:int")

_ROW = """
    SELECT alias.track, alias.seq, alias.ordinal, alias.alias_id, alias.kind, old_path.path,
        old_name.name, alias.old_hash, new_path.path, new_name.name, alias.new_hash,
        alias.confidence, alias.alone, alias.evidence, alias.changes
    FROM topology.alias AS alias
    JOIN topology.path AS old_path ON old_path.path_int = alias.old_path
    JOIN topology.name AS old_name ON old_name.name_int = alias.old_name
    JOIN topology.path AS new_path ON new_path.path_int = alias.new_path
    JOIN topology.name AS new_name ON new_name.name_int = alias.new_name
"""
_ORDER = """
    ORDER BY alias.track, alias.seq, alias.ordinal, new_path.path, new_name.name,
        alias.confidence DESC, old_path.path, old_name.name, alias.kind
"""
_AT = _ROW + " WHERE alias.track = ? AND alias.seq = ?" + _ORDER
_BETWEEN = (
    _ROW
    + """
    JOIN (
        SELECT unnest(?::INTEGER[]) AS track, unnest(?::INTEGER[]) AS low,
            unnest(?::INTEGER[]) AS high
    ) AS stretch
        ON stretch.track = alias.track AND alias.seq > stretch.low AND alias.seq <= stretch.high
"""
    + _ORDER
)
_BY_ID = _ROW + " WHERE alias.alias_id = ?" + _ORDER
_ALL = _ROW + _ORDER
_HITS = """
    SELECT track, seq, ordinal, alias_id, kind, old_path, old_name, old_hash, new_path, new_name,
        new_hash, confidence, alone, evidence, changes
    FROM topology.alias AS alias WHERE {end}_path = ? AND {end}_name = ?
    ORDER BY track, seq, ordinal, confidence DESC, alias_id
"""
_TO, _FROM = (_HITS.format(end=f"alias.{end}") for end in ("new", "old"))
_PATHS = """
    SELECT path_int, path FROM topology.path
    WHERE path_int IN (SELECT unnest(?::INTEGER[])) ORDER BY path_int
"""
_NAMES = """
    SELECT name_int, name FROM topology.name
    WHERE name_int IN (SELECT unnest(?::INTEGER[])) ORDER BY name_int
"""
_CHANGES = """
    SELECT track, seq, ordinal, kinds FROM topology.change
    WHERE path_int = ? AND name_int = ? ORDER BY track, seq, ordinal
"""
_LIMITS = """
    SELECT track, seq, ordinal, left_out FROM topology.alias_limit ORDER BY track, seq, ordinal
"""


@dataclass(frozen=True, slots=True)
class TracedParent:
    """What was found of a commit and its parent number `ordinal`."""

    ordinal: int
    aliases: tuple[Alias, ...]
    left_out: int = 0
    changed: tuple[SymbolChange, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        return not (self.aliases or self.left_out or self.changed)


@dataclass(frozen=True, slots=True)
class StoredAlias:
    """An alias with its id and the place of its commit."""

    id: str
    position: Position
    ordinal: int  # of the parent
    kind: str
    old: SymbolAt
    new: SymbolAt
    confidence: float
    alone: float
    evidence: tuple[tuple[str, float], ...]
    changes: tuple[str, ...] | None = None

    @property
    def stays(self) -> bool:
        """Whether both ends have the same path and name."""
        return (self.old.path, self.old.name) == (self.new.path, self.new.name)


def alias_id(old: SymbolAt, new: SymbolAt) -> str:
    """Return 16 hexadecimal digits: the same wherever these two symbols with these texts meet."""
    ends = [[end.path, end.name, end.region_hash] for end in (old, new)]
    return sha256(json.dumps(ends).encode()).hexdigest()[:16]


def alias_rows(
    position: Position,
    traced: Sequence[TracedParent],
    paths: Mapping[str, int],
    names: Mapping[str, int],
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a commit's aliases."""
    for parent in traced:
        for alias in parent.aliases:
            old, new = alias.old, alias.new
            yield (
                position.track, position.seq, parent.ordinal, alias_id(old, new), alias.kind,
                paths[old.path], names[old.name], paths[new.path], names[new.name],
                old.region_hash, new.region_hash, alias.confidence, alias.alone,
                json.dumps(alias.evidence, separators=(",", ":")),
                _UNKNOWN if alias.changes is None else " ".join(alias.changes),
            )  # fmt: skip


def change_rows(
    position: Position,
    traced: Iterable[TracedParent],
    paths: Mapping[str, int],
    names: Mapping[str, int],
) -> Iterator[tuple[int, int, int, int, int, str]]:
    """Yield the rows of what changed of symbols that kept their keys."""
    for parent in traced:
        for one in parent.changed:
            yield (
                position.track, position.seq, parent.ordinal, paths[one.path], names[one.name],
                " ".join(one.kinds),
            )  # fmt: skip


def limit_rows(
    position: Position, traced: Iterable[TracedParent]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the rows of limits that were reached."""
    for parent in traced:
        if parent.left_out:
            yield position.track, position.seq, parent.ordinal, parent.left_out


def aliases_at(connection: duckdb.DuckDBPyConnection, position: Position) -> list[StoredAlias]:
    """Return the aliases of one commit, by parent, new key and confidence."""
    rows = connection.execute(_AT, [position.track, position.seq]).fetchall()
    return [_alias(row) for row in rows]


def aliases_between(
    connection: duckdb.DuckDBPyConnection, ahead: Mapping[int, int], behind: Mapping[int, int]
) -> list[StoredAlias]:
    """Return the aliases of commits that are among some ancestors and not among others.

    Both are {track: highest seq}.
    """
    stretches = [(track, behind.get(track, -1), seq) for track, seq in sorted(ahead.items())]
    stretches = [one for one in stretches if one[1] < one[2]]
    columns = [list(column) for column in zip(*stretches, strict=True)] or [[], [], []]
    return [_alias(row) for row in connection.execute(_BETWEEN, columns).fetchall()]


def aliases_by_id(connection: duckdb.DuckDBPyConnection, key: str) -> list[StoredAlias]:
    """Return the places where an alias was found."""
    return [_alias(row) for row in connection.execute(_BY_ID, [key]).fetchall()]


@dataclass(frozen=True, slots=True)
class Texts:
    """Paths and names by their numbers, as far as they were looked up."""

    paths: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


def _look_up(
    connection: duckdb.DuckDBPyConnection, query: str, known: dict[int, str], wanted: Iterable[int]
) -> None:
    missing = sorted(set(wanted) - known.keys())
    if missing:
        known.update(connection.execute(query, [missing]).fetchall())


def aliases_of(
    connection: duckdb.DuckDBPyConnection, path: int, name: int, texts: Texts, *, newer: bool
) -> list[StoredAlias]:
    """Return the aliases that end at a key (in numbers), as their new or their old end."""
    rows = connection.execute(_TO if newer else _FROM, [path, name]).fetchall()
    _look_up(connection, _PATHS, texts.paths, (row[at] for row in rows for at in (5, 8)))
    _look_up(connection, _NAMES, texts.names, (row[at] for row in rows for at in (6, 9)))
    paths, names = texts.paths, texts.names
    return [
        _alias((*row[:5], paths[row[5]], names[row[6]], row[7], paths[row[8]], names[row[9]],
                *row[10:]))
        for row in rows
    ]  # fmt: skip


def changes_of(
    connection: duckdb.DuckDBPyConnection, path: int, name: int
) -> dict[tuple[Position, int], tuple[str, ...]]:
    """Return what changed of a symbol that kept a key (in numbers), by commit and parent."""
    rows = connection.execute(_CHANGES, [path, name]).fetchall()
    return {
        (Position(track, seq), ordinal): tuple(kinds.split()) for track, seq, ordinal, kinds in rows
    }


def all_aliases(connection: duckdb.DuckDBPyConnection) -> list[StoredAlias]:
    """Return every alias of every commit."""
    return [_alias(row) for row in connection.execute(_ALL).fetchall()]


def limits(connection: duckdb.DuckDBPyConnection) -> dict[tuple[Position, int], int]:
    """Return how many pairs were left out, by commit and number of the parent."""
    return {
        (Position(track, seq), ordinal): left_out
        for track, seq, ordinal, left_out in connection.execute(_LIMITS).fetchall()
    }


def _alias(row: tuple[Any, ...]) -> StoredAlias:
    return StoredAlias(
        id=row[3],
        position=Position(row[0], row[1]),
        ordinal=row[2],
        kind=row[4],
        old=SymbolAt(row[5], row[6], row[7]),
        new=SymbolAt(row[8], row[9], row[10]),
        confidence=row[11],
        alone=row[12],
        evidence=tuple((name, value) for name, value in json.loads(row[13])),
        changes=None if row[14] == _UNKNOWN else tuple(row[14].split()),
    )
