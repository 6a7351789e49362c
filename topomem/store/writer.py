"""The writing session: facts, links, commits; all in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import duckdb

from topomem.model.code import RegionFacts
from topomem.model.history import Commit, Position, SymbolAt, SymbolChange
from topomem.model.ids import BlobId, CommitId, LanguageName, RegionKey
from topomem.store import lineage, properties, pruning, tracks
from topomem.store.bulk import Table, load
from topomem.store.decision import KNOWN_RECORDS
from topomem.store.facts import FactWriter
from topomem.store.links import Asked, LinkedFile
from topomem.store.topology import FileState, SpanEntry, SpanWriter

__all__ = ["Asked", "FactWriter", "FileState", "LinkedFile", "Writer"]

KNOWN_BLOBS = "SELECT blob_id, language FROM topology.blob ORDER BY blob_id, language"
KNOWN_REGIONS = "SELECT region_key FROM topology.region ORDER BY region_key"
KNOWN_COMMITS = "SELECT commit_id FROM meta.commit ORDER BY track, seq"

_MOST_WAITING = 200_000
"""Rows in memory before they are loaded."""

_FEW_LOOKUPS = 20
"""So many commits are looked up one by one."""

_MARKED = Table.of("main.marked", "commit_id:text")
_MAKE_MARKED = "CREATE OR REPLACE TEMP TABLE marked (commit_id VARCHAR)"
_DROP_MARKED = "DROP TABLE temp.marked"
_MARK_BOUNDARY = """
    UPDATE {catalog}.meta.commit SET boundary = NOT boundary
    WHERE boundary <> (commit_id IN (SELECT commit_id FROM temp.marked))
"""


class Writer(FactWriter):
    """Adds commits. Nothing is visible to others before `commit()` or the end of the session.

    `notes` tells what was healed while the session opened.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        catalog: str,
        pack: Callable[[RegionFacts], bytes],
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__(connection, catalog, pack)
        self.notes = tuple(notes)
        self._catalog = catalog
        self._spans = SpanWriter(connection, catalog)
        self._tracks = tracks.load_tracks(connection)
        self._positions: dict[CommitId, Position] = {}
        self._knows_all = not self._tracks
        self._lookups = 0

    def known_commits(self) -> set[CommitId]:
        """Return the commits the store has a snapshot of."""
        self.flush()
        return {commit for (commit,) in self._connection.execute(KNOWN_COMMITS).fetchall()}

    def known_blobs(self) -> set[tuple[BlobId, LanguageName]]:
        """Return the blobs whose facts are stored."""
        self.flush()
        return set(self._connection.execute(KNOWN_BLOBS).fetchall())

    def known_regions(self) -> set[RegionKey]:
        """Return the regions whose facts are stored."""
        self.flush()
        return {key for (key,) in self._connection.execute(KNOWN_REGIONS).fetchall()}

    def known_records(self) -> set[BlobId]:
        """Return the blobs that were read as decision records."""
        self.flush()
        return {blob for (blob,) in self._connection.execute(KNOWN_RECORDS).fetchall()}

    def position(self, commit: CommitId) -> Position | None:
        """Return where a commit stands, None when it is not stored."""
        if commit not in self._positions and not self._knows_all:
            self._load_position(commit)
        return self._positions.get(commit)

    def add_commit(
        self,
        commit: Commit,
        states: Sequence[FileState],
        *,
        leaves: bool = False,
        traced: Sequence[lineage.TracedParent] = (),
    ) -> Position:
        """Store a commit and what it changes against its first parent (everything, for a root).

        Its first parent must be stored, or the commit counts as a root (shallow boundary: give the
        whole tree). A commit already stored is left alone and its position returned.
        `leaves`: another commit will go on the line of the first parent, so this one starts a
        track of its own; it only keeps tracks few and long, no answer depends on it.
        `traced`: its aliases and what changed of its symbols, for each parent that has some.
        """
        stored = self.position(commit.id)
        if stored is not None:
            return stored
        parents = commit.present_parents
        parent = self.position(parents[0]) if parents else None
        position, track, full = tracks.place(
            parent, self._tracks, lambda: self._counters.take("track"), leaves=leaves
        )
        self._positions[commit.id] = position
        self._put_commit(commit, position)
        if full and parent is not None:
            self.flush()
            self._spans.copy(parent, position.track)
        self._spans.put(position, self._entries(states), has_base=track.base is not None)
        if traced:
            self._put_aliases(position, traced)
        if self._buffer.count + self._spans.waiting > _MOST_WAITING:
            self.flush()
        return position

    def replace_aliases(self, commit: CommitId, traced: Sequence[lineage.TracedParent]) -> None:
        """Put other aliases and changes in the place of those of a stored commit (KeyError)."""
        position = self.position(commit)
        if position is None:
            raise KeyError(commit)
        self.flush()
        for table in (lineage.ALIAS, lineage.CHANGE, lineage.ALIAS_LIMIT):
            self._connection.execute(
                f"DELETE FROM {self._catalog}.{table.name} WHERE track = ? AND seq = ?",  # noqa: S608
                [position.track, position.seq],
            )
        self._put_aliases(position, traced)

    def mark_reachable(self, entries: Iterable[CommitId], now: int) -> int | None:
        """Mark as reachable exactly these stored commits and what is behind them.

        The others are unreachable since `now` (seconds UTC), if they were not before. Return since
        when the first of them is known; None where there are none.
        """
        self.flush()
        return pruning.mark_reachable(self._connection, self._catalog, entries, now)

    def behind(self, commits: Iterable[CommitId]) -> dict[int, int]:
        """Return {track: highest seq} of stored commits and everything behind them."""
        self.flush()
        return pruning.behind(self._connection, commits)

    def set_boundaries(self, commits: Iterable[CommitId]) -> int:
        """Mark exactly these commits as cut off from their parents; return how many changed.

        What a clone fetches later connects commits that stood at its boundary to their parents.
        """
        return self._mark(_MARK_BOUNDARY, commits)

    def set_property(self, key: str, value: str) -> None:
        """Remember a text under a key, in the same transaction as everything else."""
        properties.put(self._connection, self._catalog, key, value)

    def property(self, key: str) -> str | None:
        """Return a remembered text."""
        return properties.get(self._connection, self._catalog, key)

    def flush(self) -> None:
        """Load the rows that wait; still inside the transaction."""
        super().flush()
        self._spans.flush()

    def commit(self) -> None:
        """Make everything so far durable and go on in a new transaction."""
        self.finish()
        self._connection.begin()

    def finish(self) -> None:
        """Make everything durable and end the transaction."""
        self.flush()
        self._counters.save()
        self._connection.commit()

    def _mark(self, statement: str, commits: Iterable[CommitId]) -> int:
        self.flush()
        connection = self._connection
        connection.execute(_MAKE_MARKED)
        rows = [(commit,) for commit in sorted(set(commits))]
        if rows:
            load(connection, "temp", _MARKED, rows)
        changed = connection.execute(statement.format(catalog=self._catalog)).fetchone()
        connection.execute(_DROP_MARKED)
        return int(changed[0]) if changed else 0

    def _put_commit(self, commit: Commit, position: Position) -> None:
        if position.seq == 0:
            track = self._tracks[position.track]
            base = (track.base.track, track.base.seq) if track.base else (None, None)
            self._buffer.add(tracks.TRACK, [(position.track, *base, track.depth)])
        self._buffer.add(tracks.COMMIT, [tracks.commit_row(commit, position)])
        self._buffer.add(tracks.PARENT, tracks.parent_rows(commit, position))
        self._words.put_message(position, commit.message)

    def _put_aliases(self, position: Position, traced: Sequence[lineage.TracedParent]) -> None:
        ends: list[SymbolAt | SymbolChange] = [
            end for parent in traced for alias in parent.aliases for end in (alias.old, alias.new)
        ]
        ends += [one for parent in traced for one in parent.changed]
        self._naming.put_paths(dict.fromkeys(end.path for end in ends))
        self._naming.put_names(dict.fromkeys(end.name for end in ends))
        paths, names = self._naming.paths.numbers, self._naming.names.numbers
        self._buffer.add(lineage.ALIAS, lineage.alias_rows(position, traced, paths, names))
        self._buffer.add(lineage.CHANGE, lineage.change_rows(position, traced, paths, names))
        self._buffer.add(lineage.ALIAS_LIMIT, lineage.limit_rows(position, traced))

    def _load_position(self, commit: CommitId) -> None:
        """Look one commit up; after a few of them read all positions at once."""
        self._lookups += 1
        self._knows_all = self._lookups > _FEW_LOOKUPS
        wanted = None if self._knows_all else [commit]
        stored = tracks.load_positions(self._connection, wanted)
        self._positions = {**stored, **self._positions}

    def _entries(self, states: Sequence[FileState]) -> list[SpanEntry]:
        return span_entries(self, states)


def span_entries(writer: FactWriter, states: Sequence[FileState]) -> list[SpanEntry]:
    """Return file states in numbers; their blobs must have been put (KeyError)."""
    paths = writer.path_numbers([state.path for state in states])
    present = [state for state in states if state.entry is not None]
    blobs = writer.blob_numbers(
        [(state.entry.blob, state.language) for state in present if state.entry is not None]
    )
    numbers = dict(zip((state.path for state in present), blobs, strict=True))
    return [
        SpanEntry(
            path,
            numbers.get(state.path),
            0 if state.entry is None else int(state.entry.mode),
            state.link_set if state.entry is not None else None,
        )
        for path, state in zip(paths, states, strict=True)
    ]
