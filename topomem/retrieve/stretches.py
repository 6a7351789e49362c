"""Cutting a file into stretches of lines, each of one unit and short enough to be shown whole.

Every line that is not blank belongs to exactly one stretch. A unit's stretches leave out the units
inside it; comments and decorators directly above a unit go with it. Lines without words (closing
brackets) go with what is above them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topomem.retrieve.source import SourceLines
from topomem.store.search import Search

LONGEST = 60
"""Lines of a stretch that is not cut. Fitted with benchmarks/retrieval.py."""

_PREFERRED = 40
_SHORTEST = 20
_LEAD_LINES = 80
_WORD = re.compile(r"\w")
_LEAD = re.compile(r"\s*(?://|/\*|\*|#|@|--|;;|%%)")
"""How lines of comments and decorators begin, in most languages."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The lines of a unit (1-based, inclusive) and which unit is around it (-1: none)."""

    unit: int
    parent: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """Lines of one unit, 1-based and inclusive."""

    start: int
    end: int
    unit: int


def extents(search: Search, file: int) -> list[Extent]:
    """Return the units of a file, outermost first."""
    units = search.units
    first = int(np.searchsorted(units.file, file, "left"))
    last = int(np.searchsorted(units.file, file, "right"))
    return [
        Extent(
            unit, int(units.parent[unit]), int(units.start_line[unit]), int(units.end_line[unit])
        )
        for unit in range(first, last)
    ]


def cut(lines: SourceLines, extents: Sequence[Extent]) -> list[Stretch]:
    """Return the stretches of a file in order; `extents` are outermost first."""
    owner = _owners(lines, extents)
    stretches: list[Stretch] = []
    for unit, start, end in _runs(lines, owner):
        for first, last in _pieces(lines, start, end):
            stretches.append(Stretch(first, last, unit))
    return stretches


def _owners(lines: SourceLines, extents: Sequence[Extent]) -> list[int]:
    """Return the innermost unit of each line; index 0 is line 1."""
    count = len(lines)
    owner = [extents[0].unit if extents else -1] * count
    for extent in extents:
        end = min(extent.end, count)
        owner[extent.start - 1 : end] = [extent.unit] * (end - extent.start + 1)
    for extent in extents:
        line = extent.start - 1  # the line above, 1-based
        while (
            extent.start - line <= _LEAD_LINES
            and line >= 1
            and owner[line - 1] == extent.parent
            and _LEAD.match(lines.lines[line - 1])
        ):
            owner[line - 1] = extent.unit
            line -= 1
    return owner


def _runs(lines: SourceLines, owner: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return (unit, first line, last line) of neighbouring lines of one unit, ends not blank."""
    runs: list[tuple[int, int, int]] = []
    for line, unit in enumerate(owner, 1):
        if lines.is_blank(line):
            continue
        if runs and (runs[-1][0] == unit or not _WORD.search(lines.lines[line - 1])):
            runs[-1] = (runs[-1][0], runs[-1][1], line)
        else:
            runs.append((unit, line, line))
    return runs


def _pieces(lines: SourceLines, start: int, end: int) -> list[tuple[int, int]]:
    """Cut a long run where it hurts least: behind a blank line, far to the left."""
    pieces: list[tuple[int, int]] = []
    while end - start + 1 > LONGEST:
        latest = min(start + LONGEST, end)
        at = min(
            range(start + _SHORTEST, latest + 1), key=lambda line: (_hurt(lines, start, line), line)
        )
        last = at - 1
        while lines.is_blank(last):
            last -= 1
        pieces.append((start, last))
        start = at
        while lines.is_blank(start):
            start += 1
    pieces.append((start, end))
    return pieces


def _hurt(lines: SourceLines, start: int, line: int) -> float:
    """Return how bad it is to begin a piece at `line`."""
    text = lines.lines[line - 1]
    if not text.strip():
        return float("inf")
    indent = len(text) - len(text.lstrip())
    after_blank = 3.0 if lines.is_blank(line - 1) else 0.0
    return indent / 4 + abs(line - start - _PREFERRED) / 20 - after_blank
