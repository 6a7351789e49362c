"""How far a change reaches: from the symbols that differ to what depends on them, and to tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from topomem.api.testing import IMPORTED, NAMED_FILE, Testing
from topomem.lineage.remainder import causes
from topomem.lineage.symbols import CLASSES
from topomem.model.code import EdgeKind, SymbolKind
from topomem.model.ids import FilePath, QualifiedName
from topomem.model.structure import FoundTest, Key, Reach
from topomem.store import structure
from topomem.store.snapshot import SymbolFilter
from topomem.units.dependents import Dependencies, Dependent
from topomem.units.reach import USES
from topomem.units.tests import FUNCTIONS, Node

if TYPE_CHECKING:
    from topomem.api.diff import Comparison, SymbolDifference
    from topomem.model.answer import Symbol
    from topomem.model.structure import Relation

FOLLOWED = frozenset({*USES, EdgeKind.OVERRIDES})
_FURTHEST_IMPORT = 3
_SILENT = frozenset({"documentation", "format"})
"""Kinds of change that nothing depends on."""

_TOLD_APART = frozenset({"definitions", "imports", "declared"})
"""What changes in a file or class and is told, and followed, by itself."""


@dataclass(frozen=True, slots=True)
class Affected:
    """A symbol that depends on what changed.

    `kinds` are those of the edges from the changed symbol, whose id is `because`, up to here.
    """

    symbol: Symbol
    distance: int
    confidence: float
    kinds: tuple[str, ...]
    because: str


@dataclass(frozen=True, slots=True)
class SelectedTest:
    """A test, or a file of tests, to run. `distance` 0: it changed itself."""

    test: FoundTest
    distance: int
    confidence: float
    method: Reach | Literal["changed"]
    kinds: tuple[str, ...]
    because: str


class Spread:
    """Follows the differences of two moments through the edges of HEAD.

    What only BASE has is looked up there, one step, and followed on in HEAD.
    """

    def __init__(self, comparison: Comparison, differences: Iterable[SymbolDifference]) -> None:
        self._comparison = comparison
        self._base, self._head = comparison.base, comparison.head
        self._homes: dict[Key, Node] = {}
        self._every = list(differences)
        self._changes = [one for one in self._every if self._matters(one)]

    def reach(
        self, deepest: int, most: int
    ) -> tuple[tuple[Affected, ...], tuple[SelectedTest, ...], tuple[str, ...]]:
        """Return what is affected, the tests to run, and what limits left out."""
        if self._head.view.snapshot is None or not self._every:
            return (), (), ()
        found, cut = self._graph.closure(self._seeds(), ends=self._ends, deepest=deepest, most=most)
        words = f"what depends on the change is cut at {deepest} steps or {most} symbols"
        return (
            tuple(self._affected(found)),
            tuple(self._tests(found)),
            (words,) if cut else (),
        )

    def _matters(self, one: SymbolDifference) -> bool:
        """Whether anything may depend on a difference."""
        kinds = set(one.kinds) - _SILENT
        if one.kinds and not kinds:
            return False
        holders = {SymbolKind.MODULE, *CLASSES}
        if one.change != "changed" or one.symbol.kind not in holders or kinds != {"body"}:
            return True
        assert one.old is not None  # noqa: S101 - it changed
        assert one.new is not None  # noqa: S101 - as above
        before = self._base.version((one.old.path, one.old.qualified_name))
        after = self._head.version((one.new.path, one.new.qualified_name))
        return not causes(before, after) <= _TOLD_APART

    @cached_property
    def _symbols(self) -> dict[Key, Symbol]:
        assert self._head.view.snapshot is not None  # noqa: S101 - looked at before
        every = self._head.view.snapshot.symbols(SymbolFilter(with_modules=True))
        return {(one.path, one.qualified_name): one for one in every}

    @cached_property
    def _relations(self) -> list[Relation]:
        assert self._head.view.snapshot is not None  # noqa: S101 - looked at before
        return structure.relations(self._head.view.snapshot, {*FOLLOWED, EdgeKind.IMPORTS})

    @cached_property
    def _testing(self) -> Testing:
        return Testing(self._head.view, self._relations, self._symbols.values())

    @cached_property
    def _graph(self) -> Dependencies:
        graph = Dependencies()
        for one in self._relations:
            if one.kind is EdgeKind.IMPORTS or self._testing.code.is_named_only(one):
                continue
            node, on = self._node(one.source, one.line), self._node(one.target, 0)
            graph.add(node, on, one.kind.value, one.confidence)
            if one.kind is EdgeKind.OVERRIDES:  # who calls the one may call the other
                graph.add(on, node, one.kind.value, one.confidence)
        for node, on in self._testing.links:
            graph.add(node, on, "runs_with", 1.0)
        return graph

    @cached_property
    def _origins(self) -> dict[Node, SymbolDifference]:
        """The nodes of HEAD that differ."""
        return {
            self._node((one.new.path, one.new.qualified_name), one.new.start_line): one
            for one in self._changes
            if one.new is not None
        }

    @cached_property
    def _ends(self) -> set[Node]:
        """Nodes behind which nothing is followed: tests, and what files run when imported."""
        modules = {(path, name, 0) for path, name in self._symbols if not name}
        return (modules | self._testing.code.tests.keys()) - self._origins.keys()

    def _node(self, key: Key, line: int) -> Node:
        """Return the node of a symbol: what is nested in a function is part of it."""
        inside = self._testing.code.node(key, line)
        if inside is not None:
            return inside
        return self._outside(key)

    def _outside(self, key: Key) -> Node:
        known = self._homes.get(key)
        if known is None:
            known = self._homes[key] = self._home(key)
        return known

    def _home(self, key: Key) -> Node:
        path, name = key
        home = name
        while "." in name:
            name = QualifiedName(name.rpartition(".")[0])
            holder = self._symbols.get((path, name))
            if holder is not None and holder.kind in FUNCTIONS:
                home = name
        return path, home, 0

    def _seeds(self) -> Iterator[Dependent]:
        for node, one in self._origins.items():
            yield Dependent(node, 0, one.confidence, (), node)
        modules = {(path, name) for path, name, _ in self._origins if not name}
        for relation in self._relations:
            if relation.kind is EdgeKind.IMPORTS and relation.target in modules:
                because = (*relation.target, 0)
                yield self._step(relation, self._node(relation.source, relation.line), because)
        yield from self._left_behind()

    def _left_behind(self) -> Iterator[Dependent]:
        """Yield what depended in BASE on names that HEAD does not have."""
        gone: dict[Key, Node] = {}
        for one in self._changes:
            if one.old is None or (one.new is not None and one.old.id == one.new.id):
                continue
            end = one.new or one.old
            gone[one.old.path, one.old.qualified_name] = (end.path, end.qualified_name, 0)
        if not gone or self._base.view.snapshot is None:
            return
        kinds = {*FOLLOWED, EdgeKind.IMPORTS}
        for relation in structure.relations(self._base.view.snapshot, kinds, targets=gone):
            source = self._comparison.renamed.get(relation.source, relation.source)
            if source in self._symbols and relation.source not in gone:
                same = self._base.files.get(source[0]) == self._head.files.get(source[0])
                node = self._node(source, relation.line if same else 0)
                yield self._step(relation, node, gone[relation.target])

    @staticmethod
    def _step(relation: Relation, node: Node, because: Node) -> Dependent:
        return Dependent(node, 1, relation.confidence, (relation.kind.value,), because)

    def _affected(self, found: Sequence[Dependent]) -> Iterator[Affected]:
        for one in found:
            symbol = self._symbols.get((one.node[0], one.node[1]))
            if symbol is None or not one.distance or one.node in self._testing.code.tests:
                continue
            if one.node[2] or one.node in self._origins:
                continue
            yield Affected(
                symbol, one.distance, round(one.confidence, 4), one.kinds, _id(one.because)
            )

    def _tests(self, found: Sequence[Dependent]) -> list[SelectedTest]:
        """Return tests by how near and sure they are; a file only where none of its tests is."""
        chosen: dict[FoundTest, SelectedTest] = {}
        for one in found:
            test = self._testing.code.tests.get(one.node)
            if test is None and not one.node[1] and self._holds_tests(one.node[0]):
                test = self._testing.file_node(one.node[0])
            if test is not None:
                method: Reach | Literal["changed"] = "call" if one.distance else "changed"
                if one.kinds == (EdgeKind.IMPORTS.value,):
                    method = "import"
                sure = round(one.confidence, 4)
                chosen[test] = SelectedTest(
                    test, one.distance, sure, method, one.kinds, _id(one.because)
                )
        for other in (*self._changed_files(), *self._named(), *self._importing()):
            chosen.setdefault(other.test, other)
        reached = {test.path for test in chosen if test.qualified_name or test.title}
        kept = [
            one
            for test, one in chosen.items()
            if test.qualified_name
            or test.title
            or test.path not in reached
            or one.method == "changed"
        ]
        named = self._paired
        return sorted(
            kept,
            key=lambda one: (
                one.distance,
                -one.confidence,
                one.test.path not in named,
                one.test,
            ),
        )

    def _changed_files(self) -> Iterator[SelectedTest]:
        """Yield the files of tests that import, or run when imported, other things than before."""
        for one in self._every:
            if one.new is None or one.symbol.kind is not SymbolKind.MODULE:
                continue
            if not self._holds_tests(one.new.path) or not set(one.kinds) - _SILENT:
                continue
            if one.old is not None:
                before = self._base.version((one.old.path, one.old.qualified_name))
                after = self._head.version((one.new.path, one.new.qualified_name))
                if not causes(before, after) & {"imports", "statements"}:
                    continue
            node = one.new.path, one.new.qualified_name, 0
            test = self._testing.file_node(one.new.path)
            yield SelectedTest(test, 0, 1.0, "changed", (), _id(node))

    def _holds_tests(self, path: FilePath) -> bool:
        file = self._testing.code.files.get(path)
        return file is not None and bool(file.tests)

    @cached_property
    def _product(self) -> dict[FilePath, Node]:
        """The files outside test code in which something changed, each with the first of it."""
        found: dict[FilePath, Node] = {}
        for one in self._changes:
            for symbol in (one.new, one.old):
                if symbol is None or self._testing.is_test_code(symbol.path, symbol.language):
                    continue
                if symbol.path not in found:
                    node = symbol.path, symbol.qualified_name, 0
                    found[symbol.path] = node
        return found

    @cached_property
    def _paired(self) -> dict[FilePath, FilePath]:
        """The files of tests that are named after a file that changed, with that file."""
        found = {}
        for path, file in self._testing.code.files.items():
            if file.tests and file.holds_tests:
                pair = self._testing.pairs.pair(path)
                if pair is not None and pair in self._product:
                    found[path] = pair
        return found

    def _named(self) -> Iterator[SelectedTest]:
        """Yield the files of tests that are named after a file that changed, and their tests."""
        for path, pair in sorted(self._paired.items()):
            test = self._testing.file_node(path)
            yield SelectedTest(test, 1, NAMED_FILE, "naming", ("tests",), _id(self._product[pair]))
            for edge in self._testing.named(path):
                node = edge.target.path, edge.target.qualified_name, 0
                if edge.target.qualified_name and node in self._origins:
                    sure = edge.confidence
                    yield SelectedTest(edge.source, 1, sure, "naming", ("tests",), _id(node))

    def _importing(self) -> Iterator[SelectedTest]:
        """Yield the files of tests that import a file that changed, or what imports it.

        One step leads from what changed to its file, each further one to who imports that.
        """
        importers: dict[str, set[FilePath]] = {}
        for one in self._relations:
            if one.kind is EdgeKind.IMPORTS:
                importers.setdefault(self._unit(one.target[0]), set()).add(one.source[0])
        for path in self._testing.code.files:
            importers.setdefault(self._unit(path), set()).add(path)  # one folder, one package
        seen: set[FilePath] = set(self._product)
        frontier = dict(self._product)
        for distance in range(1, _FURTHEST_IMPORT + 1):
            following: dict[FilePath, Node] = {}
            for path, because in sorted(frontier.items()):
                for importer in sorted(importers.get(self._unit(path), set()) - seen):
                    following.setdefault(importer, because)
            for path, because in following.items():
                if self._holds_tests(path):
                    sure = round(IMPORTED**distance, 4)
                    kinds = (EdgeKind.CONTAINS.value, *(EdgeKind.IMPORTS.value,) * distance)
                    test = self._testing.file_node(path)
                    yield SelectedTest(test, distance + 1, sure, "import", kinds, _id(because))
            seen |= following.keys()
            frontier = {
                path: because
                for path, because in following.items()
                if path not in self._testing.paths
            }

    def _unit(self, path: FilePath) -> str:
        """Return what is imported as one: a file, or its folder where that is the package."""
        return path.rpartition("/")[0] if self._testing.by_folder(path) else path


def _id(node: Node) -> str:
    return f"{node[0]}#{node[1]}"
