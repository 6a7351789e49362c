"""The packages of a snapshot: their files, what their names mean, what they import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.memory import Memory
from topomem.link.strategies.package_folders.declarations import (
    TEST_PACKAGE,
    TYPE_KINDS,
    Slot,
    Top,
    Unit,
    expression_in,
)
from topomem.link.strategies.package_folders.meanings import (
    Package,
    TypeName,
)
from topomem.link.strategies.package_folders.modules import folders_for, likely_name
from topomem.link.strategies.package_folders.types import (
    TYPES,
    Basic,
    Mapping,
    Named,
    Type,
    Variable,
)
from topomem.model.code import Op
from topomem.model.ids import FilePath

if TYPE_CHECKING:
    from topomem.link.numbering import Question
    from topomem.link.results import Results
    from topomem.link.strategies.package_folders.declarations import Import
from topomem.link.world import World


class Packages(Memory):
    """Files, packages and names of one snapshot, as one run of the linker sees them."""

    def __init__(self, world: World, results: Results, language: str) -> None:
        super().__init__(world, results)
        self.language = language
        self._units: dict[FilePath, Unit] = {}
        self._folders: dict[FilePath, tuple[int, list[Unit]]] = {}

    def unit(self, path: FilePath) -> Unit:
        """Return a file that an answer led to."""
        view = self.world.view(path)
        assert view is not None  # noqa: S101  answers only name files that are there
        unit = self._units.get(path)
        if unit is None or unit.view is not view:
            unit = self._units[path] = Unit(view)
        return unit

    def files(self, folder: FilePath) -> list[Unit]:
        """Return the files of the language right in a folder, without asking.

        Whoever looks asks about what it looks for in them.
        """
        world = self.world
        version, units = self._folders.get(folder, (-1, []))
        if version != world.version:
            views = map(world.file, world.files_in_unasked(folder))
            asked, world.asked = world.asked, []
            units = [
                self.unit(view.path)
                for view in views
                if view is not None and view.language == self.language and view.blob.placements
            ]
            world.asked = asked
            self._folders[folder] = world.version, units
        return units

    def package_of(self, unit: Unit) -> Package:
        """Return the package of a file."""
        self.world.asked.append(("head", unit.path))
        return Package(FilePath(unit.path.rpartition("/")[0]), unit.package)

    def imported(self, importer: FilePath, path: str) -> Package:
        """Return the package that an import means."""
        return self.remember(
            ("imported", importer.rpartition("/")[0], path),
            lambda: self._imported(importer, path),
            Package(None, likely_name(path), path),
        )

    def _imported(self, importer: FilePath, path: str) -> Package:
        for folder in folders_for(self.world, importer, path):
            name = self._name_in(folder)
            if name is not None:
                return Package(folder, name, path)
        return Package(None, likely_name(path), path)

    def _name_in(self, folder: FilePath) -> str | None:
        """Return the name of the package that others may import from a folder."""
        self.world.asked.append(("package_name", folder, self.language))
        counts: dict[str, int] = {}
        for unit in self.files(folder):
            if not unit.is_test and not unit.package.endswith(TEST_PACKAGE):
                counts[unit.package] = counts.get(unit.package, 0) + 1
        return min(counts, key=lambda name: (-counts[name], name)) if counts else None

    def tops(self, package: Package, word: str, *, tests: bool) -> tuple[Top, ...]:
        """Return what a package declares as `word`; files of tests count only for tests."""
        if package.folder is None:
            return ()
        self.world.asked.append(("package_member", package.folder, word))
        return tuple(
            unit.tops[word]
            for unit in self.files(package.folder)
            if unit.package == package.name and (tests or not unit.is_test) and word in unit.tops
        )

    def methods_of(self, of: Named, word: str) -> list[tuple[Unit, int]]:
        """Return the methods `word` that a package declares on one of its types."""
        folder = FilePath(of.path.rpartition("/")[0])
        self.world.asked.append(("package_member", folder, f"{of.name}.{word}"))
        package = self.unit(of.path).package
        self.world.asked.append(("package_name", folder, self.language))
        return [
            (unit, unit.methods[of.name][word])
            for unit in self.files(folder)
            if unit.package == package and word in unit.methods.get(of.name, ())
        ]

    def method_names(self, of: Named) -> list[str]:
        """Return the names of all methods that a package declares on one of its types."""
        folder = FilePath(of.path.rpartition("/")[0])
        self.world.asked.append(("package_methods", folder, of.name))
        package = self.unit(of.path).package
        return sorted(
            {
                word
                for unit in self.files(folder)
                if unit.package == package
                for word in unit.methods.get(of.name, ())
            }
        )

    # names

    def meaning(self, path: FilePath, number: int, word: str) -> object:
        """Return what a name means outside of blocks: a Top, a type, a package, or None."""
        key = ("meaning", path, number, word)
        return self.remember(key, lambda: self._meaning(path, number, word), None)

    def _meaning(self, path: FilePath, number: int, word: str) -> object:
        unit = self.unit(path)
        at = number
        while at > 0:
            found = self._inside(unit, at, word)
            if found is not None:
                return TypeName(found)
            at = unit.parent(at)
        tops = self.tops(self.package_of(unit), word, tests=unit.is_test)
        if word in unit.tops:
            return unit.tops[word]
        package = self.import_named(unit, word)
        if package is not None:
            return package
        if tops:
            return tops[0]
        for form in unit.imports:
            if form.star:
                tops = self.tops(self.imported(path, form.path), word, tests=False)
                if tops:
                    return tops[0]
        return TypeName(Basic(word)) if word in TYPES else None

    def import_named(self, unit: Unit, word: str) -> Package | None:
        """Return the package that a file imports as `word`."""
        self.world.asked.append(("head", unit.path))
        for form in unit.imports:
            if form.star or (form.alias and form.alias != word):
                continue
            package = self.imported(unit.path, form.path)
            if form.alias or package.name == word:
                return package
        guesses = [form for form in unit.imports if not form.alias and _may_be(form, word)]
        for form in guesses:
            package = self.imported(unit.path, form.path)
            if package.folder is None:
                return package
        return None

    def _inside(self, unit: Unit, at: int, word: str) -> Type | None:
        if unit.kind_at(at) in TYPE_KINDS:
            if word in unit.variables(at):
                return Variable(unit.path, unit.name(at), word)
            return None
        self.world.asked.append(("interface", unit.path, unit.name(at)))
        header = unit.header(at)
        if word in header.variables:
            return Variable(unit.path, unit.name(at), word)
        inner = unit.types_in(at).get(word)
        if inner is not None:
            return Named(unit.path, unit.name(inner))
        if header.receiver is not None:
            return self._receiver_variables(unit, at, header.receiver).get(word)
        return None

    def _receiver_variables(self, unit: Unit, at: int, receiver: Slot) -> dict[str, Type]:
        """Return the names that a method gives to its type's variables."""
        tree = unit.tree(at)
        op = receiver.type_op
        while op >= 0 and tree.kinds[op] in (Op.POINTER, Op.TRANSPARENT):
            op = expression_in(tree, op)
        if op < 0 or tree.kinds[op] != Op.INDEX:
            return {}
        names = [tree.texts[tree.expression(role)] for role in tree.roles(op, Op.KEY)]
        owner = self.owner_type(unit, at)
        if owner is None:
            return {}
        return {
            name: Variable(owner.path, owner.name, word)
            for name, word in zip(names, self.variables_of(owner), strict=False)
        }

    def owner_type(self, unit: Unit, at: int) -> Named | None:
        """Return the type whose method stands at a placement, applied to its own variables."""
        owner = unit.owner(at)
        for top in self.tops(self.package_of(unit), owner, tests=unit.is_test) if owner else ():
            plain = Named(top.path, top.name)
            arguments = tuple(
                Variable(top.path, top.name, word) for word in self.variables_of(plain)
            )
            return plain._replace(arguments=arguments)
        return None

    def top_of(self, of: Named) -> Top | None:
        """Return the declaration of a type of a package; of a local type, its placement."""
        self.ask_type(of)
        unit = self.unit(of.path)
        number = unit.by_name.get(of.name)
        if number is not None:
            return Top(of.path, of.name, unit.kind_at(number), number)
        return unit.tops.get(of.name)

    def variables_of(self, of: Named) -> tuple[str, ...]:
        """Return the type parameters of a type."""
        top = self.top_of(of)
        return () if top is None else self.unit(of.path).variables(top.number, top.op)

    def ask_type(self, of: Named) -> None:
        """Note that a type's own declaration was looked at."""
        folder = FilePath(of.path.rpartition("/")[0])
        question: Question = ("package_member", folder, of.name)
        if "." in of.name:
            question = ("interface", of.path, of.name)
        self.world.asked.append(question)

    def mapping(self, of: Named) -> Mapping:
        """Return what the variables of an applied type stand for."""
        variables = self.variables_of(of)
        if not variables:
            return {}
        arguments = (
            of.arguments if len(of.arguments) == len(variables) else (None,) * len(variables)
        )
        return {
            (of.path, of.name, word): argument
            for word, argument in zip(variables, arguments, strict=True)
        }


def _may_be(form: Import, word: str) -> bool:
    """Tell whether an outside package may go by a name that its path does not say."""
    return word in form.path.replace("-", "").replace(".", "/").split("/")
