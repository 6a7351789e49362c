"""What a strategy works out once in a snapshot, with the questions that led to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from topomem.link.evaluate import Entry
from topomem.link.world import World

T = TypeVar("T")

NO_CIRCLE = 1 << 30


class Memory:
    """Remembers results within one snapshot; must be thrown away when the snapshot changes."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._version = world.version
        self._results: dict[Hashable, Entry] = {}
        self._pending: dict[Hashable, int] = {}
        self._lowest = NO_CIRCLE

    @property
    def is_current(self) -> bool:
        """Whether the snapshot is still the one that results were worked out in."""
        return self._version == self.world.version

    def remember(self, key: Hashable, work: Callable[[], T], default: T) -> T:
        """Return what `work` gives, worked out once; `default` where it leads back to itself.

        What was worked out inside such a circle, but for the whole of it, is not kept: it may
        depend on where the circle was entered.
        """
        world = self.world
        entry = self._results.get(key)
        if entry is None:
            level = self._pending.get(key)
            if level is not None:
                self._lowest = min(self._lowest, level)
                return default
            level = self._pending[key] = len(self._pending)
            outer, world.asked = world.asked, []
            lowest, self._lowest = self._lowest, NO_CIRCLE
            try:
                entry = Entry(work(), 0, world.asked)
            finally:
                world.asked = outer
                del self._pending[key]
                inside, self._lowest = self._lowest, lowest
            if inside >= level:
                self._results[key] = entry
            else:
                self._lowest = min(lowest, inside)
        world.asked.append(entry)
        return entry.value  # type: ignore[return-value]  # what `work` of this key gave
