"""Every language: its queries compile, and its marked examples read as marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.facts import LANGUAGES, Facts, read_facts
from support.markers import Marker, read_markers

GRAMMARS = Path(__file__).parent.parent / "grammars"
EXAMPLES = sorted(path for path in GRAMMARS.glob("*/examples/*") if path.is_file())


def check_marker(facts: Facts, starts: list[int], marker: Marker) -> str:
    """Return what is wrong with one expectation, or nothing."""
    start = starts[marker.line - 1] + marker.start_column
    end = starts[marker.line - 1] + marker.end_column
    if marker.role == "ref":
        found = {text for first, last, text in facts.references() if (first, last) == (start, end)}
        return "" if marker.name in found else f"{marker}: found {sorted(found)}"
    kinds = {(name, line): item.kind.value for name, item, line in facts.declarations()}
    kind = kinds.get((marker.name, marker.line))
    if kind is None:
        return f"{marker}: not among {sorted(kinds)}"
    return "" if marker.kind in ("", kind) else f"{marker}: is a {kind}"


@pytest.mark.parametrize("name", [language.name for language in LANGUAGES])
def test_queries_compile_and_examples_exist(name: str) -> None:
    assert LANGUAGES[name].queries.captures
    assert [path for path in EXAMPLES if path.parent.parent.name == name]


@pytest.mark.parametrize(
    "path", EXAMPLES, ids=lambda path: f"{path.parent.parent.name}/{path.name}"
)
def test_examples_read_as_marked(path: Path) -> None:
    source = path.read_bytes()
    language = path.parent.parent.name
    markers = read_markers(source)
    facts = read_facts(source, language)
    starts = [0, *(at + 1 for at, byte in enumerate(source) if byte == ord("\n"))]
    assert markers
    assert not facts.blob.diagnostics
    assert not [wrong for marker in markers if (wrong := check_marker(facts, starts, marker))]
