"""Authored rows: the projection of the journal into tables.

`authored.duckdb` can always be made again from the journal. A reader that finds it absent, behind
or unreadable reads a projection made in memory instead: what was recorded is seen at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from topomem.errors import StoreTooNew
from topomem.store import episode, properties
from topomem.store.bulk import Table, load
from topomem.store.connection import AUTHORED, attach, attach_memory
from topomem.store.journal import ITEM, Journal, Reading, Record
from topomem.store.migrations import migrate_authored, pending_authored

TABLES = {
    "episode.event": Table.of(
        "episode.event",
        "id:text episode_id:text kind:text recorded_at:big number:int commit_id:text body:text "
        "origin:text",
    ),
    "review.verdict": Table.of(
        "review.verdict",
        "id:text subject_id:text kind:text recorded_at:big number:int reason:text body:text "
        "origin:text",
    ),
    "review.check_result": Table.of(
        "review.check_result",
        "id:text subject_id:text kind:text recorded_at:big number:int commit_id:text body:text",
    ),
    "review.tombstone": Table.of(
        "review.tombstone", "id:text subject_id:text kind:text recorded_at:big number:int body:text"
    ),
    "review.access_rule": Table.of(
        "review.access_rule",
        "id:text subject_id:text kind:text recorded_at:big number:int body:text",
    ),
}
"""Tables of authored rows; what is not a column of the record itself is a field of its body."""

_POSITION = Table.of("meta.journal_position", "file:text position:big mark:text")
_MARKS = "SELECT file, mark FROM {catalog}.meta.journal_position WHERE mark <> '' ORDER BY file"
_POSITIONS = "SELECT file, position FROM {catalog}.meta.journal_position ORDER BY file"
_FORGET_POSITIONS = "DELETE FROM {catalog}.meta.journal_position"
_EVENTS = """
    SELECT id, episode_id, kind, recorded_at, commit_id, body, origin, number
    FROM {catalog}.episode.event WHERE $every OR id IN (SELECT unnest($ids::VARCHAR[]))
    ORDER BY recorded_at, number, id
"""
_WORDS_VERSION = "episode_words"
_DELETED = """
    SELECT DISTINCT tombstone.subject_id
    FROM {catalog}.review.tombstone AS tombstone
    WHERE tombstone.kind = ?
    ORDER BY tombstone.subject_id
"""
_DELETE = """
    DELETE FROM {catalog}.{table} WHERE {column} IN (SELECT unnest(?::VARCHAR[]))
"""
_ROWS = """
    SELECT id, recorded_at, number, body, {origin} FROM {catalog}.{table}
    ORDER BY recorded_at, number, id
"""
_PRESENT = """
    SELECT id FROM {catalog}.{table} WHERE id IN (SELECT unnest(?::VARCHAR[])) ORDER BY id
"""


def attach_for_reading(connection: duckdb.DuckDBPyConnection, file: Path, journal: Journal) -> None:
    """Attach the authored rows under their catalog, complete up to this moment. Never writes."""
    if file.exists():
        try:
            attach(connection, file, AUTHORED, writable=False)
            if not pending_authored(connection, AUTHORED) and not _is_behind(connection, journal):
                return
            connection.execute(f"DETACH {AUTHORED}")
        except duckdb.Error:
            pass  # whatever is wrong with the projection, the journal has the rows
    attach_memory(connection, AUTHORED)
    if journal.sizes():
        project(connection, journal)
    else:
        migrate_authored(connection, AUTHORED)


def project(connection: duckdb.DuckDBPyConnection, journal: Journal) -> int:
    """Bring the attached catalog up to the journal; return how many rows were new."""
    migrate_authored(connection, AUTHORED)
    connection.begin()
    reading = _read(connection, journal)
    new = {
        name: _load_new(connection, table, (row for row in reading.records if row.table == name))
        for name, table in TABLES.items()
    }
    unknown = sorted({record.table for record in reading.records} - TABLES.keys())
    if unknown:
        connection.rollback()
        raise StoreTooNew(
            f"the journal has rows of a later version ({', '.join(unknown)})",
            "update topomem; nothing was changed",
        )
    deleted = _delete(connection)
    _index_episodes(connection, new["episode.event"], anew=deleted)
    connection.execute(_FORGET_POSITIONS.format(catalog=AUTHORED))
    if reading.positions:
        marks = journal.marks(reading.positions)
        rows = [(name, at, marks.get(name, "")) for name, at in sorted(reading.positions.items())]
        load(connection, AUTHORED, _POSITION, rows)
    connection.commit()
    return sum(map(len, new.values()))


def _delete(connection: duckdb.DuckDBPyConnection) -> bool:
    """Remove the items that tombstones name, whole episodes too; return whether any was there."""
    rows = connection.execute(_DELETED.format(catalog=AUTHORED), [ITEM]).fetchall()
    ids = [subject for (subject,) in rows]
    found = False
    for table, column in (
        ("episode.event", "id"),
        ("episode.event", "episode_id"),
        ("review.verdict", "id"),
    ):
        if ids:
            statement = _DELETE.format(catalog=AUTHORED, table=table, column=column)
            done = connection.execute(statement, [ids]).fetchone()
            found |= bool(done and done[0])
    return found


def _index_episodes(connection: duckdb.DuckDBPyConnection, new: list[str], *, anew: bool) -> None:
    """Keep words and links up with the events: for new ones, or for all where need be."""
    version = properties.get(connection, AUTHORED, _WORDS_VERSION)
    anew |= version != episode.WORDS_VERSION
    if not anew and not new:
        return
    wanted = {"every": anew, "ids": new}
    rows = connection.execute(_EVENTS.format(catalog=AUTHORED), wanted).fetchall()
    if anew:
        for table in (episode.WORD, episode.LINK):
            connection.execute(f"DELETE FROM {AUTHORED}.{table.name}")  # noqa: S608  our names
    episode.index_events(connection, AUTHORED, [episode.read_event(row) for row in rows])
    if version != episode.WORDS_VERSION:
        properties.put(connection, AUTHORED, _WORDS_VERSION, episode.WORDS_VERSION)


def _positions(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    return dict(connection.execute(_POSITIONS.format(catalog=AUTHORED)).fetchall())


def _is_behind(connection: duckdb.DuckDBPyConnection, journal: Journal) -> bool:
    return journal.has_more(_positions(connection))


def _read(connection: duckdb.DuckDBPyConnection, journal: Journal) -> Reading:
    """Return what the journal has that the tables may lack.

    What the journal has lost and the tables still have is written into it again first.
    """
    positions = _positions(connection)
    there = journal.marks(positions)
    known_marks = connection.execute(_MARKS.format(catalog=AUTHORED)).fetchall()
    has_lost = positions.keys() - there.keys() or any(
        there[name] != mark for name, mark in known_marks
    )
    if not has_lost:
        return journal.read(positions)
    known = {record.id for record in journal.read({}).records}
    missing = [record for key, record in _kept(connection) if key not in known]
    if missing:
        journal.append(missing)
    return journal.read({})


def _kept(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, Record]]:
    """Yield the rows of all tables with their ids, as they were recorded."""
    for name, table in TABLES.items():
        has_origin = any(column == "origin" for column, _ in table.columns)
        statement = _ROWS.format(
            catalog=AUTHORED, table=name, origin="origin" if has_origin else "NULL"
        )
        for key, recorded_at, number, body, origin in connection.execute(statement).fetchall():
            yield key, Record(name, recorded_at, json.loads(body), number, origin or "")


def _load_new(
    connection: duckdb.DuckDBPyConnection, table: Table, records: Iterable[Record]
) -> list[str]:
    """Load the records that are not there yet, each once; return their ids."""
    by_id: dict[str, Record] = {}
    for record in records:
        by_id.setdefault(record.id, record)
    if not by_id:
        return []
    statement = _PRESENT.format(catalog=AUTHORED, table=table.name)
    present = {row[0] for row in connection.execute(statement, [list(by_id)]).fetchall()}
    new = {key: record for key, record in by_id.items() if key not in present}
    if new:
        load(connection, AUTHORED, table, [_row(table, *pair) for pair in new.items()])
    return list(new)


def _row(table: Table, key: str, record: Record) -> tuple[Any, ...]:
    given: Mapping[str, Any] = {
        **record.body,
        "id": key,
        "recorded_at": record.recorded_at,
        "number": record.number,
        "origin": record.origin,
        "body": json.dumps(record.body, ensure_ascii=False, sort_keys=True),
    }
    return tuple(
        given.get(column) or ("" if kind == "text" else 0) for column, kind in table.columns
    )
