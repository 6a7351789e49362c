"""The store of one repository: a folder with two database files, a journal and two lock files."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from topomem.store.reader import Reader
from topomem.store.writer import Writer


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """How a store is opened. `producer` names what derived rows were made by (extractor version and
    language fingerprints); when it differs from the stored one the derived file is rebuilt."""

    producer: str = ""
    wait_seconds: float = 30.0
    purpose: str = ""  # shown to others who wait: "index", "reindex", ...


class Store:
    """Opens short sessions on the store in `folder`; holds no connection itself.

    `repository` is the repository's key; symbols are composed with it.
    """

    def __init__(
        self, folder: Path, repository: str, options: StoreOptions | None = None
    ) -> None:
        self.folder = folder
        self.repository = repository
        self.options = options or StoreOptions()

    def exists(self) -> bool:
        """Return whether anything was ever indexed here (a derived file is present)."""
        raise NotImplementedError

    def read(self) -> AbstractContextManager[Reader]:
        """Open a reading session; many may be open at once. Reads never write.

        Raises NotIndexed when nothing was indexed yet, StoreBusy after the bounded wait,
        StoreDamaged when a file cannot be read.
        """
        raise NotImplementedError

    def write(self) -> AbstractContextManager[Writer]:
        """Open the one writing session: one transaction, committed when the block ends well.

        Makes the store when it does not exist; rebuilds an outdated derived file as an empty one.
        Raises StoreBusy, StoreDamaged, StoreFull; after StoreFull the last committed state stands.
        """
        raise NotImplementedError

    def build(self) -> AbstractContextManager[Writer]:
        """Fill a new derived file beside the present one, which readers may go on using.

        The writer may `commit()` in between. When the block ends well the new file takes the place
        of the old one under the gate; when it fails the new file is removed.
        """
        raise NotImplementedError

    def store_bytes(self) -> int:
        """Return the bytes of everything the store keeps on disk."""
        raise NotImplementedError
