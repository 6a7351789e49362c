"""Which code is test code, which of it are tests, and what runs with which test.

A place in test code is a *node*: a symbol, or a function without a name that is handed to a call
such as `test("adds", ...)`, told by the line of that call. What is nested in a function counts as
part of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

import pathspec

from topomem.languages.spec import TestsSpec
from topomem.model.code import EdgeKind, Op, SymbolKind
from topomem.model.ids import FilePath, LanguageName, QualifiedName
from topomem.model.structure import CodeFile, FoundTest, Key, PlacedRegion, Relation
from topomem.units.reading import Lines, Tree

Node = tuple[FilePath, QualifiedName, int]
"""Path, name of the symbol, and the line of the call that takes the function; 0 for the symbol."""

Rules = Mapping[LanguageName, TestsSpec]

FUNCTIONS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY}
)
CLASSES = frozenset(
    {SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.TRAIT}
)
_NUMBER = re.compile(r"\+\d+(?=\.|$)")


@lru_cache(64)
def _spec(patterns: tuple[str, ...]) -> pathspec.GitIgnoreSpec:
    return pathspec.GitIgnoreSpec.from_lines(patterns)


@lru_cache(64)
def _whole(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in patterns) or r"(?!)")


def holds_tests(path: FilePath, rules: TestsSpec) -> bool:
    """Whether a file is one in which tests are looked for."""
    return _spec(rules.files).match_file(path)


def is_test_code(path: FilePath, rules: TestsSpec) -> bool:
    """Whether a file holds tests or serves them; if not it is part of the product."""
    return holds_tests(path, rules) or _spec(rules.support).match_file(path)


def last_part(name: str) -> str:
    """Return the last part of a qualified name, without the number of an overload."""
    return _NUMBER.sub("", name).rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Block:
    """A function without a name inside a region, by its lines; `outer`: the block around it."""

    role: Literal["test", "group", "setup"]
    title: str
    start_line: int
    end_line: int
    outer: int


@dataclass(eq=False)
class TestFile:
    """One file of test code: its nodes, its tests, and what runs with what."""

    __test__ = False  # no test of our own

    code: CodeFile
    rules: TestsSpec
    holds_tests: bool
    tests: dict[Node, FoundTest] = field(default_factory=dict)
    links: list[tuple[Node, Node]] = field(default_factory=list)

    @property
    def path(self) -> FilePath:
        """Its path."""
        return self.code.path

    @cached_property
    def by_name(self) -> dict[QualifiedName, int]:
        """The numbers of its regions by name."""
        return {region.name: at for at, region in enumerate(self.code.regions)}

    @cached_property
    def homes(self) -> list[int]:
        """The region each region counts as part of: the outermost function around it, or itself."""
        found: list[int] = []
        for at, region in enumerate(self.code.regions):
            above = found[region.parent] if region.parent >= 0 else -1
            inside = above >= 0 and self.code.regions[above].kind in FUNCTIONS
            found.append(above if inside else at)
        return found

    @cached_property
    def blocks(self) -> dict[int, list[Block]]:
        """The blocks of regions that have any, in order of their lines."""
        if not self.holds_tests or not self.rules.calls:
            return {}
        nested: dict[int, list[PlacedRegion]] = {}
        for region in self.code.regions:
            nested.setdefault(region.parent, []).append(region)
        found = {}
        for at, region in enumerate(self.code.regions):
            blocks = list(_blocks(region, nested.get(at, []), self.rules))
            if blocks:
                found[at] = blocks
        return found

    @cached_property
    def decorators(self) -> list[frozenset[str]]:
        """The last parts of the names of each region's decorators."""
        return [
            frozenset(chain[-1] for chain, _ in Tree(region.facts).decorators() if chain)
            for region in self.code.regions
        ]

    @cached_property
    def setups(self) -> dict[QualifiedName, list[QualifiedName]]:
        """What runs with every test: functions by the class they stand in, `` for the file."""
        found: dict[QualifiedName, list[QualifiedName]] = {}
        names, marks = set(self.rules.setup), set(self.rules.setup_marks)
        for at, region in enumerate(self.code.regions):
            if region.kind not in FUNCTIONS or self.homes[at] != at:
                continue
            marked = marks and not marks.isdisjoint(self.decorators[at])
            if marked or last_part(region.name) in names:
                holder = QualifiedName(region.name.rpartition(".")[0])
                found.setdefault(holder, []).append(region.name)
        return found

    def node(self, name: QualifiedName, line: int) -> Node:
        """Return the node that a line of a symbol belongs to."""
        at = self.by_name.get(name)
        if at is None:  # a variable or field: part of the function it stands in
            above = self.by_name.get(QualifiedName(name.rpartition(".")[0]))
            if above is None or self.code.regions[self.homes[above]].kind not in FUNCTIONS:
                return self.path, name, 0
            at = above
        home = self.homes[at]
        blocks = self.blocks.get(home, ())
        number = _around(blocks, line) if blocks else -1
        return (
            self.path,
            self.code.regions[home].name,
            blocks[number].start_line if number >= 0 else 0,
        )


def _around(blocks: Sequence[Block], line: int) -> int:
    """Return the number of the innermost block around a line, -1 where there is none."""
    number = bisect_right(blocks, line, key=lambda block: block.start_line) - 1
    while number >= 0 and blocks[number].end_line < line:
        number = blocks[number].outer
    return number


def _blocks(
    region: PlacedRegion, nested: Sequence[PlacedRegion], rules: TestsSpec
) -> Iterator[Block]:
    tree, lines = Tree(region.facts), Lines(region, nested)
    open_blocks: list[tuple[int, int, str]] = []  # number, end of its ops, title
    for number, (at, role) in enumerate(_registering(tree, rules)):
        while open_blocks and open_blocks[-1][1] <= at:
            open_blocks.pop()
        outer, _, above = open_blocks[-1] if open_blocks else (-1, 0, "")
        start, end = lines.first(at), tree.end(at)
        first = tree.arguments(at)[:1]
        own = tree.text(first[0]) if first else ""
        title = " > ".join(part for part in (above, own or f"line {start}") if part)
        yield Block(role, title, start, max(start, lines.last(end - 1)), outer)
        open_blocks.append((number, end, title))


def _registering(
    tree: Tree, rules: TestsSpec
) -> Iterator[tuple[int, Literal["test", "group", "setup"]]]:
    """Yield the calls that take tests, groups of tests, and what runs with every test."""
    groups, setups, calls = set(rules.groups), set(rules.setup_calls), set(rules.calls)
    firsts = {name.partition(".")[0] for name in groups | setups | calls}
    kinds, texts = tree.facts.kinds, tree.facts.texts
    for at in tree.of_kind(Op.CALL):
        first = kinds.find(Op.NAME, at)  # what a call begins with is the first name in it
        if first < 0 or texts[first] not in firsts or not _takes_function(tree, at):
            continue
        names = tree.callee(at)
        starts = {".".join(names[:count]) for count in (1, 2)} if names else set()
        if starts & groups:
            yield at, "group"
        elif starts & setups:
            yield at, "setup"
        elif starts & calls:
            yield at, "test"


def _takes_function(tree: Tree, call: int) -> bool:
    """Whether a call is handed a function: one written there, or another value behind a text."""
    kinds = [tree.facts.kinds[one] for one in tree.arguments(call)]
    texts = (Op.STRING_VALUE, Op.LITERAL)
    return any(kind in (Op.LAMBDA, Op.DEFINE) for kind in kinds) or (
        len(kinds) > 1 and kinds[0] in texts and kinds[-1] not in texts
    )


class TestCode:
    """All test code of one snapshot."""

    __test__ = False  # no test of our own

    def __init__(
        self,
        files: Iterable[CodeFile],
        rules: Rules,
        inherits: Iterable[Relation],
        outside: Iterable[tuple[Key, str]],
    ) -> None:
        """Take files of test code. `outside`: classes with their bases outside the repository."""
        self.files = {
            file.path: TestFile(
                file, rules[file.language], holds_tests(file.path, rules[file.language])
            )
            for file in files
            if file.language in rules
        }
        self._bases: dict[Key, list[Key]] = {}
        for relation in inherits:
            if relation.kind is EdgeKind.INHERITS:
                self._bases.setdefault(relation.source, []).append(relation.target)
        self._outside: dict[Key, list[str]] = {}
        for key, base in outside:
            self._outside.setdefault(key, []).append(base)
        for file in self.files.values():
            file.tests.update((_node(test), test) for test in self._tests(file))
        for file in self.files.values():
            file.links.extend(self._setup(file))

    @cached_property
    def tests(self) -> dict[Node, FoundTest]:
        """All tests by node, sorted."""
        found = {node: test for file in self.files.values() for node, test in file.tests.items()}
        return dict(sorted(found.items()))

    def node(self, key: Key, line: int) -> Node | None:
        """Return the node that a line of a symbol belongs to; None outside test code."""
        file = self.files.get(key[0])
        return None if file is None else file.node(key[1], line)

    def is_named_only(self, relation: Relation) -> bool:
        """Whether an edge names a class of test code, and runs nothing of it."""
        file = self.files.get(relation.target[0])
        if file is None or relation.kind not in (EdgeKind.READS, EdgeKind.USES_TYPE):
            return False
        at = file.by_name.get(relation.target[1])
        return at is not None and file.code.regions[at].kind in CLASSES

    def ancestors(self, key: Key) -> list[Key]:
        """Return a class and those it inherits from, itself first."""
        found = [key]
        for one in found:
            found += [base for base in self._bases.get(one, ()) if base not in found]
        return found

    def _tests(self, file: TestFile) -> Iterator[FoundTest]:
        marks = set(file.rules.marks)
        for at, region in enumerate(file.code.regions):
            for block in file.blocks.get(at, ()):
                if block.role == "test":
                    yield FoundTest(
                        file.path, region.name, block.start_line, block.end_line,
                        region.kind, block.title,
                    )  # fmt: skip
            if region.kind not in FUNCTIONS or file.homes[at] != at:
                continue
            marked = marks and not marks.isdisjoint(file.decorators[at])
            if marked or self._is_named_so(file, region):
                yield FoundTest(
                    file.path, region.name, region.start_line, region.end_line, region.kind
                )

    def _is_named_so(self, file: TestFile, region: PlacedRegion) -> bool:
        """Whether a function or method is a test by its name and by where it stands."""
        rules = file.rules
        if not _whole(rules.functions).fullmatch(last_part(region.name)):
            return False
        if last_part(region.name) in rules.setup:
            return False
        holder = QualifiedName(region.name.rpartition(".")[0])
        if not holder:
            return file.holds_tests
        if file.holds_tests and _whole(rules.classes).fullmatch(last_part(holder)):
            return True
        return any(
            _whole(rules.bases).fullmatch(last_part(base))
            for one in self.ancestors((file.path, holder))
            for base in (
                *self._outside.get(one, ()),
                *(base[1] for base in self._bases.get(one, ())),
            )
        )

    def _setup(self, file: TestFile) -> Iterator[tuple[Node, Node]]:
        """Yield tests with what runs with them, by where it stands."""
        with_all = [(file.path, name, 0) for name in self._setup_of(file.path, QualifiedName(""))]
        for node, test in file.tests.items():
            yield from ((node, one) for one in with_all)
            holder = QualifiedName(test.qualified_name.rpartition(".")[0])
            if holder:
                for path, name in self.ancestors((file.path, holder)):
                    yield from ((node, (path, one, 0)) for one in self._setup_of(path, name))
            if node[2]:
                yield from ((node, one) for one in _around_block(file, test))

    def _setup_of(self, path: FilePath, holder: QualifiedName) -> list[QualifiedName]:
        """Return what a class, or a file, runs with each of its tests."""
        file = self.files.get(path)
        return [] if file is None else file.setups.get(holder, [])


def _around_block(file: TestFile, test: FoundTest) -> Iterator[Node]:
    """Yield the groups around a test, and what these and the region run with each test."""
    blocks = file.blocks[file.by_name[test.qualified_name]]
    own = next(block for block in blocks if block.start_line == test.start_line)
    around = {-1}
    number = own.outer
    while number >= 0:
        around.add(number)
        yield file.path, test.qualified_name, blocks[number].start_line
        number = blocks[number].outer
    for block in blocks:
        if block.role == "setup" and block.outer in around:
            yield file.path, test.qualified_name, block.start_line


def _node(test: FoundTest) -> Node:
    return test.path, test.qualified_name, test.start_line if test.title else 0
