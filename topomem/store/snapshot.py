"""Symbols and edges of one commit, composed on reading.

A snapshot has its own connection with a temporary table

    visible(path_int, path, blob_int, blob_id, language, mode, link_set)

of the files at that commit; every query joins it before anything else. Two more are made when they
are first needed: `placed` (the placements of visible files) and `symbol` (all definitions, with the
lines they have there). `snapshot.connection` serves other modules of the store for their planes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import duckdb

from topomem.model.answer import Edge, Symbol, SymbolRef
from topomem.model.code import Diagnostic, EdgeKind, External, Method, SymbolKind, Unresolved
from topomem.model.history import Mode, Position, TreeEntry
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName, Moniker, QualifiedName
from topomem.store.globs import glob_to_regex

VISIBLE = """
    CREATE TEMP TABLE visible AS
    SELECT entry.path_int, path.path, entry.blob_int, blob.blob_id, blob.language, entry.mode,
        entry.link_set
    FROM topology.snapshot(?, ?) AS entry
    JOIN topology.path AS path ON path.path_int = entry.path_int
    JOIN topology.blob AS blob ON blob.blob_int = entry.blob_int
    ORDER BY path.path
"""
NOTHING_VISIBLE = """
    CREATE TEMP TABLE visible (
        path_int INTEGER, path VARCHAR, blob_int INTEGER, blob_id VARCHAR, language VARCHAR,
        mode INTEGER, link_set INTEGER
    )
"""
_PLACED = """
    CREATE TEMP TABLE placed AS
    SELECT visible.path_int, placement.*
    FROM visible JOIN topology.placement AS placement ON placement.blob_int = visible.blob_int
"""
_SYMBOL = """
    CREATE TEMP TABLE symbol AS
    -- a field may go by the name of a method of its class, a variable by that of an interface, a
    -- type alias by that of anything, a member of a written type by that of another overload's: it
    -- is numbered behind them
    WITH taken AS (
        SELECT placed.path_int, regexp_replace(name.name, '[+][0-9]+$', '') AS base,
            count(*) AS times, bool_or(own.kind IN ('interface', 'namespace')) AS by_type
        FROM placed JOIN topology.name AS name ON name.name_int = placed.name_int
        JOIN topology.definition AS own ON own.region_int = placed.region_int AND own.ordinal = 0
        WHERE placed.ordinal > 0
        GROUP BY ALL
    ),
    plain AS (
        SELECT placed.path_int, placed.ordinal AS placement, definition.ordinal,
            definition.region_int, definition.kind, definition.signature, definition.modifiers,
            CASE
                WHEN definition.ordinal = 0 THEN name.name
                WHEN definition.through_receiver AND owner.name IS NOT NULL
                    THEN owner.name || '.' || definition.name
                WHEN name.name = '' THEN definition.name
                ELSE name.name || '.' || definition.name
            END AS base,
            definition.ordinal > 0 AND NOT definition.through_receiver AS is_light,
            placed.ordinal = 0 AS in_module, definition.kind = 'type_alias' AS is_alias,
            CASE WHEN definition.ordinal = 0 THEN placed.start_line ELSE
                placed.start_line + definition.start_row + coalesce(before_start.hidden_rows, 0)
            END AS start_line,
            CASE WHEN definition.ordinal = 0 THEN placed.end_line ELSE
                placed.start_line + definition.end_row + coalesce(before_end.hidden_rows, 0)
            END AS end_line,
            CASE WHEN definition.ordinal = 0 THEN placed.name_line ELSE
                placed.start_line + definition.name_row + coalesce(before_name.hidden_rows, 0)
            END AS name_line
        FROM placed
        JOIN topology.definition AS definition ON definition.region_int = placed.region_int
        JOIN topology.name AS name ON name.name_int = placed.name_int
        LEFT JOIN topology.name AS owner ON owner.name_int = placed.owner_int
        LEFT JOIN placed AS before_start ON before_start.path_int = placed.path_int
            AND before_start.parent = placed.ordinal
            AND before_start.child = definition.start_nested - 1
        LEFT JOIN placed AS before_end ON before_end.path_int = placed.path_int
            AND before_end.parent = placed.ordinal
            AND before_end.child = definition.end_nested - 1
        LEFT JOIN placed AS before_name ON before_name.path_int = placed.path_int
            AND before_name.parent = placed.ordinal
            AND before_name.child = definition.name_nested - 1
    ),
    counted AS (
        SELECT plain.*, row_number() OVER (
                PARTITION BY plain.path_int, plain.base, is_light
                ORDER BY is_alias, placement, ordinal
            ) + CASE WHEN NOT in_module OR is_alias OR taken.by_type
                THEN coalesce(taken.times, 0) ELSE 0
            END AS number
        FROM plain
        LEFT JOIN taken ON taken.path_int = plain.path_int AND taken.base = plain.base
    ),
    declared AS (
        SELECT * EXCLUDE (base, is_light, in_module, is_alias, number),
            CASE WHEN is_light AND number > 1 THEN base || '+' || number ELSE base END
                AS qualified_name
        FROM counted
    )
    SELECT *, row_number() OVER (
        PARTITION BY path_int, qualified_name
        ORDER BY ordinal <> 0, start_line, placement, ordinal
    ) = 1 AS is_first
    FROM declared
"""
_SYMBOL_ROW = """
    SELECT visible.path, visible.language, symbol.kind, symbol.qualified_name, symbol.signature,
        symbol.start_line, symbol.end_line, symbol.name_line, visible.blob_id,
        CASE WHEN symbol.ordinal = 0 THEN region.docstring ELSE '' END, symbol.modifiers
    FROM symbol
    JOIN visible ON visible.path_int = symbol.path_int
    JOIN topology.region AS region ON region.region_int = symbol.region_int
"""
_SYMBOLS = (
    _SYMBOL_ROW
    + """
    WHERE symbol.is_first
        AND ($with_modules OR symbol.kind <> 'module')
        AND ($name = '' OR symbol.qualified_name = $name OR ends_with(symbol.qualified_name, $last))
        AND ($text = '' OR contains(lower(symbol.qualified_name), $text))
        AND (len($kinds) = 0 OR list_contains($kinds, symbol.kind))
        AND (len($paths) = 0 OR list_contains($paths, visible.path))
        AND ($glob = '' OR regexp_full_match(visible.path, $glob))
    ORDER BY visible.path, symbol.start_line, symbol.qualified_name
"""
)
_SYMBOL_COUNT = "SELECT count(*) FROM symbol WHERE is_first AND kind <> 'module'"
_ONE_SYMBOL = (
    _SYMBOL_ROW
    + " WHERE symbol.is_first AND visible.path = $path AND symbol.qualified_name = $name"
)
_SYMBOL_AT = (
    _SYMBOL_ROW
    + """
    WHERE symbol.is_first AND visible.path = $path
        AND symbol.start_line <= $line AND symbol.end_line >= $line
    ORDER BY symbol.ordinal = 0 DESC, symbol.end_line - symbol.start_line, symbol.start_line DESC,
        symbol.qualified_name
    LIMIT 1
"""
)
_FILES = """
    SELECT visible.path, visible.mode, visible.blob_id, visible.language, blob.byte_count,
        blob.line_count, blob.diagnostics
    FROM visible JOIN topology.blob AS blob ON blob.blob_int = visible.blob_int
    WHERE $glob = '' OR regexp_full_match(visible.path, $glob)
    ORDER BY visible.path
"""
_EDGES = """
    WITH wanted AS (
        SELECT visible.path_int, visible.path, placed.ordinal AS placement, placed.start_line,
            edge.*
        FROM visible
        JOIN topology.link_set AS member ON member.link_set = visible.link_set
        JOIN placed ON placed.path_int = visible.path_int AND placed.ordinal = member.ordinal
        JOIN topology.edge AS edge ON edge.link = member.link
        WHERE (len($kinds) = 0 OR list_contains($kinds, edge.kind))
            AND (len($paths) = 0 OR list_contains($paths, visible.path))
            AND ($glob = '' OR regexp_full_match(visible.path, $glob))
            AND ($unresolved IS NULL OR $unresolved = (edge.target_kind = 'unresolved'))
            AND ($external IS NULL OR $external = (edge.target_kind = 'external'))
    )
    SELECT wanted.kind, wanted.path, source.qualified_name, source.kind, source.start_line,
        wanted.target_kind, target_path.path, target_name.name, target.kind, target.start_line,
        wanted.start_line + wanted.row + coalesce(before.hidden_rows, 0) AS line,
        wanted.confidence, wanted.method, wanted.link, wanted.ordinal
    FROM wanted
    JOIN symbol AS source ON source.path_int = wanted.path_int
        AND source.placement = wanted.placement AND source.ordinal = wanted.source
    LEFT JOIN placed AS before ON before.path_int = wanted.path_int
        AND before.parent = wanted.placement AND before.child = wanted.nested - 1
    JOIN topology.name AS target_name ON target_name.name_int = wanted.target_name
    LEFT JOIN topology.path AS target_path ON target_path.path_int = wanted.target_path
    LEFT JOIN symbol AS target ON target.path_int = wanted.target_path
        AND target.qualified_name = target_name.name AND target.is_first
    WHERE (len($sources) = 0
            OR list_contains($sources, wanted.path || '#' || source.qualified_name))
        AND (len($targets) = 0
            OR list_contains($targets, coalesce(target_path.path || '#', '') || target_name.name))
    ORDER BY wanted.path, line, wanted.kind, source.qualified_name, target_path.path NULLS LAST,
        target_name.name, wanted.placement, wanted.ordinal
"""
_CANDIDATES = """
    SELECT candidate.link, candidate.edge, path.path || '#' || name.name
    FROM topology.candidate AS candidate
    JOIN topology.path AS path ON path.path_int = candidate.path_int
    JOIN topology.name AS name ON name.name_int = candidate.name_int
    WHERE candidate.link IN (SELECT unnest(?::INTEGER[]))
    ORDER BY candidate.link, candidate.edge, candidate.ordinal
"""
_EDGE_COUNTS = """
    SELECT edge.kind, count(*)
    FROM visible
    JOIN topology.link_set AS member ON member.link_set = visible.link_set
    JOIN topology.edge AS edge ON edge.link = member.link
    GROUP BY edge.kind ORDER BY edge.kind
"""


@dataclass(frozen=True, slots=True)
class SymbolFilter:
    """Which symbols are wanted; every empty field means any."""

    name: str = ""  # exact qualified name, or its last parts
    text: str = ""  # part of the qualified name, letter case ignored
    kinds: tuple[SymbolKind, ...] = ()
    paths: tuple[FilePath, ...] = ()
    path_glob: str = ""  # `*` does not cross `/`, `**` does
    with_modules: bool = False  # files themselves too


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges are wanted; every empty field means any."""

    kinds: tuple[EdgeKind, ...] = ()
    paths: tuple[FilePath, ...] = ()  # read from these files
    path_glob: str = ""
    unresolved: bool | None = None  # only unresolved ones; only resolved ones
    external: bool | None = None
    sources: tuple[tuple[FilePath, QualifiedName], ...] = ()
    targets: tuple[tuple[FilePath, QualifiedName], ...] = ()


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of a snapshot."""

    path: FilePath
    entry: TreeEntry
    language: LanguageName
    byte_count: int
    line_count: int
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class AsOf:
    """What a snapshot's symbols are said to be of. `commit` is None for uncommitted text."""

    repository: str
    commit: CommitId | None
    base_commit: CommitId | None = None


class Snapshot:
    """The answers at one commit. Lists are sorted by path, then line, then name."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, as_of: AsOf, position: Position | None
    ) -> None:
        """Take over a connection of its own on which `topology.*` can be read."""
        self.connection = connection
        self.repository = as_of.repository
        self.commit = as_of.commit
        self.base_commit = as_of.base_commit
        self.position = position
        if position is None:
            connection.execute(NOTHING_VISIBLE)
        else:
            connection.execute(VISIBLE, [position.track, position.seq])

    def files(self, path_glob: str = "") -> list[FileRow]:
        """Return the files."""
        rows = self.connection.execute(_FILES, {"glob": _regex(path_glob)}).fetchall()
        return [
            FileRow(
                path, TreeEntry(Mode(mode), blob), language, byte_count, line_count,
                read_diagnostics(diagnostics),
            )
            for path, mode, blob, language, byte_count, line_count, diagnostics in rows
        ]  # fmt: skip

    def symbols(self, wanted: SymbolFilter | None = None) -> list[Symbol]:
        """Return the definitions that match."""
        wanted = wanted or SymbolFilter()
        return self._symbols(
            _SYMBOLS,
            {
                "with_modules": wanted.with_modules,
                "name": wanted.name,
                "last": f".{wanted.name}",
                "text": wanted.text.lower(),
                "kinds": [kind.value for kind in wanted.kinds],
                "paths": list(wanted.paths),
                "glob": _regex(wanted.path_glob),
            },
        )

    def symbol_count(self) -> int:
        """Return how many definitions there are, files not counted."""
        _ = self.has_symbols
        counted = self.connection.execute(_SYMBOL_COUNT).fetchone()
        return int(counted[0]) if counted else 0

    def symbol(self, path: FilePath, name: QualifiedName) -> Symbol | None:
        """Return one definition by its full name."""
        found = self._symbols(_ONE_SYMBOL, {"path": path, "name": name})
        return found[0] if found else None

    def symbol_at(self, path: FilePath, line: int) -> Symbol | None:
        """Return the innermost definition around a line (1-based), else the file itself."""
        found = self._symbols(_SYMBOL_AT, {"path": path, "line": line})
        return found[0] if found else None

    def edges(self, wanted: EdgeFilter | None = None) -> list[Edge]:
        """Return the typed edges that match, sorted by path, line, kind, target."""
        wanted = wanted or EdgeFilter()
        _ = self.has_symbols
        rows = self.connection.execute(
            _EDGES,
            {
                "kinds": [kind.value for kind in wanted.kinds],
                "paths": list(wanted.paths),
                "glob": _regex(wanted.path_glob),
                "unresolved": wanted.unresolved,
                "external": wanted.external,
                "sources": [f"{path}#{name}" for path, name in wanted.sources],
                "targets": [f"{path}#{name}" for path, name in wanted.targets],
            },
        ).fetchall()
        candidates = self._candidates({row[13] for row in rows if row[5] == "unresolved"})
        return [_edge(row, candidates) for row in rows]

    def edge_counts(self) -> dict[str, int]:
        """Return the number of edges by kind."""
        return dict(self.connection.execute(_EDGE_COUNTS).fetchall())

    def blobs_of(self, paths: Iterable[FilePath]) -> dict[FilePath, BlobId]:
        """Return the blobs of those paths that are files here."""
        wanted = set(paths)
        return {row.path: row.entry.blob for row in self.files() if row.path in wanted}

    def close(self) -> None:
        """Release the snapshot's connection; its reader does so too."""
        self.connection.close()

    @cached_property
    def has_placed(self) -> bool:
        """Make the temporary table `placed`; true."""
        self.connection.execute(_PLACED)
        return True

    @cached_property
    def has_symbols(self) -> bool:
        """Make the temporary table `symbol`; true."""
        _ = self.has_placed
        self.connection.execute(_SYMBOL)
        return True

    def _symbols(self, statement: str, parameters: dict[str, object]) -> list[Symbol]:
        _ = self.has_symbols
        return [
            Symbol(
                repository=self.repository, commit=self.commit, path=row[0], language=row[1],
                kind=SymbolKind(row[2]), qualified_name=row[3], signature=row[4],
                start_line=row[5], end_line=row[6], name_line=row[7], blob=row[8],
                docstring=row[9], modifiers=tuple(row[10].split()), base_commit=self.base_commit,
            )
            for row in self.connection.execute(statement, parameters).fetchall()
        ]  # fmt: skip

    def _candidates(self, links: set[int]) -> dict[tuple[int, int], list[Moniker]]:
        found: dict[tuple[int, int], list[Moniker]] = {}
        if links:
            for link, edge, text in self.connection.execute(
                _CANDIDATES, [sorted(links)]
            ).fetchall():
                found.setdefault((link, edge), []).append(text)
        return found


Candidates = dict[tuple[int, int], list[Moniker]]


def read_diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a blob as they were stored."""
    return tuple(Diagnostic(*entry) for entry in json.loads(text)) if text else ()


def _regex(glob: str) -> str:
    return glob_to_regex(glob) if glob else ""


def _edge(row: tuple[Any, ...], candidates: Candidates) -> Edge:
    kind, path, source_name, source_kind, source_line = row[:5]
    target_kind, target_path, target_name, kind_there, line_there = row[5:10]
    line, confidence, method, link, ordinal = row[10:15]
    target: SymbolRef | External | Unresolved
    if target_kind == "symbol":
        target = SymbolRef(
            target_path, target_name, SymbolKind(kind_there or SymbolKind.VARIABLE), line_there or 0
        )
    elif target_kind == "external":
        target = External(target_name)
    else:
        target = Unresolved(target_name, tuple(candidates.get((link, ordinal), ())))
    source = SymbolRef(path, source_name, SymbolKind(source_kind), source_line)
    return Edge(EdgeKind(kind), source, target, path, line, confidence, Method(method))
