"""Hints: symbols that an embedder finds like a task, although neither words nor edges lead there.

No embedder comes with topomem; whoever has one gives it. What it finds is a hint and says so: it
stands behind everything else, by name alone, and is never taken for a dependency.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from topomem.retrieve.near import Names, Near
from topomem.retrieve.rank import Candidate
from topomem.retrieve.source import ReadBlob, SourceLines
from topomem.retrieve.stretches import Stretch
from topomem.store.search import Search

MOST = 3
"""Most hints of a bundle."""

LEAST_LIKE = 0.3
"""A symbol less like the task than this is no hint."""

_LOOKED_AT = 2_000


class Embedder(Protocol):
    """Turns texts into vectors; the same text must give the same vector."""

    @property
    def name(self) -> str:
        """What the hints are said to come from."""

    def embed(self, texts: Sequence[str]) -> ArrayLike:
        """Return one row for each text, all of one width."""


def find_hints(
    search: Search, task: str, known: Collection[int], read: ReadBlob, embedder: Embedder
) -> Near:
    """Return the symbols most like a task, less those that are `known`, best first."""
    units = [
        unit
        for unit in range(len(search.units))
        if search.units.parent[unit] >= 0 and unit not in known
    ][:_LOOKED_AT]
    if not units:
        return Near()
    names = search.names(units)
    texts = [f"{search.files[int(search.units.file[u])].path} {names[u][0]}" for u in units]
    like = _cosines(embedder, task, texts)
    best = sorted(zip(like, units, strict=True), key=lambda pair: (-pair[0], pair[1]))[:MOST]
    return _near(search, [pair for pair in best if pair[0] >= LEAST_LIKE], names, read, embedder)


def _near(
    search: Search,
    best: Sequence[tuple[float, int]],
    names: Names,
    read: ReadBlob,
    embedder: Embedder,
) -> Near:
    found: list[Candidate] = []
    texts: dict[int, SourceLines] = {}
    for like, unit in best:
        file = int(search.units.file[unit])
        one = search.files[file]
        data = read(one.path, one.blob) if file not in texts else b""
        if data is None:
            continue
        if file not in texts:
            texts[file] = SourceLines(data)
        start, end = int(search.units.start_line[unit]), int(search.units.end_line[unit])
        why = (f"like the task: {like:.2f}",)
        found.append(
            Candidate(file, Stretch(start, end, unit), like, why, like, hinted_by=embedder.name)
        )
    return Near(tuple(found), {}, texts, {unit: names[unit] for _, unit in best})


def _cosines(embedder: Embedder, task: str, texts: Sequence[str]) -> list[float]:
    """Return how like each text is to the task: the cosine of their vectors, 0 where it is none."""
    rows = np.asarray(embedder.embed([task, *texts]), np.float64)
    if rows.ndim != 2 or len(rows) != len(texts) + 1:  # noqa: PLR2004  a table
        return [0.0] * len(texts)
    size = np.linalg.norm(rows, axis=1)
    size[size == 0] = np.inf
    unit = np.nan_to_num(rows / size[:, None])
    return [float(value) for value in unit[1:] @ unit[0]]
