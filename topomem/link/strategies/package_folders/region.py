"""One region while it is read: names of its blocks, meanings of its expressions, edges found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.package_folders.meanings import Package, Routine, TypeName
from topomem.link.strategies.package_folders.types import Several, Type, single
from topomem.model.code import EdgeKind, LinkedEdge, Method, Op, Target

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.code import Code
    from topomem.link.strategies.package_folders.declarations import Unit

CERTAIN, LIKELY = 0.98, 0.9
"""Confidence of an edge whose types are all known, and of one that follows from the shapes of
types alone. Measured against the compiler's own answers."""


class Builtin(NamedTuple):
    """A function of the language itself."""

    word: str
    tag: str = "builtin"


Meaning = Type | TypeName | Package | Routine | Builtin | None
"""What an expression stands for; a plain type is that of its value."""


class Block:
    """Names of one block of a region, and the block around it."""

    __slots__ = ("names", "outer")

    def __init__(self, outer: Block | None) -> None:
        self.names: dict[str, Meaning] = {}
        self.outer = outer

    def find(self, name: str) -> Block | None:
        """Return the innermost block that binds `name`."""
        block: Block | None = self
        while block is not None:
            if name in block.names:
                return block
            block = block.outer
        return None


class Region:
    """What is known of a region while it is read, and the edges that leave it."""

    def __init__(self, code: Code, unit: Unit, number: int) -> None:
        self.code = code
        self.unit = unit
        self.number = number
        self.path = unit.path
        self.tree = unit.tree(number)
        self.block = Block(None)
        self.edges: list[LinkedEdge] = []
        self.source = 0
        self.meanings: list[Meaning] = [None] * len(self.tree.kinds)

    def edge(
        self, kind: EdgeKind, op: int, target: Target, method: Method, confidence: float = CERTAIN
    ) -> None:
        """Note an edge that leaves the region."""
        self.edges.append(LinkedEdge(kind, op, target, confidence, method, self.source))

    def value(self, role: int) -> Meaning:
        """Return the meaning of the expression of a role."""
        at = self.tree.expression(role) if role >= 0 else -1
        return self.meanings[at] if at >= 0 else None

    def typed(self, role: int) -> Type | None:
        """Return the type of the value of a role, None where it is no single value."""
        return single(self.type_of(self.value(role)))

    def type_of(self, meaning: Meaning) -> Type | None:
        """Return the type of a value; a function's own type for a function."""
        if isinstance(meaning, Routine):
            return self.code.type_of_function(meaning)
        if isinstance(meaning, TypeName | Package | Builtin):
            return None
        return meaning

    def types_of(self, statement: int) -> list[Type | None]:
        """Return the types of the values of a statement; of several results, each."""
        roles = self.tree.roles(statement, Op.VALUE)
        if len(roles) == 1:
            of = self.type_of(self.value(roles[0]))
            if isinstance(of, Several):
                return list(of.types)
        return [self.typed(role) for role in roles]
