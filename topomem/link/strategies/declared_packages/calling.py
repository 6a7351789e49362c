"""Calls and new objects, and what is thrown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.declared_packages.naming import how, last_name_op
from topomem.link.strategies.declared_packages.overloads import choose
from topomem.link.strategies.declared_packages.region import (
    CERTAIN,
    GUESSED,
    TypeName,
    value_of,
)
from topomem.link.strategies.declared_packages.resolution import (
    Called,
    Types,
    of_parent,
    on_value,
    resolve,
    unqualified,
)
from topomem.link.strategies.declared_packages.types import (
    OBJECT,
    ClassType,
    OutsideType,
    Type,
)
from topomem.model.code import EdgeKind, External, Method, Op
from topomem.model.ids import moniker

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.region import Region


class Parts(NamedTuple):
    """The parts of a call: ops, -1 where it has none, and what it is given."""

    name_op: int  # the name that is called, or `this` or `super`
    object: int  # the expression before the dot
    parent: int  # `super` behind the name of a type
    arguments: Types
    written: Types


def parts_of(region: Region, op: int) -> Parts:
    """Take a call or a new object apart; arguments that were not read yet have no type."""
    tree, meanings = region.tree, region.meanings
    kinds, last, starts, ends = tree.kinds, tree.last, tree.starts, tree.ends
    name_op = holder = parent = -1
    arguments: list[Type | None] = []
    written: list[Type | None] = []
    child, end = op + 1, last[op]
    while child <= end:
        kind = kinds[child]
        if kind == Op.ARGUMENT:
            inner = child + 1
            whole = starts[inner] == starts[child] and ends[inner] == ends[child]
            arguments.append(value_of(meanings[inner]) if whole else None)
        elif kind == Op.MEMBER_NAME:
            name_op = child
        elif kind == Op.CALLEE:
            name_op = child + 1
        elif kind == Op.OBJECT:
            holder = tree.expression(child)
        elif kind == Op.PARENT:
            parent = child
        elif kind == Op.KEY:
            written.append(value_of(meanings[child]))
        child = last[child] + 1
    return Parts(name_op, holder, parent, tuple(arguments), tuple(written))


def call(region: Region, op: int) -> None:
    """Resolve a call and give it the type of its result."""
    parts = parts_of(region, op)
    name_op = parts.name_op
    if name_op < 0:
        return
    tree = region.tree
    if tree.kinds[name_op] not in (Op.NAME, Op.MEMBER_NAME):
        _own_constructor(region, parts)
        return
    word = tree.texts[name_op]
    found = resolve(
        region.code, looked_for(region, parts, word), word, parts.arguments, parts.written
    )
    region.edge(EdgeKind.CALLS, name_op, found.target, found.how, found.confidence)
    region.meanings[op] = found.result


def looked_for(region: Region, parts: Parts, word: str) -> Called:
    """Return where the method of a call is looked for."""
    if parts.object < 0:
        return unqualified(region.code, region.place, word)
    holder = region.meanings[parts.object]
    of = holder.type if isinstance(holder, TypeName) else value_of(holder)
    if region.own is not None:
        if region.tree.kinds[parts.object] == Op.PARENT:
            return of_parent(region.code, region.own, word)
        if parts.parent >= 0 and isinstance(of, ClassType) and of[:2] == region.own[:2]:
            return of_parent(region.code, region.own, word)
    return on_value(region.code, of, word)


# constructors


def construct(region: Region, op: int) -> None:
    """Resolve a new object."""
    tree = region.tree
    role = tree.role(op, Op.CALLEE)
    if role < 0:
        return
    parts = parts_of(region, op)
    of = value_of(region.meanings[role])
    name_op = last_name_op(region, tree.expression(role))
    if parts.object >= 0 and not isinstance(of, ClassType):
        holder = value_of(region.meanings[parts.object])
        if isinstance(holder, ClassType):
            of = region.code.member_type(holder, tree.texts[name_op]) or of
    region.meanings[op] = of
    region.to_type(EdgeKind.CONSTRUCTS, name_op, of, how(region, of))
    if isinstance(of, ClassType):
        anonymous = any(tree.kinds[child] == Op.DEFINE for child in tree.children(op))
        to_constructor(region, name_op, of, parts.arguments, anonymous=anonymous)


def to_constructor(
    region: Region, name_op: int, of: ClassType, arguments: Types, *, anonymous: bool = False
) -> None:
    """Note the call of a constructor of `of`: the one that is written, else the class itself."""
    chosen = None
    if not anonymous:
        chosen = choose(region.code, region.code.constructors(of), arguments)
    if chosen is None:
        region.edge(EdgeKind.CALLS, name_op, moniker(of.path, of.name), how(region, of))
        return
    target = moniker(chosen.method.path, chosen.method.name)
    confidence = CERTAIN if chosen.sure else GUESSED
    region.edge(EdgeKind.CALLS, name_op, target, how(region, of), confidence)


def _own_constructor(region: Region, parts: Parts) -> None:
    """Note the call of `this(...)` or `super(...)`."""
    own = region.own
    if own is None:
        return
    of: Type | None = own
    if region.tree.kinds[parts.name_op] == Op.PARENT:
        bases = region.code.bases(own)
        of = bases[0] if bases else OBJECT
    if isinstance(of, ClassType):
        to_constructor(region, parts.name_op, of, parts.arguments)
    elif isinstance(of, OutsideType):
        region.edge(EdgeKind.CALLS, parts.name_op, External(of.name), Method.EXTERNAL)


# what is thrown


def raised(region: Region, op: int) -> None:
    """Note what is thrown, or declared to be."""
    tree = region.tree
    role = tree.role(op, Op.VALUE)
    if role >= 0:
        at = tree.expression(role)
        of = value_of(region.meanings[at]) if at >= 0 else None
        region.to_type(EdgeKind.RAISES, max(at, role), of, Method.RECEIVER)
        return
    for declared in tree.roles(op, Op.TYPE):
        of = value_of(region.meanings[declared])
        region.to_type(EdgeKind.RAISES, declared, of, how(region, of))
