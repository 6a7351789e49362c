"""Lineage at work: every commit against each of its parents, over the facts at hand."""

from __future__ import annotations

from collections.abc import Container, Sequence

from topomem.git.repository import Repository
from topomem.index.events import CommitTraced, Emit, Warned
from topomem.index.facts import FactCache, RegionList
from topomem.index.selection import NO_LANGUAGE, Selection
from topomem.lineage.aliases import Lineage, Step, trace
from topomem.lineage.symbols import FilePair, FileVersion
from topomem.model.history import Commit, PathChange, TreeEntry
from topomem.model.ids import CommitId, FilePath
from topomem.store.lineage import TracedParent


class Tracer:
    """Finds the aliases of commits, given in any order after their parents."""

    def __init__(
        self, repository: Repository, selection: Selection, facts: FactCache, emit: Emit
    ) -> None:
        self._repository = repository
        self._selection = selection
        self._facts = facts
        self._emit = emit

    def trace(self, commit: Commit, indexed: Container[CommitId]) -> list[TracedParent]:
        """Return what is found for each parent that is indexed.

        Of a merge only paths count that differ from all its parents: what it took over from one of
        them was found there.
        """
        parents = [parent for parent in commit.present_parents if parent in indexed]
        changes = [
            {
                change.path: change
                for change in self._repository.changes(self._repository.commit(parent), commit)
                if self._selection.wants(change.path)
            }
            for parent in parents
        ]
        paths = set.intersection(*(set(one) for one in changes)) if changes else set()
        traced = []
        for ordinal, parent in enumerate(commit.present_parents):
            if parent not in parents:
                continue
            mine = changes[parents.index(parent)]
            found = self._compare(commit, parent, [mine[path] for path in sorted(paths)])
            one = TracedParent(ordinal, found.aliases, found.left_out, found.changed)
            if not one.is_empty:
                traced.append(one)
        return traced

    def _compare(self, commit: Commit, parent: CommitId, changes: Sequence[PathChange]) -> Lineage:
        files = [pair for change in changes if (pair := self._pair(change)) is not None]
        found = trace(Step(commit.id, parent, files, commit.message))
        self._emit(CommitTraced(commit.id, found.compared, len(found.aliases), found.left_out))
        if found.left_out:
            words = f"{found.left_out} pairs of symbols were not compared for aliases"
            self._emit(Warned(f"{commit.id[:12]}: {words}"))
        return found

    def _pair(self, change: PathChange) -> FilePair | None:
        old, new = self._version(change.path, change.old), self._version(change.path, change.new)
        if old is None and new is None:
            return None
        return FilePair(change.path, old, new)

    def _version(self, path: FilePath, entry: TreeEntry | None) -> FileVersion | None:
        """Return a file as it is compared; None for one without symbols."""
        if entry is None:
            return None
        language = self._selection.language(path, entry)
        if language == NO_LANGUAGE:
            return None
        blob = self._facts.blob((entry.blob, language))
        if not blob.placements:
            return None
        return FileVersion(path, blob, RegionList(self._facts, blob))
