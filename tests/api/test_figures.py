"""Means, intervals and areas."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topomem.api.figures import area, difference, mean

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_areas() -> None:
    assert area([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert area([0.5], [0.5]) == 0.5
    assert area([0.1], [0.9]) == 0.0
    assert area([], [0.9]) is None


@given(SHARES)
def test_no_difference_to_itself(values: list[float]) -> None:
    found = difference(values, values, 7)
    assert (found.mean, found.low, found.high, found.is_sure) == (0.0, 0.0, 0.0, False)


@given(SHARES, st.integers(0, 99))
def test_an_interval_is_the_same_twice_and_holds_the_mean(values: list[float], seed: int) -> None:
    others = [0.0] * len(values)
    found = difference(values, others, seed)
    assert found == difference(values, others, seed)
    assert found.low - 1e-9 <= mean(values) <= found.high + 1e-9 or len(set(values)) > 1


def test_a_clear_difference_is_sure() -> None:
    assert difference([0.9, 0.8, 0.7] * 9, [0.1, 0.2, 0.3] * 9, 7).is_sure
    assert mean([]) == 0.0
