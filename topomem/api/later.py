"""Forward in time: what a symbol of an earlier commit was called later."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from topomem.lineage.choosing import Verdicts, followed
from topomem.model.history import Position
from topomem.store.past import Key, Past

_MOST_NAMES = 100
"""So many later names of a symbol are looked up."""

Behind = Callable[[Position], Mapping[int, int]]
"""Gives {track: highest seq} of a commit and everything behind it."""


class Later:
    """Follows aliases forward, up to one commit."""

    def __init__(
        self, past: Past, verdicts: Verdicts, threshold: float, behind: Behind, end: Position
    ) -> None:
        self._past = past
        self._verdicts = verdicts
        self._threshold = threshold
        self._behind = behind
        self._end = behind(end)

    def of_gone(self, key: Key) -> Key:
        """Return what a symbol that is not there any more was called last."""
        steps = self._steps(key)
        if not steps:
            return key
        position, following = max(steps)
        return self.after(following, position)

    def after(self, key: Key, start: Position) -> Key:
        """Return what a symbol that stands at `start` was called last."""
        for _ in range(_MOST_NAMES):
            steps = [(at, name) for at, name in self._steps(key) if self._follows(at, start)]
            first = [
                (at, name)
                for at, name in steps
                if not any(self._follows(at, other) for other, _ in steps)
            ]
            if not first:
                break
            start, key = min(first)
        return key

    def _follows(self, position: Position, earlier: Position) -> bool:
        """Whether a commit comes after another one that is behind it."""
        if position == earlier:
            return False
        return earlier.seq <= self._behind(position).get(earlier.track, -1)

    def _steps(self, key: Key) -> list[tuple[Position, Key]]:
        """Return where aliases that are followed lead from a key, and at which commits."""
        found: list[tuple[Position, Key]] = []
        for (position, _), rows in self._past.aliases_from(key).items():
            if position.seq > self._end.get(position.track, -1):
                continue
            for row in rows:
                target = row.new.path, row.new.name
                best = followed(
                    self._past.aliases_to(target).get((row.position, row.ordinal), ()),
                    self._verdicts,
                    self._threshold,
                )
                if target != key and best is not None and best[0] == row:
                    found.append((position, target))
        return found
