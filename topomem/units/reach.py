"""What tests reach: typed edges followed through test code, up to the first symbol outside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from topomem.model.code import EdgeKind
from topomem.model.structure import Key, Relation
from topomem.units.tests import Node, TestCode

USES = frozenset(
    {
        EdgeKind.CALLS,
        EdgeKind.CONSTRUCTS,
        EdgeKind.READS,
        EdgeKind.WRITES,
        EdgeKind.USES_TYPE,
        EdgeKind.INHERITS,
        EdgeKind.IMPLEMENTS,
        EdgeKind.DECORATES,
        EdgeKind.RAISES,
    }
)
"""Kinds of edges by which running one symbol may run, or need, another."""

DEEPEST = 6
"""Steps through test code that are followed."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A symbol that a test reaches. `line` is that of the first step, 0 where no text says it."""

    target: Key
    distance: int
    confidence: float
    line: int


Steps = Mapping[Node, list[tuple[Node, float, int]]]


class Walk:
    """Steps between nodes of test code, and from there to what is tested."""

    def __init__(
        self,
        code: TestCode,
        relations: Iterable[Relation],
        links: Iterable[tuple[Node, Node]],
    ) -> None:
        self._code = code
        self._inside: dict[Node, dict[Node, tuple[float, int]]] = {}
        self._outside: dict[Node, dict[Key, tuple[float, int]]] = {}
        for relation in relations:
            if relation.kind in USES and not code.is_named_only(relation):
                self._add(relation)
        for node, other in links:
            self._inside.setdefault(node, {}).setdefault(other, (1.0, 0))

    def from_test(self, test: Node) -> list[Reached]:
        """Return what a test reaches, nearest and surest first."""
        found: dict[Key, Reached] = {}
        frontier = {test: (1.0, 0)}
        seen = {test}
        for distance in range(1, DEEPEST + 1):
            following: dict[Node, tuple[float, int]] = {}
            for node, (sure, first) in frontier.items():
                for target, (confidence, line) in self._outside.get(node, {}).items():
                    where = line if distance == 1 else first
                    one = Reached(target, distance, sure * confidence, where)
                    if target not in found or _better(one, found[target]):
                        found[target] = one
                for other, (confidence, line) in self._inside.get(node, {}).items():
                    known = following.get(other, (0.0, 0))
                    if other not in seen and sure * confidence > known[0]:
                        where = line if distance == 1 else first
                        following[other] = sure * confidence, where
            seen |= following.keys()
            frontier = following
        return sorted(found.values(), key=lambda one: (one.distance, -one.confidence, one.target))

    def to(self, target: Key) -> dict[Node, Reached]:
        """Return the tests that reach a symbol, as `from_test` would say."""
        found: dict[Node, Reached] = {}
        frontier = {node: steps[target] for node, steps in self._outside.items() if target in steps}
        seen: set[Node] = set()
        for distance in range(1, DEEPEST + 1):
            seen |= frontier.keys()
            following: dict[Node, tuple[float, int]] = {}
            for node, (sure, line) in frontier.items():
                if node in self._code.tests:
                    found[node] = Reached(target, distance, sure, line)
                for other, (confidence, where) in self._back.get(node, {}).items():
                    known = following.get(other, (0.0, 0))
                    if other not in seen and sure * confidence > known[0]:
                        following[other] = sure * confidence, where
            frontier = following
        return found

    @cached_property
    def _back(self) -> dict[Node, dict[Node, tuple[float, int]]]:
        found: dict[Node, dict[Node, tuple[float, int]]] = {}
        for node, others in self._inside.items():
            for other, step in others.items():
                found.setdefault(other, {})[node] = step
        return found

    def _add(self, relation: Relation) -> None:
        source = self._code.node(relation.source, relation.line)
        if source is None:
            return
        step = relation.confidence, relation.line
        target = self._code.node(relation.target, 0)
        if target is None and relation.target[1]:
            _keep(self._outside.setdefault(source, {}), relation.target, step)
        elif target is not None and target != source:
            _keep(self._inside.setdefault(source, {}), target, step)


def _keep(
    steps: dict[Node, tuple[float, int]] | dict[Key, tuple[float, int]],
    target: Node | Key,
    step: tuple[float, int],
) -> None:
    """Keep the surest of several steps to one target, of equals the first in the text."""
    known = steps.get(target)  # type: ignore[arg-type]
    if known is None or (-step[0], step[1]) < (-known[0], known[1]):
        steps[target] = step  # type: ignore[index]


def _better(one: Reached, other: Reached) -> bool:
    return (one.distance, -one.confidence, one.line) < (
        other.distance,
        -other.confidence,
        other.line,
    )
