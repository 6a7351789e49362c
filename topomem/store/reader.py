"""The reading session: commits and ancestry, snapshots, facts for the linker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topomem.model.code import BlobFacts, FileLinks, RegionFacts
from topomem.model.history import Commit, Position, TreeEntry
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName, RegionKey
from topomem.store.snapshot import Snapshot
from topomem.store.writer import Asked, FactWriter, FileState


class Reader:
    """Reads one consistent state of the store; closed at the end of its `with` block."""

    repository: str

    def property(self, key: str) -> str | None:
        """Return a text remembered by a writer."""
        raise NotImplementedError

    def position(self, commit: CommitId) -> Position:
        """Return where a commit stands. Raises NotIndexed."""
        raise NotImplementedError

    def known_commits(self) -> set[CommitId]:
        """Return the commits the store has a snapshot of."""
        raise NotImplementedError

    def known_blobs(self) -> set[tuple[BlobId, LanguageName]]:
        """Return the blobs whose facts are stored."""
        raise NotImplementedError

    def known_regions(self) -> set[RegionKey]:
        """Return the regions whose facts are stored."""
        raise NotImplementedError

    def commits(self, ids: Iterable[CommitId] | None = None) -> list[Commit]:
        """Return stored commits (all of them by default), by position."""
        raise NotImplementedError

    def ancestors(self, commit: CommitId) -> dict[int, int]:
        """Return {track: highest seq} of the commit and everything behind it."""
        raise NotImplementedError

    def tree(self, commit: CommitId) -> dict[FilePath, TreeEntry]:
        """Return the stored files of a commit, sorted by path."""
        raise NotImplementedError

    def region_facts(self, keys: Iterable[RegionKey]) -> dict[RegionKey, RegionFacts]:
        """Return the full facts of regions (reduced trees included)."""
        raise NotImplementedError

    def blob_facts(
        self, blobs: Iterable[tuple[BlobId, LanguageName]]
    ) -> dict[tuple[BlobId, LanguageName], BlobFacts]:
        """Return the facts of blobs: placements and diagnostics."""
        raise NotImplementedError

    def file_links(self, commit: CommitId) -> dict[FilePath, FileLinks]:
        """Return the stored links of every file of a commit, as the linker made them."""
        raise NotImplementedError

    def asked(self, commit: CommitId) -> dict[FilePath, Sequence[Sequence[Asked]]]:
        """Return the questions asked by every file of a commit, parallel to its placements."""
        raise NotImplementedError

    def overlay(self) -> FactWriter:
        """Return a writer of rows in memory, seen by this session's snapshots alone."""
        raise NotImplementedError

    def open_snapshot(
        self, commit: CommitId | None, changes: Sequence[FileState] = ()
    ) -> Snapshot:
        """Open the symbols and edges of a commit, with `changes` (from the overlay) on top.

        With changes the snapshot is that of uncommitted text: its symbols have commit None and
        `commit` as their base. None opens an empty tree (unborn HEAD).
        """
        raise NotImplementedError
