"""The types of a snapshot: what is written, and what stands behind it.

Each look at another file is a question of the world; what is remembered within one snapshot keeps
the questions that led to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.declarations import (
    Header,
    Slot,
    Top,
    Unit,
    expression_in,
    read_header,
)
from topomem.link.strategies.package_folders.meanings import (
    Package,
    Routine,
    TypeName,
)
from topomem.link.strategies.package_folders.packages import Packages
from topomem.link.strategies.package_folders.types import (
    DEEPEST,
    Channel,
    Function,
    Listed,
    Mapped,
    Named,
    Outside,
    Pointer,
    Type,
    Variable,
    Written,
    substituted,
)
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath

if TYPE_CHECKING:
    from topomem.link.results import Results
    from topomem.link.tree import Tree
    from topomem.link.world import World


MOST_EMBEDDED = 200
"""Embedded types that are looked at for one member."""

Values = Callable[["Code", Unit, int], "list[Type | None]"]
"""Reads the types of the values of a DECLARE in a module."""


class Code(Packages):
    """The packages and types of one snapshot, as one run of the linker sees them."""

    def __init__(self, world: World, results: Results, language: str, values: Values) -> None:
        super().__init__(world, results, language)
        self._values = values

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
