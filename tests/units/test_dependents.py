"""Edges followed backwards."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.model.ids import FilePath, QualifiedName
from topomem.units.dependents import LEAST, Dependencies, Dependent
from topomem.units.tests import Node

CONFIDENCES = st.sampled_from([1.0, 0.9, 0.5, 0.1])
EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), CONFIDENCES), max_size=25)


def node(number: int) -> Node:
    return FilePath("a"), QualifiedName(str(number)), 0


def seed(number: int, distance: int = 0) -> Dependent:
    return Dependent(node(number), distance, 1.0, (), node(number))


def graph(edges: list[tuple[int, int, float]]) -> Dependencies:
    made = Dependencies()
    for source, target, confidence in edges:
        made.add(node(source), node(target), "calls", confidence)
    return made


def surest(edges: list[tuple[int, int, float]]) -> dict[int, tuple[int, float]]:
    """Return the least number of steps back from 0, and the best product over such ways."""
    best: dict[tuple[int, int], float] = {}
    for source, target, confidence in edges:
        best[target, source] = max(confidence, best.get((target, source), 0.0))
    back = networkx.DiGraph(list(best))
    back.add_node(0)
    return {
        number: (
            length,
            max(
                prod(best[step] for step in pairwise(way))
                for way in networkx.all_shortest_paths(back, 0, number)
            ),
        )
        for number, length in networkx.single_source_shortest_path_length(back, 0).items()
    }


@settings(max_examples=50, deadline=None)
@given(edges=EDGES, deepest=st.integers(1, 5))
def test_ways_are_the_shortest_and_of_these_the_surest(
    edges: list[tuple[int, int, float]], deepest: int
) -> None:
    found, cut = graph(edges).closure([seed(0)], ends=(), deepest=deepest, most=100)
    told = {int(one.node[1]): (one.distance, one.confidence) for one in found}
    expected = surest(edges)
    for number, (distance, confidence) in expected.items():
        if all(sure >= LEAST for _, sure in expected.values()) and distance <= deepest:
            assert told[number] == (distance, confidence)
    assert all(len(one.kinds) == one.distance <= deepest for one in found)
    assert cut or told.keys() >= {
        number for number, (_, sure) in expected.items() if sure >= LEAST * 10
    }


def test_nothing_is_followed_behind_an_end() -> None:
    edges = [(1, 0, 1.0), (2, 1, 1.0)]
    found, cut = graph(edges).closure([seed(0)], ends=[node(1)], deepest=9, most=9)
    assert [one.node for one in found] == [node(0), node(1)]
    assert not cut


def test_a_limit_keeps_the_nearest_and_says_so() -> None:
    edges = [(number + 1, number, 1.0) for number in range(9)]
    found, cut = graph(edges).closure([seed(0)], ends=(), deepest=20, most=3)
    assert [one.node for one in found] == [node(0), node(1), node(2)]
    assert cut


def test_seeds_may_stand_further_away() -> None:
    edges = [(1, 0, 1.0), (2, 1, 1.0), (2, 5, 1.0)]
    found, _ = graph(edges).closure([seed(0, 1), seed(5, 0)], ends=(), deepest=9, most=9)
    assert {one.node: (one.distance, one.because) for one in found} == {
        node(5): (0, node(5)),
        node(0): (1, node(0)),
        node(2): (1, node(5)),
        node(1): (2, node(0)),
    }
