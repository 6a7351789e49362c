"""The edges of one file's regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.bodies import read_region
from topomem.link.strategies.package_folders.code import Code

if TYPE_CHECKING:
    from topomem.model.code import LinkedEdge
    from topomem.model.ids import FilePath


def link_file(code: Code, path: FilePath) -> list[tuple[LinkedEdge, ...]]:
    """Return the edges of a file's regions, parallel to its placements."""
    unit = code.unit(path)
    return [
        tuple(read_region(code, unit, number).edges)
        for number in range(len(unit.facts.blob.placements))
    ]
