"""Expectations that stand under source lines, in the comment style of any language.

    def total(x):
    #   ^^^^^ def total
        return tax(x)
    #          ^^^ ref tax

The carets point at the line above that holds no marker. `def NAME [KIND]` expects a definition with
that qualified name whose name stands there; `ref NAME` expects a name in the reduced tree with that
text there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKER = re.compile(r"^\s*(?:#|//|--|;|%|/\*)\s*?(\^+)\s+(def|ref)\s+(\S+)(?:\s+(\w+))?")


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """One expectation; `line` is 1-based, columns count bytes from 0."""

    line: int
    start_column: int
    end_column: int
    role: str
    name: str
    kind: str = ""


def read_markers(source: bytes) -> list[Marker]:
    """Return all expectations of a source in order."""
    markers: list[Marker] = []
    line = 0
    for number, text in enumerate(source.decode("utf-8").splitlines(), start=1):
        found = _MARKER.match(text)
        if found is None:
            line = number
            continue
        start, end = found.span(1)
        markers.append(Marker(line, start, end, found[2], found[3], found[4] or ""))
    return sorted(markers)
