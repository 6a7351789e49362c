"""The writing session: facts, links, commits; all in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from topomem.model.code import BlobFacts, FileLinks, RegionFacts
from topomem.model.history import Commit, Position, TreeEntry
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName, RegionKey

Asked = tuple[str, str]
"""A question the linker asked, and a digest of the answer it got; opaque to the store."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What a commit changes at one path: its new entry, or None when the path is gone.

    Also used where the blob stays and only the links change. `link_set` is what `put_links` gave.
    """

    path: FilePath
    entry: TreeEntry | None
    language: LanguageName = LanguageName("")
    link_set: int | None = None


class FactWriter:
    """Puts facts and links; the same for the derived file and for an overlay in memory.

    Everything put twice is stored once. Order: regions, then blobs, then links, then states.
    """

    def put_regions(
        self, regions: Iterable[RegionFacts], packed: Mapping[RegionKey, bytes] | None = None
    ) -> None:
        """Store regions that are not stored yet; `packed` spares packing them again."""
        raise NotImplementedError

    def put_blobs(self, blobs: Iterable[BlobFacts]) -> None:
        """Store blobs with their placements. Their regions must be stored before."""
        raise NotImplementedError

    def put_links(
        self,
        links: FileLinks,
        regions: Mapping[RegionKey, RegionFacts],
        asked: Sequence[Sequence[Asked]] = (),
    ) -> int:
        """Store the edges of one file; return its link set, equal for equal links.

        `regions` has the facts of every region with an edge (offsets are looked up there).
        `asked` is parallel to `links.regions`, or empty.
        """
        raise NotImplementedError


class Writer(FactWriter):
    """Adds commits. Nothing is visible to others before `commit()` or the end of the session."""

    def known_commits(self) -> set[CommitId]:
        """Return the commits the store has a snapshot of."""
        raise NotImplementedError

    def known_blobs(self) -> set[tuple[BlobId, LanguageName]]:
        """Return the blobs whose facts are stored."""
        raise NotImplementedError

    def known_regions(self) -> set[RegionKey]:
        """Return the regions whose facts are stored."""
        raise NotImplementedError

    def add_commit(self, commit: Commit, states: Sequence[FileState]) -> Position:
        """Store a commit and what it changes against its first parent (everything, for a root).

        Its first parent must be stored, or the commit counts as a root (shallow boundary: give the
        whole tree). A commit already stored is left alone and its position returned.
        """
        raise NotImplementedError

    def set_reachable(self, commits: Iterable[CommitId]) -> int:
        """Mark exactly these commits as reachable from a reference; return how many changed."""
        raise NotImplementedError

    def set_property(self, key: str, value: str) -> None:
        """Remember a text under a key, in the same transaction as everything else."""
        raise NotImplementedError

    def property(self, key: str) -> str | None:
        """Return a remembered text."""
        raise NotImplementedError

    def commit(self) -> None:
        """Make everything so far durable and go on in a new transaction."""
        raise NotImplementedError
