"""Answers: citations, passages, bundles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from topomem.model.ids import BlobId, CommitId, FilePath, QualifiedName

Detail = Literal["name", "signature", "body"]
PassageKind = Literal["symbol", "file", "edge", "decision", "episode", "commit", "hint"]


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """A text that can be re-read from git word for word. `commit` is None for uncommitted text."""

    path: FilePath
    start_line: int
    end_line: int
    blob: BlobId
    sha256: str  # of the bytes of these lines in the blob
    commit: CommitId | None = None

    def text(self) -> str:
        """Return the citation as people write it: `path:Lx-Ly@commit`."""
        where = f"{self.path}:L{self.start_line}-L{self.end_line}"
        return f"{where}@{self.commit[:12]}" if self.commit else f"{where}@worktree"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a claim comes from: observed, parsed, inferred or authored."""

    method: Literal["observed", "parsed", "inferred", "authored"]
    source: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Passage:
    """One item of a bundle at the level of detail that was chosen for it."""

    kind: PassageKind
    path: FilePath
    qualified_name: QualifiedName
    start_line: int
    end_line: int
    detail: Detail
    text: str
    score: float
    why: tuple[str, ...]
    citation: Citation | None
    provenance: Provenance
    commits: tuple[CommitId, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What did not fit: how many items of a kind, and the best names among them."""

    kind: str
    count: int
    best: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bundle:
    """The answer to a task within a token budget, best items first."""

    as_of: CommitId | None
    task: str
    budget_tokens: int
    used_tokens: int
    evidence: float
    items: tuple[Passage, ...]
    left_out: tuple[LeftOut, ...]
    mode: str
    base_commit: CommitId | None = None
    conflicts: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
