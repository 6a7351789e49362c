"""The topology plane, writing side of history: files of commits as spans on tracks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from topomem.model.history import Position, TreeEntry
from topomem.model.ids import FilePath, LanguageName
from topomem.store.bulk import Table, load

_SPAN = Table.of(
    "topology.span",
    "track:int path_int:int blob_int:int? mode:int link_set:int? from_seq:int to_seq:int?",
)
_CLOSING = Table.of("main.closing", "track:int path_int:int seq:int")
_MAKE_CLOSING = """
    CREATE OR REPLACE TEMP TABLE closing (track INTEGER, path_int INTEGER, seq INTEGER)
"""
_DROP_CLOSING = "DROP TABLE temp.closing"
_CLOSE = """
    UPDATE {catalog}.topology.span AS span SET to_seq = closing.seq
    FROM closing
    WHERE span.track = closing.track AND span.path_int = closing.path_int AND span.to_seq IS NULL
"""
_COPY = """
    INSERT INTO {catalog}.topology.span
    SELECT ?, path_int, blob_int, mode, link_set, 0, NULL FROM topology.snapshot(?, ?)
    ORDER BY path_int
"""


NO_LANGUAGE = LanguageName("")


@dataclass(frozen=True, slots=True)
class FileState:
    """What a commit changes at one path: its new entry, or None when the path is gone.

    Also used where the blob stays and only the links change. `link_set` is what `put_links` gave.
    """

    path: FilePath
    entry: TreeEntry | None
    language: LanguageName = NO_LANGUAGE
    link_set: int | None = None


@dataclass(frozen=True, slots=True)
class SpanEntry:
    """A file state in numbers; `blob` None is a deletion."""

    path: int
    blob: int | None
    mode: int
    link_set: int | None


class SpanWriter:
    """Opens and closes spans; they wait in memory until `flush`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, catalog: str) -> None:
        self._connection = connection
        self._catalog = catalog
        self._open: dict[tuple[int, int], list[Any]] = {}
        self._rows: list[list[Any]] = []
        self._closing: dict[tuple[int, int], int] = {}

    @property
    def waiting(self) -> int:
        """Return how many rows wait."""
        return len(self._rows)

    def put(self, position: Position, entries: Iterable[SpanEntry], *, has_base: bool) -> None:
        """Let these entries hold from `position` on along its track."""
        for entry in entries:
            key = position.track, entry.path
            self._close(key, position.seq)
            if entry.blob is not None or has_base:
                row = [
                    position.track, entry.path, entry.blob, entry.mode, entry.link_set,
                    position.seq, None,
                ]  # fmt: skip
                self._rows.append(row)
                self._open[key] = row

    def copy(self, source: Position, track: int) -> None:
        """Start a track with everything that is there at `source`."""
        self.flush()
        statement = _COPY.format(catalog=self._catalog)
        self._connection.execute(statement, [track, source.track, source.seq])

    def flush(self) -> None:
        """Close stored spans, then store the new ones."""
        rows, self._rows, self._open = self._rows, [], {}
        closing, self._closing = self._closing, {}
        if closing:
            self._close_stored([(*key, seq) for key, seq in closing.items()])
        kept = [tuple(row) for row in rows if row[6] is None or row[6] > row[5]]
        if kept:
            load(self._connection, self._catalog, _SPAN, kept)

    def _close(self, key: tuple[int, int], seq: int) -> None:
        row = self._open.pop(key, None)
        if row is not None:
            row[6] = seq
        else:
            self._closing.setdefault(key, seq)

    def _close_stored(self, rows: Sequence[tuple[int, int, int]]) -> None:
        connection = self._connection
        connection.execute(_MAKE_CLOSING)
        load(connection, "temp", _CLOSING, rows)
        connection.execute(_CLOSE.format(catalog=self._catalog))
        connection.execute(_DROP_CLOSING)
