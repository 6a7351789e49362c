"""What a strategy works out once, with the questions that led to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from topomem.link.results import Entry, Results
from topomem.link.world import World

T = TypeVar("T")

NO_CIRCLE = 1 << 30


class Memory:
    """Remembers results, from one snapshot to the next.

    `work` must read what it was not given as a plain value through `world` alone, and anew each
    time: it may be called again in a later snapshot.
    """

    def __init__(self, world: World, results: Results) -> None:
        self.world = world
        self._remembered = results
        self._results: dict[Any, Entry] = results.table()
        self._pending: dict[Hashable, int] = {}
        self._lowest = NO_CIRCLE

    def remember(self, key: Hashable, work: Callable[[], T], default: T) -> T:
        """Return what `work` gives, worked out once; `default` where it leads back to itself.

        What was worked out inside such a circle, but for the whole of it, is not kept: it may
        depend on where the circle was entered.
        """
        world = self.world
        entry = self._results.get(key)
        if entry is None or not self._remembered.stands(entry):
            level = self._pending.get(key)
            if level is not None:
                self._lowest = min(self._lowest, level)
                return default
            entry = self._work_out(key, work, default)
        world.asked.append((entry, 0, ()))
        return entry.value  # type: ignore[return-value]  # what `work` of this key gave

    def ask_again(self, entry: Entry, k: int, args: tuple[object, ...]) -> Entry | None:  # noqa: ARG002  none are needed
        """Return a result in the present snapshot, None where it depends on who asks for it."""
        if entry.rule is None:
            return None
        lowest, self._lowest = self._lowest, NO_CIRCLE
        asked, self.world.asked = self.world.asked, []
        rule: Any = entry.rule
        self.remember(entry.key, rule, entry.empty)
        made, self.world.asked = self.world.asked, asked
        inside, self._lowest = self._lowest, lowest
        return made[-1][0] if made and inside == NO_CIRCLE else None

    def _work_out(self, key: Hashable, work: Callable[[], object], default: object) -> Entry:
        world = self.world
        level = self._pending[key] = len(self._pending)
        outer, world.asked = world.asked, []
        lowest, self._lowest = self._lowest, NO_CIRCLE
        try:
            value = work()
            entry = Entry(self, key, work, value, world.asked, self._remembered.snapshot)
        finally:
            world.asked = outer
            del self._pending[key]
            inside, self._lowest = self._lowest, lowest
        entry.empty = default
        if inside >= level:
            self._results[key] = entry
        else:
            entry.rule = None
            self._lowest = min(lowest, inside)
        return entry
