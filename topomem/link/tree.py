"""The reduced tree of one region, made easy to walk. A pure function of its facts."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from topomem.model.code import EXPRESSIONS, Op, RegionFacts

OPENERS = frozenset({Op.SCOPE, Op.LAMBDA, Op.COMPREHENSION, Op.FUNCTION_TYPE, Op.HEAD})
"""Ops that open a scope of their own inside a region."""

FIRST_EXPRESSION = 32
VALUED = frozenset({*EXPRESSIONS, Op.ASSIGN, Op.AUGMENT, Op.YIELD, Op.YIELD_FROM})
"""Ops that may stand in a role and have a value."""


class Tree:
    """Columns of a region's ops, with what is needed to move among them.

    `last[i]` is the last op below `i` (`i` itself for a leaf); `block[i]` the innermost op that
    opens a scope around `i`, -1 for the region itself.
    """

    __slots__ = ("block", "ends", "facts", "kinds", "last", "parents", "starts", "texts")

    def __init__(self, facts: RegionFacts) -> None:
        self.facts = facts
        self.kinds = facts.kinds
        self.parents = facts.parents
        self.starts = facts.starts
        self.ends = facts.ends
        self.texts = facts.texts
        self.last = _last(facts.parents)

    def __getattr__(self, name: str) -> list[int]:
        if name != "block":
            raise AttributeError(name)
        self.block = _blocks(self.kinds, self.parents)  # most readers of types never ask
        return self.block

    def children(self, op: int) -> Iterator[int]:
        """Yield the ops right below `op`, in order of the text."""
        last, child, end = self.last, op + 1, self.last[op]
        while child <= end:
            yield child
            child = last[child] + 1

    def tops(self) -> Iterator[int]:
        """Yield the ops that have no parent."""
        last, op, count = self.last, 0, len(self.kinds)
        while op < count:
            yield op
            op = last[op] + 1

    def role(self, op: int, kind: Op) -> int:
        """Return the first child of this kind, -1 without one."""
        kinds = self.kinds
        for child in self.children(op):
            if kinds[child] == kind:
                return child
        return -1

    def roles(self, op: int, kind: Op) -> list[int]:
        """Return all children of this kind."""
        kinds = self.kinds
        return [child for child in self.children(op) if kinds[child] == kind]

    def text(self, op: int, kind: Op) -> str:
        """Return the text of the first child of this kind, `` without one."""
        child = self.role(op, kind)
        return self.texts[child] if child >= 0 else ""

    def expression(self, role: int) -> int:
        """Return the expression that a role stands for, -1 when it is opaque.

        That is the expression right below it with exactly its range.
        """
        child = role + 1
        if (
            child < len(self.kinds)
            and self.parents[child] == role
            and self.starts[child] == self.starts[role]
            and self.ends[child] == self.ends[role]
            and self.kinds[child] in VALUED
        ):
            return child
        return -1

    def inner(self, op: int) -> int:
        """Return the first valued expression right below an op, -1 when there is none."""
        for child in self.children(op):
            if self.kinds[child] in VALUED:
                return child
            if self.kinds[child] < FIRST_EXPRESSION and self.expression(child) >= 0:
                return self.expression(child)
        return -1

    def operand(self, op: int, kind: Op) -> int:
        """Return the expression in the first role of this kind, -1 without one."""
        role = self.role(op, kind)
        return self.expression(role) if role >= 0 else -1

    def role_of(self, expression: int) -> int:
        """Return the role op that `expression` fills, -1 when it fills none."""
        parent = self.parents[expression]
        if (
            parent >= 0
            and self.kinds[parent] < FIRST_EXPRESSION
            and self.starts[parent] == self.starts[expression]
            and self.ends[parent] == self.ends[expression]
        ):
            return parent
        return -1

    def pair_name(self, pair: int) -> int:
        """Return the literal key of a pair, -1 when its key is an expression."""
        name = self.role(pair, Op.PAIR_NAME)
        if name < 0:
            key = self.role(pair, Op.KEY)
            name = self.role(key, Op.PAIR_NAME) if key >= 0 else -1
        return name

    def inside(self, op: int) -> range:
        """Return the ops of the subtree of `op`, itself first."""
        return range(op, self.last[op] + 1)

    def digest(self, ops: list[int]) -> bytes:
        """Return what the subtrees of `ops` say, wherever they stand in the region."""
        state = blake2b(digest_size=12)
        for op in ops:
            end = self.last[op] + 1
            shape = [
                (self.kinds[at], self.parents[at] - op, self.last[at] - at) for at in range(op, end)
            ]
            state.update(repr((shape, self.texts[op:end])).encode("utf-8", "surrogatepass"))
        return state.digest()


def _last(parents: tuple[int, ...]) -> list[int]:
    last = list(range(len(parents)))
    for op in range(len(parents) - 1, 0, -1):
        parent = parents[op]
        if parent >= 0 and last[parent] < last[op]:
            last[parent] = last[op]
    return last


def _blocks(kinds: bytes, parents: tuple[int, ...]) -> list[int]:
    block = [-1] * len(kinds)
    openers = OPENERS
    for op, parent in enumerate(parents):
        if parent >= 0:
            block[op] = parent if kinds[parent] in openers else block[parent]
    return block
