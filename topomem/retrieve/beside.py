"""What a bundle tells beside code: passages that others found, in forms of different length."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from topomem.model.bundle import LeftOut, Passage
from topomem.model.ids import Moniker

SHARE = 0.3
"""Most of the budget that is given to what is told beside code, where there is code to tell."""

MOST = 3
"""Most passages beside code."""

PLACE = 3
"""So many passages of code come first."""

BEST_TARGETS = 10
"""So many of the best symbols are what a task is about."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Passages, best first, each in its forms, fullest first; and what is to be warned of.

    `totals` says how many there are of a kind, shown or not.
    """

    passages: tuple[tuple[Passage, ...], ...] = ()
    conflicts: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    totals: tuple[tuple[str, int], ...] = ()

    def left_out(self, shown: Sequence[Passage]) -> tuple[LeftOut, ...]:
        """Return how many of each kind are not among those that are shown."""
        left = (
            (kind, total - sum(one.kind == kind for one in shown)) for kind, total in self.totals
        )
        return tuple(LeftOut(kind, count) for kind, count in left if count > 0)


Beside = Callable[[Collection[str], Sequence[Moniker]], Aside]
"""Finds an aside for the stems of a task and the symbols that answer it, best first."""


def nothing_beside(stems: Collection[str], targets: Sequence[Moniker]) -> Aside:
    """Return an empty aside."""
    del stems, targets
    return Aside()


def fit_beside(
    aside: Aside, price: Callable[[Passage], int], tokens: int
) -> tuple[list[Passage], int]:
    """Return the passages that fit `tokens`, each in its fullest form that does, and their cost."""
    chosen: list[Passage] = []
    spent = 0
    for forms in aside.passages[:MOST]:
        for passage in forms:
            cost = price(passage)
            if spent + cost <= tokens:
                chosen.append(passage)
                spent += cost
                break
    return chosen, spent


def placed_beside(items: Sequence[Passage], beside: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return passages of code with those beside them behind the best ones."""
    return (*items[:PLACE], *beside, *items[PLACE:])
