"""What of a file or class changed beside its definitions."""

from __future__ import annotations

import pytest
from support.lineage import version

from topomem.lineage.changes import Version
from topomem.lineage.remainder import causes


def check(path: str, old: str, new: str, expected: set[str], place: int = 0) -> None:
    before, after = (Version(version(path, text).regions[place]) for text in (old, new))
    assert causes(before, after) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("def f(): pass\n", "def f(): pass\ndef g(): pass\n", {"definitions"}),
        ("import os\n", "import os, sys\n", {"imports"}),
        ("A = 1\nB = 2\n", "A = 1\nB = 3\n", {"declared"}),
        ("run(1)\n", "run(two)\n", {"statements"}),
        ("run(1)\n", "run(2)\n", {"statements"}),
        ("if x:\n    run()\n", "if y:\n    run()\n", {"statements"}),
        ("import os\nA = 1\n", "A = 2\nimport sys\n", {"imports", "declared"}),
    ],
)
def test_files(old: str, new: str, expected: set[str]) -> None:
    check("a.py", old, new, expected)


def test_classes() -> None:
    old = "class A:\n    x = 1\n    def f(self): pass\n"
    check("a.py", old, old.replace("x = 1", "x = 2"), {"declared"}, 1)
    check("a.py", old, old + "    def g(self): pass\n", {"definitions"}, 1)
    check("a.py", old, old.replace("A:", "A(B):"), {"statements"}, 1)


def test_what_is_exported_where_it_is_declared_is_declared() -> None:
    old = "export const a = 1;\nexport { b } from './b';\n"
    check("a.ts", old, old.replace("= 1", "= 2"), {"declared"})
    check("a.ts", old, old.replace("{ b }", "{ c }"), {"imports"})
