"""Tests of one moment, and what they test: made from its edges when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from topomem.languages.load import load_languages
from topomem.model.answer import SymbolRef
from topomem.model.code import EdgeKind, External, SymbolKind
from topomem.model.ids import FilePath, LanguageName, QualifiedName
from topomem.model.structure import FoundTest, Key, Reach, TestsEdge
from topomem.store import structure
from topomem.store.snapshot import EdgeFilter, SymbolFilter
from topomem.units.fixtures import fixture_links
from topomem.units.naming import Named, Pairs
from topomem.units.reach import USES, Walk
from topomem.units.tests import Node, TestCode, is_test_code, last_part

if TYPE_CHECKING:
    from topomem.api.view import View
    from topomem.languages.spec import TestsSpec
    from topomem.model.answer import Symbol
    from topomem.model.structure import Relation
    from topomem.store.snapshot import Snapshot

IMPORTED = 0.6
NAMED_FILE = 0.8
NAMED_WHOLE = 0.8
NAMED_PART = 0.5
"""How sure a test tests what its file imports, and what the file or it is named after."""

BY_FOLDER = ("package_folders",)
"""Ways of naming modules by which a folder is one."""

_NAMEABLE = (
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CLASS,
    SymbolKind.INTERFACE,
    SymbolKind.STRUCT,
    SymbolKind.ENUM,
)
_RANK: dict[Reach, int] = {"call": 0, "import": 1, "naming": 2}


class Testing:
    """The tests of one snapshot. Everything is made when first needed."""

    __test__ = False  # no test of our own

    def __init__(
        self,
        view: View,
        relations: Iterable[Relation] | None = None,
        symbols: Iterable[Symbol] | None = None,
    ) -> None:
        """Take a view, with its edges and symbols where they are at hand."""
        assert view.snapshot is not None  # noqa: S101 - there is something to test
        assert view.reader is not None  # noqa: S101 - as above
        self._snapshot: Snapshot = view.snapshot
        self._unpack = view.reader.unpack
        self._given = relations
        self._symbols = symbols
        found = structure.versions(self._snapshot)
        self.languages = {path: one.language for path, one in found.items() if one.language}
        names = sorted(set(self.languages.values()))
        self._specs = {LanguageName(one.name): one.spec for one in load_languages(names)}

    @cached_property
    def paths(self) -> frozenset[FilePath]:
        """The files of test code."""
        return frozenset(
            path
            for path, language in self.languages.items()
            if is_test_code(path, self._rules(language))
        )

    @cached_property
    def code(self) -> TestCode:
        """The test code."""
        files = structure.code_files(self._snapshot, self._unpack, sorted(self.paths))
        rules = {name: spec.tests for name, spec in self._specs.items()}
        outside = self._snapshot.edges(EdgeFilter(kinds=(EdgeKind.INHERITS,), external=True))
        bases = [
            ((edge.source.path, edge.source.qualified_name), edge.target.name)
            for edge in outside
            if isinstance(edge.target, External)
        ]
        return TestCode(files, rules, self.relations, bases)

    @cached_property
    def relations(self) -> list[Relation]:
        """The edges that are read from test code."""
        if self._given is not None:
            return [one for one in self._given if one.source[0] in self.paths]
        kinds = {*USES, EdgeKind.IMPORTS}
        return structure.relations(self._snapshot, kinds, sorted(self.paths))

    @cached_property
    def links(self) -> list[tuple[Node, Node]]:
        """What runs with what: tests and fixtures, tests and what sets them up."""
        files = self.code.files
        own = [link for file in files.values() for link in file.links]
        return [*own, *fixture_links(files)]

    @cached_property
    def walk(self) -> Walk:
        """The steps from tests."""
        return Walk(self.code, self.relations, self.links)

    @cached_property
    def pairs(self) -> Pairs:
        """Files that files of tests are named after."""
        return Pairs(self.languages, self._specs.values())

    def file_node(self, path: FilePath) -> FoundTest:
        """Return a file of tests as a whole."""
        module = self.code.files[path].code.regions[0]
        return FoundTest(path, QualifiedName(""), 1, module.end_line, SymbolKind.MODULE)

    def edges(self, paths: Iterable[FilePath] | None = None) -> list[TestsEdge]:
        """Return what is tested by what, of each pair the surest way; sorted by test and target.

        `paths`: only by tests of these files.
        """
        wanted = self.paths if paths is None else self.paths & set(paths)
        found: dict[tuple[FoundTest, Key], TestsEdge] = {}
        for path in sorted(wanted):
            if path in self.code.files:
                self._add_file(path, found)
        return [found[pair] for pair in sorted(found)]

    def edges_to(self, key: Key) -> list[TestsEdge]:
        """Return the tests of one symbol, nearest and surest first."""
        reached = self.walk.to(key)
        found = {
            self.code.tests[node]: self._edge(
                self.code.tests[node], key, "call",
                (
                    round(one.confidence, 4), one.distance,
                    one.line or self.code.tests[node].start_line,
                ),
            )
            for node, one in reached.items()
        }  # fmt: skip
        near = {path for path, _, _ in reached}
        near |= {one.source[0] for one in self.relations if one.target == key}
        near |= {
            path
            for path, file in self.code.files.items()
            if file.holds_tests and self.pairs.pair(path) == key[0]
        }
        for edge in self.edges(sorted(near)):
            if (edge.target.path, edge.target.qualified_name) == key:
                found.setdefault(edge.source, edge)
        order = {test: (edge.distance, -edge.confidence, test) for test, edge in found.items()}
        return [found[test] for test in sorted(found, key=order.__getitem__)]

    def is_test_code(self, path: FilePath, language: LanguageName) -> bool:
        """Whether a file, here or in another snapshot, is test code."""
        known = language in self._specs
        return path in self.paths or (known and is_test_code(path, self._rules(language)))

    def by_folder(self, path: FilePath) -> bool:
        """Whether all files of the file's folder are imported as one package."""
        language = self.languages.get(path)
        return language is not None and self._specs[language].resolution.naming in BY_FOLDER

    def _rules(self, language: LanguageName) -> TestsSpec:
        return self._specs[language].tests

    def _add_file(self, path: FilePath, found: dict[tuple[FoundTest, Key], TestsEdge]) -> None:
        file = self.code.files[path]
        reached: set[Key] = set()
        for node, test in file.tests.items():
            for one in self.walk.from_test(node):
                reached.add(one.target)
                line = one.line or test.start_line
                sure = round(one.confidence, 4)
                edge = self._edge(test, one.target, "call", (sure, one.distance, line))
                found[test, one.target] = edge
        if not file.tests:
            return
        imported = {one.target: one for one in self._imports(path)}
        whole = self.file_node(path)
        for key, relation in imported.items():
            sure = round(relation.confidence * IMPORTED, 4)
            found[whole, key] = self._edge(whole, key, "import", (sure, 1, relation.line))
        for edge in self.named(path, reached):
            key = edge.target.path, edge.target.qualified_name
            found.setdefault((edge.source, key), edge)

    def named(self, path: FilePath, reached: Iterable[Key] = ()) -> Iterator[TestsEdge]:
        """Yield what a file of tests, its classes and tests are named after.

        Looked for among what they are known to reach, what the file imports, and the file that it
        is named after.
        """
        known = {*reached, *(one.target for one in self._imports(path))}
        for test, key, sure in self._named(path, known):
            yield self._edge(test, key, "naming", (sure, 1, test.start_line))

    def _imports(self, path: FilePath) -> Iterator[Relation]:
        for relation in self._by_file.get(path, ()):
            if relation.kind is EdgeKind.IMPORTS and relation.target[0] not in self.paths:
                yield relation

    @cached_property
    def _by_file(self) -> dict[FilePath, list[Relation]]:
        found: dict[FilePath, list[Relation]] = {}
        for relation in sorted(self.relations, key=lambda one: (one.source, one.line, one.target)):
            found.setdefault(relation.source[0], []).append(relation)
        return found

    def _named(self, path: FilePath, known: set[Key]) -> Iterator[tuple[FoundTest, Key, float]]:
        """Yield what a file of tests, its tests and their classes are named after."""
        file = self.code.files[path]
        if not file.holds_tests:
            return
        pair = self.pairs.pair(path)
        if pair is not None:
            yield self.file_node(path), (pair, QualifiedName("")), NAMED_FILE
        near = {key for key in known if key in self.refs and self.refs[key].kind in _NAMEABLE}
        if pair is not None:
            near |= self._nameable_in.get(pair, set())
        named = Named(near)
        holders = {
            QualifiedName(test.qualified_name.rpartition(".")[0]) for test in file.tests.values()
        }
        holding = [
            FoundTest(path, region.name, region.start_line, region.end_line, region.kind)
            for region in file.code.regions[1:]
            if region.name in holders
        ]
        plain = [test for test in file.tests.values() if not test.title]
        for test in (*holding, *plain):
            for key, whole in named.find(last_part(test.qualified_name), file.rules.names):
                yield test, key, NAMED_WHOLE if whole else NAMED_PART

    @cached_property
    def _nameable_in(self) -> dict[FilePath, set[Key]]:
        found: dict[FilePath, set[Key]] = {}
        for key, ref in self.refs.items():
            if ref.kind in _NAMEABLE:
                found.setdefault(key[0], set()).add(key)
        return found

    @cached_property
    def refs(self) -> dict[Key, SymbolRef]:
        """All symbols of the snapshot in short."""
        return {
            (one.path, one.qualified_name): SymbolRef(
                one.path, one.qualified_name, one.kind, one.start_line
            )
            for one in self._symbols or self._snapshot.symbols(SymbolFilter(with_modules=True))
        }

    def _edge(
        self, test: FoundTest, key: Key, reach: Reach, how: tuple[float, int, int]
    ) -> TestsEdge:
        confidence, distance, line = how
        target = self.refs.get(key) or SymbolRef(*key, SymbolKind.VARIABLE, 0)
        return TestsEdge(test, target, reach, distance, confidence, line)
