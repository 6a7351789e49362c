"""The files of a snapshot by the packages that they declare."""

from __future__ import annotations

from topomem.link.strategies.declared_packages.declarations import (
    DeclaredType,
    Unit,
)
from topomem.link.strategies.declared_packages.library import library_of
from topomem.link.strategies.declared_packages.types import (
    ClassType,
)
from topomem.link.strategies.memory import Memory
from topomem.link.world import Question, World
from topomem.model.ids import FilePath, LanguageName


class Packages(Memory):
    """Files and packages of one snapshot, as one run of the linker sees them."""

    def __init__(self, world: World, language: LanguageName, ambient: frozenset[str]) -> None:
        super().__init__(world)
        self.library = library_of(language)
        self._language = language
        self._ambient = ambient
        self._units: dict[FilePath, Unit] = {}
        self._declared: dict[tuple[object, ...], tuple[DeclaredType, Question]] = {}
        self._packages: dict[str, dict[str, tuple[FilePath, ...]]] = {}

    def unit(self, path: FilePath) -> Unit:
        """Return a file that an answer led to."""
        unit = self._units.get(path)
        if unit is None:
            view = self.world.view(path)
            assert view is not None  # noqa: S101  answers only name files that are there
            unit = self._units[path] = Unit(view)
        return unit

    def declared(self, of: ClassType) -> DeclaredType:
        """Return the declaration of a type, after asking for its interface."""
        key = of[:2]
        hit = self._declared.get(key)
        if hit is None:
            found = self.unit(of.path).type_named(of.name)
            assert found is not None  # noqa: S101  types are made from declarations
            hit = self._declared[key] = (found, ("interface", *key))
        self.world.asked.append(hit[1])
        return hit[0]

    def package(self, name: str) -> dict[str, tuple[FilePath, ...]]:
        """Return the types right inside a package: files by type name."""
        self.world.asked.append(("package_types", name, self._language))
        found = self._packages.get(name)
        if found is None:
            found = self._packages[name] = self._read_package(name)
        return found

    def _read_package(self, name: str) -> dict[str, tuple[FilePath, ...]]:
        types: dict[str, list[FilePath]] = {}
        for path in self.world.files_saying(name):
            view = self.world.view(path)
            if view is None or view.language != self._language:
                continue
            unit = self.unit(path)
            if unit.package == name and unit.facts.blob.placements:
                for word in unit.types_in(0):
                    types.setdefault(word, []).append(path)
        return {word: tuple(paths) for word, paths in types.items()}

    def type_in_package(self, near: FilePath, package: str, word: str) -> ClassType | None:
        """Return the type `package.word`; of several the one whose file is nearest to `near`."""
        paths = self.package(package).get(word, ())
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
