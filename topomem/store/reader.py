"""The reading session: commits and ancestry, snapshots, facts for the linker."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property

import duckdb

from topomem.errors import NotIndexed
from topomem.model.code import BlobFacts, FileLinks, RegionFacts
from topomem.model.episode import Event
from topomem.model.history import Commit, Mode, Position, TreeEntry
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName, RegionKey
from topomem.store import (
    episode,
    lineage,
    linking,
    properties,
    pruning,
    review,
    touches,
    tracks,
)
from topomem.store.connection import DERIVED
from topomem.store.decision import KNOWN_RECORDS
from topomem.store.facts import FactWriter
from topomem.store.links import Asked
from topomem.store.outline import Outline
from topomem.store.overlay import ADDED, MERGED, add_overlay
from topomem.store.past import Past
from topomem.store.snapshot import AsOf, Snapshot
from topomem.store.topology import FileState
from topomem.store.writer import KNOWN_BLOBS, KNOWN_REGIONS, span_entries

_TREE = """
    SELECT path.path, entry.mode, blob.blob_id
    FROM topology.snapshot(?, ?) AS entry
    JOIN topology.path AS path ON path.path_int = entry.path_int
    JOIN topology.blob AS blob ON blob.blob_int = entry.blob_int
    ORDER BY path.path
"""
_LIKE = "SELECT commit_id FROM meta.commit WHERE starts_with(commit_id, ?) ORDER BY commit_id"
_REACHABLE = "SELECT 1 FROM meta.commit WHERE commit_id = ? AND reachable"
_MISSING = """
    SELECT DISTINCT blob_id FROM topology.blob WHERE starts_with(diagnostics, '[["missing",')
    ORDER BY blob_id
"""
_UNREACHABLE = "SELECT commit_id FROM meta.commit WHERE NOT reachable ORDER BY track, seq"
_HIDE = "DELETE FROM visible WHERE path_int IN (SELECT unnest(?::INTEGER[]))"
_SHOW = """
    INSERT INTO visible
    SELECT path.path_int, path.path, blob.blob_int, blob.blob_id, blob.language, ?, ?
    FROM topology.path AS path, topology.blob AS blob
    WHERE path.path_int = ? AND blob.blob_int = ?
"""
_SHOW_FILE = """
    INSERT INTO visible
    SELECT path.path_int, path.path, blob.blob_int, blob.blob_id, blob.language, 33188, NULL
    FROM topology.path AS path, topology.blob AS blob
    WHERE path.path = ? AND blob.blob_int = ?
"""


class Reader:
    """Reads one consistent state of the store; closed at the end of its `with` block."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        repository: str,
        pack: Callable[[RegionFacts], bytes],
        unpack: Callable[[bytes], RegionFacts],
    ) -> None:
        self.connection = connection
        self.repository = repository
        self._pack = pack
        self.unpack = unpack
        self._snapshots: list[Snapshot] = []
        self._added: FactWriter | None = None
        self._cursors: list[duckdb.DuckDBPyConnection] = []
        self._positions: dict[CommitId, Position] = {}

    def property(self, key: str) -> str | None:
        """Return a text remembered by a writer."""
        return properties.get(self.connection, DERIVED, key)

    def position(self, commit: CommitId) -> Position:
        """Return where a commit stands. Raises NotIndexed."""
        found = self._positions.get(commit)
        if found is None:
            found = tracks.load_positions(self.connection, [commit]).get(commit)
            if found is None:
                raise NotIndexed(f"commit {commit} is not indexed", "run: topomem index")
            self._positions[commit] = found
        return found

    def commits_like(self, start: str) -> list[CommitId]:
        """Return the stored commits whose ids begin with a text, sorted."""
        return [commit for (commit,) in self.connection.execute(_LIKE, [start]).fetchall()]

    def behind(self, commits: Iterable[CommitId]) -> dict[int, int]:
        """Return {track: highest seq} of stored commits and everything behind them."""
        return pruning.behind(self.connection, commits)

    def is_marked_reachable(self, commit: CommitId) -> bool:
        """Whether a reference led to a stored commit when that was last looked at."""
        return bool(self.connection.execute(_REACHABLE, [commit]).fetchone())

    def is_stored(self, commit: CommitId) -> bool:
        """Whether the store has a snapshot of a commit."""
        return commit in tracks.load_positions(self.connection, [commit])

    def known_commits(self) -> set[CommitId]:
        """Return the commits the store has a snapshot of."""
        return set(tracks.load_positions(self.connection))

    def unreachable_commits(self) -> list[CommitId]:
        """Return stored commits that no reference leads to any more."""
        return [commit for (commit,) in self.connection.execute(_UNREACHABLE).fetchall()]

    def known_blobs(self) -> set[tuple[BlobId, LanguageName]]:
        """Return the blobs whose facts are stored."""
        return set(self.connection.execute(KNOWN_BLOBS).fetchall())

    def missing_blobs(self) -> list[BlobId]:
        """Return the blobs that were not there when they were to be read, sorted."""
        return [blob for (blob,) in self.connection.execute(_MISSING).fetchall()]

    def known_regions(self) -> set[RegionKey]:
        """Return the regions whose facts are stored."""
        return {key for (key,) in self.connection.execute(KNOWN_REGIONS).fetchall()}

    def known_records(self) -> set[BlobId]:
        """Return the blobs that were read as decision records."""
        return {blob for (blob,) in self.connection.execute(KNOWN_RECORDS).fetchall()}

    def commits(self, ids: Iterable[CommitId] | None = None) -> list[Commit]:
        """Return stored commits (all of them by default), by position."""
        wanted = None if ids is None else set(ids)
        return [
            commit
            for _, commit in tracks.load_commits(self.connection)
            if wanted is None or commit.id in wanted
        ]

    def ancestors(self, commit: CommitId) -> dict[int, int]:
        """Return {track: highest seq} of the commit and everything behind it. Raises NotIndexed."""
        return self.ancestors_at(self.position(commit))

    def ancestors_at(self, position: Position) -> dict[int, int]:
        """Return {track: highest seq} of a stored commit and everything behind it."""
        return self._ancestry.ancestors(position)

    def ancestors_of(self, position: Position) -> dict[int, int]:
        """Return {track: highest seq} of a place and everything behind it."""
        return self._ancestry.ancestors(position)

    def commits_between(self, ahead: CommitId, behind: CommitId) -> set[CommitId]:
        """Return the stored commits that are behind the one, itself too, and not the other."""
        reached, left = self.ancestors(ahead), self.ancestors(behind)
        return {
            commit
            for commit, at in tracks.load_positions(self.connection).items()
            if left.get(at.track, -1) < at.seq <= reached.get(at.track, -1)
        }

    def tree(self, commit: CommitId) -> dict[FilePath, TreeEntry]:
        """Return the stored files of a commit, sorted by path. Raises NotIndexed."""
        at = self.position(commit)
        rows = self.connection.execute(_TREE, [at.track, at.seq]).fetchall()
        return {path: TreeEntry(Mode(mode), blob) for path, mode, blob in rows}

    def region_facts(self, keys: Iterable[RegionKey]) -> dict[RegionKey, RegionFacts]:
        """Return the full facts of regions (reduced trees included), as far as they are stored."""
        return linking.region_facts(self.connection, keys, self.unpack)

    def packed_regions(self, keys: Iterable[RegionKey]) -> dict[RegionKey, bytes]:
        """Return the facts of regions as they were packed, as far as they are stored."""
        return linking.packed_regions(self.connection, keys)

    def blob_facts(
        self, blobs: Iterable[tuple[BlobId, LanguageName]]
    ) -> dict[tuple[BlobId, LanguageName], BlobFacts]:
        """Return the facts of blobs: placements and diagnostics, as far as they are stored."""
        return linking.blob_facts(self.connection, blobs)

    def file_links(self, commit: CommitId) -> dict[FilePath, FileLinks]:
        """Return the stored links of every linked file of a commit, as the linker made them."""
        return linking.file_links(self.connection, self.position(commit))

    def asked(self, commit: CommitId) -> dict[FilePath, list[list[Asked]]]:
        """Return the questions asked by every linked file of a commit, parallel to placements."""
        return linking.asked(self.connection, self.position(commit))

    def events(self, episode_id: str = "") -> list[Event]:
        """Return the recorded events of an episode (of all by default), oldest first."""
        return episode.events(self.connection, episode_id)

    def event_commits(self) -> list[str]:
        """Return the commits that recorded events are bound to; "" stands for none."""
        return episode.commits(self.connection)

    def rewritten(self, lost: Collection[str]) -> dict[str, list[CommitId]]:
        """Return the stored commits with the author date of ones that events are bound to."""
        dates = episode.authored_dates(self.connection, lost)
        by_date: dict[int, list[CommitId]] = {}
        for date, commit in episode.commits_of_dates(self.connection, set(dates.values())):
            by_date.setdefault(date, []).append(commit)
        return {
            one: [commit for commit in by_date.get(date, ()) if commit not in lost]
            for one, date in dates.items()
        }

    def event_ids(self, start: str) -> list[str]:
        """Return a few ids of events that begin with some digits."""
        return episode.ids_like(self.connection, start)

    def episodes(self, commits: Iterable[str]) -> episode.Visible:
        """Return the episode plane with only the events that are bound to some commits."""
        return episode.Visible(self.connection, frozenset(commits))

    def positions(self, commits: Iterable[str]) -> dict[CommitId, Position]:
        """Return where commits stand, as far as they are stored."""
        return tracks.load_positions(self.connection, [CommitId(one) for one in commits])

    def entries(self, table: review.ReviewTable, subject: str = "") -> list[review.Entry]:
        """Return verdicts, check results, tombstones or access rules about a subject."""
        return review.entries(self.connection, table, subject)

    def overlay(self) -> FactWriter:
        """Return the writer of rows in memory, seen by this session's later snapshots alone."""
        if self._added is None:
            cursor = self.connection.cursor()
            add_overlay(cursor)
            self._cursors.append(cursor)
            self._added = FactWriter(cursor, ADDED, self._pack)
        return self._added

    def open_snapshot(
        self, commit: CommitId | None, changes: Sequence[FileState] | None = None
    ) -> Snapshot:
        """Open the symbols and edges of a commit, with `changes` (from the overlay) on top.

        With changes, empty ones too, the snapshot is that of uncommitted text: its symbols have
        commit None and `commit` as their base. `commit` None stands on nothing (unborn HEAD).
        Raises NotIndexed.
        """
        position = None if commit is None else self.position(commit)
        committed = AsOf(self.repository, commit)
        as_of = committed if changes is None else AsOf(self.repository, None, commit)
        cursor = self.connection.cursor()
        cursor.execute(f"USE {DERIVED}")
        snapshot = Snapshot(cursor, as_of, position)
        self._snapshots.append(snapshot)
        if changes:
            self._apply(snapshot, changes)
        return snapshot

    def open_files(self, commit: CommitId, paths: Iterable[FilePath]) -> Snapshot:
        """Open a commit with only some of its files to be seen. Raises NotIndexed."""
        position = self.position(commit)
        cursor = self.connection.cursor()
        cursor.execute(f"USE {DERIVED}")
        snapshot = Snapshot(cursor, AsOf(self.repository, commit), None)
        self._snapshots.append(snapshot)
        for path in paths:
            blob = self.past.blob(path, position)
            if blob is not None:
                cursor.execute(_SHOW_FILE, [path, blob])
        return snapshot

    def outline(self, commit: CommitId, path: FilePath) -> Outline | None:
        """Return the symbols of one file at a commit, None where it is not. Raises NotIndexed."""
        blob = self.past.blob(path, self.position(commit))
        if blob is None:
            return None
        return Outline(self.connection, self.repository, commit, (path, blob))

    def aliases_at(self, position: Position) -> list[lineage.StoredAlias]:
        """Return the aliases of one commit, by parent, new key and confidence."""
        return lineage.aliases_at(self.connection, position)

    def aliases_by_id(self, key: str) -> list[lineage.StoredAlias]:
        """Return the places where an alias was found."""
        return lineage.aliases_by_id(self.connection, key)

    def all_aliases(self) -> list[lineage.StoredAlias]:
        """Return every alias of every commit, by position."""
        return lineage.all_aliases(self.connection)

    def aliases_between(self, ahead: CommitId, behind: CommitId) -> list[lineage.StoredAlias]:
        """Return the aliases of commits behind the one and not behind the other."""
        return lineage.aliases_between(
            self.connection, self.ancestors(ahead), self.ancestors(behind)
        )

    def pairs_left_out(self, position: Position) -> int:
        """Return how many pairs of a commit's symbols a limit kept from being compared."""
        found = lineage.limits(self.connection)
        return sum(count for (at, _), count in found.items() if at == position)

    def commit_at(self, position: Position) -> CommitId:
        """Return the commit that stands at a position."""
        return self.past.commits([position])[position].id

    def last_edits(
        self, keys: Sequence[touches.Key], commit: CommitId, most: int
    ) -> dict[touches.Key, tuple[CommitId, ...]]:
        """Return the commits, up to this one, that last edited symbols, moves followed.

        Raises NotIndexed.
        """
        return touches.last_edits(self.connection, self.past, keys, self.position(commit), most)

    def last_touches(
        self,
        keys: Sequence[touches.Key],
        commit: CommitId,
        most: int,
        *,
        with_light: bool = False,
    ) -> dict[touches.Key, tuple[CommitId, ...]]:
        """Return the commits, up to this one, that last changed symbols. Raises NotIndexed.

        `with_light`: those of variables and fields too, which cost more.
        """
        at = self.position(commit)
        found = touches.last_touches(self.connection, self.past, keys, at, most)
        light = [key for key in keys if key not in found] if with_light else []
        return found | touches.light_touches(self.past, light, at, most)

    def whole_touches(
        self, keys: Sequence[touches.Key], commit: CommitId, most: int
    ) -> dict[touches.Key, tuple[CommitId, ...]]:
        """Return the same with what is nested in a function; some queries for each symbol."""
        return touches.light_touches(self.past, keys, self.position(commit), most)

    def removals(
        self, keys: Sequence[touches.Key], commit: CommitId
    ) -> dict[touches.Key, CommitId]:
        """Return the commits, up to this one, that removed symbols it lacks. Raises NotIndexed."""
        return touches.removals(self.past, keys, self.position(commit))

    @cached_property
    def past(self) -> Past:
        """What came before, for walks along history."""
        return Past(self.connection, self.unpack, lambda: self._parents)

    def open_near(self, commit: CommitId, base: CommitId, changes: Sequence[FileState]) -> Snapshot:
        """Open a commit that is not stored as `changes` (from the overlay) on a stored one."""
        snapshot = self.open_snapshot(base)
        snapshot.commit = commit
        self._apply(snapshot, changes)
        return snapshot

    def close(self) -> None:
        """Close what stands on this session."""
        for snapshot in self._snapshots:
            snapshot.close()
        for cursor in self._cursors:
            cursor.close()

    @cached_property
    def _ancestry(self) -> tracks.Ancestry:
        return tracks.Ancestry(self._parents)

    @cached_property
    def _parents(self) -> list[tuple[int, int, int, int, int]]:
        return tracks.load_parents(self.connection)

    def _apply(self, snapshot: Snapshot, changes: Sequence[FileState]) -> None:
        added = self.overlay()
        entries = span_entries(added, changes)
        added.flush()
        snapshot.connection.execute(f"USE {MERGED}")
        snapshot.connection.execute(_HIDE, [[entry.path for entry in entries]])
        for entry in entries:
            if entry.blob is not None:
                snapshot.connection.execute(
                    _SHOW, [entry.mode, entry.link_set, entry.path, entry.blob]
                )
