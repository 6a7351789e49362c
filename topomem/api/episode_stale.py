"""Whether recorded evidence still holds at the moment it is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from topomem.errors import UnknownRevision
from topomem.model.ids import CommitId, FilePath

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.api.view import View
    from topomem.model.episode import Episode, Event
    from topomem.model.history import TreeEntry

EVIDENCE = frozenset({"tool_result", "test_evidence"})
_MOST_NAMED = 3


class Staleness:
    """Compares the state of the code that evidence is of with that of a view."""

    def __init__(self, opened: Opened, view: View) -> None:
        self._repository = opened.repository
        self._view = view
        self._trees: dict[str, Mapping[FilePath, TreeEntry]] = {}
        self._changed: dict[str, tuple[FilePath, ...] | None] = {}

    def of(self, episode: Episode) -> dict[str, tuple[str, ...]]:
        """Return why each piece of evidence may not hold any more, by event; () where it does."""
        return {
            event.id: self._reasons(event) for event in episode.events if event.kind in EVIDENCE
        }

    def _reasons(self, event: Event) -> tuple[str, ...]:
        found = []
        if event.dirty:
            found.append("it was of uncommitted changes")
        changed = self._changes_since(event.commit_id)
        if changed is None:
            found.append("its commit cannot be read")
        elif changed:
            shown = ", ".join(changed[:_MOST_NAMED])
            more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
            found.append(f"changed since: {shown}{more}")
        return tuple(found)

    def _changes_since(self, commit: str) -> tuple[FilePath, ...] | None:
        now = self._view.as_of.commit or self._view.as_of.base_commit or ""
        if commit == now:
            return ()
        if commit not in self._changed:
            before, after = self._tree(commit), self._tree(now)
            self._changed[commit] = (
                None
                if before is None or after is None
                else tuple(
                    path
                    for path in sorted(before.keys() | after.keys())
                    if before.get(path) != after.get(path)
                )
            )
        return self._changed[commit]

    def _tree(self, commit: str) -> Mapping[FilePath, TreeEntry] | None:
        if commit not in self._trees:
            try:
                found = self._repository.commit(CommitId(commit))
            except UnknownRevision:
                return None
            self._trees[commit] = self._repository.tree(found)
        return self._trees[commit]
