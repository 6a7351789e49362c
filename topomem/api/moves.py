"""Where a governed file or symbol went: along aliases, as far as they go before a moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from topomem.api.verdicts import verdicts_of
from topomem.api.view import View
from topomem.model.history import IDENTITY, Position
from topomem.model.ids import FilePath, Moniker, QualifiedName, moniker, split_moniker
from topomem.records.governs import Governed, Tree
from topomem.store import decision as plane
from topomem.store.lineage import StoredAlias

LEAST_CONFIDENCE = 0.5
"""Aliases below it are not followed."""

_MOST_STEPS = 20


class Moves:
    """Follows what is not there any more to what it became."""

    def __init__(self, view: View, tree: Tree) -> None:
        self._view, self._tree = view, tree

    def follow(self, governed: Governed) -> Governed:
        """Return what is governed under its present name; as it is where nothing is known.

        The confidence of the way is multiplied in; `moved_from` says what was written.
        """
        if governed.found or self._view.reader is None:
            return governed
        target, sure = Moniker(governed.target), 1.0
        if governed.kind == "path":
            target = Moniker(f"{governed.target}#")
        elif governed.kind != "symbol" or "#" not in target:
            return governed
        seen = {target}
        for _ in range(_MOST_STEPS):
            step = self._step(target)
            if step is None or step[0] in seen:
                return governed
            target, sure = step[0], sure * step[1]
            seen.add(target)
            if self._is_here(target):
                return _moved(governed, target, sure)
        return governed

    def _step(self, target: Moniker) -> tuple[Moniker, float] | None:
        """Return what a name became the last time it was given up, and how sure that is."""
        path, name = split_moniker(target)
        if not name:
            latest = max(enumerate(self._file_steps(path)), key=_latest_last, default=None)
            return latest[1][1:] if latest else None
        steps = list(self._symbol_steps(path, name))
        return max(steps)[1:] if steps else None

    def _symbol_steps(
        self, path: FilePath, name: QualifiedName
    ) -> Iterator[tuple[int, Moniker, float]]:
        assert self._view.reader is not None  # noqa: S101 - asked before
        for (position, _), aliases in self._view.reader.past.aliases_from((path, name)).items():
            for alias in aliases if self._is_behind(position) else ():
                if self._counts(alias):
                    sure = 1.0 if self._verdict(alias) == "accepted" else alias.confidence
                    yield position.seq, moniker(alias.new.path, alias.new.name), sure

    def _file_steps(self, path: FilePath) -> Iterator[tuple[int, Moniker, float]]:
        assert self._view.reader is not None  # noqa: S101 - asked before
        for moved in plane.moved_files(self._view.reader.connection, path):
            if self._is_behind(moved.position) and moved.confidence >= LEAST_CONFIDENCE:
                yield moved.position.seq, Moniker(f"{moved.path}#"), moved.confidence

    def _counts(self, alias: StoredAlias) -> bool:
        verdict = self._verdict(alias)
        if alias.kind not in IDENTITY or verdict == "rejected":
            return False
        return verdict == "accepted" or alias.confidence >= LEAST_CONFIDENCE

    def _verdict(self, alias: StoredAlias) -> str:
        return self._verdicts.get(alias.id, "")

    def _is_behind(self, position: Position) -> bool:
        return position.seq <= self._ancestors.get(position.track, -1)

    def _is_here(self, target: Moniker) -> bool:
        path, name = split_moniker(target)
        if not name:
            return self._tree.path(path) is not None
        return target in self._tree.look_up(target)

    @cached_property
    def _verdicts(self) -> dict[str, str]:
        assert self._view.reader is not None  # noqa: S101 - asked before
        return {key: str(verdict) for key, verdict in verdicts_of(self._view.reader).items()}

    @cached_property
    def _ancestors(self) -> dict[int, int]:
        assert self._view.reader is not None  # noqa: S101 - asked before
        commit = self._view.as_of.commit or self._view.as_of.base_commit
        return self._view.reader.ancestors(commit) if commit else {}


def _latest_last(numbered: tuple[int, tuple[int, Moniker, float]]) -> tuple[int, int]:
    """Return what steps are ordered by: when, then their place, for better ones come last."""
    place, (seq, _, _) = numbered
    return seq, place


def _moved(governed: Governed, target: Moniker, sure: float) -> Governed:
    path, name = split_moniker(target)
    return replace(
        governed,
        target=target if name else path,
        confidence=round(governed.confidence * sure, 4),
        found=True,
        moved_from=governed.target,
    )
