"""Fixtures: functions that tests and other fixtures ask for by the names of their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName
from topomem.model.structure import PlacedRegion
from topomem.units.reading import Tree
from topomem.units.tests import FUNCTIONS, Node, TestFile, last_part

_Scope = tuple[FilePath, QualifiedName]
"""A file and a class in it, `` for the file itself."""


@dataclass(frozen=True, slots=True)
class _Fixture:
    name: str
    node: Node
    automatic: bool


def fixture_links(files: Mapping[FilePath, TestFile]) -> Iterator[tuple[Node, Node]]:
    """Yield tests and fixtures with the fixtures that run for them."""
    return _Fixtures(files).links()


class _Fixtures:
    """The fixtures of all files of tests, by where they are seen."""

    def __init__(self, files: Mapping[FilePath, TestFile]) -> None:
        self._files = files
        self._found: dict[_Scope, dict[str, _Fixture]] = {}
        self._nodes: set[Node] = set()
        for file in files.values():
            for holder, fixture in _fixtures(file):
                self._found.setdefault((file.path, holder), {})[fixture.name] = fixture
                self._nodes.add(fixture.node)
        self._shared = sorted(
            path
            for path, file in files.items()
            if path.rpartition("/")[2] in file.rules.fixture_files
        )

    def links(self) -> Iterator[tuple[Node, Node]]:
        """Yield who asks for which fixture."""
        if not self._found:
            return
        for file in self._files.values():
            for at, region in enumerate(file.code.regions):
                node = (file.path, region.name, 0)
                if file.homes[at] == at and (node in file.tests or node in self._nodes):
                    yield from ((node, one) for one in self._asked(file, region, node))

    def _asked(self, file: TestFile, region: PlacedRegion, node: Node) -> Iterator[Node]:
        tree = Tree(region.facts)
        holder = QualifiedName(region.name.rpartition(".")[0])
        names = [*tree.parameters(), *_used(tree, file)]
        above = file.by_name.get(holder) if holder else None
        if above is not None:
            names += _used(Tree(file.code.regions[above].facts), file)
        scopes = list(self._scopes(file.path, holder))
        for name in dict.fromkeys(names):
            seen = (self._found.get(scope, {}).get(name) for scope in scopes)
            found = next((one for one in seen if one and one.node != node), None)
            if found is not None:
                yield found.node
        if node not in self._nodes:
            for scope in scopes:
                yield from (
                    one.node for one in self._found.get(scope, {}).values() if one.automatic
                )

    def _scopes(self, path: FilePath, holder: QualifiedName) -> Iterator[_Scope]:
        """Yield where fixtures are looked for, the nearest first."""
        while holder:
            yield path, holder
            holder = QualifiedName(holder.rpartition(".")[0])
        yield path, QualifiedName("")
        folder = path.rpartition("/")[0]
        around = [one for one in self._shared if one != path and _is_below(folder, one)]
        for one in sorted(around, key=lambda shared: (-shared.count("/"), shared)):
            yield one, QualifiedName("")


def _is_below(folder: str, shared: FilePath) -> bool:
    """Whether a folder is that of a shared file, or inside it."""
    top = shared.rpartition("/")[0]
    return not top or f"{folder}/".startswith(f"{top}/")


def _fixtures(file: TestFile) -> Iterator[tuple[QualifiedName, _Fixture]]:
    marks = set(file.rules.fixture_marks)
    if not marks:
        return
    for at, region in enumerate(file.code.regions):
        if region.kind not in FUNCTIONS or marks.isdisjoint(file.decorators[at]):
            continue
        tree = Tree(region.facts)
        name, automatic = last_part(region.name), False
        for chain, mark in tree.decorators():
            if chain and chain[-1] in marks and region.facts.kinds[mark] == Op.CALL:
                name = tree.text(tree.keyword(mark, "name")) or name
                automatic = tree.keyword(mark, "autouse") is not None
        holder = QualifiedName(region.name.rpartition(".")[0])
        yield holder, _Fixture(name, (file.path, region.name, 0), automatic)


def _used(tree: Tree, file: TestFile) -> list[str]:
    """Return the fixtures that decorators name."""
    uses = set(file.rules.fixture_uses)
    return [
        text
        for chain, mark in tree.decorators()
        if chain and chain[-1] in uses and tree.facts.kinds[mark] == Op.CALL
        for one in tree.arguments(mark)
        if (text := tree.text(one))
    ]
