"""Definitions of real files, against what the language's own parser says."""

from __future__ import annotations

import ast
import random
import re
import sysconfig
import warnings
from pathlib import Path

import pytest
from support.facts import Facts, read_facts

LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = [path for path in sorted(LIBRARY.rglob("*.py")) if "site-packages" not in path.parts]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
HEADS = re.compile(r"@(?:typing\.)?overload\s+def (\w+)")
"""Heads of one function are one definition with it: another count than that of `ast`."""
REFUSED = {"too_large", "minified", "generated"}


def defined(source: bytes) -> list[tuple[str, int, int]] | None:
    """Return (name, first line, last line) of functions and classes; None for what is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = []
    overloaded = set(HEADS.findall(source.decode("latin-1")))
    for node in ast.walk(tree):
        if isinstance(node, DEFINITIONS) and node.name not in overloaded:
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            found.append((node.name, first, node.end_lineno or 0))
    return sorted(found)


def extracted(facts: Facts) -> list[tuple[str, int, int]]:
    heads = []
    overloaded = set(HEADS.findall(facts.source.decode("latin-1")))
    for place, region in zip(facts.blob.placements[1:], facts.regions[1:], strict=True):
        own = region.declarations[0]
        if own.name in overloaded:
            continue
        heads.append((own.name, place.span.start_line, place.span.end_line))
    return sorted(heads)


def check_file(path: Path) -> str:
    """Return what is wrong: a file that reads otherwise than by `ast` and does not say so.

    Comments that end a body belong to it here, and not for `ast`.
    """
    source = path.read_bytes()
    expected = defined(source)
    facts = read_facts(source)
    if expected is None or {found.code for found in facts.blob.diagnostics} & REFUSED:
        return ""
    found = extracted(facts)
    if facts.blob.diagnostics and len(found) > len(expected) * 0.9:
        return ""
    if [item[:2] for item in found] != [item[:2] for item in expected]:
        return f"{path.name}: {sorted({*found} ^ {*expected})}"
    return "".join(
        f"{path.name}: {ours} ends before {theirs}"
        for ours, theirs in zip(found, expected, strict=True)
        if ours[2] < theirs[2]
    )


def test_a_sample_agrees() -> None:
    sample = random.Random(7).sample(FILES, 25)
    assert not [wrong for path in sample if (wrong := check_file(path))]


@pytest.mark.slow
def test_all_agree() -> None:
    assert not [wrong for path in FILES if (wrong := check_file(path))]
