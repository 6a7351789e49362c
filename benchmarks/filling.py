"""Stores to ask questions of: single trees with their links, or all history without links.

Both leave out what the questions do not need, so that they are made in a fraction of the time that
indexing takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, cast

from topomem.extract.facts import extract
from topomem.extract.gates import Limits
from topomem.extract.pool import ExtractPool
from topomem.git.repository import Repository
from topomem.index.configuration import Configuration
from topomem.index.decisions import RecordPlaces, RecordReader
from topomem.index.events import unheard
from topomem.index.facts import BlobKey, FactCache
from topomem.index.lineage import Tracer
from topomem.index.linking import Linker
from topomem.index.loop import Loop, Stages, Stored
from topomem.index.pipeline import load_stored
from topomem.index.plan import Known, Scope, plan
from topomem.index.recording import RecordedFile
from topomem.index.selection import Selection
from topomem.index.steps import FileStep, Stepper
from topomem.languages.load import Languages, load_languages
from topomem.link.files import FileChange, FileFacts
from topomem.link.linker import link_all
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.history import Commit
from topomem.model.ids import CommitId
from topomem.store.lineage import TracedParent
from topomem.store.store import Store
from topomem.store.writer import FileState, LinkedFile, Writer

_BATCH_SECONDS = 2.0
_LARGEST = 1 << 20


def fill_trees(store: Store, repository: Repository, commits: Iterable[CommitId]) -> None:
    """Put the trees of commits into a store, each linked by itself and without history."""
    languages = load_languages()
    selection = Selection(languages, Configuration(), repository)
    with store.write() as writer:
        blobs, regions = writer.known_blobs(), writer.known_regions()
        for commit in sorted(set(commits) - writer.known_commits()):
            states = []
            for path, entry in repository.tree(repository.commit(commit)).items():
                name = selection.language(path, entry)
                if not name:
                    continue
                if (entry.blob, name) not in blobs:
                    blobs.add((entry.blob, name))
                    source = repository.read(entry.blob)
                    facts, fresh = extract(entry.blob, source, languages[name], regions)
                    regions.update(region.key for region in fresh)
                    writer.put_regions(fresh)
                    writer.put_blobs([facts])
                states.append(FileState(path, entry, name))
            states = linked(writer, repository, languages, states)
            writer.add_commit(replace(repository.commit(commit), parents=()), states)


def linked(
    writer: Writer, repository: Repository, languages: Languages, states: Sequence[FileState]
) -> list[FileState]:
    """Return the states of the files of a tree with their links, which are stored."""
    read = {}
    for state in states:
        entry = state.entry
        if entry is None:
            continue
        source = repository.read(entry.blob)
        facts, regions = extract(entry.blob, source, languages[state.language], ())
        by_key = {region.key: region for region in regions}
        parallel = tuple(by_key[place.region] for place in facts.placements)
        read[state.path] = FileFacts(state.path, entry.mode, facts, parallel), by_key
    links = link_all(FileChange(path, facts) for path, (facts, _) in read.items())
    files = [LinkedFile(one, read[path][1]) for path, one in links.items() if one.regions]
    numbers = dict(zip([file.links.path for file in files], writer.put_links(files), strict=True))
    return [replace(state, link_set=numbers.get(state.path)) for state in states]


class _NoLinks:
    """Stands where the linker does; says nothing of any file."""

    def move(self, files: Sequence[FileStep]) -> None:
        del files

    def advance(self, files: Sequence[FileStep]) -> list[RecordedFile]:
        return [RecordedFile(file, None) for file in files]


class _NoLineage:
    """Stands where the tracer does; finds no alias."""

    def trace(self, commit: Commit, indexed: object) -> list[TracedParent]:
        del commit, indexed
        return []


def fill_history(
    store: Store, repository: Repository, commits: Iterable[CommitId], *, lineage: bool = False
) -> None:
    """Put commits and all that is behind them into a store, without links; go on if it was begun.

    `lineage`: find aliases too, so that history is followed through renames.
    """
    languages = load_languages()
    selection = Selection(languages, Configuration(), repository)
    stepper = Stepper(repository, selection.wants, selection.language)

    def read(key: BlobKey) -> tuple[BlobFacts, list[RegionFacts]]:
        blob, language = key
        return extract(blob, repository.read(blob), languages[language], limits=Limits(_LARGEST))

    facts = FactCache(read)
    tracer: Any = Tracer(repository, selection, facts, unheard) if lineage else _NoLineage()
    with store.write() as writer:
        stored: Stored = load_stored(writer)
    known = Known(frozenset(stored.commits), frozenset(stored.cut))
    planned = plan(repository, Scope(refs=tuple(sorted(commits))), known)
    if not planned.commits:
        return
    with ExtractPool(2, Limits(_LARGEST), stored.regions) as pool:
        stages = Stages(
            repository=repository,
            languages=languages,
            stepper=stepper,
            facts=facts,
            linker=cast("Linker", _NoLinks()),
            tracer=tracer,
            pool=pool,
            records=RecordReader(repository, RecordPlaces(()), stored.records, _LARGEST),
            limits=Limits(_LARGEST),
            start=None,
        )

        def session() -> AbstractContextManager[Writer]:
            return store.write()

        Loop(stages, stored, unheard).run(planned, session, _BATCH_SECONDS)
