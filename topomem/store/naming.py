"""Numbers of paths and names; new ones bring their words to the retrieval plane."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from topomem.store.bulk import Buffer, Table
from topomem.store.interning import Counters, Interned, Interner
from topomem.store.retrieval import WordWriter

_PATH = Table.of("topology.path", "path_int:int path:text")
_NAME = Table.of("topology.name", "name_int:int name:text")
_PATHS = Interned("path", "SELECT path, path_int FROM topology.path", "path")
_NAMES = Interned("name", "SELECT name, name_int FROM topology.name", "name")


class Naming:
    """The paths and names of one session; `paths` and `names` have the numbers after a put."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        counters: Counters,
        buffer: Buffer,
        words: WordWriter,
    ) -> None:
        self._buffer = buffer
        self._words = words
        self.paths = Interner(connection, counters, _PATHS)
        self.names = Interner(connection, counters, _NAMES)

    def put_paths(self, paths: Iterable[str]) -> None:
        """Give numbers to paths that have none."""
        given = list(self.paths.give(self.paths.fresh(dict.fromkeys(paths))))
        self._buffer.add(_PATH, given)
        self._words.put_paths(dict(given))

    def put_names(self, names: Iterable[str]) -> None:
        """Give numbers to names that have none."""
        given = list(self.names.give(self.names.fresh(dict.fromkeys(names))))
        self._buffer.add(_NAME, given)
        self._words.put_names(dict(given))
