"""Bulk loads: rows are gathered in lists and loaded a table at a time.

Many rows go in as whole columns, one registered relation of arrays (20,000 rows of edges in 15 ms);
few rows by an appender (half a millisecond a table).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    import numpy as np

_ABSENT = -(2**31)
"""Stands for NULL in columns of numbers while they are loaded."""

_FEW = 2000
"""Up to so many rows the appender is faster than columns."""

_KINDS = {"int": "int32", "int?": "int32", "big": "int64", "real": "float64", "flag": "bool"}
"""What arrays of a kind hold; those of other kinds hold objects."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table to be loaded: its name with the schema, and its columns as `name:kind` words."""

    name: str
    columns: tuple[tuple[str, str], ...]
    insert: str

    @classmethod
    def of(cls, name: str, columns: str) -> Table:
        """Read `columns` written as `path_int:int path:text`; `int?` may be None."""
        pairs = tuple((word.split(":")[0], word.split(":")[1]) for word in columns.split())
        names = ", ".join(f'"{column}"' for column, _ in pairs)
        values = ", ".join(
            f'nullif("{column}", {_ABSENT})' if kind == "int?" else f'"{column}"'
            for column, kind in pairs
        )
        return cls(name, pairs, f"{name} ({names}) SELECT {values} FROM incoming")  # noqa: S608  names are ours


class Buffer:
    """Rows that wait for their tables; `catalog` is the database they go to."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, catalog: str) -> None:
        self._connection = connection
        self._catalog = catalog
        self._waiting: dict[Table, list[tuple[Any, ...]]] = {}
        self.count = 0

    def add(self, table: Table, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows with one value per column."""
        waiting = self._waiting.setdefault(table, [])
        before = len(waiting)
        waiting.extend(rows)
        self.count += len(waiting) - before

    def flush(self) -> None:
        """Load everything that waits, in the order in which tables were first used."""
        waiting, self._waiting, self.count = self._waiting, {}, 0
        for table, rows in waiting.items():
            if rows:
                load(self._connection, self._catalog, table, rows)


def load(
    connection: duckdb.DuckDBPyConnection,
    catalog: str,
    table: Table,
    rows: Sequence[tuple[Any, ...]],
) -> None:
    """Insert rows into a table of a catalog, inside the transaction that is open."""
    if len(rows) <= _FEW:
        names = [column for column, _ in table.columns]
        with connection.appender(f"{catalog}.{table.name}", columns=names) as appender:
            appender.append_rows(rows)
        return
    columns = zip(*rows, strict=True)
    incoming = {
        name: _array(values, kind)
        for (name, kind), values in zip(table.columns, columns, strict=True)
    }
    connection.register("incoming", incoming)
    try:
        connection.execute(f"INSERT INTO {catalog}.{table.insert}")
    finally:
        connection.unregister("incoming")


def _array(values: Sequence[Any], kind: str) -> np.ndarray[Any, Any]:
    import numpy as np  # noqa: PLC0415  slow to load, and few rows need none

    if kind == "int?":
        values = [_ABSENT if value is None else value for value in values]
    if kind not in _KINDS:
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    return np.array(values, dtype=_KINDS[kind])
