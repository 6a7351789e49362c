"""Moments that are not stored but near a stored one: other commits, and uncommitted text.

They are answered from rows in memory on top of the nearest stored commit. Nothing is written.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from topomem.errors import NotIndexed, UnknownRevision
from topomem.extract.gates import Limits
from topomem.extract.pool import ExtractPool
from topomem.git.repository import Repository
from topomem.index.blobs import AddedBlobs
from topomem.index.configuration import Configuration
from topomem.index.events import unheard
from topomem.index.facts import BlobKey, FactCache
from topomem.index.linking import Linker
from topomem.index.masking import extract_masked, mask_packed, read_as
from topomem.index.pipeline import languages_of
from topomem.index.restoring import restore
from topomem.index.selection import NO_LANGUAGE, Selection
from topomem.index.steps import FileStep, Stepper
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.history import Commit
from topomem.model.ids import CommitId, FilePath
from topomem.model.packing import unpack
from topomem.store.reader import Reader
from topomem.store.snapshot import Snapshot
from topomem.store.writer import FileState

MOST_CHANGES = 200
"""Files in which a commit may differ from a stored ancestor and still be answered."""

_MOST_BETWEEN = 500
"""Commits looked at to find a stored ancestor."""

_JOBS = 2
_MOST_BASES = 4
"""Stored ancestors that are compared."""


@dataclass(frozen=True, slots=True)
class Near:
    """A snapshot made in memory, the stored commit below it, and how many files differ."""

    snapshot: Snapshot
    base: CommitId | None
    changed: int


class Overlay:
    """Opens moments that are not stored, for the length of a reading session."""

    def __init__(
        self, repository: Repository, reader: Reader, configuration: Configuration
    ) -> None:
        self._repository = repository
        self._reader = reader
        self._configuration = configuration
        self._languages = languages_of(configuration)
        self._blobs = AddedBlobs(repository)
        selection = Selection(self._languages, configuration, self._blobs)
        self._stepper = Stepper(repository, selection.wants, selection.language)
        self._limits = Limits(configuration.max_blob_bytes)
        self._facts = FactCache(self._extract)

    def commit(self, commit_id: CommitId) -> Near:
        """Open a commit that has a stored ancestor near by. Raises NotIndexed, UnknownRevision."""
        commit = self._repository.commit(commit_id)
        if not self._repository.has_files(commit):
            raise NotIndexed(
                f"the files of commit {commit_id[:12]} are not in this clone (a partial one)",
                "fetch them, then run: topomem index",
            )
        base, files = self._base(commit)
        snapshot = self._reader.open_near(commit_id, base.id, self._states(base, files))
        return Near(snapshot, base.id, len(files))

    def worktree(self) -> Near:
        """Open HEAD with everything on disk that differs from it, untracked files included.

        Raises NotIndexed, UsageError (a bare repository).
        """
        changed = self._repository.worktree_changes()
        head_id = self._repository.head()
        head = self._repository.commit(head_id) if head_id else None
        base, files = self._base(head) if head else (None, {})
        for change in changed:
            if change.source is not None and change.new is not None:
                self._blobs.add(change.new.blob, change.source)
            if self._stepper.wants(change.path):
                files[change.path] = self._stepper.file(change.path, change.new)
        states = self._states(base, files)
        snapshot = self._reader.open_snapshot(base.id if base else None, states)
        snapshot.base_commit = head_id
        return Near(snapshot, base.id if base else None, len(files))

    def _base(self, commit: Commit) -> tuple[Commit, dict[FilePath, FileStep]]:
        """Return the stored ancestor that differs least, and what differs. Raises NotIndexed."""
        best: tuple[int, Commit, list[FileStep]] | None = None
        for base in self._stored_ancestors(commit):
            files = self._stepper.changes(base, commit)
            if best is None or len(files) < best[0]:
                best = len(files), base, files
        if best is None or best[0] > MOST_CHANGES:
            raise NotIndexed(
                f"commit {commit.id[:12]} is not indexed, nor is an ancestor near it",
                "run: topomem index",
            )
        return best[1], {file.path: file for file in best[2]}

    def _stored_ancestors(self, commit: Commit) -> list[Commit]:
        """Return the nearest stored commits behind this one (or it itself), nearest first."""
        known = self._reader.known_commits()
        found: list[Commit] = []
        seen = {commit.id}
        waiting = deque([commit])
        while waiting and len(found) < _MOST_BASES and len(seen) <= _MOST_BETWEEN:
            at = waiting.popleft()
            if at.id in known:
                found.append(at)
                continue
            for parent in at.present_parents:
                if parent not in seen:
                    seen.add(parent)
                    with suppress(UnknownRevision):  # a damaged clone
                        waiting.append(self._repository.commit(parent))
        return found

    def _states(self, base: Commit | None, files: dict[FilePath, FileStep]) -> list[FileState]:
        """Put facts and links of what differs into rows in memory; return the states of files."""
        linker = Linker(self._facts, self._blobs, unheard)
        if base is not None:
            restore(self._reader, self._stepper, base, self._facts, linker)
        self._read(files)
        steps = [files[path] for path in sorted(files)]
        recorded = linker.advance(steps)
        added = self._reader.overlay()
        keys = {key for file in steps if (key := file.blob_key) is not None}
        blobs = [self._listed(key) for key in sorted(keys)]
        added.put_regions(one for blob in blobs for one in self._facts.regions(blob))
        added.put_blobs(blobs)
        linked = [one.linked for one in recorded if one.linked is not None]
        numbers = iter(added.put_links(linked))
        return [
            FileState(
                one.file.path,
                one.file.entry,
                one.file.language,
                next(numbers) if one.linked is not None else None,
            )
            for one in recorded
        ]

    def _read(self, files: dict[FilePath, FileStep]) -> None:
        """Extract what is of code, with the limits of an index run."""
        wanted = {
            file.blob_key: file.path
            for file in files.values()
            if file.blob_key is not None and file.language != NO_LANGUAGE
        }
        stored = self._reader.blob_facts(wanted)
        requests = [
            (blob, self._blobs.read(blob), language)
            for blob, language in wanted
            if (blob, language) not in stored
        ]
        with ExtractPool(_JOBS, self._limits) as pool:
            for (blob, packed), (_, source, language) in zip(
                pool.run_packed(requests), requests, strict=True
            ):
                text = read_as(source or b"", self._languages[language], self._limits)
                regions = [unpack(data) for data in packed.values()]
                self._facts.put(blob, (), mask_packed(blob, regions, packed, text)[1])

    def _listed(self, key: BlobKey) -> BlobFacts:
        if key[1] != NO_LANGUAGE:
            return self._facts.blob(key)
        return BlobFacts(*key, (), (), 0, self._blobs.size(key[0]) or 0)

    def _extract(self, key: BlobKey) -> tuple[BlobFacts, list[RegionFacts]]:
        blob, language = key
        source = self._blobs.read(blob)
        return extract_masked(blob, source, self._languages[language], self._limits)
