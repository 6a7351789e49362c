"""The decision plane: texts read as decision records, per blob, and the symbols they name."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

import duckdb

from topomem.model.history import Position
from topomem.model.ids import BlobId, FilePath, LanguageName, Moniker
from topomem.store.bulk import Table

RecordOrigin = Literal["place", "front_matter"]

RECORD = Table.of("decision.record", "blob_int:int origin:text body:text")
KNOWN_RECORDS = """
    SELECT DISTINCT blob.blob_id
    FROM decision.record AS record JOIN topology.blob AS blob ON blob.blob_int = record.blob_int
    ORDER BY blob.blob_id
"""
_RECORDS = """
    SELECT visible.path, visible.blob_id, record.origin, record.body
    FROM visible JOIN decision.record AS record ON record.blob_int = visible.blob_int
    ORDER BY visible.path
"""
_PATHS = "SELECT path, blob_id FROM visible ORDER BY path"
_NAMED = r"""
    SELECT DISTINCT definition.name, visible.path, CASE
            WHEN definition.ordinal = 0 THEN name.name
            WHEN definition.through_receiver AND owner.name IS NOT NULL
                THEN owner.name || '.' || definition.name
            WHEN name.name = '' THEN definition.name
            ELSE name.name || '.' || definition.name
        END AS qualified_name
    FROM topology.definition AS definition
    JOIN topology.placement AS placement ON placement.region_int = definition.region_int
    JOIN visible ON visible.blob_int = placement.blob_int
    JOIN topology.name AS name ON name.name_int = placement.name_int
    LEFT JOIN topology.name AS owner ON owner.name_int = placement.owner_int
    WHERE definition.name IN (SELECT unnest(?::VARCHAR[]))
        AND definition.kind NOT IN ('module', 'parameter')
        AND NOT regexp_matches(qualified_name, '\+\d+$')
    ORDER BY visible.path, qualified_name
"""
_MOVED = """
    SELECT alias.track, alias.seq, new_path.path, avg(alias.confidence) AS confidence
    FROM topology.alias AS alias
    JOIN topology.path AS old_path ON old_path.path_int = alias.old_path
    JOIN topology.path AS new_path ON new_path.path_int = alias.new_path
    JOIN topology.name AS old_name ON old_name.name_int = alias.old_name
    JOIN topology.name AS new_name ON new_name.name_int = alias.new_name
    WHERE old_path.path = ? AND alias.old_path <> alias.new_path AND (alias.kind IN ('move',
        'rename_move') OR old_name.name = '' AND new_name.name = '')
    GROUP BY alias.track, alias.seq, new_path.path
    ORDER BY bool_or(old_name.name = '' AND new_name.name = ''), count(*), confidence, new_path.path
"""


@dataclass(frozen=True, slots=True)
class MovedFile:
    """A file to which symbols of another one went in one commit, with their mean confidence."""

    position: Position
    path: FilePath
    confidence: float


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A blob read as a decision record: what it says as JSON, and why it was read."""

    blob: BlobId
    language: LanguageName
    origin: RecordOrigin
    body: str


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """What was read, at one of its paths in a snapshot."""

    path: FilePath
    blob: BlobId
    origin: RecordOrigin
    body: dict[str, Any]


def records(snapshot: duckdb.DuckDBPyConnection) -> list[StoredRecord]:
    """Return the texts of a snapshot that were read as records, by path."""
    rows = snapshot.execute(_RECORDS).fetchall()
    return [StoredRecord(path, blob, origin, json.loads(body)) for path, blob, origin, body in rows]


def paths(snapshot: duckdb.DuckDBPyConnection) -> dict[FilePath, BlobId]:
    """Return the files of a snapshot with their blobs, by path."""
    return dict(snapshot.execute(_PATHS).fetchall())


def moved_files(connection: duckdb.DuckDBPyConnection, path: FilePath) -> list[MovedFile]:
    """Return where symbols of a file went: the place of most last, and behind it that of all."""
    rows = connection.execute(_MOVED, [path]).fetchall()
    return [MovedFile(Position(track, seq), to, sure) for track, seq, to, sure in rows]


def symbols_named(
    snapshot: duckdb.DuckDBPyConnection, lasts: Collection[str]
) -> dict[str, list[Moniker]]:
    """Return the symbols whose name ends in one of these parts, by that part."""
    found: dict[str, list[Moniker]] = defaultdict(list)
    if lasts:
        for last, path, name in snapshot.execute(_NAMED, [sorted(lasts)]).fetchall():
            found[last].append(Moniker(f"{path}#{name}"))
    return dict(found)
