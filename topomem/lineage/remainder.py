"""What of the own text of a file or class changed: text that is no nested definition."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Literal

from topomem.lineage.changes import Version
from topomem.model.code import Op, RegionFacts

Cause = Literal["definitions", "imports", "declared", "statements"]

_IMPORTS = frozenset({Op.IMPORT, Op.EXPORT, Op.EXPORT_DEFAULT})


def causes(old: Version, new: Version) -> set[Cause]:
    """Return what makes two texts of a file or class differ; given that they do.

    `definitions`: which definitions stand in it; `imports`: what it imports and exports;
    `declared`: variables and fields, which are symbols themselves; `statements`: anything else that
    it runs. Values of literals are not seen: where nothing else explains a change, it is one of
    statements.
    """
    before, after = _Parts(old.region), _Parts(new.region)
    found: set[Cause] = set()
    if before.defines != after.defines:
        found.add("definitions")
    if before.imports != after.imports:
        found.add("imports")
    if before.declared != after.declared:
        found.add("declared")
    if before.statements != after.statements or not found:
        found.add("statements")
    return found


class _Parts:
    """The top of a region's reduced tree, sorted by what it is."""

    def __init__(self, region: RegionFacts) -> None:
        self.defines = 0
        self.imports: Counter[tuple[bytes, tuple[str, ...]]] = Counter()
        self.statements: list[tuple[bytes, tuple[str, ...]]] = []
        lights = region.declarations[1:]
        self.declared = Counter((one.name, one.kind, one.body_hash) for one in lights)
        spans = [(one.start, one.end) for one in lights if not one.through_receiver]
        at = 0
        while at < len(region.kinds):
            end = bisect_left(region.starts, region.ends[at], at + 1)
            part = region.kinds[at:end], region.texts[at:end]
            if region.kinds[at] == Op.DEFINE:
                self.defines += 1
            elif region.kinds[at] in _IMPORTS:
                if not _holds(region.starts[at], region.ends[at], spans):
                    self.imports[part] += 1
            elif not _is_inside(region.starts[at], region.ends[at], spans):
                self.statements.append(part)
            at = end


def _is_inside(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def _holds(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    """Whether a statement that exports declares what it exports."""
    return any(start <= first and last <= end for first, last in spans)
