"""Values of git history: commits, trees, changes, tracks, aliases."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from topomem.model.ids import BlobId, CommitId, FilePath, QualifiedName, TreeId


class Mode(IntEnum):
    """Modes of tree entries."""

    FILE = 0o100644
    EXECUTABLE = 0o100755
    LINK = 0o120000
    SUBMODULE = 0o160000


@dataclass(frozen=True, slots=True)
class Commit:
    r"""One commit as git says it. Text that is not UTF-8 is spelled with `\xNN` escapes.

    Dates are seconds UTC; offsets minutes, None where the zone is nonsense. `parents` are those of
    the object; `boundary` is true where a shallow or partial clone cut history (then they are
    absent here).
    """

    id: CommitId
    tree: TreeId
    parents: tuple[CommitId, ...]
    author_name: str
    author_email: str
    author_date: int
    author_offset: int | None
    committer_date: int
    committer_offset: int | None
    message: str
    boundary: bool = False
    notes: tuple[str, ...] = ()  # what was odd: escaped bytes, unknown dates and zones

    @property
    def present_parents(self) -> tuple[CommitId, ...]:
        """Parents that history can be followed to: none at a boundary."""
        return () if self.boundary else self.parents


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry of a recursive tree listing (`git ls-tree -r`)."""

    mode: Mode
    blob: BlobId


@dataclass(frozen=True, slots=True)
class PathChange:
    """A path whose entry differs between two trees; `old`/`new` None where absent."""

    path: FilePath
    old: TreeEntry | None
    new: TreeEntry | None


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where a commit stands: its track and its place on it. Never shown to a user."""

    track: int
    seq: int


@dataclass(frozen=True, slots=True)
class SymbolAt:
    """A symbol of one commit, as an end of an alias. `region_hash` tells its text, less layout."""

    path: FilePath
    name: QualifiedName
    region_hash: str


IDENTITY = ("rename", "move", "rename_move", "signature", "container", "renumbered")
DERIVED = ("extract", "inline", "split", "merge", "copy")
REUSED = "reused"


@dataclass(frozen=True, slots=True)
class Alias:
    """A claim that two symbols across a commit and one parent are one thing.

    Kinds: rename, move, rename_move, signature, container, renumbered (another key, though nobody
    moved it: another number among overloads, or out of a class that cannot be parsed: identity);
    extract, inline, split, merge, copy (derived); reused: the key is the same on both sides, the
    symbol is not. `evidence` are (name, value) pairs, strongest first. `alone` is the confidence
    there would be without rivals. `changes`: what of the symbol's own text is not as it was, None
    where that was not looked at.
    """

    commit: CommitId
    parent: CommitId
    old: SymbolAt
    new: SymbolAt
    kind: str
    confidence: float
    evidence: tuple[tuple[str, float], ...]
    alone: float = 0.0
    changes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, order=True)
class SymbolChange:
    """What changed of a symbol that kept its key; `kinds` in the words of the contract."""

    path: FilePath
    name: QualifiedName
    kinds: tuple[str, ...]
