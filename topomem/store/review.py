"""What people and checks decided: verdicts, check results, tombstones, access rules."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

import duckdb

ReviewTable = Literal["verdict", "check_result", "tombstone", "access_rule"]

_ENTRIES = """
    SELECT id, subject_id, kind, recorded_at, body FROM authored.review.{table}
    WHERE $subject = '' OR subject_id = $subject
    ORDER BY recorded_at, number, id
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a review table."""

    id: str
    subject_id: str
    kind: str
    recorded_at: int
    body: dict[str, Any]


def entries(
    connection: duckdb.DuckDBPyConnection, table: ReviewTable, subject: str = ""
) -> list[Entry]:
    """Return the rows of a table about a subject (about all by default), oldest first."""
    rows = connection.execute(_ENTRIES.format(table=table), {"subject": subject}).fetchall()
    return [
        Entry(key, about, kind, recorded_at, json.loads(body))
        for key, about, kind, recorded_at, body in rows
    ]
