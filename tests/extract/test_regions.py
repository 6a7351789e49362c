"""The laws of regions: they put the source back together, and known ones change nothing."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from support.facts import Facts, of_language, read_facts

from topomem.extract.facts import extract
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.ids import BlobId, RegionKey

NAMES = st.sampled_from(["a", "b", "run", "Shape", "é"])
EXPRESSIONS = st.sampled_from(
    [
        "1",
        "a",
        "b.c(d)",
        "(yield)",
        "[*a, 'x']",
        "{'k': a}",
        "lambda q: q",
        "f'{a}'",
        "a[1:2]",
        "~",
        "(",
    ]
)


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def blocks(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """Lines of statements, some of them broken, with definitions inside definitions."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["assign", "call", "doc", "def", "class", "if", "blank"]))
        name = draw(NAMES)
        if kind == "assign":
            lines.append(f"{name} = {draw(EXPRESSIONS)}")
        elif kind == "call":
            lines.append(f"{name}({draw(EXPRESSIONS)})  # note")
        elif kind == "doc":
            lines.append('"""Text."""')
        elif kind == "blank":
            lines.append("")
        elif depth < 3:
            inner = indent(draw(blocks(depth + 1)))
            heads = {
                "def": [f"def {name}(self, x={draw(EXPRESSIONS)}):"],
                "class": ["@deco", f"class {name}(Base):"],
                "if": ["if a:"],
            }
            lines += [*heads[kind], *inner]
    return [*lines, "pass"]


SOURCES = blocks().map(lambda lines: "\n".join(lines) + "\n")


def run(
    source: bytes, known: frozenset[RegionKey] = frozenset()
) -> tuple[BlobFacts, list[RegionFacts]]:
    return extract(BlobId("0"), source, of_language("python"), known)


def check_reassembles(facts: Facts) -> None:
    texts: dict[int, bytes] = {}
    for index in reversed(range(len(facts.blob.placements))):
        pieces = facts.text(index).split(b"\0")
        nested = [texts[child] for child in facts.children(index)]
        assert len(pieces) == len(nested) + 1
        texts[index] = pieces[0] + b"".join(
            inner + piece for inner, piece in zip(nested, pieces[1:], strict=True)
        )
        span = facts.blob.placements[index].span
        assert texts[index] == facts.source[span.start_byte : span.end_byte]
        assert len(facts.text(index)) == facts.regions[index].size
    assert texts[0] == facts.source


@given(SOURCES)
def test_regions_put_the_source_back_together(source: str) -> None:
    check_reassembles(read_facts(source))


@given(SOURCES, st.integers(0, 1 << 30))
def test_known_regions_change_nothing(source: str, seed: int) -> None:
    data = source.encode()
    blob, regions = run(data)
    for share in (0.1, 0.5, 0.9, 1.0):
        chooser = random.Random(seed)
        known = frozenset(region.key for region in regions if chooser.random() <= share)
        again, rest = run(data, known)
        assert again == blob
        assert rest == [region for region in regions if region.key not in known]


EXPORTED = """import * as z from './base';

type Plain = string;

export interface First<T extends Plain> { t: T }

export class Second { optional = () => this; }

export default class { run() { return 1; } }
@Marked()

export class Third {}
"""


@given(st.integers(0, 1 << 30))
@settings(max_examples=25)
def test_what_stands_around_known_regions_is_read(seed: int) -> None:
    blob, language, source = BlobId("0"), of_language("typescript"), EXPORTED.encode()
    facts, regions = extract(blob, source, language)
    chooser = random.Random(seed)
    known = frozenset(region.key for region in regions[1:] if chooser.random() < 0.8)
    again, rest = extract(blob, source, language, known)
    assert again == facts
    assert rest == [region for region in regions if region.key not in known]


@given(SOURCES, SOURCES)
def test_equal_regions_of_two_blobs_have_equal_facts(first: str, second: str) -> None:
    _, ours = run(first.encode())
    by_key = {region.key: region for region in ours}
    _, theirs = run(f"x = 1\n{second}{first}".encode())
    for region in theirs:
        assert by_key.get(region.key, region) == region


@given(SOURCES)
def test_ops_nest_and_names_stand_where_they_say(source: str) -> None:
    facts = read_facts(source)
    for index, region in enumerate(facts.regions):
        text = facts.text(index)
        for at, parent in enumerate(region.parents):
            assert parent < at
            assert 0 <= region.starts[at] < region.ends[at] <= region.size
            assert region.rows[at] == text.count(b"\n", 0, region.starts[at])
            if parent >= 0:
                assert region.starts[parent] <= region.starts[at]
                assert region.ends[at] <= region.ends[parent]
        assert list(region.starts) == sorted(region.starts)


def test_regions_at_work() -> None:
    facts = read_facts("class A:\n    x = 1\n\n    def m(self):\n        return 1\n\n    y = 2\n")
    assert facts.text(1) == b"class A:\n    x = 1\n\n    \0\n\n    y = 2"
    assert [line for name, _, line in facts.declarations() if name == "A.y"] == [7]


def test_an_edit_in_one_function_is_one_new_region() -> None:
    source = (
        "def f():\n    return 1\n\nclass A:\n    def m(self): return 2\n    def n(self): return 3\n"
    )
    _, before = run(source.encode())
    known = frozenset(region.key for region in before)
    _, after = run(source.replace("return 3", "return 4 + g()").encode(), known)
    assert [region.declarations[0].name for region in after] == ["n"]
