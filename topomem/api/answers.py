"""What the facade answers: frozen values, each with the commit it is as of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from topomem.api.episode_answers import CaseAnswer, EpisodeAnswer
from topomem.model.answer import Edge, Symbol, SymbolRef
from topomem.model.ids import BlobId, CommitId, FilePath, QualifiedName
from topomem.model.structure import Ownership, TestsEdge
from topomem.records.board import Entry
from topomem.records.governs import Governed

Reason = Literal[
    "no_match", "not_indexed", "no_access_or_no_match", "unsupported_language", "unreadable"
]


@dataclass(frozen=True, slots=True)
class AsOf:
    """The moment of an answer. `commit` is None for uncommitted text and before any commit."""

    commit: CommitId | None
    base_commit: CommitId | None = None
    uncommitted: bool = False


@dataclass(frozen=True, slots=True)
class Empty:
    """Why a list is empty; `indexed_commit` is the commit that was searched, None if none was."""

    reason: Reason
    indexed_commit: CommitId | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SymbolsAnswer:
    """Definitions, sorted by path, line and name."""

    as_of: AsOf
    symbols: tuple[Symbol, ...]
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgesAnswer:
    """Typed edges, sorted by path, line and kind.

    `tests` and `owns` are made from other things, and only where their kind was asked for.
    """

    as_of: AsOf
    edges: tuple[Edge, ...]
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    tests: tuple[TestsEdge, ...] = ()
    owns: tuple[Ownership, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edge near a symbol: `direction` as seen from the nearer end, `distance` from 1 on."""

    edge: Edge
    direction: Literal["in", "out"]
    distance: int


@dataclass(frozen=True, slots=True)
class RefsAnswer:
    """Who uses a symbol and what it uses. `symbol` is None where its file could not be read."""

    as_of: AsOf
    symbol: Symbol | None
    neighbours: tuple[Neighbour, ...]
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowAnswer:
    """One symbol with its text, word for word as in `symbol.blob`, and its nearest edges."""

    as_of: AsOf
    symbol: Symbol
    source: str
    members: tuple[Symbol, ...]
    incoming: tuple[Edge, ...]
    outgoing: tuple[Edge, ...]
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    decisions: tuple[tuple[Entry, Governed], ...] = ()  # records that govern it, surest first
    episodes: tuple[EpisodeAnswer, ...] = ()  # current ones about it, failed ones first
    episode_count: int = 0
    results: Mapping[str, CaseAnswer] = field(default_factory=dict)  # of its tests, by their ids
    tests: tuple[TestsEdge, ...] = ()  # nearest and surest first
    owners: tuple[Ownership, ...] = ()  # of its file


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that was not read, or not wholly; `reason` is the code of its first diagnostic."""

    path: FilePath
    blob: BlobId
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Status:
    """What is indexed, how fresh it is, and what is missing."""

    repository: str
    top: str | None  # the work tree; None in a bare repository
    head: CommitId | None
    indexed_head: CommitId | None
    behind: int | None  # commits reachable from HEAD that are not indexed; None without an index
    indexed_commits: int
    shallow: bool
    files: int
    languages: dict[str, int]  # files by language, as of `indexed_head`
    unavailable: dict[str, str]  # languages that need an install, and which
    unread: tuple[UnreadFile, ...]
    changed_files: int | None  # in the work tree; None where there is none
    store: str
    store_bytes: int
    notes: tuple[str, ...] = ()
    unreachable_commits: int = 0  # stored ones that no reference led to when last looked at
    missing_blobs: int = 0  # of all stored commits: those a partial clone lacked


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a check found: a stable code, words, and where."""

    code: str
    message: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """How many things were checked, and what was wrong with which."""

    checked: int
    failed: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One commit that touched a symbol, under the name it had there.

    `author_date` is in seconds UTC. `confidence` is that of the whole chain up to here. `alias` is
    the id of the alias that leads to the name before, if the name was another one.
    """

    commit: CommitId
    author_date: int
    changes: tuple[str, ...]
    path: FilePath
    qualified_name: QualifiedName
    start_line: int
    end_line: int
    confidence: float
    evidence: tuple[str, ...] = ()
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class HistoryAnswer:
    """What happened to a symbol, newest first.

    `path` and `qualified_name` are its last ones; `symbol` is None where it is gone. `weakest` is
    the id of the alias the chain is least sure of. `cut`: it began before what is indexed.
    """

    as_of: AsOf
    path: FilePath
    qualified_name: QualifiedName
    symbol: Symbol | None
    events: tuple[HistoryEvent, ...]
    confidence: float
    weakest: str | None = None
    cut: bool = False
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AliasAnswer:
    """A claim that two symbols are one thing, or that one came out of the other."""

    id: str
    commit: CommitId
    parent: CommitId
    old: SymbolRef
    new: SymbolRef
    kind: str
    followed: bool
    confidence: float
    evidence: tuple[str, ...]
    verdict: Literal["accepted", "rejected"] | None


@dataclass(frozen=True, slots=True)
class AliasesAnswer:
    """Aliases of symbols, and of files, by commit and new name."""

    as_of: AsOf
    aliases: tuple[AliasAnswer, ...]
    files: tuple[AliasAnswer, ...] = ()
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
