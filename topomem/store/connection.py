"""Opening DuckDB: a connection in memory with the store's files attached, and named errors."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from topomem.errors import StoreDamaged, StoreFull, StoreTooNew, TopomemError

DERIVED = "derived"
AUTHORED = "authored"

_BLOCK_BYTES = 65536

_DAMAGE = (
    "corrupt",
    "not a valid duckdb database",
    "could not read enough bytes",
    "failure while replaying wal",
    "serialization error",
    "deserialize",
    "invalidated",
)
_FULL = ("no space left", "could not write", "file too large", "disk quota", "out of disk")
_NEWER = "newer version of duckdb"
_VERSIONS = re.compile(r"version number (\d+), but we can only read .* between \d+ and (\d+)")


_idle: list[tuple[int, duckdb.DuckDBPyConnection]] = []
"""Connections of this process (by its id) with nothing attached: making one takes 13 ms."""

_CATALOGS = """
    SELECT database_name FROM duckdb_databases()
    WHERE NOT internal AND database_name <> 'memory' ORDER BY database_name
"""


@contextmanager
def connected(spill: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection with nothing attached; what is attached inside is closed at the end.

    Large sorts may use the folder `spill`, which is removed. Extensions are neither fetched nor
    loaded: none is needed. What goes wrong inside is raised as an error of ours.
    """
    with named_errors():
        connection = _connection()
        try:
            connection.execute("SET temp_directory = ?", [str(spill)])
            yield connection
        except BaseException:
            connection.close()
            raise
        finally:
            spilled = spill.exists()
            shutil.rmtree(spill, ignore_errors=True)
        _release(connection, reusable=not spilled)


def _connection() -> duckdb.DuckDBPyConnection:
    process = os.getpid()
    while _idle:
        owner, connection = _idle.pop()
        if owner == process:
            return connection
    return duckdb.connect(
        ":memory:",
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"},
    )


def _release(connection: duckdb.DuckDBPyConnection, *, reusable: bool) -> None:
    """Close the attached files and keep the connection; a failed checkpoint leaves the log."""
    if reusable:
        with suppress(duckdb.Error):
            connection.execute("USE memory")
            for (catalog,) in connection.execute(_CATALOGS).fetchall():
                connection.execute(f"DETACH {catalog}")
            _idle.append((os.getpid(), connection))
            return
    connection.close()


def attach(
    connection: duckdb.DuckDBPyConnection, file: Path, catalog: str, *, writable: bool
) -> None:
    """Attach a database file under a name; a writable one is made when it is absent."""
    options = f"BLOCK_SIZE {_BLOCK_BYTES}" if writable else "READ_ONLY"
    quoted = str(file).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS {catalog} ({options})")


def attach_memory(connection: duckdb.DuckDBPyConnection, catalog: str) -> None:
    """Attach an empty database in memory under a name."""
    connection.execute(f"ATTACH ':memory:' AS {catalog}")


@contextmanager
def named_errors() -> Iterator[None]:
    """Raise what goes wrong inside as an error of ours where it is one; the rest as it is."""
    try:
        yield
    except duckdb.Error as error:
        named = name_error(error)
        if named is None:
            raise
        raise named from error
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise
        raise _full() from error


def name_error(error: duckdb.Error) -> TopomemError | None:
    """Return the error of ours that a DuckDB error means, None for a fault of the program."""
    text = str(error).lower()
    if any(words in text for words in _FULL):
        return _full()
    versions = _VERSIONS.search(text)
    if _NEWER in text or (versions and int(versions[1]) > int(versions[2])):
        return StoreTooNew(
            "the store was written by a newer DuckDB", "update topomem, or run: topomem rebuild"
        )
    broken = versions or any(words in text for words in _DAMAGE)
    if broken or isinstance(error, duckdb.FatalException):
        first = str(error).splitlines()[0]
        return StoreDamaged(f"the store cannot be read: {first}", "run: topomem rebuild")
    return None


def _full() -> StoreFull:
    return StoreFull(
        "the disk is full; the store keeps its last committed state",
        "free some space and run the same command again",
    )
