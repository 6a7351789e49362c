"""Figures of an evaluation: means, paired differences with their interval, areas under a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

_DRAWS = 1_000
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more one way has than another on the same questions, and where 95 % of draws lie."""

    mean: float
    low: float
    high: float

    @property
    def is_sure(self) -> bool:
        """Whether the interval lies on one side of nothing."""
        return self.low > 0 or self.high < 0


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 for nothing."""
    return fmean(values) if values else 0.0


def difference(ours: Sequence[float], theirs: Sequence[float], seed: int) -> Difference:
    """Return the paired difference with its bootstrap interval; the same seed, the same draws."""
    gaps = [one - other for one, other in zip(ours, theirs, strict=True)]
    if not gaps:
        return Difference(0.0, 0.0, 0.0)
    random = Random(seed)  # noqa: S311 - draws of a bootstrap, to be made again
    drawn = sorted(fmean(random.choices(gaps, k=len(gaps))) for _ in range(_DRAWS))
    at = int(_TAIL * _DRAWS)
    return Difference(fmean(gaps), drawn[at], drawn[-1 - at])


def area(good: Sequence[float], bad: Sequence[float]) -> float | None:
    """Return how often a good one is above a bad one, ties counted half; None without both."""
    if not good or not bad:
        return None
    wins = sum((one > other) + 0.5 * (one == other) for one in good for other in bad)
    return wins / (len(good) * len(bad))
