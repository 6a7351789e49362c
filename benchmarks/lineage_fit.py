"""Fit the model that turns evidence into confidence, on labelled pairs of symbols.

    lineage_fit.py ROWS.csv [--write MODEL.json]

Rows hold numbers only: repository, commit, group, whether the pair is right, and one column per
piece of evidence. Weights are drawn towards those of the present model, so that few rows of a group
change little. Half of the repositories' commits fit, the other half measure; what is written is
fitted on all. Prints precision, recall and expected calibration error at the threshold.
"""

from __future__ import annotations

import argparse
import csv
import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

PULL = 1.0
"""How strongly weights are drawn to those of the present model."""

STEPS = 60


def read(file: Path) -> dict[str, tuple[list[str], Array, Array, Array]]:
    """Return for each group the names of its evidence, the rows, what is right, and their half."""
    with file.open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    found = {}
    for group in sorted({row["group"] for row in rows}):
        mine = [row for row in rows if row["group"] == group]
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
            weights = fit(values[half == part], right[half == part], start)
            print(group, "other half:", measure(values[half != part], right[half != part], weights))
        weights = fit(values, right, start)
        model["weights"][group] = {
            name: round(float(value), 3)
            for name, value in zip([*names, "bias"], weights, strict=True)
        }
        print(group, "all:", measure(values, right, weights), model["weights"][group])
    if options.write:
        options.write.write_text(json.dumps(model, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
