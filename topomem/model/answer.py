"""Symbols and edges as they are shown: tied to a commit, composed on reading."""

from __future__ import annotations

from dataclasses import dataclass

from topomem.model.code import EdgeKind, External, Method, SymbolKind, Unresolved
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName, QualifiedName


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition at one commit. Lines are 1-based and inclusive, decorators included.

    `commit` is None for uncommitted text; `base_commit` then says what it stands on.
    """

    repository: str
    commit: CommitId | None
    path: FilePath
    language: LanguageName
    kind: SymbolKind
    qualified_name: QualifiedName
    signature: str
    start_line: int
    end_line: int
    name_line: int
    blob: BlobId
    docstring: str = ""
    modifiers: tuple[str, ...] = ()
    base_commit: CommitId | None = None

    @property
    def id(self) -> str:
        """`PATH#QUALIFIED.NAME`."""
        return f"{self.path}#{self.qualified_name}"


@dataclass(frozen=True, slots=True, order=True)
class SymbolRef:
    """Enough of a symbol to name it as the end of an edge."""

    path: FilePath
    qualified_name: QualifiedName
    kind: SymbolKind
    start_line: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed relation at one commit; `path` and `line` are the place it was read from."""

    kind: EdgeKind
    source: SymbolRef
    target: SymbolRef | External | Unresolved
    path: FilePath
    line: int
    confidence: float
    method: Method
