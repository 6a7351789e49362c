"""One region while it is read: names of its blocks, types of its expressions, edges found."""

from __future__ import annotations

from typing import NamedTuple

from topomem.link.strategies.declared_packages.code import Code
from topomem.link.strategies.declared_packages.declarations import (
    TYPE_KINDS,
    DeclaredType,
    Field,
    Unit,
)
from topomem.link.strategies.declared_packages.types import ClassType, OutsideType, Type
from topomem.model.code import EdgeKind, External, LinkedEdge, Method, Target, Unresolved
from topomem.model.ids import FilePath, moniker

CERTAIN, CHOSEN, GUESSED = 0.98, 0.9, 0.6
"""Confidence of an edge whose types are all known, of one that a name alone leads to, and of one
that was chosen among several. Measured against the compiler's own answers."""


class TypeName(NamedTuple):
    """A type written where a value could stand: what is behind the dot is static."""

    type: Type


class Prefix(NamedTuple):
    """The beginning of a dotted name that is no type yet: a package."""

    text: str


Meaning = Type | TypeName | Prefix | None
"""What an expression stands for; a plain type is that of its value."""


NO_VALUES = (TypeName, Prefix)


def value_of(meaning: Meaning) -> Type | None:
    """Return the type of a value; what stands for no value has none."""
    return None if isinstance(meaning, NO_VALUES) else meaning


class Block:
    """Names of one block of a region, and the block around it."""

    __slots__ = ("names", "outer")

    def __init__(self, outer: Block | None) -> None:
        self.names: dict[str, Type | None] = {}
        self.outer = outer

    def find(self, name: str) -> Block | None:
        """Return the innermost block that binds `name`."""
        block: Block | None = self
        while block is not None:
            if name in block.names:
                return block
            block = block.outer
        return None


class Place(NamedTuple):
    """Where a name without a receiver stands: the innermost type around it in its file."""

    path: FilePath
    at: int


Found = tuple[bool, "Type | None", "Field | None"]
"""Whether a variable is visible, its type, and its field if it is one."""


class Function(NamedTuple):
    """A lambda that is being read: its op, and what it was seen to give."""

    op: int
    results: list[Type | None]


class Region:
    """What is known of a region while it is read, and the edges that leave it."""

    def __init__(self, code: Code, unit: Unit, number: int, blocks: dict[int, Block]) -> None:
        self.code = code
        self.unit = unit
        self.number = number
        self.path = unit.path
        self.tree = unit.tree(number)
        self.blocks = blocks  # by placement: the block in which its definition stands
        self.block = Block(None)
        self.edges: dict[tuple[int, EdgeKind, Target, int], LinkedEdge] = {}
        self.source = 0
        self.meanings: list[Meaning] = [None] * len(self.tree.kinds)
        self.functions: list[Function] = []
        at = number
        while at > 0 and unit.kind_at(at) not in TYPE_KINDS:
            at = unit.parent(at)
        self.place = Place(unit.path, at)
        declared = unit.type_around(number)
        self.declared = declared
        self.own: ClassType | None = None
        if declared is not None:
            plain = ClassType(declared.path, declared.name)
            self.own = plain._replace(arguments=code.own_arguments(plain))

    # edges

    def edge(
        self, kind: EdgeKind, op: int, target: Target, method: Method, confidence: float = CERTAIN
    ) -> None:
        """Note an edge that leaves the region."""
        key = (op, kind, target, self.source)
        if key not in self.edges:
            self.edges[key] = LinkedEdge(kind, op, target, confidence, method, self.source)

    def to_type(self, kind: EdgeKind, op: int, of: Type | None, method: Method) -> None:
        """Note an edge to a class of the repository or outside; other types are no targets."""
        if isinstance(of, ClassType):
            self.edge(kind, op, moniker(of.path, of.name), method)
        elif isinstance(of, OutsideType):
            self.edge(kind, op, External(of.name), Method.EXTERNAL)

    def unresolved(self, kind: EdgeKind, op: int, name: str) -> None:
        """Note a reference whose target is not known."""
        self.edge(kind, op, Unresolved(name), Method.UNRESOLVED, 0.0)

    # names

    def local(self, name: str) -> tuple[bool, Type | None]:
        """Return whether a block of this region binds `name`, and its type."""
        block = self.block.find(name)
        return (False, None) if block is None else (True, block.names[name])

    def variable(self, name: str) -> Found:
        """Return whether a variable `name` is visible, its type, and its field if it is one."""
        found, of = self.local(name)
        if found:
            return True, of, None
        if not self.blocks:
            unknown: Found = (False, None, None)
            code, place = self.code, self.place
            key = ("variable", place, name)
            return code.remember(key, lambda: _outer(code, place, name, {}), unknown)
        return _outer(self.code, self.place, name, self.blocks)

    def named_type(self, name: str) -> Type | None:
        """Return the type that a simple name means here."""
        return self.code.named(self.path, self.number, name)


def _outer(code: Code, place: Place, name: str, blocks: dict[int, Block]) -> Found:
    """Return what the types around a place, and the blocks they stand in, say of a variable."""
    unit, at = code.unit(place.path), place.at
    while at > 0:
        if unit.kind_at(at) in TYPE_KINDS:
            field = _field_of(code, unit.type_at(at), name)
            if field is not None:
                return True, code.field_type(*field), field[0]
            block = blocks.get(at)
            outer = None if block is None else block.find(name)
            if outer is not None:
                return True, outer.names[name], None
        at = unit.parent(at)
    return False, None, None


def _field_of(code: Code, declared: DeclaredType, name: str) -> tuple[Field, ClassType] | None:
    plain = ClassType(declared.path, declared.name)
    return code.field(plain._replace(arguments=code.own_arguments(plain)), name)
