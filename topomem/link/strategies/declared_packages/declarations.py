"""What one file declares: its package, imports, types and their members. A pure function of it."""

from __future__ import annotations

from typing import NamedTuple

from topomem.link.tree import Tree
from topomem.link.views import FileView, own_name
from topomem.model.code import Declaration, Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

TYPE_KINDS = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.STRUCT})
FIELD_KINDS = frozenset({SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.ENUM_MEMBER})


class Import(NamedTuple):
    """One import: `name` is dotted; a `star` brings what is inside. `op` is its module's op."""

    name: str
    star: bool
    static: bool
    op: int


class Parameter(NamedTuple):
    """One parameter: the expression of its written type (-1: none) and extra dimensions."""

    name: str
    type_op: int
    dimensions: int


class Method(NamedTuple):
    """The header of a method or constructor; ops are those of its own region `number`."""

    path: FilePath
    owner: QualifiedName
    number: int
    name: QualifiedName
    word: str
    parameters: tuple[Parameter, ...]
    variadic: bool
    result: int
    modifiers: tuple[str, ...]
    variables: tuple[str, ...]
    has_body: bool


class Field(NamedTuple):
    """A field, constant, enum member or record component of the type whose region is `number`.

    `value` is its initial value's op (-1: none), `source` the number of its declaration.
    """

    path: FilePath
    owner: QualifiedName
    number: int
    name: str
    type_op: int
    dimensions: int
    value: int
    source: int
    modifiers: tuple[str, ...]
    kind: SymbolKind


class TypeHead(NamedTuple):
    """The header of a type: its variables, and the ops of its bases in the region `number`."""

    variables: tuple[str, ...]
    bases: tuple[tuple[Op, int], ...]


class DeclaredType:
    """One type of a file; members are read when first asked for."""

    def __init__(self, unit: Unit, number: int) -> None:
        facts = unit.facts
        self.unit = unit
        self.number = number
        self.path = unit.path
        self.name = facts.blob.placements[number].name
        self.own = facts.regions[number].declarations[0]
        self.kind = self.own.kind
        self.word = own_name(self.name)
        self.methods: dict[str, list[int]] = {}
        self.constructors: list[int] = []
        self.types: dict[str, int] = {}
        for at in unit.nested[number]:
            word = own_name(facts.blob.placements[at].name)
            kind = unit.kind_at(at)
            if kind in TYPE_KINDS:
                self.types.setdefault(word, at)
            elif kind == SymbolKind.CONSTRUCTOR:
                self.constructors.append(at)
            else:
                self.methods.setdefault(word, []).append(at)
        self._head: TypeHead | None = None
        self._fields: dict[str, Field] | None = None

    @property
    def is_interface(self) -> bool:
        """Whether methods without a body are what others implement."""
        return self.kind == SymbolKind.INTERFACE

    @property
    def head(self) -> TypeHead:
        """Type parameters and bases."""
        if self._head is None:
            self._head = _type_head(self.unit.tree(self.number))
        return self._head

    @property
    def fields(self) -> dict[str, Field]:
        """Fields by name."""
        if self._fields is None:
            self._fields = _fields(self)
        return self._fields


class Unit:
    """One file. Placements are numbered as in its blob."""

    def __init__(self, view: FileView) -> None:
        facts = view.facts
        self.facts = facts
        self.view = view
        self.path = facts.path
        placements = facts.blob.placements
        self.nested = view.nested
        self.by_name = view.by_name
        self._trees: list[Tree | None] = [None] * len(placements)
        self._types: dict[int, DeclaredType] = {}
        self._methods: dict[int, Method] = {}
        self.package, self.imports = _module(self.tree(0)) if placements else ("", ())

    def tree(self, number: int) -> Tree:
        """Return the reduced tree of a placement's region."""
        tree = self._trees[number]
        if tree is None:
            tree = self._trees[number] = self.view.tree_at(number)
        return tree

    def kind_at(self, number: int) -> SymbolKind:
        """Return the kind of a placement."""
        return self.facts.regions[number].declarations[0].kind

    def parent(self, number: int) -> int:
        """Return the placement around another, -1 for the module."""
        return self.facts.blob.placements[number].parent

    def name(self, number: int) -> QualifiedName:
        """Return the qualified name of a placement."""
        return self.facts.blob.placements[number].name

    def type_at(self, number: int) -> DeclaredType:
        """Return the type that stands at a placement."""
        found = self._types.get(number)
        if found is None:
            found = self._types[number] = DeclaredType(self, number)
        return found

    def type_named(self, name: QualifiedName) -> DeclaredType | None:
        """Return the type with this qualified name."""
        number = self.by_name.get(name)
        if number is None or self.kind_at(number) not in TYPE_KINDS:
            return None
        return self.type_at(number)

    def type_around(self, number: int) -> DeclaredType | None:
        """Return the innermost type that a placement is or stands in."""
        while number > 0:
            if self.kind_at(number) in TYPE_KINDS:
                return self.type_at(number)
            number = self.parent(number)
        return None

    def types_in(self, number: int) -> dict[str, int]:
        """Return the types right inside a placement (the module, a method, a type) by name."""
        if self.kind_at(number) in TYPE_KINDS:
            return self.type_at(number).types
        return {
            own_name(self.name(at)): at
            for at in reversed(self.nested[number])  # of several, the first
            if self.kind_at(at) in TYPE_KINDS
        }

    def method_at(self, number: int) -> Method:
        """Return the header of the method or constructor at a placement."""
        found = self._methods.get(number)
        if found is None:
            found = self._methods[number] = _method(self, number)
        return found

    def define_of(self, number: int) -> int:
        """Return the op that stands for a placement in the region around it, -1 without one."""
        parent = self.parent(number)
        if parent < 0:
            return -1
        text = str(self.nested[parent].index(number))
        tree = self.tree(parent)
        for op, kind in enumerate(tree.kinds):
            if kind == Op.DEFINE and tree.texts[op] == text:
                return op
        return -1


def _module(tree: Tree) -> tuple[str, tuple[Import, ...]]:
    package = ""
    imports = []
    kinds, texts = tree.kinds, tree.texts
    for op in tree.tops():
        if kinds[op] == Op.PACKAGE:
            package = "".join(texts[op].split())
        elif kinds[op] == Op.IMPORT:
            module = tree.role(op, Op.IMPORT_MODULE)
            if module >= 0:
                imports.append(
                    Import(
                        "".join(texts[module].split()),
                        tree.role(op, Op.IMPORT_STAR) >= 0,
                        tree.role(op, Op.IMPORT_STATIC) >= 0,
                        module,
                    )
                )
    return package, tuple(imports)


def type_variables(tree: Tree) -> tuple[str, ...]:
    """Return the type parameters that the definition of a region declares, in order."""
    return tuple(tree.texts[op] for op in tree.tops() if tree.kinds[op] == Op.TYPE_PARAMETER)


def dimensions_of(tree: Tree, op: int) -> int:
    """Return how many dimensions the DIMENSIONS right below `op` add."""
    return sum(tree.texts[at].count("[") for at in tree.roles(op, Op.DIMENSIONS))


def _type_head(tree: Tree) -> TypeHead:
    bases = []
    for op in tree.tops():
        kind = tree.kinds[op]
        if kind in (Op.INHERIT, Op.IMPLEMENT):
            base = tree.expression(op)
            if base >= 0:
                bases.append((Op(kind), base))
    return TypeHead(type_variables(tree), tuple(bases))


def _method(unit: Unit, number: int) -> Method:
    tree = unit.tree(number)
    own = unit.facts.regions[number].declarations[0]
    parameters: list[Parameter] = []
    variables: list[str] = []
    variadic = has_body = False
    result = -1
    for op in tree.tops():
        kind = tree.kinds[op]
        if kind == Op.PARAMETER:
            parameters.append(read_parameter(tree, op))
            variadic = tree.texts[op] == "rest"
        elif kind == Op.RETURN_TYPE:
            result = tree.expression(op)
        elif kind == Op.TYPE_PARAMETER:
            variables.append(tree.texts[op])
        elif kind == Op.SCOPE:
            has_body = True
    parent = unit.parent(number)
    if not parameters and own.kind == SymbolKind.CONSTRUCTOR and own.signature.find("(") < 0:
        parameters = _components(unit, parent)
    return Method(
        unit.path,
        unit.name(parent),
        number,
        unit.name(number),
        own.name,
        tuple(parameters),
        variadic,
        result,
        own.modifiers,
        tuple(variables),
        has_body,
    )


def read_parameter(tree: Tree, op: int) -> Parameter:
    """Read a PARAMETER op; one that takes the rest has one more dimension."""
    role = tree.role(op, Op.TYPE)
    dimensions = dimensions_of(tree, op) + (tree.texts[op] == "rest")
    return Parameter(
        tree.text(op, Op.PARAMETER_NAME),
        tree.expression(role) if role >= 0 else -1,
        dimensions,
    )


def _components(unit: Unit, number: int) -> list[Parameter]:
    """Components of a record: the parameters of a constructor that is written without any.

    Their types are written in the region of the record, so they are left open here.
    """
    tree = unit.tree(number)
    return [
        read_parameter(tree, op)._replace(type_op=-1)
        for op in tree.tops()
        if tree.kinds[op] == Op.PARAMETER
    ]


def _fields(of: DeclaredType) -> dict[str, Field]:
    tree = of.unit.tree(of.number)
    region = of.unit.facts.regions[of.number]
    light = {
        declaration.name: (source, declaration)
        for source, declaration in enumerate(region.declarations)
        if source and declaration.kind in FIELD_KINDS
    }
    fields: dict[str, Field] = {}
    for op in tree.tops():
        kind = tree.kinds[op]
        if kind == Op.PARAMETER:
            parameter = read_parameter(tree, op)
            _add(fields, of, parameter, light, -1)
        elif kind == Op.DECLARE:
            for name, dimensions, value in declared_names(tree, op):
                type_role = tree.role(op, Op.TYPE)
                type_op = tree.expression(type_role) if type_role >= 0 else -1
                _add(fields, of, Parameter(name, type_op, dimensions), light, value)
    return fields


def _add(
    fields: dict[str, Field],
    of: DeclaredType,
    what: Parameter,
    light: dict[str, tuple[int, Declaration]],
    value: int,
) -> None:
    found = light.get(what.name)
    if found is None or what.name in fields:
        return
    source, declaration = found
    fields[what.name] = Field(
        of.path,
        of.name,
        of.number,
        what.name,
        what.type_op,
        what.dimensions,
        value,
        source,
        declaration.modifiers,
        declaration.kind,
    )


def declared_names(tree: Tree, declare: int) -> list[tuple[str, int, int]]:
    """Return (name, dimensions, op of the value or -1) of the variables of a DECLARE."""
    names = []
    for child in tree.children(declare):
        kind = tree.kinds[child]
        if kind == Op.ASSIGN:
            target = tree.operand(child, Op.TARGET)
            if target >= 0:
                value = tree.operand(child, Op.VALUE)
                names.append((tree.texts[target], dimensions_of(tree, child), value))
        elif kind == Op.TARGET:
            target = tree.expression(child)
            if target >= 0:
                names.append((tree.texts[target], 0, -1))
        elif kind == Op.DIMENSIONS and names:
            name, _, value = names[-1]
            names[-1] = (name, tree.texts[child].count("["), value)
    return names


def expression_in(tree: Tree, role: int) -> int:
    """Return the expression of a role, also when annotations stand before it; -1 without one."""
    found = tree.expression(role)
    if found >= 0:
        return found
    for child in tree.children(role):
        if Op.NAME <= tree.kinds[child] < Op.ASSIGN:
            found = child
    return found
