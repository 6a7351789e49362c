"""The decision plane: parsed decision records, per blob."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import duckdb

from topomem.model.ids import BlobId, FilePath

_RECORDS = """
    SELECT visible.path, visible.blob_id, record.record_id, record.body
    FROM visible JOIN decision.record AS record ON record.blob_int = visible.blob_int
    ORDER BY visible.path, record.ordinal
"""


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One record as it stands in a file of a snapshot."""

    path: FilePath
    blob: BlobId
    id: str
    body: dict[str, Any]


def records(snapshot: duckdb.DuckDBPyConnection) -> list[DecisionRecord]:
    """Return the records of a snapshot's files, given the snapshot's connection."""
    rows = snapshot.execute(_RECORDS).fetchall()
    return [DecisionRecord(path, blob, key, json.loads(body)) for path, blob, key, body in rows]
