"""Texts a database file remembers about itself, in its table `meta.property`."""

from __future__ import annotations

import duckdb


def get(connection: duckdb.DuckDBPyConnection, catalog: str, key: str) -> str | None:
    """Return a remembered text."""
    statement = f"SELECT value FROM {catalog}.meta.property WHERE key = ?"  # noqa: S608  our name
    row = connection.execute(statement, [key]).fetchone()
    return None if row is None else str(row[0])


def put(connection: duckdb.DuckDBPyConnection, catalog: str, key: str, value: str) -> None:
    """Remember a text under a key, in place of what was there."""
    connection.execute(f"DELETE FROM {catalog}.meta.property WHERE key = ?", [key])  # noqa: S608
    connection.execute(f"INSERT INTO {catalog}.meta.property VALUES (?, ?)", [key, value])  # noqa: S608
