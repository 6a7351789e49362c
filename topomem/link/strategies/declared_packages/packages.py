"""The files of a snapshot by the packages that they declare."""

from __future__ import annotations

from topomem.link.interfaces import package_table
from topomem.link.results import Results
from topomem.link.strategies.declared_packages.declarations import (
    DeclaredType,
    Unit,
)
from topomem.link.strategies.declared_packages.library import library_of
from topomem.link.strategies.declared_packages.types import (
    ClassType,
)
from topomem.link.strategies.memory import Memory
from topomem.link.world import World
from topomem.model.ids import FilePath, LanguageName


class Packages(Memory):
    """Files and packages of one snapshot, as one run of the linker sees them."""

    def __init__(
        self, world: World, results: Results, language: LanguageName, ambient: frozenset[str]
    ) -> None:
        super().__init__(world, results)
        self.library = library_of(language)
        self._language = language
        self._ambient = ambient
        self._units: dict[FilePath, Unit] = {}

    def unit(self, path: FilePath) -> Unit:
        """Return a file that an answer led to."""
        view = self.world.view(path)
        assert view is not None  # noqa: S101  answers only name files that are there
        unit = self._units.get(path)
        if unit is None or unit.view is not view:
            unit = self._units[path] = Unit(view)
        return unit

    def declared(self, of: ClassType) -> DeclaredType:
        """Return the declaration of a type, after asking for its interface."""
        self.world.asked.append(("interface", *of[:2]))
        found = self.unit(of.path).type_named(of.name)
        assert found is not None  # noqa: S101  types are made from declarations
        return found

    def files_with(self, package: str, word: str) -> tuple[FilePath, ...]:
        """Return the files of a package that declare a type `word`."""
        self.world.asked.append(("package_type", package, word, self._language))
        paths = package_table(self.world, package, self._language).get(word, ())
        return tuple(path for path in paths if word in self.unit(path).types_in(0))

    def has_package(self, package: str) -> bool:
        """Tell whether any file says it belongs to a package."""
        self.world.asked.append(("package_known", package, self._language))
        return bool(package_table(self.world, package, self._language))

    def type_in_package(self, near: FilePath, package: str, word: str) -> ClassType | None:
        """Return the type `package.word`; of several the one whose file is nearest to `near`."""
        paths = self.files_with(package, word)
        if not paths:
            return None
        path = min(paths, key=lambda path: (-_shared(path, near), path))
        return self.type_at(path, self.unit(path).types_in(0)[word])

    def type_at(self, path: FilePath, number: int) -> ClassType:
        """Return the type at a placement, not applied to anything."""
        return ClassType(path, self.unit(path).name(number))


def _shared(path: str, other: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        count += 1
    return count
