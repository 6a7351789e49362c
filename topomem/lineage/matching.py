"""One to one: which of the scored pairs hold together, and how sure that choice is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp, inf

Pair = tuple[int, int]

LARGEST = 60
"""Up to so many of one side the best choice is worked out; above it the best pair goes first."""


def match(scores: Mapping[Pair, float]) -> dict[int, int]:
    """Return the choice, old to new, with the highest sum of scores; none is below zero.

    Scores are numbers for pairs of (old, new); pairs without one are never chosen. Ties are broken
    by order.
    """
    chosen: dict[int, int] = {}
    for component in _components({pair: score for pair, score in scores.items() if score > 0}):
        olds = sorted({old for old, _ in component})
        news = sorted({new for _, new in component})
        if len(component) == 1:
            chosen.update(component)
        elif min(len(olds), len(news)) > LARGEST or max(len(olds), len(news)) > 4 * LARGEST:
            chosen.update(_greedy(component, scores))
        else:
            chosen.update(_best(olds, news, scores))
    return chosen


def shares(scores: Mapping[Pair, float], chosen: Mapping[int, int]) -> dict[Pair, float]:
    """Return how much of the belief in a new symbol's origin goes to each pair: at most 1 in all.

    A rival counts by how much worse the whole choice would be with it.
    """
    by_old: dict[int, list[Pair]] = defaultdict(list)
    by_new: dict[int, list[Pair]] = defaultdict(list)
    for pair in scores:
        by_old[pair[0]].append(pair)
        by_new[pair[1]].append(pair)
    back = {new: old for old, new in chosen.items()}
    found: dict[Pair, float] = {}
    for pair in scores:
        gap = _loss(pair, scores, chosen, back)
        rivals = {*by_old[pair[0]], *by_new[pair[1]]} - {pair}
        others = sum(exp(min(20.0, gap - _loss(rival, scores, chosen, back))) for rival in rivals)
        found[pair] = 1.0 / (1.0 + others)
    return found


def _loss(
    pair: Pair, scores: Mapping[Pair, float], chosen: Mapping[int, int], back: Mapping[int, int]
) -> float:
    """Return what the choice would lose if it held `pair` (0 for one it holds)."""
    old, new = pair
    if chosen.get(old) == new:
        return 0.0
    given_up, freed = 0.0, 0.0
    partner, origin = chosen.get(old), back.get(new)
    if partner is not None:
        given_up += scores[old, partner]
    if origin is not None:
        given_up += scores[origin, new]
    if partner is not None and origin is not None:
        freed = max(0.0, scores.get((origin, partner), 0.0))
    return max(0.0, given_up - freed - scores[pair])


def _components(scores: Mapping[Pair, float]) -> list[list[Pair]]:
    """Return the pairs in groups that share no symbol, each in order."""
    leader: dict[tuple[int, int], tuple[int, int]] = {}

    def find(node: tuple[int, int]) -> tuple[int, int]:
        while leader.setdefault(node, node) != node:
            leader[node] = node = leader[leader[node]]
        return node

    for old, new in scores:
        leader[find((0, old))] = find((1, new))
    groups: dict[tuple[int, int], list[Pair]] = defaultdict(list)
    for pair in sorted(scores):
        groups[find((0, pair[0]))].append(pair)
    return list(groups.values())


def _greedy(pairs: Sequence[Pair], scores: Mapping[Pair, float]) -> dict[int, int]:
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for old, new in sorted(pairs, key=lambda pair: (-scores[pair], pair)):
        if old not in chosen and new not in taken:
            chosen[old] = new
            taken.add(new)
    return chosen


def _best(olds: list[int], news: list[int], scores: Mapping[Pair, float]) -> dict[int, int]:
    """Return the best choice: shortest augmenting paths with potentials."""
    turned = len(olds) > len(news)
    rows, columns = (news, olds) if turned else (olds, news)
    cost = [
        [-max(0.0, scores.get((c, r) if turned else (r, c), 0.0)) for c in columns] for r in rows
    ]
    owner = _assign(cost, len(columns))
    chosen: dict[int, int] = {}
    for column, row in enumerate(owner):
        if row >= 0 and cost[row][column] < 0:
            one, other = rows[row], columns[column]
            chosen[other if turned else one] = one if turned else other
    return chosen


def _assign(cost: list[list[float]], width: int) -> list[int]:
    """Return the row of each column (-1: none) in an assignment of least cost; rows <= columns."""
    up = [0.0] * (len(cost) + 1)
    side = [0.0] * (width + 1)
    owner = [0] * (width + 1)
    for row in range(1, len(cost) + 1):
        owner[0] = row
        least = [inf] * (width + 1)
        before = [0] * (width + 1)
        used = [False] * (width + 1)
        at = 0
        while owner[at]:
            used[at] = True
            line = cost[owner[at] - 1]
            lift = up[owner[at]]
            delta, following = inf, 0
            for column in range(1, width + 1):
                if used[column]:
                    continue
                reduced = line[column - 1] - lift - side[column]
                if reduced < least[column]:
                    least[column], before[column] = reduced, at
                if least[column] < delta:
                    delta, following = least[column], column
            for column in range(width + 1):
                if used[column]:
                    up[owner[column]] += delta
                    side[column] -= delta
                else:
                    least[column] -= delta
            at = following
        while at:
            owner[at] = owner[before[at]]
            at = before[at]
    return [row - 1 for row in owner[1:]]
