"""From facts to transactions: everything of a batch becomes durable at once, or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from topomem.index.steps import FileStep
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.history import Commit
from topomem.model.ids import CommitId, RegionKey
from topomem.store.decision import RecordRow
from topomem.store.lineage import TracedParent
from topomem.store.writer import FileState, LinkedFile, Writer

Session = Callable[[], AbstractContextManager[Writer]]
"""Opens the store for one batch; what was put is durable when the block ends."""

_FIRST_LIMIT = 20_000
_SMALLEST_LIMIT = 500
_LARGEST_LIMIT = 40_000
"""Weights of a batch: facts and links wait in memory until it is full."""


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A file that a commit changes, or whose links changed; `linked` None: it has no links."""

    file: FileStep
    linked: LinkedFile | None


@dataclass(frozen=True, slots=True)
class RecordedCommit:
    """A commit with everything it changes against its first parent, and its aliases.

    `leaves`: it does not go on the line of its first parent.
    """

    commit: Commit
    files: Sequence[RecordedFile]
    traced: Sequence[TracedParent]
    leaves: bool


@dataclass(slots=True)
class _Waiting:
    """What goes into the next transaction."""

    regions: list[RegionFacts] = field(default_factory=list)
    packed: dict[RegionKey, bytes] = field(default_factory=dict)
    blobs: list[BlobFacts] = field(default_factory=list)
    linked: list[LinkedFile] = field(default_factory=list)
    records: list[RecordRow] = field(default_factory=list)
    commits: list[RecordedCommit] = field(default_factory=list)
    weight: int = 0


class Recorder:
    """Collects what was found and stores it in batches, in the order it was given.

    Facts and links may become durable before the commit that needs them: they are found by content
    and mean nothing by themselves. A commit becomes durable together with all it changes and with
    the marks of progress, so a run that ends anywhere is gone on with from its last batch.
    `room_seconds` is how long a batch may keep others waiting; the size of batches follows it.
    """

    def __init__(
        self,
        session: Session,
        progress: Callable[[Writer, Sequence[CommitId]], None],
        room_seconds: float,
    ) -> None:
        self._session = session
        self._progress = progress
        self._room_seconds = room_seconds
        self._limit = _FIRST_LIMIT
        self._waiting = _Waiting()
        self._link_sets: dict[int, int] = {}

    def put_blob(
        self,
        blob: BlobFacts,
        regions: Sequence[RegionFacts],
        packed: Mapping[RegionKey, bytes] | None = None,
    ) -> None:
        """Take the facts of a blob and of regions that were not seen before."""
        waiting = self._waiting
        waiting.blobs.append(blob)
        waiting.regions.extend(regions)
        waiting.packed.update(packed or {})
        self._add(10 * len(regions) + len(blob.placements) + 1)

    def put_records(self, records: Sequence[RecordRow]) -> None:
        """Take decision records of blobs whose facts were given before."""
        self._waiting.records.extend(records)
        self._add(len(records))

    def put_commit(self, recorded: RecordedCommit) -> None:
        """Take a commit."""
        for file in recorded.files:
            if file.linked is not None:
                self._waiting.linked.append(file.linked)
                self._add(1 + len(file.linked.links.regions))
        self._waiting.commits.append(recorded)
        self._add(
            1
            + len(recorded.files)
            + sum(len(one.aliases) + len(one.changed) for one in recorded.traced)
        )

    def flush(self) -> None:
        """Make everything durable that was given so far."""
        waiting, self._waiting = self._waiting, _Waiting()
        if not waiting.weight:
            return
        with self._session() as writer:
            start = time.perf_counter()
            writer.put_regions(waiting.regions, waiting.packed)
            writer.put_blobs(waiting.blobs)
            writer.put_records(waiting.records)
            numbers = writer.put_links(waiting.linked)
            self._link_sets.update(
                {id(linked): n for linked, n in zip(waiting.linked, numbers, strict=True)}
            )
            for one in waiting.commits:
                states = self._states(one.files)
                writer.add_commit(one.commit, states, leaves=one.leaves, traced=one.traced)
            self._progress(writer, [one.commit.id for one in waiting.commits])
        for one in waiting.commits:
            for recorded in one.files:
                self._link_sets.pop(id(recorded.linked), None)
        self._adapt(waiting.weight, time.perf_counter() - start)

    def _add(self, weight: int) -> None:
        self._waiting.weight += weight
        if self._waiting.weight >= self._limit:
            self.flush()

    def _adapt(self, weight: int, seconds: float) -> None:
        """Let the next batch take as long as it may, and hold at most twice as much."""
        wanted = int(weight * self._room_seconds / max(seconds, 1e-6))
        self._limit = max(_SMALLEST_LIMIT, min(wanted, 2 * self._limit, _LARGEST_LIMIT))

    def _states(self, files: Sequence[RecordedFile]) -> list[FileState]:
        return [
            FileState(
                recorded.file.path,
                recorded.file.entry,
                recorded.file.language,
                self._link_sets[id(recorded.linked)] if recorded.linked is not None else None,
            )
            for recorded in files
        ]
