"""Indexing a repository: the one place that knows all stages.

plan -> steps -> extract what is new -> link what changed -> trace -> record, batch by batch
"""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache

from topomem.errors import StoreDamaged
from topomem.extract.gates import Limits
from topomem.extract.pool import ExtractPool
from topomem.git.repository import Repository
from topomem.index.configuration import Configuration
from topomem.index.decisions import RecordPlaces, RecordReader
from topomem.index.events import (
    Emit,
    Planned,
    Warned,
    unheard,
)
from topomem.index.facts import BlobKey, FactCache
from topomem.index.finishing import Finish
from topomem.index.healing import found_again, make_way, reconnect
from topomem.index.lineage import Tracer
from topomem.index.linking import Linker
from topomem.index.loop import SCOPE, Loop, Stages, Stored
from topomem.index.masking import extract_masked
from topomem.index.plan import Known, Plan, Scope, plan, starting_points
from topomem.index.reachability import CUT, UNREACHABLE, recorded_tips
from topomem.index.recording import Session
from topomem.index.report import IndexReport
from topomem.index.restoring import restore
from topomem.index.selection import Selection
from topomem.index.steps import Stepper
from topomem.index.tally import Tally
from topomem.languages.load import Languages, load_languages
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.history import Commit
from topomem.model.packing import VERSION
from topomem.records.parse import VERSION as RECORDS
from topomem.secrets.scan import VERSION as _SECRETS
from topomem.store.locks import WhenAlone
from topomem.store.reader import Reader
from topomem.store.store import Store
from topomem.store.writer import Writer

_LINKS = 3
_ALIASES = 6
"""Raised when equal facts are linked or traced otherwise: what is stored is then made anew."""
_SHOWN = 5
_GENERATION = 200_000
"""Objects between two collections while indexing: facts and links hold few cycles, and looking for
them at the usual pace takes a fifth of the time."""
_BUILD_SECONDS = 2.0
"""How long a batch of a first index may take: it keeps nobody out, and little is lost with it."""


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """How a run goes. `jobs` 0: one process for each core."""

    scope: Scope = field(default_factory=Scope)
    jobs: int = 0
    follow: bool = False
    """Do what the last run did, for what came after it; of `scope` only `refs` counts."""
    room_seconds: float = 0.15
    """How long a batch may keep readers out; a first index keeps nobody out."""
    anew: bool = False
    """Fill a new derived file from git, whatever there is; of `scope` only `refs` counts."""
    now: int = 0
    """Seconds UTC; what was without a reference for longer than git keeps it is dropped."""


def index(
    repository: Repository,
    store: Store,
    configuration: Configuration,
    options: IndexOptions | None = None,
    emit: Emit = unheard,
) -> IndexReport:
    """Bring the store up to what `options.scope` names; do only what is not there yet.

    May be ended at any point: the next run goes on from the last batch that was stored. Raises
    UnknownRevision, StoreBusy, StoreFull, StoreTooNew.
    """
    with _collecting_seldom():
        return _Run(repository, store, configuration, options or IndexOptions(), emit).run()


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(_GENERATION, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@lru_cache(8)
def languages_of(configuration: Configuration) -> Languages:
    """Return the languages that are read. Raises ConfigurationError for one that is not known."""
    return load_languages(configuration.languages or None)


def producer(languages: Languages, configuration: Configuration) -> str:
    """Return what derived rows are made by; rows of another producer are made anew."""
    made_by = [f"facts:{VERSION}", f"links:{_LINKS}", f"aliases:{_ALIASES}", f"records:{RECORDS}"]
    made_by.append(f"secrets:{_SECRETS}")
    made_by.append(f"configuration:{configuration.digest()}")
    made_by += [
        f"{one.name}:{one.fingerprint}:{one.conventions}" for one in languages if one.available
    ]
    return " ".join(made_by)


class _AlreadyBuilt(Exception):
    """Another process finished the derived file while this one waited to make it."""


class _Run:
    """One run, from what is stored to the report."""

    def __init__(
        self,
        repository: Repository,
        store: Store,
        configuration: Configuration,
        options: IndexOptions,
        emit: Emit,
    ) -> None:
        self._start = time.perf_counter()
        self._repository = repository
        self._options = options
        self._authors = configuration.authors
        self._limits = Limits(configuration.max_blob_bytes)
        self._places = RecordPlaces(configuration.decision_paths)
        self._languages = languages_of(configuration)
        made_by = producer(self._languages, configuration)
        self._store = Store(
            store.folder, store.repository, replace(store.options, producer=made_by)
        )
        self._finishing = Finish(repository, options.now)
        self._stored = Stored()
        self._tally = Tally(emit)
        self._selection = Selection(self._languages, configuration, repository)
        self._stepper = Stepper(repository, self._selection.wants, self._selection.language)
        self._facts = FactCache(self._extract)
        self._linker = Linker(self._facts, repository, self._tally)
        self._tracer = Tracer(repository, self._selection, self._facts, self._tally)

    def run(self) -> IndexReport:
        """Do what there is to do."""
        if not starting_points(self._repository, self._options.scope):
            return self._report()
        with self._store.indexing() as when_alone:
            why = self._store.needs_build()
            if self._options.anew:
                self._rebuild()
            elif why is not None:
                self._warn_build(why)
                try:
                    self._build()
                except _AlreadyBuilt:
                    self._add()
            else:
                self._heal(when_alone)
                self._add()
            self._finishing.drop(self._stored, self._store, when_alone)
        self._warn_after()
        return self._report()

    def _heal(self, when_alone: WhenAlone) -> None:
        """Make way for what has content now; much may have to be done anew, so not by the way."""
        if self._options.follow and not self._repository.is_partial:
            return
        blobs = found_again(self._repository, self._store)
        if blobs and self._options.follow:
            words = f"{len(blobs)} blobs that were missing are there now; run: topomem index"
            self._tally(Warned(words))
        else:
            make_way(self._store, blobs, when_alone)

    def _build(self) -> None:
        """Fill a new derived file; one that was begun is gone on with."""
        with self._store.build(go_on=True) as writer:
            if self._store.needs_build() is None:
                raise _AlreadyBuilt
            stored = load_stored(writer)
            planned = self._plan(stored)
            self._carry_out(stored, planned, lambda: _batch(writer), _BUILD_SECONDS)

    def _rebuild(self) -> None:
        """Fill a new derived file with what the last run was asked for."""
        scope = replace(self._last_scope(), refs=self._options.scope.refs)
        self._options = replace(self._options, scope=scope, follow=False)
        with self._store.build() as writer:
            stored = load_stored(writer)
            self._carry_out(stored, self._plan(stored), lambda: _batch(writer), _BUILD_SECONDS)

    def _last_scope(self) -> Scope:
        """Return what the last run was asked for; all behind HEAD where that cannot be read."""
        try:
            with self._store.read() as reader:
                return Scope(**json.loads(reader.property(SCOPE) or "{}"))
        except StoreDamaged as error:
            self._tally(Warned(f"{error}; all behind HEAD is read anew"))
            return Scope()

    def _warn_build(self, why: str) -> None:
        """Tell why what was there is not gone on with."""
        if self._store.exists():
            self._tally(Warned(f"the derived file was made anew: {why}"))

    def _add(self) -> None:
        """Add to the derived file in place, in batches that keep nobody out for long."""
        with self._store.read() as reader:
            stored = load_stored(reader)
            planned = self._plan(stored)
            start = self._restored(reader, stored, planned)
        self._carry_out(stored, planned, self._store.write, self._options.room_seconds, start)

    def _plan(self, stored: Stored) -> Plan:
        known = Known(frozenset(stored.commits), frozenset(stored.cut))
        planned = plan(self._repository, self._scope(stored), known)
        self._tally(Planned(len(stored.commits), len(planned.commits)))
        self._warn_before(planned)
        return planned

    def _scope(self, stored: Stored) -> Scope:
        asked = self._options.scope
        if not self._options.follow or not stored.commits:
            return asked
        return replace(stored.scope, refs=asked.refs, forward=True)

    def _restored(self, reader: Reader, stored: Stored, planned: Plan) -> Commit | None:
        """Let the linker stand where the first planned commit begins, if that is stored."""
        for commit in planned.commits[:1]:
            for parent in commit.present_parents[:1]:
                if parent in stored.commits:
                    start = self._repository.commit(parent)
                    restore(reader, self._stepper, start, self._facts, self._linker)
                    return start
        return None

    def _carry_out(
        self,
        stored: Stored,
        planned: Plan,
        session: Session,
        seconds: float,
        start: Commit | None = None,
    ) -> None:
        if planned.commits:
            jobs = self._options.jobs or os.cpu_count() or 1
            with ExtractPool(jobs, self._limits, stored.regions) as pool:
                stages = Stages(
                    repository=self._repository,
                    languages=self._languages,
                    stepper=self._stepper,
                    facts=self._facts,
                    linker=self._linker,
                    tracer=self._tracer,
                    pool=pool,
                    records=RecordReader(
                        self._repository,
                        self._places,
                        stored.records,
                        self._limits.max_blob_bytes,
                    ),
                    limits=self._limits,
                    authors=self._authors,
                    start=start,
                )
                Loop(stages, stored, self._tally).run(planned, session, seconds)
        reconnect(self._repository, self._tracer, stored, planned, session)
        self._finish(stored, planned, session)

    def _warn_before(self, planned: Plan) -> None:
        """Tell what is in the repository and will not be looked at."""
        replaced = self._repository.replaced
        if replaced:
            shown = ", ".join(replaced[:_SHOWN])
            self._tally(Warned(f"refs/replace is ignored; it replaces {shown}"))
        if planned.unreadable:
            words = "commits are not indexed, their trees are missing (a partial clone)"
            self._tally(Warned(f"{len(planned.unreadable)} {words}"))

    def _warn_after(self) -> None:
        """Tell what could not be read."""
        for language, requires in sorted(self._selection.unavailable.items()):
            self._tally(Warned(f"{language} files are not read; install {requires}"))
        if self._tally.masked:
            words = "definitions and messages hold values that look like secrets; they are masked"
            self._tally(Warned(f"{self._tally.masked} {words}"))
        missing = [file.path for file in sorted(self._tally.skipped) if file.reason == "missing"]
        if missing:
            shown = ", ".join(missing[:_SHOWN])
            words = "blobs are missing (a partial clone?), their content is not available"
            self._tally(Warned(f"{len(missing)} {words}: {shown}"))

    def _finish(self, stored: Stored, planned: Plan, session: Session) -> None:
        asked = stored.scope if self._options.follow else self._options.scope
        scope = Scope(all_refs=asked.all_refs, head_only=asked.head_only)
        self._finishing.mark(stored, planned, scope, session)
        self._stored = stored

    def _extract(self, key: BlobKey) -> tuple[BlobFacts, list[RegionFacts]]:
        """Read a blob once more whose facts are not at hand."""
        blob, language = key
        source = self._repository.read(blob)
        return extract_masked(blob, source, self._languages[language], self._limits)

    def _report(self) -> IndexReport:
        symbols = edges = commits = 0
        head = self._repository.head()
        if self._store.exists():
            with self._store.read() as reader:
                known = reader.known_commits()
                commits = len(known)
                if head in known:
                    snapshot = reader.open_snapshot(head)
                    symbols = snapshot.symbol_count()
                    edges = sum(snapshot.edge_counts().values())
        tally = self._tally
        return IndexReport(
            commits_indexed=tally.commits,
            commits_total=commits,
            blobs_parsed=tally.parsed,
            blobs_reused=tally.reused,
            skipped=tuple(sorted(tally.skipped)),
            symbols=symbols,
            edges=edges,
            seconds=time.perf_counter() - self._start,
            store_bytes=self._store.store_bytes(),
            warnings=tuple(tally.warnings),
            aliases=tally.aliases,
        )


def load_stored(store: Reader | Writer) -> Stored:
    """Return what a store holds."""
    since = store.property(UNREACHABLE)
    return Stored(
        unreachable_since=int(since) if since else None,
        commits=store.known_commits(),
        cut=set(json.loads(store.property(CUT) or "[]")),
        blobs=store.known_blobs(),
        records=store.known_records(),
        regions=store.known_regions(),
        tips=recorded_tips(store),
        scope=Scope(**json.loads(store.property(SCOPE) or "{}")),
    )


@contextmanager
def _batch(writer: Writer) -> Iterator[Writer]:
    yield writer
    writer.commit()
