"""Numbers for texts: every distinct key of a table gets one, once."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from topomem.store.bulk import Table, load

_FEW = 2000
"""Up to so many unseen keys are looked up by themselves; for more the whole table is read."""

_COUNTERS = "SELECT kind, next FROM meta.counter ORDER BY kind"
_COUNTER = Table.of("meta.counter", "kind:text next:big")


class Counters:
    """The next free number of each kind; stored with the rows they were given to."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, catalog: str) -> None:
        self._connection = connection
        self._catalog = catalog
        self._next: dict[str, int] = dict(connection.execute(_COUNTERS).fetchall())
        self._saved = dict(self._next)

    def peek(self, kind: str) -> int:
        """Return how many numbers were given."""
        return self._next.get(kind, 0)

    def take(self, kind: str) -> int:
        """Return a number that was never given before."""
        number = self._next.get(kind, 0)
        self._next[kind] = number + 1
        return number

    def save(self) -> None:
        """Write the counters inside the open transaction."""
        if self._next != self._saved:
            self._connection.execute(f"DELETE FROM {self._catalog}.meta.counter")  # noqa: S608  our name
            load(self._connection, self._catalog, _COUNTER, sorted(self._next.items()))
            self._saved = dict(self._next)


@dataclass(frozen=True, slots=True)
class Interned:
    """Where the keys of one kind are stored: `select` gives (key, number) rows."""

    kind: str
    select: str
    key: str  # expression of the key in `select`
    key_type: str = "VARCHAR"


class Interner:
    """The numbers of one kind of key, read from the store as far as they are asked for."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, counters: Counters, source: Interned
    ) -> None:
        self._connection = connection
        self._counters = counters
        self._source = source
        self._numbers: dict[Any, int] = {}
        self._complete = counters.peek(source.kind) == 0

    def fresh(self, keys: Collection[Hashable]) -> list[Any]:
        """Return those keys that have no number yet, each once, in order; the others are loaded."""
        unseen = [key for key in dict.fromkeys(keys) if key not in self._numbers]
        if not unseen or self._complete:
            return unseen
        self._load(unseen)
        return [key for key in unseen if key not in self._numbers]

    def give(self, keys: Collection[Hashable]) -> Iterator[tuple[int, Any]]:
        """Give numbers to keys that `fresh` returned; yields (number, key)."""
        for key in keys:
            number = self._counters.take(self._source.kind)
            self._numbers[key] = number
            yield number, key

    @property
    def numbers(self) -> Mapping[Any, int]:
        """The numbers of all keys that were loaded or given."""
        return self._numbers

    def _load(self, keys: list[Any]) -> None:
        if len(keys) > _FEW:
            rows = self._connection.execute(self._source.select).fetchall()
            self._complete = True
        else:
            source = self._source
            wanted = f" WHERE {source.key} IN (SELECT unnest(?::{source.key_type}[]))"
            rows = self._connection.execute(source.select + wanted, [keys]).fetchall()
        self._numbers.update(rows)
