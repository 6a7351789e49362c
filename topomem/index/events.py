"""What happened while indexing, as values. Faces show them; tests read them as a log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from topomem.model.ids import BlobId, CommitId, FilePath


@dataclass(frozen=True, slots=True)
class Planned:
    """How many commits there are, and how many of them are to be done now."""

    total: int
    pending: int


@dataclass(frozen=True, slots=True)
class BlobParsed:
    """A blob was read for the first time, under one of its paths."""

    path: FilePath
    blob: BlobId


@dataclass(frozen=True, slots=True)
class BlobSkipped:
    """A blob gave no facts, or only some; `reason` is the code of a diagnostic."""

    path: FilePath
    blob: BlobId
    reason: str


@dataclass(frozen=True, slots=True)
class FileLinked:
    """The references of a file were resolved (again), and why."""

    path: FilePath
    reason: str


@dataclass(frozen=True, slots=True)
class CommitIndexed:
    """A commit is complete, though not yet durable."""

    commit: CommitId
    changed: int  # paths that differ from its first parent
    linked: int  # files that it changes, or whose links were made anew
    reused: int = 0  # files of code it changes whose blob had been read before


@dataclass(frozen=True, slots=True)
class CommitTraced:
    """A commit was compared with its parents. `left_out`: pairs that a limit kept from it."""

    commit: CommitId
    compared: int
    aliases: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class BatchStored:
    """Everything so far is durable."""

    done: int
    pending: int


@dataclass(frozen=True, slots=True)
class SecretsMasked:
    """So many definitions or messages held values that look like secrets; they go without."""

    texts: int


@dataclass(frozen=True, slots=True)
class Warned:
    """Something a person should know; the run goes on."""

    message: str


Event = (
    Planned
    | BlobParsed
    | SecretsMasked
    | BlobSkipped
    | FileLinked
    | CommitIndexed
    | CommitTraced
    | BatchStored
    | Warned
)
Emit = Callable[[Event], None]


def unheard(event: Event) -> None:
    """Take an event and do nothing."""
    del event
