"""The edges of one placement.

What it contains and replaces, what its file imports, what its text refers to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.declared_packages.bodies import read_region
from topomem.link.strategies.declared_packages.declarations import TYPE_KINDS
from topomem.link.strategies.declared_packages.types import ClassType, OutsideType
from topomem.model.code import (
    EdgeKind,
    External,
    LinkedEdge,
    Method,
    Op,
    SymbolKind,
)
from topomem.model.ids import FilePath, moniker

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.declarations import Import, Unit
    from topomem.link.strategies.declared_packages.region import Block

CERTAIN = 0.98

FIXED = frozenset({"private", "static"})
"""Modifiers of methods that override nothing."""


def edges_of(code: Code, path: FilePath, number: int) -> tuple[LinkedEdge, ...]:
    """Return the edges of a placement in order of op, kind and target, each once."""
    unit = code.unit(path)
    edges = [*_read(code, unit, number).edges, *_contains(unit, number)]
    if number == 0:
        edges.extend(dict.fromkeys(_imports(code, unit)))
    elif unit.kind_at(number) == SymbolKind.METHOD:
        edges.extend(_overrides(code, unit, number))
    edges.sort(key=_order)
    return tuple(edges)


def _order(edge: LinkedEdge) -> tuple[int, str, str, int]:
    target = edge.target
    name = target if isinstance(target, str) else target.name
    return (edge.op, edge.kind, name, edge.source)


class Reading(NamedTuple):
    """What reading a region gave: its edges, and the blocks that what is inside it stands in."""

    edges: tuple[LinkedEdge, ...]
    blocks: dict[int, Block]


def _read(code: Code, unit: Unit, number: int) -> Reading:
    """Read a region, after those whose blocks its own names may stand in."""
    key = ("region", unit.path, number)
    path = unit.path
    found = code.remember(key, lambda: _read_inside(code, code.unit(path), number), None)
    assert found is not None  # noqa: S101  regions stand in each other without circles
    return found


def _read_inside(code: Code, unit: Unit, number: int) -> Reading:
    blocks: dict[int, Block] = {}
    at = number
    while at > 0:
        outer = unit.parent(at)
        if outer > 0 and unit.kind_at(at) in TYPE_KINDS and _sees_blocks(unit, at, outer):
            code.world.asked.append(("inner", unit.path, unit.name(outer)))
            blocks.update(_read(code, unit, outer).blocks)
        at = outer
    return Reading(tuple(read_region(code, unit, number, blocks).edges.values()), blocks)


def _sees_blocks(unit: Unit, at: int, outer: int) -> bool:
    """Tell whether a type stands where names of blocks are visible."""
    return unit.kind_at(outer) not in TYPE_KINDS or not unit.type_at(at).own.name.isidentifier()


def _contains(unit: Unit, number: int) -> list[LinkedEdge]:
    tree = unit.tree(number)
    nested = unit.nested[number]
    found = []
    op = tree.kinds.find(Op.DEFINE)
    while op >= 0:
        ordinal = int(tree.texts[op])
        if ordinal < len(nested):
            target = moniker(unit.path, unit.name(nested[ordinal]))
            found.append(LinkedEdge(EdgeKind.CONTAINS, op, target, 1.0, Method.STRUCTURE))
        op = tree.kinds.find(Op.DEFINE, op + 1)
    return found


def _imports(code: Code, unit: Unit) -> list[LinkedEdge]:
    return [edge for form in unit.imports for edge in _import(code, unit.path, form)]


def _import(code: Code, path: FilePath, form: Import) -> list[LinkedEdge]:
    owner, _, word = form.name.rpartition(".")
    if form.static and not form.star:
        holder = code.dotted_type(path, owner)
        if holder is not None:
            return [*_outer(code, path, form, owner), *_static(code, form, holder, word)]
    else:
        found = code.dotted_type(path, form.name)
        if found is not None:
            return _outer(code, path, form, form.name)
        if form.star and code.has_package(form.name):
            return []
    name = f"{form.name}.*" if form.star else form.name
    return [LinkedEdge(EdgeKind.IMPORTS, form.op, External(name), CERTAIN, Method.EXTERNAL)]


def _outer(code: Code, path: FilePath, form: Import, name: str) -> list[LinkedEdge]:
    """Return the edges to the type with a full name and to those it stands in."""
    found = []
    of = code.dotted_type(path, name)
    while of is not None:
        found.append(_to_type(form, of))
        name = name.rpartition(".")[0]
        of = code.dotted_type(path, name) if name else None
    return found


def _to_type(form: Import, of: ClassType) -> LinkedEdge:
    target = moniker(of.path, of.name)
    return LinkedEdge(EdgeKind.IMPORTS, form.op, target, CERTAIN, Method.IMPORT)


def _static(code: Code, form: Import, holder: ClassType, word: str) -> list[LinkedEdge]:
    targets = [moniker(method.path, method.name) for method, _ in code.methods(holder, word)]
    field = code.field(holder, word)
    if field is not None:
        targets.append(moniker(field[0].path, code.field_name(field[0])))
    inner = code.member_type(holder, word)
    if inner is not None:
        targets.append(moniker(inner.path, inner.name))
    return [
        LinkedEdge(EdgeKind.IMPORTS, form.op, target, CERTAIN, Method.IMPORT) for target in targets
    ]


def _overrides(code: Code, unit: Unit, number: int) -> list[LinkedEdge]:
    """Return the edge to the nearest method that a method replaces, if there is one.

    Methods of anonymous classes have none: nobody can name them, they come and go with the place
    that constructs the class, and the edge from there to its base says what they stand for.
    """
    method = unit.method_at(number)
    parent = unit.parent(number)
    if not FIXED.isdisjoint(method.modifiers) or unit.kind_at(parent) not in TYPE_KINDS:
        return []
    if not unit.type_at(parent).own.name.isidentifier():
        return []
    own = code.type_at(unit.path, parent)
    shape = code.shape(method, own._replace(arguments=code.own_arguments(own)))
    word = method.word
    for holder in code.levels(own):
        if isinstance(holder, OutsideType):
            if code.library.declares(holder, word, shape):
                return []
            continue
        declared = code.declared(holder)
        for at in declared.methods.get(word, ()):
            other = declared.unit.method_at(at)
            if not FIXED.isdisjoint(other.modifiers):
                continue
            if len(other.parameters) == len(shape) and code.shape(other, holder) == shape:
                target = moniker(other.path, other.name)
                return [LinkedEdge(EdgeKind.OVERRIDES, -1, target, CERTAIN, Method.STRUCTURE)]
    return []
