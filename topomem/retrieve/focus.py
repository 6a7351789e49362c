"""What a bundle is told to be about, beside its task: files and symbols, each for a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topomem.model.ids import FilePath
from topomem.retrieve.seeds import Seeds
from topomem.retrieve.stretches import extents
from topomem.store.search import Search


@dataclass(frozen=True, slots=True)
class Focus:
    """A line of a file stands for the innermost symbol around it, line 0 for the file.

    `strength` goes from 0 to 1: from there on nothing that words find comes before it.
    """

    path: FilePath
    line: int
    strength: float
    reason: str


def add_focus(seeds: Seeds, search: Search, focus: Sequence[Focus]) -> None:
    """Add what a bundle is told to be about to what its question names."""
    places = {file.path: index for index, file in enumerate(search.files)}
    for one in focus:
        file = places.get(one.path)
        if file is None:
            continue
        around = extents(search, file)
        if one.line:
            around = [unit for unit in around if unit.start <= one.line <= unit.end][-1:]
        else:
            seeds.add_file(file, 1.0, one.reason)
        for unit in around:
            seeds.add_focus(unit.unit, one.strength, one.reason)
