"""From planned commits to steps: what to read, and how the state moves from commit to commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from topomem.git.repository import Repository
from topomem.model.history import Commit, PathChange, TreeEntry
from topomem.model.ids import CommitId, FilePath, LanguageName


@dataclass(frozen=True, slots=True)
class FileStep:
    """A path and what stands there after a step; `entry` None: nothing any more."""

    path: FilePath
    entry: TreeEntry | None
    language: LanguageName


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
        self._wants = wants
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
                    if self._wants(change.path)
                )
                if old
                else ()
            )
        changes = self._repository.changes(old, new)
        return tuple(self._step(change) for change in changes if self._wants(change.path))

    def _step(self, change: PathChange) -> FileStep:
        if change.new is None:
            return FileStep(change.path, None, LanguageName(""))
        return FileStep(change.path, change.new, self._language(change.path, change.new))


def _same(one: Commit | None, other: Commit | None) -> bool:
    return (one and one.tree) == (other and other.tree)
