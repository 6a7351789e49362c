"""What the reduced tree of a region says of decorators, calls and parameters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from topomem.model.code import Op, RegionFacts
from topomem.model.structure import PlacedRegion

_INWARD = {Op.MEMBER: Op.OBJECT, Op.INDEX: Op.OBJECT, Op.CALL: Op.CALLEE, Op.CONSTRUCT: Op.CALLEE}
"""The part of an expression that leads on to the name it begins with."""


class Tree:
    """The reduced tree of one region, downwards."""

    def __init__(self, facts: RegionFacts) -> None:
        self.facts = facts

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for at, parent in enumerate(self.facts.parents):
            found.setdefault(parent, []).append(at)
        return found

    def children(self, at: int, kind: Op | None = None) -> list[int]:
        """Return the ops right below one (-1: the top), of one kind or of all."""
        found = self._children.get(at, [])
        return found if kind is None else [one for one in found if self.facts.kinds[one] == kind]

    def of_kind(self, kind: Op) -> Iterator[int]:
        """Yield all ops of a kind, in order."""
        return (at for at, one in enumerate(self.facts.kinds) if one == kind)

    def chain(self, at: int) -> tuple[str, ...]:
        """Return the names of an expression such as `a.b(1).c`, calls left out: a, b, c.

        () where it does not begin with a name.
        """
        names: list[str] = []
        while True:
            kind = Op(self.facts.kinds[at])
            if kind is Op.NAME:
                return (self.facts.texts[at], *reversed(names))
            names += [self.facts.texts[one] for one in self.children(at, Op.MEMBER_NAME)]
            roles = self.children(at, _INWARD[kind]) if kind in _INWARD else []
            inner = self.children(roles[0]) if roles else []
            if not inner and kind is Op.TRANSPARENT:
                inner = self.children(at)
            if not inner:
                return ()
            at = inner[0]

    def callee(self, call: int) -> tuple[str, ...]:
        """Return the names of what is called."""
        roles = self.children(call, Op.CALLEE)
        inner = self.children(roles[0]) if roles else []
        return self.chain(inner[0]) if inner else ()

    def arguments(self, call: int) -> list[int]:
        """Return the expressions that are handed over by position."""
        roles = self.children(call, Op.ARGUMENT)
        return [inner[0] for role in roles if (inner := self.children(role))]

    def keyword(self, call: int, name: str) -> int | None:
        """Return the value of a keyword argument."""
        for role in self.children(call, Op.KEYWORD):
            names = self.children(role, Op.KEYWORD_NAME)
            if names and self.facts.texts[names[0]] == name:
                values = self.children(role, Op.VALUE)
                inner = self.children(values[0]) if values else []
                return inner[0] if inner else None
        return None

    def text(self, at: int | None) -> str:
        """Return what a written string says; `` for anything else."""
        if at is None or self.facts.kinds[at] != Op.STRING_VALUE:
            return ""
        return self.facts.texts[at]

    def decorators(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield the names and the expression of each decorator of the region's definition."""
        if Op.DECORATOR not in self.facts.kinds:
            return
        for role in self.children(-1, Op.DECORATOR):
            inner = self.children(role)
            if inner and self.facts.kinds[inner[0]] == Op.CALLEE:
                inner = self.children(inner[0])
            if inner:
                yield self.chain(inner[0]), inner[0]

    def parameters(self) -> list[str]:
        """Return the names of the parameters of the region's definition."""
        if Op.PARAMETER not in self.facts.kinds:
            return []
        heads = self.children(-1, Op.PARAMETER)
        return [
            self.facts.texts[name] for at in heads for name in self.children(at, Op.PARAMETER_NAME)
        ]

    def end(self, at: int) -> int:
        """Return the number behind the last op inside one."""
        return bisect_left(self.facts.starts, self.facts.ends[at], at + 1)


class Lines:
    """From rows of a region, which do not count those of nested ones, to lines of the file."""

    def __init__(self, region: PlacedRegion, nested: Sequence[PlacedRegion]) -> None:
        self._region = region
        self._nested = nested
        self._defines = [
            start
            for start, kind in zip(region.facts.starts, region.facts.kinds, strict=True)
            if kind == Op.DEFINE
        ]

    def first(self, at: int) -> int:
        """Return the line on which an op begins."""
        before = bisect_left(self._defines, self._region.facts.starts[at])
        return self._region.start_line + self._region.facts.rows[at] + self._hidden(before)

    def last(self, at: int) -> int:
        """Return the line on which an op begins, or ends where it stands for a nested region."""
        if self._region.facts.kinds[at] != Op.DEFINE:
            return self.first(at)
        before = bisect_left(self._defines, self._region.facts.starts[at]) + 1
        return self._region.start_line + self._region.facts.rows[at] + self._hidden(before)

    def _hidden(self, count: int) -> int:
        if not count or count > len(self._nested):
            return 0
        return self._nested[count - 1].hidden_rows
