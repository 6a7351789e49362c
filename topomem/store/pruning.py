"""What nothing leads to any more: commits are marked, and after their time dropped.

Commits are dropped from the ends of tracks only: what any commit that stays can be followed back to
stays. Facts, links and words are dropped when no commit that stays needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import duckdb

from topomem.model.history import Position
from topomem.model.ids import BlobId, CommitId
from topomem.store.bulk import Table, load
from topomem.store.connection import DERIVED
from topomem.store.tracks import Ancestry, load_positions

_KEPT = Table.of("main.kept", "track:int seq:int")
_MAKE_KEPT = "CREATE OR REPLACE TEMP TABLE kept (track INTEGER, seq INTEGER)"
_DROP_KEPT = "DROP TABLE temp.kept"

_IS_KEPT = """
    EXISTS (SELECT 1 FROM temp.kept WHERE kept.track = {row}.track AND {row}.seq <= kept.seq)
"""
_MARK = f"""
    UPDATE {{catalog}}.meta.commit AS mine SET reachable = NOT reachable
    WHERE reachable <> {_IS_KEPT.format(row="mine")}
"""  # noqa: S608  names are ours
_FORGET = f"""
    DELETE FROM {{catalog}}.meta.unreachable AS mine WHERE {_IS_KEPT.format(row="mine")}
"""  # noqa: S608
_REMEMBER = """
    INSERT INTO {catalog}.meta.unreachable
    SELECT mine.track, mine.seq, ? FROM {catalog}.meta.commit AS mine
    ANTI JOIN {catalog}.meta.unreachable AS known
        ON known.track = mine.track AND known.seq = mine.seq
    WHERE NOT mine.reachable ORDER BY mine.track, mine.seq
"""
_OLDEST = "SELECT min(since) FROM {catalog}.meta.unreachable"

_STAYING = """
    SELECT mine.track, max(mine.seq) FROM meta.commit AS mine
    LEFT JOIN meta.unreachable AS lost ON lost.track = mine.track AND lost.seq = mine.seq
    WHERE lost.since IS NULL OR lost.since > ? GROUP BY mine.track ORDER BY mine.track
"""
_COMMITS = "SELECT count(*) FROM meta.commit"
_TIPS = "SELECT track, max(seq) FROM meta.commit GROUP BY track ORDER BY track"
_FIRST = """
    SELECT span.track, min(span.from_seq)
    FROM topology.span AS span JOIN topology.blob AS blob ON blob.blob_int = span.blob_int
    WHERE blob.blob_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY span.track ORDER BY span.track
"""
_PLACED = """
    SELECT one.schema_name || '.' || one.table_name
    FROM duckdb_columns() AS one JOIN duckdb_columns() AS two
        ON two.table_oid = one.table_oid AND two.database_name = one.database_name
    WHERE one.database_name = ? AND one.column_name = 'track' AND two.column_name = 'seq'
    ORDER BY ALL
"""
"""Tables whose rows belong to a commit, whoever added them."""

_DROP = f"DELETE FROM {{catalog}}.{{table}} AS mine WHERE NOT {_IS_KEPT.format(row='mine')}"  # noqa: S608
_DROP_SPANS = """
    DELETE FROM {catalog}.topology.span AS mine WHERE NOT EXISTS (
        SELECT 1 FROM temp.kept WHERE kept.track = mine.track AND mine.from_seq <= kept.seq
    )
"""
_OPEN_SPANS = """
    UPDATE {catalog}.topology.span AS mine SET to_seq = NULL
    WHERE mine.to_seq > (SELECT kept.seq FROM temp.kept WHERE kept.track = mine.track)
"""
_DROP_TRACKS = "DELETE FROM {catalog}.meta.track WHERE track NOT IN (SELECT track FROM temp.kept)"

_HOLDERS = """
    SELECT schema_name || '.' || table_name FROM duckdb_columns()
    WHERE database_name = ? AND column_name = ? ORDER BY ALL
"""
_SWEPT = (
    ("link_set", ("topology.span",)),
    ("link", ("topology.link_set",)),
    ("asked_set", ("topology.link_set",)),
    ("question_int", ("topology.asked",)),
    ("blob_int", ("topology.span",)),
    ("region_int", ("topology.placement",)),
)
"""Columns of numbers, and the tables that say which of them are needed; each after its users."""

_SWEEP = """
    DELETE FROM {catalog}.{table} WHERE {column} IS NOT NULL AND {column} NOT IN (
        SELECT {column} FROM {catalog}.{needed} WHERE {column} IS NOT NULL
    )
"""


def mark_reachable(
    connection: duckdb.DuckDBPyConnection, catalog: str, entries: Iterable[CommitId], now: int
) -> int | None:
    """Mark as reachable exactly what is behind stored commits; the others since `now`, if new.

    Return since when (seconds UTC) the first of the others is known; None where all are reachable.
    """
    _keep(connection, behind(connection, entries))
    connection.execute(_MARK.format(catalog=catalog))
    connection.execute(_FORGET.format(catalog=catalog))
    connection.execute(_DROP_KEPT)
    connection.execute(_REMEMBER.format(catalog=catalog), [now])
    row = connection.execute(_OLDEST.format(catalog=catalog)).fetchone()
    return None if row is None or row[0] is None else int(row[0])


def behind(connection: duckdb.DuckDBPyConnection, commits: Iterable[CommitId]) -> dict[int, int]:
    """Return {track: highest seq} of stored commits and everything behind them."""
    positions = load_positions(connection, sorted(set(commits)))
    return Ancestry.load(connection).behind(positions.values())


def drop_unreachable(connection: duckdb.DuckDBPyConnection, until: int) -> int:
    """Drop commits that are unreachable since `until` or before, and what only they needed.

    Return how many were dropped. One transaction. Blobs that come back are parsed again.
    """
    tips = [Position(*row) for row in connection.execute(_STAYING, [until]).fetchall()]
    return _drop(connection, Ancestry.load(connection).behind(tips))


def drop_since(connection: duckdb.DuckDBPyConnection, blobs: Iterable[BlobId]) -> int:
    """Drop the commits that hold one of these blobs and all that stand on them, in one transaction.

    Return how many were dropped; they can be stored anew.
    """
    highest = dict(connection.execute(_TIPS).fetchall())
    rows = connection.execute(_FIRST, [sorted(set(blobs))]).fetchall()
    for track, seq in rows:
        highest[track] = min(highest.get(track, -1), seq - 1)
    return _drop(connection, Ancestry.load(connection).before(highest))


def _drop(connection: duckdb.DuckDBPyConnection, staying: Mapping[int, int]) -> int:
    """Drop what is above {track: highest seq that stays}, in one transaction; count commits."""
    before = _count(connection)
    connection.begin()
    _keep(connection, {track: seq for track, seq in staying.items() if seq >= 0})
    for (table,) in connection.execute(_PLACED, [DERIVED]).fetchall():
        connection.execute(_DROP.format(catalog=DERIVED, table=table))
    for statement in (_DROP_SPANS, _OPEN_SPANS, _DROP_TRACKS):
        connection.execute(statement.format(catalog=DERIVED))
    connection.execute(_DROP_KEPT)
    dropped = before - _count(connection)
    if dropped:
        _sweep(connection)
    connection.commit()
    return dropped


def _sweep(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop rows that belong to nothing that is needed."""
    for column, needed in _SWEPT:
        for (table,) in connection.execute(_HOLDERS, [DERIVED, column]).fetchall():
            for user in needed:
                if table != user:
                    statement = _SWEEP.format(
                        catalog=DERIVED, table=table, column=column, needed=user
                    )
                    connection.execute(statement)


def _keep(connection: duckdb.DuckDBPyConnection, highest: Mapping[int, int]) -> None:
    connection.execute(_MAKE_KEPT)
    if highest:
        load(connection, "temp", _KEPT, sorted(highest.items()))


def _count(connection: duckdb.DuckDBPyConnection) -> int:
    row = connection.execute(_COMMITS).fetchone()
    return int(row[0]) if row else 0
