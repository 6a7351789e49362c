"""What one file declares: its package, imports, names and methods. A pure function of it."""

from __future__ import annotations

from typing import NamedTuple

from topomem.link.tree import Tree
from topomem.link.views import FileView, own_name
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

TYPE_KINDS = frozenset({SymbolKind.STRUCT, SymbolKind.INTERFACE})
TEST_FILE = "_test.go"
TEST_PACKAGE = "_test"


class Import(NamedTuple):
    """One import: the path as written, the local name (`` when none is written)."""

    path: str
    alias: str
    star: bool
    op: int


class Top(NamedTuple):
    """A name of the package: a placement, or a light declaration of the module.

    `number` is the placement (0 for light ones), `op` the DECLARE of a light one, `position` its
    place among the names of that statement, `source` the number of its declaration.
    """

    path: FilePath
    name: QualifiedName
    kind: SymbolKind
    number: int
    op: int = -1
    position: int = 0
    source: int = 0


class Slot(NamedTuple):
    """One parameter or result: its name (`` when it has none) and the op of its type."""

    name: str
    type_op: int
    rest: bool


class Header(NamedTuple):
    """The header of a function, a method or an interface's method; ops are of its region."""

    receiver: Slot | None
    variables: tuple[str, ...]
    parameters: tuple[Slot, ...]
    results: tuple[Slot, ...]


class Unit:
    """One file. Placements are numbered as in its blob."""

    def __init__(self, view: FileView) -> None:
        facts = view.facts
        self.facts = facts
        self.view = view
        self.path = facts.path
        self.is_test = facts.path.endswith(TEST_FILE)
        placements = facts.blob.placements
        self.nested = view.nested
        self.by_name = view.by_name
        self._trees: list[Tree | None] = [None] * len(placements)
        self._headers: dict[int, Header] = {}
        self.package = ""
        self.imports: tuple[Import, ...] = ()
        self.tops: dict[str, Top] = {}
        self.methods: dict[str, dict[str, int]] = {}
        if placements:
            self._read()

    def _read(self) -> None:
        tree = self.tree(0)
        imports = []
        for op in tree.tops():
            kind = tree.kinds[op]
            if kind == Op.PACKAGE:
                self.package = tree.texts[op]
            elif kind == Op.IMPORT:
                imports.append(_import(tree, op))
            elif kind == Op.DECLARE:
                self._light(tree, op)
        self.imports = tuple(imports)
        for number in self.nested[0]:
            own = self.facts.regions[number].declarations[0]
            word = own.name
            if own.owner:
                self.methods.setdefault(own.owner, {}).setdefault(word, number)
            elif word != "init" or own.kind != SymbolKind.FUNCTION:
                self.tops.setdefault(word, Top(self.path, self.name(number), own.kind, number))

    def _light(self, tree: Tree, op: int) -> None:
        declarations = self.facts.regions[0].declarations
        numbers = {one.name: source for source, one in enumerate(declarations) if source}
        for position, target in enumerate(tree.roles(op, Op.TARGET)):
            word = tree.texts[tree.expression(target)]
            source = numbers.get(word)
            if source is not None:
                kind = declarations[source].kind
                top = Top(self.path, QualifiedName(word), kind, 0, op, position, source)
                self.tops.setdefault(word, top)

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

    def owner(self, number: int) -> str:
        """Return the written receiver type of a method, `` for others."""
        return self.facts.regions[number].declarations[0].owner

    def types_in(self, number: int) -> dict[str, int]:
        """Return the structs and interfaces right inside a placement by name."""
        return {
            own_name(self.name(at)): at
            for at in reversed(self.nested[number])  # of several, the first
            if self.kind_at(at) in TYPE_KINDS
        }

    def header(self, number: int) -> Header:
        """Return the header of the function at a placement."""
        found = self._headers.get(number)
        if found is None:
            found = self._headers[number] = read_header(self.tree(number), -1)
        return found

    def body(self, number: int) -> int:
        """Return the op of the struct or interface type that a placement is, -1 without one."""
        tree = self.tree(number)
        for op in tree.tops():
            if tree.kinds[op] == Op.COLLECTION:
                return op
        return -1

    def variables(self, number: int, op: int = -1) -> tuple[str, ...]:
        """Return the type parameters that a definition, or a light declaration, declares."""
        tree = self.tree(number)
        ops = tree.tops() if op < 0 else tree.children(op)
        return tuple(tree.texts[at] for at in ops if tree.kinds[at] == Op.TYPE_PARAMETER)


def _import(tree: Tree, op: int) -> Import:
    return Import(
        tree.text(op, Op.IMPORT_MODULE),
        tree.text(op, Op.IMPORT_ALIAS),
        tree.role(op, Op.IMPORT_STAR) >= 0,
        max(tree.role(op, Op.IMPORT_MODULE), op),
    )


def read_header(tree: Tree, op: int) -> Header:
    """Read the header of a region's function (-1), of a function literal or a function type."""
    receiver: Slot | None = None
    variables: list[str] = []
    parameters: list[Slot] = []
    results: list[Slot] = []
    for at in tree.tops() if op < 0 else tree.children(op):
        kind = tree.kinds[at]
        if kind == Op.PARAMETER:
            slots = _slots(tree, at)
            if tree.texts[at] == "receiver":
                receiver = slots[0]
            else:
                parameters.extend(slots)
        elif kind == Op.TYPE_PARAMETER:
            variables.append(tree.texts[at])
        elif kind == Op.RETURN_TYPE:
            results.extend(_results(tree, at))
    return Header(receiver, tuple(variables), tuple(parameters), tuple(results))


def _slots(tree: Tree, op: int) -> list[Slot]:
    role = tree.role(op, Op.TYPE)
    type_op = tree.expression(role) if role >= 0 else -1
    names = [tree.texts[at] for at in tree.roles(op, Op.PARAMETER_NAME)]
    rest = tree.texts[op] == "rest"
    return [Slot(name, type_op, rest) for name in names or [""]]


def _results(tree: Tree, role: int) -> list[Slot]:
    listed = tree.roles(role, Op.PARAMETER)
    if listed:
        return [slot for at in listed for slot in _slots(tree, at)]
    expression = tree.expression(role)
    return [Slot("", expression, rest=False)] if expression >= 0 else []


def expression_in(tree: Tree, role: int) -> int:
    """Return the expression inside a role, pointer or pair of brackets, -1 without one."""
    found = tree.expression(role)
    if found >= 0:
        return found
    for child in tree.children(role):
        if Op.NAME <= tree.kinds[child] < Op.ASSIGN:
            return child
    return -1
