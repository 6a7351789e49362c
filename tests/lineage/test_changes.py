from __future__ import annotations

import pytest
from support.lineage import version

from topomem.lineage.changes import Version, changes


def kinds(path: str, old: str, new: str, name: str) -> list[str]:
    """Return how the definition `name` changed between two texts of a file."""
    found = []
    for text in (old, new):
        file = version(path, text)
        for place, placement in enumerate(file.blob.placements):
            region = file.regions[place]
            if placement.name == name:
                found.append(Version(region))
                break
            ordinals = [
                ordinal
                for ordinal, light in enumerate(region.declarations)
                if ordinal and f"{placement.name}.{light.name}".lstrip(".") == name
            ]
            if ordinals:
                found.append(Version(region, ordinals[0]))
                break
    return changes(*found)


JAVA = """class A {
  /** Says. */
  @Deprecated
  public static int sum(int a, List<String> b) throws IOException {
    // adds
    return a + b.size();
  }
  private int size = 4;
}
"""


@pytest.mark.parametrize(
    ("old", "new", "name", "wanted"),
    [
        ("a + b", "a - b", "A.sum", ["body"]),
        ("int a,", "long a,", "A.sum", ["parameters"]),
        ("int a,", "final int a,", "A.sum", ["parameters"]),
        ("static int", "static long", "A.sum", ["return_type"]),
        ("public static", "static", "A.sum", ["modifiers"]),
        ("@Deprecated", "@Override", "A.sum", ["annotation"]),
        ("IOException", "KeyException", "A.sum", ["exceptions"]),
        ("static int", "static <T> int", "A.sum", ["type_parameters"]),
        ("// adds", "// adds up", "A.sum", ["documentation"]),
        ("Says", "Tells", "A.sum", ["format"]),
        ("    return", "      return", "A.sum", ["format"]),
        ("size = 4", "size = 5", "A.size", ["initializer"]),
        ("int size", "long size", "A.size", ["type"]),
        ("private int", "protected int", "A.size", ["modifiers"]),
    ],
)
def test_java(old: str, new: str, name: str, wanted: list[str]) -> None:
    assert kinds("A.java", JAVA, JAVA.replace(old, new), name) == wanted


PYTHON = '''LIMIT = 3


@cached
def total(rows, start=0):
    """Says."""
    return start + sum(rows)
'''


@pytest.mark.parametrize(
    ("old", "new", "name", "wanted"),
    [
        ("sum(rows)", "max(rows)", "total", ["body"]),
        ("start=0", "start=0, stop=1", "total", ["parameters"]),
        ("@cached", "@memo", "total", ["annotation"]),
        ("Says", "Tells", "total", ["documentation"]),
        ("start=0):", "start=0) -> int:", "total", ["return_type"]),
        ("LIMIT = 3", "LIMIT = 4", "LIMIT", ["initializer"]),
    ],
)
def test_python(old: str, new: str, name: str, wanted: list[str]) -> None:
    assert kinds("a.py", PYTHON, PYTHON.replace(old, new), name) == wanted


def test_a_class_that_becomes_an_interface() -> None:
    assert kinds("A.java", "class A {}\n", "interface A {}\n", "A") == ["kind"]
