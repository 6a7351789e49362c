"""Who depends on what, step by step: typed edges followed backwards from what changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from topomem.units.tests import Node

LEAST = 0.02
"""Confidence below which a way is not followed."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """A node that depends on something changed. `kinds` are those of the edges, the nearest first.

    `because` is the node it began with.
    """

    node: Node
    distance: int
    confidence: float
    kinds: tuple[str, ...]
    because: Node


class Dependencies:
    """Edges between nodes, to be followed backwards."""

    def __init__(self) -> None:
        self._back: dict[Node, dict[Node, tuple[float, str]]] = {}

    def add(self, node: Node, on: Node, kind: str, confidence: float) -> None:
        """Say that a node depends on another; of several edges the surest counts."""
        if node == on:
            return
        steps = self._back.setdefault(on, {})
        known = steps.get(node)
        if known is None or (-confidence, kind) < (-known[0], known[1]):
            steps[node] = confidence, kind

    def closure(
        self, seeds: Iterable[Dependent], *, ends: Iterable[Node], deepest: int, most: int
    ) -> tuple[list[Dependent], bool]:
        """Return what depends on the seeds, themselves too, nearest first, and whether it was cut.

        Nothing is followed behind `ends`. Of ways of one length the surest counts.
        """
        waiting: dict[int, list[Dependent]] = {}
        for seed in seeds:
            waiting.setdefault(seed.distance, []).append(seed)
        stops = set(ends)
        found: dict[Node, Dependent] = {}
        distance = 0
        while waiting and distance <= deepest:
            level = _surest(waiting.pop(distance, ()), found)
            if len(found) + len(level) > most:
                kept = sorted(level.values(), key=_order)[: most - len(found)]
                return [*found.values(), *kept], True
            for node in sorted(level):
                found[node] = level[node]
                if node not in stops:
                    waiting.setdefault(distance + 1, []).extend(self._steps(level[node]))
            distance += 1
        cut = any(one.node not in found for rest in waiting.values() for one in rest)
        return sorted(found.values(), key=_order), cut

    def _steps(self, here: Dependent) -> Iterable[Dependent]:
        for node, (confidence, kind) in self._back.get(here.node, {}).items():
            sure = here.confidence * confidence
            if sure >= LEAST:
                kinds = (*here.kinds, kind)
                yield Dependent(node, here.distance + 1, sure, kinds, here.because)


def _surest(level: Iterable[Dependent], found: Mapping[Node, Dependent]) -> dict[Node, Dependent]:
    kept: dict[Node, Dependent] = {}
    for one in level:
        if one.node not in found and (one.node not in kept or _order(one) < _order(kept[one.node])):
            kept[one.node] = one
    return kept


def _order(one: Dependent) -> tuple[object, ...]:
    return one.distance, -one.confidence, one.node, one.because, one.kinds
