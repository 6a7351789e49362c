"""Cutting files into stretches."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.retrieve.source import SourceLines
from topomem.retrieve.stretches import LONGEST, Extent, Stretch, cut

CLASS = b"""import os

class Cart:
    limit = 3

    # how many
    # there are
    @property
    def size(self):
        return 1

    def add(self):

        return 2

END = 1
"""
CLASS_EXTENTS = [
    Extent(0, -1, 1, 16),
    Extent(1, 0, 3, 14),
    Extent(2, 1, 8, 10),
    Extent(3, 1, 12, 14),
]


def test_each_line_goes_to_its_innermost_unit() -> None:
    assert cut(SourceLines(CLASS), CLASS_EXTENTS) == [
        Stretch(1, 1, 0),
        Stretch(3, 4, 1),
        Stretch(6, 10, 2),  # with the comment above it
        Stretch(12, 14, 3),
        Stretch(16, 16, 0),
    ]


def test_long_units_are_cut_behind_blank_lines() -> None:
    source = "\n".join("x = 1" if number % 30 else "" for number in range(1, 200))
    parts = cut(SourceLines(source.encode()), [Extent(0, -1, 1, 199)])
    assert len(parts) > 3
    assert all(part.start % 30 == 1 for part in parts)


def test_no_units_no_lines() -> None:
    assert cut(SourceLines(b""), [Extent(0, -1, 1, 0)]) == []
    assert cut(SourceLines(b"\n\n"), [Extent(0, -1, 1, 2)]) == []


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["", "  ", "x", "    y", "# z"]), max_size=250), st.data())
def test_stretches_share_no_line_and_leave_none_out(rows: list[str], data: st.DataObject) -> None:
    lines = SourceLines("\n".join(rows).encode())
    count = max(len(lines), 1)
    start = data.draw(st.integers(1, count))
    inner = Extent(1, 0, start, data.draw(st.integers(start, count)))
    parts = cut(lines, [Extent(0, -1, 1, count), inner])
    covered = [line for part in parts for line in range(part.start, part.end + 1)]
    assert len(covered) == len(set(covered))
    assert {line for line in range(1, len(lines) + 1) if not lines.is_blank(line)} <= set(covered)
    assert all(part.end - part.start < LONGEST for part in parts)
