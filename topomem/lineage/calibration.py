"""From evidence to confidence: a small logistic model whose numbers are data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp

_GROUPS = ("file", "class", "function", "value")
"""Names in the data file of `symbols.MODULE`, `CLASS`, `FUNCTION` and `VALUE`."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights per group of symbols. `threshold`: from which confidence on an alias is followed."""

    version: str
    threshold: float
    weights: tuple[Mapping[str, float], ...]
    drawn: Mapping[str, float]  # weights for one symbol coming out of, or going into, another
    members: Mapping[str, float]  # weights for two classes by their methods alone

    def log_odds(self, group: int, features: Mapping[str, float]) -> float:
        """Return the logarithm of right to wrong among labelled pairs with such evidence."""
        weights = self.weights[group]
        return weights["bias"] + sum(
            weights.get(name, 0.0) * value for name, value in features.items()
        )

    def derivation(self, features: Mapping[str, float]) -> float:
        """Return the share of right derivations among labelled ones with such evidence."""
        total = self.drawn["bias"] + sum(
            self.drawn.get(name, 0.0) * value for name, value in features.items()
        )
        return self.probability(total)

    def of_members(self, share: float) -> float:
        """Return how sure it is that two classes are one of whose methods a share is in both."""
        return self.probability(self.members["bias"] + self.members["share"] * share)

    @staticmethod
    def probability(log_odds: float) -> float:
        """Return the share of right aliases, 0 to 1."""
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds))))

    def strongest(self, group: int, features: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
        """Return the evidence that speaks most for or against: (name, value), strongest first."""
        weights = self.weights[group]
        found = sorted(
            features, key=lambda name: (-abs(weights.get(name, 0.0) * features[name]), name)
        )
        return tuple((name, round(features[name], 3)) for name in found if features[name])[:5]


@cache
def calibration() -> Calibration:
    """Return the packaged model."""
    file = resources.files("topomem.lineage") / "calibration.json"
    data = json.loads(file.read_text("utf-8"))
    return Calibration(
        version=data["version"],
        threshold=data["threshold"],
        weights=tuple(data["weights"][name] for name in _GROUPS),
        drawn=data["weights"]["derived"],
        members=data["weights"]["members"],
    )
