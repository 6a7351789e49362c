"""Going along edges: units that answer although no word of theirs was asked for.

From the best units, two steps at most. What a step is worth is a product: how much speaks for the
unit it starts from, what its relation is worth, how sure the edge is, and how few of its like there
are (one of two hundred callers says little). What reaches a unit is added up; the best way to it is
kept as the reason. Only so many ways of one relation are followed, and only from so many units.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from topomem.model.code import EdgeKind
from topomem.retrieve.roles import Role, role_of
from topomem.store.neighbours import Step
from topomem.store.search import Search

SEEDS = 8
"""So many of the best units are gone out from."""

_FAN_OUT = 8
"""So many neighbours of one relation are followed, the surest first."""

_FRONTIER = 12
"""So many units that the first step reaches are gone on from."""

_SECOND = 0.4
"""What a second step is worth, as a share of a first one."""

_RELATIONS: Mapping[tuple[EdgeKind, bool], tuple[str, float]] = {
    (EdgeKind.CALLS, True): ("caller", 1.0),
    (EdgeKind.CALLS, False): ("callee", 1.0),
    (EdgeKind.CONSTRUCTS, True): ("caller", 0.8),
    (EdgeKind.CONSTRUCTS, False): ("callee", 0.6),
    (EdgeKind.TESTS, True): ("test", 0.8),
    (EdgeKind.TESTS, False): ("tested", 1.0),
    (EdgeKind.CONTAINS, True): ("container", 0.4),
    (EdgeKind.CONTAINS, False): ("member", 0.3),
    (EdgeKind.INHERITS, True): ("subclass", 0.6),
    (EdgeKind.INHERITS, False): ("base", 0.8),
    (EdgeKind.IMPLEMENTS, True): ("implementation", 0.6),
    (EdgeKind.IMPLEMENTS, False): ("base", 0.8),
    (EdgeKind.OVERRIDES, True): ("override", 0.6),
    (EdgeKind.OVERRIDES, False): ("overridden", 0.7),
    (EdgeKind.DECORATES, True): ("user", 0.5),
    (EdgeKind.DECORATES, False): ("used", 0.5),
    (EdgeKind.READS, True): ("user", 0.4),
    (EdgeKind.READS, False): ("used", 0.4),
    (EdgeKind.RAISES, True): ("user", 0.3),
    (EdgeKind.RAISES, False): ("used", 0.3),
    (EdgeKind.USES_TYPE, True): ("user", 0.3),
    (EdgeKind.USES_TYPE, False): ("used", 0.3),
}
"""What the unit at the other end is to the one that is gone out from, and what that is worth."""

_TEST_WORTH = 0.8


@dataclass(frozen=True, slots=True)
class Way:
    """The last step to a unit, what the unit is to its start, and how many steps it took."""

    step: Step
    relation: str
    distance: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A unit that edges lead to; `weight` is about 0..1, `way` the step that adds most to it."""

    unit: int
    weight: float
    way: Way


@dataclass(frozen=True, slots=True)
class Expansion:
    """What edges lead to, best first, and all neighbours of the start, by relation."""

    reached: tuple[Reached, ...] = ()
    neighbours: Mapping[str, frozenset[int]] = field(default_factory=dict)


def expand(search: Search, seeds: Mapping[int, float]) -> Expansion:
    """Return what edges lead to from `seeds`, unit -> how much speaks for it (0..1).

    Seeds and whole files are never among it.
    """
    if not seeds:
        return Expansion()
    spread = _Spread(search, frozenset(seeds))
    first = spread.go(seeds, 1)
    neighbours = {name: frozenset(units) for name, units in sorted(first.items())}
    best = spread.reached()[:_FRONTIER]
    spread.go({one.unit: _SECOND * one.weight for one in best}, 2)
    return Expansion(tuple(spread.reached()), neighbours)


class _Spread:
    """Adds up what reaches which unit."""

    def __init__(self, search: Search, seeds: frozenset[int]) -> None:
        self._search, self._seeds = search, seeds
        self._weights: dict[int, float] = defaultdict(float)
        self._best: dict[int, tuple[float, Way]] = {}

    def go(self, starts: Mapping[int, float], distance: int) -> dict[str, set[int]]:
        """Take one step from each start; return all it meets, by relation."""
        met: dict[str, set[int]] = defaultdict(set)
        alike: dict[tuple[int, str], list[tuple[float, Step]]] = defaultdict(list)
        for step, relation, worth in self._known(self._search.steps(sorted(starts))):
            met[relation].add(step.other)
            alike[step.seed, relation].append((worth * step.confidence, step))
        for (start, relation), ways in alike.items():
            share = starts[start] / (1.0 + math.log(len(ways)))
            ways.sort(key=lambda way: (-way[0], way[1].other))
            for worth, step in ways[:_FAN_OUT]:
                self._add(step.other, share * worth, Way(step, relation, distance))
        return met

    def reached(self) -> list[Reached]:
        """Return what was reached so far, best first."""
        found = [Reached(unit, weight, self._best[unit][1])
                 for unit, weight in self._weights.items()]  # fmt: skip
        return sorted(found, key=lambda one: (-one.weight, one.unit))

    def _known(self, steps: Iterable[Step]) -> Iterable[tuple[Step, str, float]]:
        """Yield the steps that lead somewhere, with what is there and what that is worth."""
        units = self._search.units
        for step in steps:
            known = _RELATIONS.get((step.kind, step.inward))
            if known is None or step.other in self._seeds or units.parent[step.other] < 0:
                continue
            relation, worth = known
            if step.inward and self._is_test(step.other) and not self._is_test(step.seed):
                relation, worth = "test", worth * _TEST_WORTH
            yield step, relation, worth

    def _is_test(self, unit: int) -> bool:
        path = self._search.files[int(self._search.units.file[unit])].path
        return role_of(path) is Role.TEST

    def _add(self, unit: int, weight: float, way: Way) -> None:
        self._weights[unit] += weight
        if unit not in self._best or weight > self._best[unit][0]:
            self._best[unit] = weight, way
