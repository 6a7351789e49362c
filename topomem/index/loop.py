"""The commit loop: the one place that knows all stages.

    plan -> steps -> extract what is new -> link what changed -> trace -> record, batch by batch

Extraction runs ahead in processes of its own; linking follows commit by commit in this one.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topomem.extract.gates import Limits
from topomem.extract.pool import ExtractPool
from topomem.git.repository import Repository
from topomem.index.decisions import RecordReader
from topomem.index.events import (
    BatchStored,
    BlobParsed,
    BlobSkipped,
    CommitIndexed,
    Emit,
    Event,
    SecretsMasked,
)
from topomem.index.facts import BlobKey, FactCache
from topomem.index.lineage import Tracer
from topomem.index.linking import Linker
from topomem.index.masking import mask_packed, read_as, without_secrets
from topomem.index.plan import Plan, Scope
from topomem.index.reachability import CUT
from topomem.index.recording import RecordedCommit, Recorder, Session
from topomem.index.selection import NO_LANGUAGE
from topomem.index.steps import FileStep, Step, Stepper
from topomem.languages.load import Languages
from topomem.model.code import BlobFacts, Diagnostic
from topomem.model.evidence import Authors
from topomem.model.history import Commit, Mode
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName, RegionKey
from topomem.model.packing import unpack
from topomem.model.people import as_configured
from topomem.store.decision import RecordRow
from topomem.store.writer import Writer

SCOPE = "scope"
"""Property: what the last run that was asked for a scope was asked for, as a JSON object."""

PENDING = "pending"
"""Property: how many planned commits are not stored yet; `0` after a finished run."""


_MISSING = Diagnostic("missing", "the blob is not in the repository (partial clone)")


@dataclass(slots=True)
class Stored:
    """What the store holds; kept up to date while the run goes on."""

    commits: set[CommitId] = field(default_factory=set)
    cut: set[CommitId] = field(default_factory=set)
    blobs: set[BlobKey] = field(default_factory=set)
    regions: set[RegionKey] = field(default_factory=set)
    tips: frozenset[CommitId] = frozenset()
    scope: Scope = field(default_factory=Scope)
    records: set[BlobId] = field(default_factory=set)
    unreachable_since: int | None = None  # seconds UTC; of the commit that was lost first


@dataclass(frozen=True, slots=True)
class Stages:
    """What a run works with."""

    repository: Repository
    languages: Languages
    stepper: Stepper
    facts: FactCache
    linker: Linker
    tracer: Tracer
    pool: ExtractPool
    records: RecordReader
    limits: Limits
    start: Commit | None  # where the linker stands
    authors: Authors = "keep"  # what is stored of the names of people


@dataclass(frozen=True, slots=True)
class _Queued:
    """A step that can be taken once `needs` extracted blobs have come back."""

    step: Step
    needs: int
    reused: int  # files of code whose blob was read before
    records: tuple[RecordRow, ...]


class Loop:
    """Carries out a plan."""

    def __init__(self, stages: Stages, stored: Stored, emit: Emit) -> None:
        self._stages = stages
        self._stored = stored
        self._emit = emit
        self._paths: dict[BlobKey, FilePath] = {}
        self._sources: dict[BlobKey, bytes] = {}  # of blobs that are being extracted
        self._requested = 0
        self._ready: deque[_Queued] = deque()
        self._done = 0
        self._indexed = set(stored.commits)
        self._plan = Plan((), (), frozenset(), frozenset(), frozenset())

    def run(self, planned: Plan, session: Session, room_seconds: float) -> None:
        """Index the planned commits. What was recorded stays when anything is raised."""
        self._plan = planned
        recorder = Recorder(session, self._mark, room_seconds)
        results = self._stages.pool.run_packed(self._requests(recorder))
        received = 0
        result = next(results, None)
        while result is not None:
            received += 1
            self._take(*result, recorder)
            while self._ready and self._ready[0].needs <= received:
                self._index(self._ready.popleft(), recorder)
            result = next(results, None)
        while self._ready:
            self._index(self._ready.popleft(), recorder)
        recorder.flush()

    def _requests(self, recorder: Recorder) -> Iterator[tuple[BlobId, bytes | None, LanguageName]]:
        """Yield blobs to extract in the order commits need them; queue the steps behind them."""
        stages, stored = self._stages, self._stored
        steps = stages.stepper.steps(self._plan.commits, set(stored.commits), stages.start)
        for step in steps:
            reused = 0
            seen = [(file, _key(file) in stored.blobs) for file in step.own]
            for file in step.own:
                key = _key(file)
                if key is None:
                    continue
                if key in stored.blobs:
                    reused += key[1] != NO_LANGUAGE
                    continue
                stored.blobs.add(key)
                self._paths[key] = file.path
                size = stages.repository.size(key[0])
                if file.language == NO_LANGUAGE:
                    self._list(file, key, size, recorder)
                elif size is not None and size > stages.limits.max_blob_bytes:
                    self._refuse(key, size, recorder)
                else:
                    self._requested += 1
                    source = stages.repository.read(key[0])
                    if source is not None:
                        self._sources[key] = source
                    yield key[0], source, key[1]
            records = tuple(stages.records.rows(seen))
            self._ready.append(_Queued(step, self._requested, reused, records))

    def _list(self, file: FileStep, key: BlobKey, size: int | None, recorder: Recorder) -> None:
        """Take a file that is listed and not read; what a submodule stands on is never here."""
        is_elsewhere = file.entry is not None and file.entry.mode is Mode.SUBMODULE
        if size is not None or is_elsewhere:
            recorder.put_blob(BlobFacts(*key, (), (), 0, size or 0), ())
        else:
            self._take(BlobFacts(*key, (), (_MISSING,), 0, 0), {}, recorder)

    def _refuse(self, key: BlobKey, size: int, recorder: Recorder) -> None:
        """Take a blob that is too large to be read at all."""
        words = f"{size} bytes, more than {self._stages.limits.max_blob_bytes}"
        blob = BlobFacts(*key, (), (Diagnostic("too_large", words),), 0, size)
        self._take(blob, {}, recorder)

    def _take(self, blob: BlobFacts, packed: Mapping[RegionKey, bytes], recorder: Recorder) -> None:
        """Keep and record the facts of a blob and of the regions it is the first to have."""
        regions = [unpack(data) for data in packed.values()]
        source = self._sources.pop((blob.blob, blob.language), None)
        if regions and source is not None:
            text = read_as(source, self._stages.languages[blob.language], self._stages.limits)
            masked, packed = mask_packed(blob, regions, packed, text)
            self._tell_masked(sum(one is not two for one, two in zip(regions, masked, strict=True)))
            regions = masked
        self._stored.regions.update(packed)
        self._stages.facts.put(blob, regions, packed)
        recorder.put_blob(blob, regions, packed)
        path = self._paths.pop((blob.blob, blob.language))
        troubles = [found.code for found in blob.diagnostics if found.code != "encoding"]
        if blob.placements:
            self._emit(BlobParsed(path, blob.blob))
        if troubles:
            self._emit(BlobSkipped(path, blob.blob, troubles[0]))

    def _index(self, queued: _Queued, recorder: Recorder) -> None:
        """Link one commit and record it."""
        step = queued.step
        self._stages.linker.move(step.back)
        files = self._stages.linker.advance(step.own)
        commit = step.commit
        recorder.put_records(queued.records)
        leaves = step.parent is not None and commit.id not in self._plan.continues
        traced = self._stages.tracer.trace(commit, self._indexed)
        self._indexed.add(commit.id)
        named = as_configured(commit, self._stages.authors)
        kept = without_secrets(named)
        self._tell_masked(int(kept is not named))
        recorder.put_commit(RecordedCommit(kept, files, traced, leaves))
        self._emit(CommitIndexed(commit.id, len(step.own), len(files), queued.reused))

    def _tell_masked(self, texts: int) -> None:
        if texts:
            self._emit(SecretsMasked(texts))

    def _mark(self, writer: Writer, commits: Sequence[CommitId]) -> None:
        """Write down how far the run is, in the transaction that makes it true."""
        self._done += len(commits)
        self._stored.commits.update(commits)
        cut = self._plan.cut.intersection(commits)
        if cut:
            self._stored.cut |= cut
            writer.set_property(CUT, json.dumps(sorted(self._stored.cut)))
        writer.set_property(PENDING, str(len(self._plan.commits) - self._done))
        self._emit(self._progress())

    def _progress(self) -> Event:
        return BatchStored(self._done, len(self._plan.commits))


def _key(file: FileStep) -> BlobKey | None:
    return (file.entry.blob, file.language) if file.entry else None
