"""Whether recorded evidence still holds at the moment it is asked about.

A result holds for its code, its command and its environment. Code counts where the result is known
to reach it, else all of it does; texts that are no code do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from topomem.api.environment import environment_here, is_lock_file
from topomem.api.episode_binding import dirty_digest
from topomem.errors import UnknownRevision
from topomem.evidence.environment import read_environment, stale_reasons
from topomem.languages.load import Languages, load_languages
from topomem.model.evidence import Environment
from topomem.model.ids import CommitId, FilePath, Moniker, QualifiedName, split_moniker
from topomem.store import structure
from topomem.units.reach import USES

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.api.view import View
    from topomem.model.episode import Episode, Event
    from topomem.model.history import Commit
    from topomem.model.structure import Key

EVIDENCE = frozenset({"tool_result", "test_evidence"})
_MOST_NAMED = 3
_MOST_REACHED = 50_000


class Staleness:
    """Compares the state that evidence is of with that of a view."""

    def __init__(self, opened: Opened, view: View) -> None:
        self._repository = opened.repository
        self._view = view
        self._at = view.as_of.commit or view.as_of.base_commit
        self._changed: dict[str, tuple[FilePath, ...] | None] = {}

    def of(self, episode: Episode) -> dict[str, tuple[str, ...]]:
        """Return why each piece of evidence may not hold any more, by event; () where it does."""
        return {event.id: self.why(event) for event in episode.events if event.kind in EVIDENCE}

    def why(self, event: Event) -> tuple[str, ...]:
        """Return why one piece of evidence may not hold any more; () where it does."""
        if event.dirty and event.commit_id == self._at and event.dirty == self._dirty_now:
            return self._environment_reasons(event, ())
        found = ["it was of changes that were not committed"] if event.dirty else []
        changed = self._changes_since(event.commit_id)
        if changed is None:
            return (*found, "its commit cannot be read")
        locks = [path for path in changed if is_lock_file(path)]
        found += _named(locks)
        code = [path for path in changed if path not in locks and self._is_code(path)]
        if code:
            reached = self._reached(event)
            found += _named([path for path in code if reached is None or path in reached])
        return (*found, *self._environment_reasons(event, locks))

    def _environment_reasons(self, event: Event, told: Iterable[FilePath]) -> tuple[str, ...]:
        """Return what of the recorded environment is not as it is now, but what is told already."""
        body = event.data.get("environment")
        if not isinstance(body, Mapping):
            return ()
        then = read_environment(body)
        known = {f"{path} changed" for path in told}
        reasons = stale_reasons(then, self._environment_now(then))
        return tuple(
            f"{one.kind.replace('_', ' ')} {one.detail}"
            for one in reasons
            if one.detail not in known
        )

    def _environment_now(self, then: Environment) -> Environment:
        """Return the environment now; the machine counts where the present is asked about."""
        locks = []
        for path, _ in then.lock_files:
            data = self._read(FilePath(path))
            if data is not None:
                locks.append((path, sha256(data).hexdigest()))
        if self._at != self._repository.head():
            return Environment(then.command, lock_files=tuple(locks))
        here = environment_here(then.command, self._repository)
        kept = {name for name, _ in then.variables}
        return Environment(
            then.command,
            here.interpreter,
            here.system,
            here.tools,
            tuple(locks),
            tuple(pair for pair in here.variables if pair[0] in kept),
        )

    def _read(self, path: FilePath) -> bytes | None:
        """Return a file at the moment asked about: on disk where that is what is asked about."""
        commit = self._commit(self._at or "")
        entry = self._repository.entry(commit, path) if commit else None
        if self._view.as_of.uncommitted:
            for change in self._repository.worktree_changes():
                if change.path == path:
                    return change.source
        return self._repository.read(entry.blob) if entry else None

    def _changes_since(self, key: str) -> tuple[FilePath, ...] | None:
        """Return the paths that are not as they were at a commit; None where it is not here."""
        if key not in self._changed:
            self._changed[key] = self._compared(key)
        return self._changed[key]

    def _compared(self, key: str) -> tuple[FilePath, ...] | None:
        found: set[FilePath] = set()
        if key != self._at:
            before, now = self._commit(key), self._commit(self._at or "")
            if before is None or now is None:
                return None
            found |= {change.path for change in self._repository.changes(before, now)}
        if self._view.as_of.uncommitted:
            found |= {change.path for change in self._repository.worktree_changes()}
        return tuple(sorted(found))

    def _commit(self, key: str) -> Commit | None:
        try:
            return self._repository.commit(CommitId(key))
        except UnknownRevision:
            return None

    def _is_code(self, path: FilePath) -> bool:
        return self._languages.for_path(path) is not None

    def _reached(self, event: Event) -> frozenset[FilePath] | None:
        """Return the files that the tests of an event reach; None where that is not known."""
        starts = [split_moniker(Moniker(name)) for name in event.names("symbol")]
        if not starts or event.kind != "test_evidence" or self._view.snapshot is None:
            return None
        return self._files_from(starts)

    def _files_from(self, starts: Iterable[Key]) -> frozenset[FilePath]:
        """Return the files of all that is reached along edges; what is in a class comes with it."""
        seen = set(starts)
        files = {path for path, _ in seen}
        waiting = list(seen)
        while waiting and len(seen) < _MOST_REACHED:
            key = waiting.pop()
            for following in (*self._edges.get(key, ()), *self._members.get(key, ())):
                if following not in seen:
                    seen.add(following)
                    files.add(following[0])
                    waiting.append(following)
        return frozenset(files)

    @cached_property
    def _edges(self) -> dict[Key, list[Key]]:
        assert self._view.snapshot is not None  # noqa: S101 - asked before
        found: dict[Key, list[Key]] = defaultdict(list)
        for one in structure.relations(self._view.snapshot, USES):
            found[one.source].append(one.target)
        return found

    @cached_property
    def _members(self) -> dict[Key, list[Key]]:
        assert self._view.snapshot is not None  # noqa: S101 - asked before
        found: dict[Key, list[Key]] = defaultdict(list)
        for key in self._edges:
            above = key[1].rpartition(".")[0]
            if above:
                found[key[0], QualifiedName(above)].append(key)
        return found

    @cached_property
    def _languages(self) -> Languages:
        return load_languages()

    @cached_property
    def _dirty_now(self) -> str:
        is_present = self._at == self._repository.head()
        return dirty_digest(self._repository) if is_present else ""


def _named(paths: list[FilePath]) -> list[str]:
    """Return one reason that names a few changed files, none where there are none."""
    if not paths:
        return []
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return [f"{', '.join(paths[:_MOST_NAMED])}{more} changed"]
