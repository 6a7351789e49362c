"""Where the bytes of blobs come from: git, and files that git does not hold yet."""

from __future__ import annotations

from typing import Protocol

from topomem.git.repository import Repository
from topomem.model.ids import BlobId


class Blobs(Protocol):
    """Gives the bytes of blobs, and their number without reading them; None: not there."""

    def read(self, blob: BlobId) -> bytes | None:
        """Return the bytes of a blob."""
        ...

    def size(self, blob: BlobId) -> int | None:
        """Return how many bytes a blob has."""
        ...


class AddedBlobs:
    """The blobs of a repository, and some more."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._added: dict[BlobId, bytes] = {}

    def add(self, blob: BlobId, source: bytes) -> None:
        """Take in bytes under their id."""
        self._added[blob] = source

    def read(self, blob: BlobId) -> bytes | None:
        """Return the bytes of a blob."""
        found = self._added.get(blob)
        return self._repository.read(blob) if found is None else found

    def size(self, blob: BlobId) -> int | None:
        """Return how many bytes a blob has."""
        found = self._added.get(blob)
        return self._repository.size(blob) if found is None else len(found)
