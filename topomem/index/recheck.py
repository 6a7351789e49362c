"""A stored commit against one made from nothing: the laws of the index, checked on real data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from topomem.extract.gates import Limits
from topomem.git.repository import Repository
from topomem.index.configuration import Configuration
from topomem.index.decisions import RecordPlaces, RecordReader
from topomem.index.events import unheard
from topomem.index.facts import BlobKey, FactCache
from topomem.index.linking import Linker
from topomem.index.masking import extract_masked
from topomem.index.pipeline import languages_of
from topomem.index.selection import NO_LANGUAGE, Selection
from topomem.index.steps import FileStep, Stepper
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.ids import CommitId, FilePath
from topomem.store.decision import records
from topomem.store.reader import Reader


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """Where what is stored is not what git and the stages give."""

    commit: CommitId
    path: FilePath
    what: str  # tree, blob, region, links or record


class Recheck:
    """Makes snapshots from git alone and compares them with stored ones. Slow: use on samples."""

    def __init__(
        self, repository: Repository, reader: Reader, configuration: Configuration
    ) -> None:
        self._repository = repository
        self._reader = reader
        self._languages = languages_of(configuration)
        self._limits = Limits(configuration.max_blob_bytes)
        selection = Selection(self._languages, configuration, repository)
        self._stepper = Stepper(repository, selection.wants, selection.language)

    def differences(self, commit_id: CommitId) -> list[Difference]:
        """Return how a stored snapshot differs. Raises NotIndexed, UnknownRevision."""
        files = self._stepper.files(self._repository.commit(commit_id))
        facts = FactCache(self._extract)
        found = {
            *((path, "tree") for path in self._trees(commit_id, files)),
            *((path, "blob") for path in self._blobs(facts, files)),
            *((path, "region") for path in self._regions(facts, files)),
            *((path, "links") for path in self._links(commit_id, facts, files)),
            *((path, "record") for path in self._records(commit_id, files)),
        }
        return sorted(Difference(commit_id, path, what) for path, what in found)

    def _trees(self, commit: CommitId, files: list[FileStep]) -> Iterator[FilePath]:
        stored = self._reader.tree(commit)
        wanted = {file.path: file.entry for file in files}
        yield from (p for p in wanted.keys() | stored.keys() if wanted.get(p) != stored.get(p))

    def _blobs(self, facts: FactCache, files: list[FileStep]) -> Iterator[FilePath]:
        keys = {file.path: key for file in files if (key := _key(file))}
        stored = self._reader.blob_facts(keys.values())
        yield from (path for path, key in keys.items() if stored.get(key) != facts.blob(key))

    def _regions(self, facts: FactCache, files: list[FileStep]) -> Iterator[FilePath]:
        for file in files:
            key = _key(file)
            if key is not None:
                regions = facts.regions(facts.blob(key))
                stored = self._reader.region_facts(one.key for one in regions)
                if any(stored.get(one.key) != one for one in regions):
                    yield file.path

    def _links(
        self, commit: CommitId, facts: FactCache, files: list[FileStep]
    ) -> Iterator[FilePath]:
        linker = Linker(facts, self._repository, unheard)
        wanted = {
            recorded.file.path: recorded.linked.links
            for recorded in linker.advance(files)
            if recorded.linked is not None
        }
        stored = self._reader.file_links(commit)
        yield from (p for p in wanted.keys() | stored.keys() if wanted.get(p) != stored.get(p))

    def _records(self, commit: CommitId, files: list[FileStep]) -> Iterator[FilePath]:
        """Yield records whose text says something else; which others are kept is free."""
        snapshot = self._reader.open_snapshot(commit)
        stored = {one.path: one.body for one in records(snapshot.connection)}
        for file in files:
            reading = RecordReader(
                self._repository, RecordPlaces(()), set(), self._limits.max_blob_bytes
            )
            rows = reading.rows([(file, False)])
            said = json.loads(rows[0].body) if rows else None
            must_be = bool(rows) and rows[0].origin == "place"
            if (must_be or (said and file.path in stored)) and stored.get(file.path) != said:
                yield file.path

    def _extract(self, key: BlobKey) -> tuple[BlobFacts, list[RegionFacts]]:
        blob, language = key
        source = self._repository.read(blob)
        return extract_masked(blob, source, self._languages[language], self._limits)


def _key(file: FileStep) -> BlobKey | None:
    if file.entry is None or file.language == NO_LANGUAGE:
        return None
    return file.entry.blob, file.language
