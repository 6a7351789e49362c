"""The packages of a snapshot: what their names mean, what their types contain.

Each look at another file is a question of the world; what is remembered within one snapshot keeps
the questions that led to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from topomem.link.evaluate import Entry
from topomem.link.strategies.package_folders.declarations import (
    TEST_PACKAGE,
    TYPE_KINDS,
    Header,
    Slot,
    Top,
    Unit,
    read_header,
)
from topomem.link.strategies.package_folders.modules import folders_for, likely_name
from topomem.link.strategies.package_folders.types import (
    DEEPEST,
    TYPES,
    Basic,
    Channel,
    Function,
    Listed,
    Mapped,
    Mapping,
    Named,
    Outside,
    Pointer,
    Type,
    Variable,
    Written,
    substituted,
)
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.declarations import Import
    from topomem.link.tree import Tree
    from topomem.link.world import Question, World

T = TypeVar("T")

MOST_EMBEDDED = 200
"""Embedded types that are looked at for one member."""


class Package(NamedTuple):
    """A package: its folder and the name its files give it; outside ones have no folder."""

    folder: FilePath | None
    name: str
    path: str = ""


class TypeName(NamedTuple):
    """A type written where a value could stand."""

    type: Type


class Routine(NamedTuple):
    """Something that can be called by name: a function or method at a placement.

    `mapping` is what the type it was read through says of its type's variables.
    """

    path: FilePath
    number: int
    name: QualifiedName
    mapping: tuple[tuple[tuple[FilePath, QualifiedName, str], Type | None], ...] = ()


class Member(NamedTuple):
    """A field or method of a type: `field` has the region and ops, `function` the placement."""

    function: Routine | None
    path: FilePath
    name: QualifiedName | None
    type: Type | None


class Embedded(NamedTuple):
    """A type inside a struct or interface: what it is and the name it goes by."""

    word: str
    type: Type | None


Values = Callable[["Code", Unit, int], "list[Type | None]"]
"""Reads the types of the values of a DECLARE in a module."""


class Code:
    """The packages of one snapshot, as one run of the linker sees them."""

    def __init__(self, world: World, language: str, values: Values) -> None:
        self.world = world
        self._values = values
        self.language = language
        self._units: dict[FilePath, Unit] = {}
        self._folders: dict[FilePath, list[Unit]] = {}
        self._memory: dict[Hashable, Entry] = {}
        self._pending: set[Hashable] = set()

    def remember(self, key: Hashable, work: Callable[[], T], default: T) -> T:
        """Return what `work` gives, worked out once; `default` where it leads back to itself."""
        world = self.world
        entry = self._memory.get(key)
        if entry is None:
            if key in self._pending:
                return default
            self._pending.add(key)
            outer, world.asked = world.asked, []
            try:
                entry = Entry(work(), 0, world.asked)
            finally:
                world.asked = outer
                self._pending.discard(key)
            self._memory[key] = entry
        world.asked.append(entry)
        return entry.value  # type: ignore[return-value]  # what `work` of this key gave

    # files and packages

    def unit(self, path: FilePath) -> Unit:
        """Return a file that an answer led to."""
        unit = self._units.get(path)
        if unit is None:
            view = self.world.view(path)
            assert view is not None  # noqa: S101  answers only name files that are there
            unit = self._units[path] = Unit(view)
        return unit

    def files(self, folder: FilePath) -> list[Unit]:
        """Return the files of the language right in a folder."""
        units = self._folders.get(folder)
        if units is None:
            units = []
            for path in self.world.files_in_unasked(folder):
                view = self.world.view(path)
                if view is not None and view.language == self.language and view.blob.placements:
                    units.append(self.unit(path))
            self._folders[folder] = units
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
        if word in unit.tops:
            return unit.tops[word]
        package = self.import_named(unit, word)
        if package is not None:
            return package
        tops = self.tops(self.package_of(unit), word, tests=unit.is_test)
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
        unit = self.unit(of.path)
        number = unit.by_name.get(of.name)
        if number is not None:
            return Top(of.path, of.name, unit.kind_at(number), number)
        return unit.tops.get(of.name)

    def variables_of(self, of: Named) -> tuple[str, ...]:
        """Return the type parameters of a type."""
        self.ask_type(of)
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

    # written types

    def written(self, path: FilePath, number: int, op: int, depth: int = 0) -> Type | None:
        """Return the type that a type expression of a region stands for."""
        if op < 0 or depth > DEEPEST:
            return None
        tree = self.unit(path).tree(number)

        def inner(at: int) -> Type | None:
            return self.written(path, number, at, depth + 1)

        kind = tree.kinds[op]
        if kind == Op.NAME:
            found = self.meaning(path, number, tree.texts[op])
            return self.as_type(found)
        if kind == Op.MEMBER:
            return self._written_member(path, number, tree, op)
        if kind == Op.INDEX:
            whole = inner(tree.operand(op, Op.OBJECT))
            if isinstance(whole, Named):
                keys = tuple(inner(tree.expression(role)) for role in tree.roles(op, Op.KEY))
                return whole._replace(arguments=keys)
            return whole
        if kind == Op.POINTER:
            return Pointer(inner(expression_in(tree, op)))
        if kind == Op.TRANSPARENT:
            return inner(expression_in(tree, op))
        if kind == Op.FUNCTION_TYPE:
            return self.function_type(path, number, read_header(tree, op))
        if kind == Op.COLLECTION:
            return self._written_collection(path, number, tree, op, inner)
        return None

    def _written_collection(
        self,
        path: FilePath,
        number: int,
        tree: Tree,
        op: int,
        inner: Callable[[int], Type | None],
    ) -> Type | None:
        text = tree.texts[op]
        if text in ("struct", "interface"):
            return Written(path, number, op)
        role = tree.role(op, Op.ELEMENT)
        element = inner(expression_in(tree, role)) if role >= 0 else None
        if text == "dict":
            return Mapped(inner(tree.operand(op, Op.KEY)), element)
        return Channel(element) if text == "channel" else Listed(element)

    def _written_member(self, path: FilePath, number: int, tree: Tree, op: int) -> Type | None:
        left = tree.operand(op, Op.OBJECT)
        if left < 0 or tree.kinds[left] != Op.NAME:
            return None
        package = self.meaning(path, number, tree.texts[left])
        if isinstance(package, Package):
            return self.as_type(self.in_package(package, tree.text(op, Op.MEMBER_NAME)))
        return None

    def in_package(self, package: Package, word: str) -> object:
        """Return what a name of an imported package means."""
        if package.folder is None:
            return TypeName(Outside(f"{package.path}.{word}"))
        tops = self.tops(package, word, tests=False)
        return tops[0] if tops else None

    def as_type(self, meaning: object) -> Type | None:
        """Return the type that a meaning names, None when it names none."""
        if isinstance(meaning, TypeName):
            return meaning.type
        if isinstance(meaning, Top) and meaning.kind in (
            SymbolKind.STRUCT, SymbolKind.INTERFACE, SymbolKind.TYPE_ALIAS,
        ):  # fmt: skip
            return Named(meaning.path, meaning.name)
        return None

    def meaning_of(self, top: Top) -> TypeName | Routine | Type | None:
        """Return what a name of a package is as an expression."""
        of = self.as_type(top)
        if of is not None:
            return TypeName(of)
        if top.number:
            return Routine(top.path, top.number, top.name)
        return self.remember(
            ("top", top.path, top.op, top.position), lambda: self._variable(top), None
        )

    def _variable(self, top: Top) -> Type | None:
        """Return the type of a variable or constant of a package."""
        tree = self.unit(top.path).tree(0)
        op = top.op
        while tree.texts[op] == "constant" and tree.role(op, Op.VALUE) < 0:
            before = [at for at in tree.tops() if at < op and tree.texts[at] == "constant"]
            if not before:
                return None
            op = before[-1]
        role = tree.role(op, Op.TYPE)
        if role >= 0:
            return self.written(top.path, 0, tree.expression(role))
        types = self._values(self, self.unit(top.path), op)
        return types[top.position] if top.position < len(types) else None

    def function_type(self, path: FilePath, number: int, header: Header) -> Function:
        """Return the type of a function with this header."""
        types: dict[int, Type | None] = {}

        def of(slot: Slot) -> Type | None:
            if slot.type_op not in types:
                types[slot.type_op] = self.written(path, number, slot.type_op)
            found = types[slot.type_op]
            return Listed(found) if slot.rest else found

        parameters = tuple(of(slot) for slot in header.parameters)
        results = tuple(of(slot) for slot in header.results)
        return Function(parameters, results, any(slot.rest for slot in header.parameters))

    def type_of_function(self, of: Routine) -> Function:
        """Return the type of a function or method, in terms of its own variables."""
        key = ("function", of.path, of.number)
        plain = self.remember(
            key,
            lambda: self.function_type(of.path, of.number, self.unit(of.path).header(of.number)),
            Function((), ()),
        )
        found = substituted(plain, dict(of.mapping)) if of.mapping else plain
        return found if isinstance(found, Function) else plain

    # what types stand on

    def underlying(self, of: Type | None) -> Type | None:
        """Return the type behind names and aliases: a struct, an interface, a map ..."""
        for _ in range(DEEPEST):
            if isinstance(of, Variable):
                bounds = self.bounds(of)
                of = bounds[0] if len(bounds) == 1 else None
            elif isinstance(of, Named):
                of = self._one_behind(of)
            else:
                return of
        return None

    def _one_behind(self, of: Named) -> Type | None:
        key = ("behind", of)
        return self.remember(key, lambda: self._read_behind(of), None)

    def _read_behind(self, of: Named) -> Type | None:
        self.ask_type(of)
        top = self.top_of(of)
        if top is None:
            return None
        unit = self.unit(of.path)
        if top.number:
            plain: Type | None = Written(of.path, top.number, unit.body(top.number))
        else:
            plain = self.written(of.path, 0, unit.tree(0).operand(top.op, Op.TYPE))
        return plain if isinstance(plain, Written) else substituted(plain, self.mapping(of))

    def alias_end(self, of: Type | None) -> Type | None:
        """Return what an alias stands for; defined types as they are."""
        for _ in range(DEEPEST):
            if not isinstance(of, Named):
                return of
            top = self.top_of(of)
            if top is None or top.number:
                return of
            if self.unit(of.path).tree(0).texts[top.op] != "type_alias":
                return of
            of = self._one_behind(of)
        return of

    def bounds(self, of: Variable) -> tuple[Type, ...]:
        """Return what a type variable is bounded by."""
        return self.remember(("bounds", of), lambda: self._bounds(of), ())

    def _bounds(self, of: Variable) -> tuple[Type, ...]:
        self.ask_type(Named(of.path, of.name))
        top = self.top_of(Named(of.path, of.name))
        if top is None:
            return ()
        tree = self.unit(of.path).tree(top.number)
        found: list[Type] = []
        waiting = False
        for op in tree.tops() if top.op < 0 else tree.children(top.op):
            if tree.kinds[op] == Op.TYPE_PARAMETER:
                waiting = tree.texts[op] == of.word or (waiting and not found)
            elif tree.kinds[op] == Op.BOUND and waiting:
                bound = self.written(of.path, top.number, tree.expression(op))
                if bound is not None:
                    found.append(bound)
        return tuple(found)


def _may_be(form: Import, word: str) -> bool:
    """Tell whether an outside package may go by a name that its path does not say."""
    return word in form.path.replace("-", "").replace(".", "/").split("/")


def expression_in(tree: Tree, role: int) -> int:
    """Return the expression inside a role, pointer or pair of brackets, -1 without one."""
    found = tree.expression(role)
    if found >= 0:
        return found
    for child in tree.children(role):
        if Op.NAME <= tree.kinds[child] < Op.ASSIGN:
            return child
    return -1
