"""Rows in memory over the derived file: what near commits and uncommitted text add.

Tables of the same shape stand in the catalog `added`; the catalog `merged` has a view of every
table that shows both. Whoever reads `topology.*` on a connection that uses `merged` need not know.
"""

from __future__ import annotations

import duckdb

from topomem.store.connection import DERIVED, attach_memory
from topomem.store.migrations import make_derived

ADDED = "added"
MERGED = "merged"

_TABLES = """
    SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ?
    ORDER BY schema_name, table_name
"""
_VIEW = """
    CREATE VIEW {merged}.{name} AS
    SELECT * FROM {derived}.{name} UNION ALL SELECT * FROM {added}.{name}
"""


def add_overlay(connection: duckdb.DuckDBPyConnection) -> None:
    """Attach both catalogs and let the connection use `merged`."""
    attach_memory(connection, ADDED)
    make_derived(connection, ADDED, "")
    attach_memory(connection, MERGED)
    names = connection.execute(_TABLES, [ADDED]).fetchall()
    for schema in sorted({schema for schema, _ in names}):
        connection.execute(f"CREATE SCHEMA {MERGED}.{schema}")
    for schema, table in names:
        connection.execute(
            _VIEW.format(merged=MERGED, derived=DERIVED, added=ADDED, name=f"{schema}.{table}")
        )
    connection.execute(f"USE {MERGED}")
