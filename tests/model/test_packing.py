"""Packed facts are the facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.model.code import Declaration, Op, RegionFacts, SymbolKind
from topomem.model.ids import LanguageName, RegionKey
from topomem.model.packing import pack, unpack

TEXT = st.text(max_size=5)
DECLARATIONS = st.builds(
    Declaration, st.sampled_from(SymbolKind), TEXT, TEXT, *[st.integers(0, 1 << 20)] * 5
)


@st.composite
def region_facts(draw: st.DrawFn) -> RegionFacts:
    count = draw(st.integers(0, 5))
    starts = sorted(draw(st.lists(st.integers(0, 1 << 20), min_size=count, max_size=count)))
    return RegionFacts(
        key=RegionKey("0" * 32),
        language=LanguageName("x"),
        declarations=(draw(DECLARATIONS),),
        docstring=draw(TEXT),
        kinds=bytes([Op.NAME] * count),
        parents=tuple(draw(st.integers(-1, at - 1)) for at in range(count)),
        starts=tuple(starts),
        ends=tuple(start + draw(st.integers(1, 300)) for start in starts),
        rows=tuple(start // 50 for start in starts),
        texts=tuple(draw(TEXT) for _ in starts),
        words=(("name", draw(TEXT), 1), ("body", draw(TEXT), 70_000)),
        value_hash="",
        size=1 << 20,
        row_count=3,
    )


@given(region_facts())
def test_unpacked_is_equal(facts: RegionFacts) -> None:
    assert unpack(pack(facts)) == facts
    assert pack(unpack(pack(facts))) == pack(facts)


def test_other_versions_are_refused() -> None:
    with pytest.raises(ValueError, match="version 255"):
        unpack(b"\xff123")
    with pytest.raises(ValueError, match="version None"):
        unpack(b"")
