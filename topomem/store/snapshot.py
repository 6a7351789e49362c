"""Symbols and edges of one commit, composed on reading.

A snapshot has its own connection with a temporary table

    visible(path_int INTEGER, blob_int INTEGER, mode INTEGER, link_set INTEGER)

of the files at that commit; every query joins it before anything else. `snapshot.connection` may be
used by other modules of the store for their own planes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topomem.model.answer import Edge, Symbol
from topomem.model.code import Diagnostic, EdgeKind, SymbolKind
from topomem.model.history import TreeEntry
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName, QualifiedName


@dataclass(frozen=True, slots=True)
class SymbolFilter:
    """Which symbols are wanted; every empty field means any."""

    name: str = ""  # exact qualified name, or its last part
    text: str = ""  # part of the qualified name, letter case ignored
    kinds: tuple[SymbolKind, ...] = ()
    paths: tuple[FilePath, ...] = ()
    path_glob: str = ""  # `*` does not cross `/`, `**` does
    with_modules: bool = False  # files themselves too


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges are wanted; every empty field means any."""

    kinds: tuple[EdgeKind, ...] = ()
    paths: tuple[FilePath, ...] = ()  # read from these files
    path_glob: str = ""
    unresolved: bool | None = None  # only unresolved ones; only resolved ones
    external: bool | None = None
    sources: tuple[tuple[FilePath, QualifiedName], ...] = ()
    targets: tuple[tuple[FilePath, QualifiedName], ...] = ()


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of a snapshot."""

    path: FilePath
    entry: TreeEntry
    language: LanguageName
    byte_count: int
    line_count: int
    diagnostics: tuple[Diagnostic, ...]


class Snapshot:
    """The answers at one commit. Lists are sorted by path, then line, then name."""

    repository: str
    commit: CommitId | None
    base_commit: CommitId | None

    def files(self, path_glob: str = "") -> list[FileRow]:
        """Return the files."""
        raise NotImplementedError

    def symbols(self, wanted: SymbolFilter | None = None) -> list[Symbol]:
        """Return the definitions that match."""
        raise NotImplementedError

    def symbol(self, path: FilePath, name: QualifiedName) -> Symbol | None:
        """Return one definition by its full name."""
        raise NotImplementedError

    def symbol_at(self, path: FilePath, line: int) -> Symbol | None:
        """Return the innermost definition around a line (1-based)."""
        raise NotImplementedError

    def edges(self, wanted: EdgeFilter | None = None) -> list[Edge]:
        """Return the typed edges that match, sorted by path, line, kind, target."""
        raise NotImplementedError

    def edge_counts(self) -> dict[str, int]:
        """Return the number of edges by kind."""
        raise NotImplementedError

    def blobs_of(self, paths: Iterable[FilePath]) -> dict[FilePath, BlobId]:
        """Return the blobs of files."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the snapshot's connection; its reader does so too."""
        raise NotImplementedError


Rows = Sequence[tuple[object, ...]]
