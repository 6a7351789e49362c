"""Schemas: the derived file is made anew when its version changes, the authored one is migrated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import duckdb

from topomem.errors import StoreTooNew
from topomem.store import properties

DERIVED_VERSION = "5"
"""Changes with `schema/*_derived.sql`; a file of another version is replaced, never migrated."""

_APPLIED = """
    SELECT name FROM {catalog}.meta.applied_migration ORDER BY name
"""
_HAS_RECORD = """
    SELECT count(*) FROM duckdb_tables()
    WHERE database_name = ? AND schema_name = 'meta' AND table_name = 'applied_migration'
"""


@dataclass(frozen=True, slots=True, order=True)
class Script:
    """One numbered SQL file."""

    name: str
    text: str


@cache
def scripts(kind: str) -> tuple[Script, ...]:
    """Return the packaged scripts for `derived` or `authored`, in order."""
    folder = resources.files("topomem.store") / "schema"
    found = (
        Script(entry.name, entry.read_text("utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(f"_{kind}.sql")
    )
    return tuple(sorted(found))


def make_derived(connection: duckdb.DuckDBPyConnection, catalog: str, producer: str) -> None:
    """Make the derived schema in an empty catalog and note what made it; one transaction."""
    connection.execute(f"USE {catalog}")
    connection.begin()
    create_derived(connection)
    for key, value in (
        ("schema", DERIVED_VERSION),
        ("producer", producer),
        ("duckdb", duckdb.__version__),
    ):
        properties.put(connection, catalog, key, value)
    connection.commit()


def create_derived(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the derived schema in the catalog the connection uses, inside its transaction."""
    for script in scripts("derived"):
        connection.execute(script.text)


def migrate_authored(
    connection: duckdb.DuckDBPyConnection, catalog: str, known: Sequence[Script] | None = None
) -> list[str]:
    """Apply what is missing, each script in one transaction with its record; return their names.

    Raises StoreTooNew when the file has a migration this version does not know. A script that fails
    leaves the file as it was before it.
    """
    return _apply(connection, catalog, pending_authored(connection, catalog, known))


def pending_authored(
    connection: duckdb.DuckDBPyConnection, catalog: str, known: Sequence[Script] | None = None
) -> list[Script]:
    """Return the scripts that the file still lacks. Raises StoreTooNew."""
    known = scripts("authored") if known is None else known
    applied = _applied(connection, catalog)
    unknown = applied - {script.name for script in known}
    if unknown:
        raise StoreTooNew(
            f"the authored rows were written by a later version ({', '.join(sorted(unknown))})",
            "update topomem; nothing was changed",
        )
    return [script for script in known if script.name not in applied]


def _applied(connection: duckdb.DuckDBPyConnection, catalog: str) -> set[str]:
    (count,) = connection.execute(_HAS_RECORD, [catalog]).fetchone() or (0,)
    if not count:
        return set()
    rows = connection.execute(_APPLIED.format(catalog=catalog)).fetchall()
    return {name for (name,) in rows}


def _apply(
    connection: duckdb.DuckDBPyConnection, catalog: str, pending: Iterable[Script]
) -> list[str]:
    connection.execute(f"USE {catalog}")
    done = []
    for script in pending:
        connection.begin()
        try:
            connection.execute(script.text)
            connection.execute(
                f"INSERT INTO {catalog}.meta.applied_migration VALUES (?)",  # noqa: S608  our name
                [script.name],
            )
        except duckdb.Error:
            connection.rollback()
            raise
        connection.commit()
        done.append(script.name)
    return done
