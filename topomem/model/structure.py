"""What is told of a snapshot beyond its linked edges: tests, owners, and relations in short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from topomem.model.answer import SymbolRef
from topomem.model.code import EdgeKind, RegionFacts, SymbolKind
from topomem.model.ids import FilePath, LanguageName, QualifiedName

Key = tuple[FilePath, QualifiedName]
"""A symbol of one snapshot."""

Reach = Literal["call", "import", "naming"]
"""How a test is known to test something: it runs it, its file imports it, it is named after it."""


@dataclass(frozen=True, slots=True)
class PlacedRegion:
    """One region of a file of one snapshot. `parent` is its number among those of the file.

    Lines are 1-based and inclusive. `hidden_rows`: the newlines inside this and all earlier regions
    with the same parent; the parent's own rows do not count them.
    """

    name: QualifiedName
    kind: SymbolKind
    parent: int
    start_line: int
    end_line: int
    hidden_rows: int
    facts: RegionFacts


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file with all its regions, in order; number 0 is the module."""

    path: FilePath
    language: LanguageName
    regions: tuple[PlacedRegion, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge between two symbols of one snapshot; `line` is where it was read."""

    source: Key
    target: Key
    kind: EdgeKind
    confidence: float
    line: int


@dataclass(frozen=True, slots=True, order=True)
class FoundTest:
    """A test: a symbol, or with a `title` a function without a name that stands in one.

    `title` is that of a call such as `test("adds", ...)`, behind those of the groups around it.
    """

    path: FilePath
    qualified_name: QualifiedName
    start_line: int
    end_line: int
    kind: SymbolKind
    title: str = ""

    @property
    def id(self) -> str:
        """`PATH#QUALIFIED.NAME`, with `:LINE` for one without a name of its own."""
        line = f":{self.start_line}" if self.title else ""
        return f"{self.path}#{self.qualified_name}{line}"


@dataclass(frozen=True, slots=True)
class TestsEdge:
    """A test, or a file of tests, and a symbol that it tests.

    `distance` is 1 where the test itself reaches the symbol, more through other code of tests.
    `line` is where the first step stands in the test's file.
    """

    __test__ = False  # no test of our own

    source: FoundTest
    target: SymbolRef
    reach: Reach
    distance: int
    confidence: float
    line: int


@dataclass(frozen=True, slots=True)
class Ownership:
    """An owner and a file. `source` and `line` are where it is written."""

    owner: str
    path: FilePath
    source: FilePath
    line: int
    section: str = ""
