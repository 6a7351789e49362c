"""What the linker needs back from the store: facts, links and the questions behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import duckdb

from topomem.model.code import (
    BlobFacts,
    EdgeKind,
    External,
    FileLinks,
    LinkedEdge,
    Method,
    Placement,
    RegionFacts,
    RegionLinks,
    Span,
    Target,
    Unresolved,
)
from topomem.model.history import Position
from topomem.model.ids import (
    BlobId,
    FilePath,
    LanguageName,
    Moniker,
    QualifiedName,
    RegionKey,
    moniker,
)
from topomem.store.facts import blob_key
from topomem.store.links import Asked
from topomem.store.snapshot import read_diagnostics

_REGIONS = """
    SELECT region_key, facts FROM topology.region
    WHERE region_key IN (SELECT unnest(?::VARCHAR[])) ORDER BY region_key
"""
_BLOBS = """
    SELECT blob_int, blob_id, language, diagnostics, line_count, byte_count, error_bytes
    FROM topology.blob
    WHERE blob_id || ' ' || language IN (SELECT unnest(?::VARCHAR[]))
    ORDER BY blob_int
"""
_PLACEMENTS = """
    SELECT placement.blob_int, region.region_key, placement.parent, name.name,
        placement.start_byte, placement.end_byte, placement.start_line, placement.end_line,
        placement.name_line
    FROM topology.placement AS placement
    JOIN topology.region AS region ON region.region_int = placement.region_int
    JOIN topology.name AS name ON name.name_int = placement.name_int
    WHERE placement.blob_int IN (SELECT unnest(?::INTEGER[]))
    ORDER BY placement.blob_int, placement.ordinal
"""
_LINKED = """
    CREATE OR REPLACE TEMP TABLE linked AS
    SELECT path.path, blob.blob_id, member.ordinal, member.link, member.asked_set
    FROM topology.snapshot(?, ?) AS entry
    JOIN topology.link_set AS member ON member.link_set = entry.link_set
    JOIN topology.path AS path ON path.path_int = entry.path_int
    JOIN topology.blob AS blob ON blob.blob_int = entry.blob_int
"""
_MEMBERS = """
    SELECT linked.path, linked.blob_id, linked.link, region.region_key
    FROM temp.linked
    JOIN topology.link AS link ON link.link = linked.link
    JOIN topology.region AS region ON region.region_int = link.region_int
    ORDER BY linked.path, linked.ordinal
"""
_EDGES = """
    SELECT edge.link, edge.ordinal, edge.kind, edge.op, edge.source, edge.confidence, edge.method,
        edge.target_kind, path.path, name.name
    FROM topology.edge AS edge
    JOIN topology.name AS name ON name.name_int = edge.target_name
    LEFT JOIN topology.path AS path ON path.path_int = edge.target_path
    WHERE edge.link IN (SELECT link FROM temp.linked)
    ORDER BY edge.link, edge.ordinal
"""
_CANDIDATES = """
    SELECT candidate.link, candidate.edge, path.path, name.name
    FROM topology.candidate AS candidate
    JOIN topology.path AS path ON path.path_int = candidate.path_int
    JOIN topology.name AS name ON name.name_int = candidate.name_int
    WHERE candidate.link IN (SELECT link FROM temp.linked)
    ORDER BY candidate.link, candidate.edge, candidate.ordinal
"""
_ASKED_SETS = """
    SELECT asked.asked_set,
        list(asked.question_int ORDER BY question.question, question.answer)
    FROM topology.asked AS asked
    JOIN topology.question AS question ON question.question_int = asked.question_int
    WHERE asked.asked_set IN (SELECT asked_set FROM temp.linked)
    GROUP BY asked.asked_set ORDER BY asked.asked_set
"""
_QUESTIONS = """
    SELECT question_int, question, answer FROM topology.question
    WHERE question_int IN (
        SELECT question_int FROM topology.asked
        WHERE asked_set IN (SELECT asked_set FROM temp.linked)
    )
    ORDER BY question_int
"""
_ASKING = "SELECT path, asked_set FROM temp.linked ORDER BY path, ordinal"


def region_facts(
    connection: duckdb.DuckDBPyConnection,
    keys: Iterable[RegionKey],
    unpack: Callable[[bytes], RegionFacts],
) -> dict[RegionKey, RegionFacts]:
    """Return the full facts of regions, as far as they are stored."""
    return {key: unpack(data) for key, data in packed_regions(connection, keys).items()}


def packed_regions(
    connection: duckdb.DuckDBPyConnection, keys: Iterable[RegionKey]
) -> dict[RegionKey, bytes]:
    """Return the facts of regions as they were packed, as far as they are stored."""
    return dict(connection.execute(_REGIONS, [sorted(set(keys))]).fetchall())


def blob_facts(
    connection: duckdb.DuckDBPyConnection, blobs: Iterable[tuple[BlobId, LanguageName]]
) -> dict[tuple[BlobId, LanguageName], BlobFacts]:
    """Return the facts of blobs, as far as they are stored."""
    keys = sorted({blob_key(blob, language) for blob, language in blobs})
    rows = connection.execute(_BLOBS, [keys]).fetchall()
    placements: dict[int, list[Placement]] = {row[0]: [] for row in rows}
    for row in connection.execute(_PLACEMENTS, [list(placements)]).fetchall():
        placements[row[0]].append(
            Placement(row[1], row[2], row[3], Span(row[4], row[5], row[6], row[7]), row[8])
        )
    return {
        (row[1], row[2]): BlobFacts(
            blob=row[1], language=row[2], placements=tuple(placements[row[0]]),
            diagnostics=read_diagnostics(row[3]), line_count=row[4], byte_count=row[5],
            error_bytes=row[6],
        )
        for row in rows
    }  # fmt: skip


def file_links(
    connection: duckdb.DuckDBPyConnection, position: Position
) -> dict[FilePath, FileLinks]:
    """Return the links of every linked file at a position, as the linker made them."""
    connection.execute(_LINKED, [position.track, position.seq])
    edges = _linked_edges(connection)
    found: dict[tuple[FilePath, BlobId], list[RegionLinks]] = {}
    for path, blob, link, region in connection.execute(_MEMBERS).fetchall():
        found.setdefault((path, blob), []).append(RegionLinks(region, tuple(edges.get(link, ()))))
    return {path: FileLinks(path, blob, tuple(regions)) for (path, blob), regions in found.items()}


def asked(
    connection: duckdb.DuckDBPyConnection, position: Position
) -> dict[FilePath, list[list[Asked]]]:
    """Return the questions of every linked file at a position, parallel to its placements.

    Each question is one object, however often it was asked.
    """
    connection.execute(_LINKED, [position.track, position.seq])
    questions: dict[int, Asked] = {
        number: (question, answer)
        for number, question, answer in connection.execute(_QUESTIONS).fetchall()
    }
    sets: dict[int | None, list[Asked]] = {None: []}
    for asked_set, numbers in connection.execute(_ASKED_SETS).fetchall():
        sets[asked_set] = [questions[number] for number in numbers]
    found: dict[FilePath, list[list[Asked]]] = {}
    for path, asked_set in connection.execute(_ASKING).fetchall():
        found.setdefault(path, []).append(sets[asked_set])
    return found


def _linked_edges(connection: duckdb.DuckDBPyConnection) -> dict[int, list[LinkedEdge]]:
    candidates: dict[tuple[int, int], list[Moniker]] = {}
    for link, edge, path, name in connection.execute(_CANDIDATES).fetchall():
        candidates.setdefault((link, edge), []).append(moniker(path, name))
    edges: dict[int, list[LinkedEdge]] = {}
    for row in connection.execute(_EDGES).fetchall():
        target = _target(row[7], row[8], row[9], candidates.get((row[0], row[1]), []))
        edges.setdefault(row[0], []).append(
            LinkedEdge(EdgeKind(row[2]), row[3], target, row[5], Method(row[6]), row[4])
        )
    return edges


def _target(kind: str, path: FilePath | None, name: str, candidates: list[Moniker]) -> Target:
    if kind == "symbol" and path is not None:
        return moniker(path, QualifiedName(name))
    return External(name) if kind == "external" else Unresolved(name, tuple(candidates))
