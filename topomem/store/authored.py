"""Authored rows: the projection of the journal into tables.

`authored.duckdb` can always be made again from the journal. A reader that finds it absent, behind
or unreadable reads a projection made in memory instead: what was recorded is seen at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb

from topomem.errors import StoreTooNew
from topomem.store.bulk import Table, load
from topomem.store.connection import AUTHORED, attach, attach_memory
from topomem.store.journal import Journal, Record
from topomem.store.migrations import migrate_authored, pending_authored

TABLES = {
    "episode.event": Table.of(
        "episode.event",
        "id:text episode_id:text kind:text recorded_at:big number:int commit_id:text body:text",
    ),
    "review.verdict": Table.of(
        "review.verdict",
        "id:text subject_id:text kind:text recorded_at:big number:int reason:text body:text",
    ),
    "review.check_result": Table.of(
        "review.check_result",
        "id:text subject_id:text kind:text recorded_at:big number:int commit_id:text body:text",
    ),
    "review.tombstone": Table.of(
        "review.tombstone", "id:text subject_id:text kind:text recorded_at:big number:int body:text"
    ),
    "review.access_rule": Table.of(
        "review.access_rule",
        "id:text subject_id:text kind:text recorded_at:big number:int body:text",
    ),
}
"""Tables of authored rows; what is not a column of the record itself is a field of its body."""

_POSITION = Table.of("meta.journal_position", "file:text position:big")
_POSITIONS = "SELECT file, position FROM {catalog}.meta.journal_position ORDER BY file"
_FORGET_POSITIONS = "DELETE FROM {catalog}.meta.journal_position"
_PRESENT = """
    SELECT id FROM {catalog}.{table} WHERE id IN (SELECT unnest(?::VARCHAR[])) ORDER BY id
"""


def attach_for_reading(connection: duckdb.DuckDBPyConnection, file: Path, journal: Journal) -> None:
    """Attach the authored rows under their catalog, complete up to this moment. Never writes."""
    if file.exists():
        try:
            attach(connection, file, AUTHORED, writable=False)
            if not pending_authored(connection, AUTHORED) and not _is_behind(connection, journal):
                return
            connection.execute(f"DETACH {AUTHORED}")
        except duckdb.Error:
            pass  # whatever is wrong with the projection, the journal has the rows
    attach_memory(connection, AUTHORED)
    project(connection, journal)


def project(connection: duckdb.DuckDBPyConnection, journal: Journal) -> int:
    """Bring the attached catalog up to the journal; return how many rows were new."""
    migrate_authored(connection, AUTHORED)
    connection.begin()
    reading = journal.read(_positions(connection))
    new = sum(
        _load_new(connection, table, (row for row in reading.records if row.table == name))
        for name, table in TABLES.items()
    )
    unknown = sorted({record.table for record in reading.records} - TABLES.keys())
    if unknown:
        connection.rollback()
        raise StoreTooNew(
            f"the journal has rows of a later version ({', '.join(unknown)})",
            "update topomem; nothing was changed",
        )
    connection.execute(_FORGET_POSITIONS.format(catalog=AUTHORED))
    if reading.positions:
        load(connection, AUTHORED, _POSITION, sorted(reading.positions.items()))
    connection.commit()
    return new


def _positions(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    return dict(connection.execute(_POSITIONS.format(catalog=AUTHORED)).fetchall())


def _is_behind(connection: duckdb.DuckDBPyConnection, journal: Journal) -> bool:
    positions = _positions(connection)
    return any(size > positions.get(file, 0) for file, size in journal.sizes().items())


def _load_new(
    connection: duckdb.DuckDBPyConnection, table: Table, records: Iterable[Record]
) -> int:
    by_id: dict[str, Record] = {}
    for record in records:
        by_id.setdefault(record.id, record)
    if not by_id:
        return 0
    statement = _PRESENT.format(catalog=AUTHORED, table=table.name)
    present = {row[0] for row in connection.execute(statement, [list(by_id)]).fetchall()}
    rows = [_row(table, key, record) for key, record in by_id.items() if key not in present]
    if rows:
        load(connection, AUTHORED, table, rows)
    return len(rows)


def _row(table: Table, key: str, record: Record) -> tuple[Any, ...]:
    given: Mapping[str, Any] = {
        **record.body,
        "id": key,
        "recorded_at": record.recorded_at,
        "number": record.number,
        "body": json.dumps(record.body, ensure_ascii=False, sort_keys=True),
    }
    return tuple(
        given.get(column) or ("" if kind == "text" else 0) for column, kind in table.columns
    )
