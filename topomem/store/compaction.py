"""Copying a derived file without the gaps that many batches left in it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from topomem.store.connection import DERIVED, attach
from topomem.store.migrations import create_derived

COMPACT = "compact"
COPY = f"{COMPACT}.duckdb"

_MOST_FREE = 0.1
"""Share of free blocks that is not worth a copy."""

_FREE = """
    SELECT free_blocks, total_blocks FROM pragma_database_size() WHERE database_name = ?
"""
_TABLES = """
    SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE database_name = ?
    ORDER BY schema_name, table_name
"""


def compact(connection: duckdb.DuckDBPyConnection, file: Path) -> Path:
    """Return a file with the rows of the attached derived file and few gaps: that one, or a copy.

    Nobody else may write meanwhile. The copy lies beside and is closed with the connection.
    """
    connection.execute(f"CHECKPOINT {DERIVED}")
    free, total = connection.execute(_FREE, [DERIVED]).fetchone() or (0, 0)
    if free <= _MOST_FREE * total:
        return file
    copy = file.with_name(COPY)
    copy.unlink(missing_ok=True)
    attach(connection, copy, COMPACT, writable=True)
    connection.execute(f"USE {COMPACT}")
    connection.begin()
    create_derived(connection)
    for (table,) in connection.execute(_TABLES, [DERIVED]).fetchall():
        connection.execute(f"INSERT INTO {COMPACT}.{table} SELECT * FROM {DERIVED}.{table}")  # noqa: S608
    connection.commit()
    return copy
