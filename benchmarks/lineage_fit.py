"""Fit the model that turns evidence into confidence, on labelled pairs of symbols.

    lineage_fit.py lineage_rows.csv.gz [--write MODEL.json]

Rows hold numbers only: repository, commit, group, whether the pair is right, and one column per
piece of evidence. Weights are drawn towards those of the present model, so that few rows of a group
change little. Each half of the commits fits weights that the other half measures; what is written
is fitted on all. Prints precision, recall and expected calibration error at one half.

Rows of kept names are left out: labelled sets hold hardly any name that was used again for
something else. That weight is set by hand, and so are those of files, of values and of what has no
column.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

PULL = 1.0
"""How strongly weights are drawn to those of the present model."""

STEPS = 60

AGAINST = frozenset({"small", "taken", "calls"})
"""Evidence that may speak against a pair."""


def read(file: Path) -> dict[str, tuple[list[str], Array, Array, Array]]:
    """Return for each group the names of its evidence, the rows, what is right, and their half."""
    with gzip.open(file, "rt", encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    found = {}
    for group in sorted({row["group"] for row in rows}):
        mine = [row for row in rows if row["group"] == group and not float(row["kept"] or 0)]
        skip = {"repository", "commit", "group", "right"}
        names = [name for name in rows[0] if name not in skip and any(row[name] for row in mine)]
        values = np.array([[float(row[name] or 0) for name in names] for row in mine])
        right = np.array([float(row["right"]) for row in mine])
        half = np.array([int(row["commit"], 16) % 2 for row in mine], dtype=np.float64)
        found[group] = names, values, right, half
    return found


def fit(values: Array, right: Array, start: Array) -> Array:
    """Return logistic weights, the bias last, by Newton's method."""
    rows = np.hstack([values, np.ones((len(values), 1))])
    weights = start.copy()
    pull = np.full(len(start), PULL)
    pull[-1] = PULL / 10
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (chance - right) + pull * (weights - start)
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(pull)
        move = np.linalg.solve(curve, slope)
        while _loss(rows, right, weights - move, pull * (weights - move - start) ** 2) > _loss(
            rows, right, weights, pull * (weights - start) ** 2
        ):
            move /= 2
            if float(np.abs(move).max()) < 1e-9:
                return weights
        weights -= move
        if float(np.abs(move).max()) < 1e-6:
            break
    return weights


def signed(names: list[str], values: Array, right: Array, start: Array) -> Array:
    """Return weights as `fit` does, but none that speaks against what it is evidence for."""
    values, start = values.copy(), start.copy()
    while True:
        weights = fit(values, right, start)
        wrong = [at for at, name in enumerate(names) if weights[at] < 0 and name not in AGAINST]
        wrong = [at for at in wrong if values[:, at].any()]
        if not wrong:
            return weights
        values[:, wrong] = 0.0
        start[wrong] = 0.0


def _loss(rows: Array, right: Array, weights: Array, pull: Array) -> float:
    odds = rows @ weights
    return float(np.logaddexp(0, odds).sum() - right @ odds + pull.sum() / 2)


def measure(values: Array, right: Array, weights: Array) -> str:
    """Return figures of weights on rows."""
    odds = np.hstack([values, np.ones((len(values), 1))]) @ weights
    chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    said = chance >= 0.5
    error = 0.0
    for low in range(10):
        inside = np.minimum((chance * 10).astype(int), 9) == low
        if inside.any():
            error += inside.mean() * abs(chance[inside].mean() - right[inside].mean())
    precision = right[said].mean() if said.any() else float("nan")
    recall = said[right == 1].mean() if (right == 1).any() else float("nan")
    return (
        f"{len(right)} rows, {int(right.sum())} right: "
        f"P {precision:.3f} R {recall:.3f} calibration error {error:.4f}"
    )


def main() -> None:
    """Fit every group that rows tell of."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    packaged = resources.files("topomem.lineage") / "calibration.json"
    model = json.loads(packaged.read_text("utf-8"))
    for group, (names, values, right, half) in read(options.rows).items():
        now = model["weights"][group]
        start = np.array([float(now.get(name, 0.0)) for name in [*names, "bias"]])
        print(group, "before:", measure(values, right, start))
        for part in (0, 1):
            weights = signed(names, values[half == part], right[half == part], start)
            print(group, "other half:", measure(values[half != part], right[half != part], weights))
        weights = signed(names, values, right, start)
        found = zip([*names, "bias"], weights, strict=True)
        model["weights"][group] = now | {name: round(float(value), 3) for name, value in found}
        print(group, "all:", measure(values, right, weights), model["weights"][group])
    if options.write:
        options.write.write_text(json.dumps(model, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
