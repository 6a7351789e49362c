"""Everything that was fitted: numbers that are data, each with what it says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from topomem.retrieve.lexical import Bm25
from topomem.retrieve.lore import LoreModel
from topomem.retrieve.rank import Weights


@dataclass(frozen=True, slots=True)
class Model:
    """Numbers of each part, and which channels are asked beside words.

    `fitted_on` are the keys of the repositories whose questions the numbers were chosen by.
    """

    version: str
    fitted_on: tuple[str, ...]
    words: Bm25
    lore: LoreModel
    weights: Weights
    edges: bool = True
    guesses: bool = True


@cache
def fitted() -> Model:
    """Return the packaged model."""
    file = resources.files("topomem.retrieve") / "model.json"
    return read_model(file.read_text("utf-8"))


def read_model(text: str) -> Model:
    """Return the model of a JSON text. Raises ValueError, KeyError, TypeError."""
    data = json.loads(text)
    return Model(
        version=data["version"],
        fitted_on=tuple(data["fitted_on"]),
        words=Bm25(**_values(data["words"])),
        lore=LoreModel(**_values(data["lore"])),
        weights=Weights(**_values(data["weights"])),
    )


def _values(part: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {name: one["value"] for name, one in part.items()}
