"""From planned commits to steps: what to read, and how the state moves from commit to commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from topomem.git.repository import Repository
from topomem.model.history import Commit, TreeEntry
from topomem.model.ids import BlobId, CommitId, FilePath, LanguageName


@dataclass(frozen=True, slots=True)
class FileStep:
    """A path and what stands there after a step; `entry` None: nothing any more."""

    path: FilePath
    entry: TreeEntry | None
    language: LanguageName

    @property
    def blob_key(self) -> tuple[BlobId, LanguageName] | None:
        """What the file's facts are found by; None where nothing stands."""
        return None if self.entry is None else (self.entry.blob, self.language)


@dataclass(frozen=True, slots=True)
class Step:
    """One commit to be indexed.

    The state stands where the step before left it. `back` takes it to the commit's first parent
    (to nothing, where there is no parent), `own` from there to the commit.
    """

    commit: Commit
    parent: CommitId | None
    back: tuple[FileStep, ...]
    own: tuple[FileStep, ...]


Language = Callable[[FilePath, TreeEntry], LanguageName]


class Stepper:
    """Makes steps. `wants` says which paths count, `language` how a file is read."""

    def __init__(
        self, repository: Repository, wants: Callable[[FilePath], bool], language: Language
    ) -> None:
        self._repository = repository
        self.wants = wants
        self._language = language

    def steps(
        self, commits: Iterable[Commit], stored: set[CommitId], start: Commit | None
    ) -> Iterator[Step]:
        """Yield one step for each commit, parents first. `start` is where the state stands."""
        at = start
        known: dict[CommitId, Commit] = {}
        for commit in commits:
            parent = self._parent(commit, stored, known)
            back = () if _same(at, parent) else self._between(at, parent)
            yield Step(commit, parent.id if parent else None, back, self._between(parent, commit))
            stored.add(commit.id)
            known[commit.id] = commit
            at = commit

    def changes(self, old: Commit | None, new: Commit) -> list[FileStep]:
        """Return what differs between two commits (None: nothing is there)."""
        return list(self._between(old, new))

    def files(self, commit: Commit) -> list[FileStep]:
        """Return everything that counts at a commit."""
        return list(self._between(None, commit))

    def _parent(
        self, commit: Commit, stored: set[CommitId], known: dict[CommitId, Commit]
    ) -> Commit | None:
        """Return the first parent where it is stored; without it the commit is a root."""
        first = commit.present_parents[0] if commit.present_parents else None
        if first is None or first not in stored:
            return None
        return known.get(first) or self._repository.commit(first)

    def _between(self, old: Commit | None, new: Commit | None) -> tuple[FileStep, ...]:
        if new is None:
            return (
                tuple(
                    FileStep(change.path, None, LanguageName(""))
                    for change in self._repository.changes(None, old)
                    if self.wants(change.path)
                )
                if old
                else ()
            )
        changes = self._repository.changes(old, new)
        return tuple(self.file(one.path, one.new) for one in changes if self.wants(one.path))

    def file(self, path: FilePath, entry: TreeEntry | None) -> FileStep:
        """Return what comes to stand at a path."""
        language = LanguageName("") if entry is None else self._language(path, entry)
        return FileStep(path, entry, language)


def _same(one: Commit | None, other: Commit | None) -> bool:
    return (one and one.tree) == (other and other.tree)
