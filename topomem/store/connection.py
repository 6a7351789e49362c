"""Opening DuckDB: a connection in memory with the store's files attached, and named errors."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
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
_NEWER = ("newer version", "version number", "newer duckdb")


def connect(spill: Path) -> duckdb.DuckDBPyConnection:
    """Return a fresh connection with nothing attached; large sorts may use the folder `spill`.

    Extensions are neither fetched nor loaded: none is needed.
    """
    return duckdb.connect(
        ":memory:",
        config={
            "temp_directory": str(spill),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        },
    )


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
    if any(words in text for words in _NEWER):
        return StoreTooNew(
            "the store was written by a newer DuckDB", "update topomem, or run: topomem rebuild"
        )
    if any(words in text for words in _DAMAGE) or isinstance(error, duckdb.FatalException):
        first = str(error).splitlines()[0]
        return StoreDamaged(f"the store cannot be read: {first}", "run: topomem rebuild")
    return None


def _full() -> StoreFull:
    return StoreFull(
        "the disk is full; the store keeps its last committed state",
        "free some space and run the same command again",
    )
