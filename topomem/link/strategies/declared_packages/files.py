"""The edges of one file: what it imports, what its headers say, what its regions refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.declared_packages.bodies import read_region
from topomem.link.strategies.declared_packages.declarations import TYPE_KINDS
from topomem.link.strategies.declared_packages.types import ClassType, OutsideType
from topomem.model.code import (
    EdgeKind,
    External,
    LinkedEdge,
    Method,
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


def link_file(code: Code, path: FilePath) -> list[tuple[LinkedEdge, ...]]:
    """Return the edges of a file's regions, parallel to its placements."""
    unit = code.unit(path)
    blocks: dict[int, Block] = {}
    found: list[tuple[LinkedEdge, ...]] = []
    for number in range(len(unit.facts.blob.placements)):
        edges = list(read_region(code, unit, number, blocks).edges)
        if number == 0:
            edges.extend(_imports(code, unit))
        elif unit.kind_at(number) == SymbolKind.METHOD:
            edges.extend(_overrides(code, unit, number))
        found.append(tuple(edges))
    return found


def _imports(code: Code, unit: Unit) -> list[LinkedEdge]:
    return [edge for form in unit.imports for edge in _import(code, unit.path, form)]


def _import(code: Code, path: FilePath, form: Import) -> list[LinkedEdge]:
    owner, _, word = form.name.rpartition(".")
    if form.static and not form.star:
        holder = code.dotted_type(path, owner)
        if holder is not None:
            return [_to_type(form, holder), *_static(code, form, holder, word)]
    else:
        found = code.dotted_type(path, form.name)
        if found is not None:
            return [_to_type(form, found)]
        if form.star and code.package(form.name):
            return []
    name = f"{form.name}.*" if form.star else form.name
    return [LinkedEdge(EdgeKind.IMPORTS, form.op, External(name), CERTAIN, Method.EXTERNAL)]


def _to_type(form: Import, of: ClassType) -> LinkedEdge:
    target = moniker(of.path, of.name)
    return LinkedEdge(EdgeKind.IMPORTS, form.op, target, CERTAIN, Method.IMPORT)


def _static(code: Code, form: Import, holder: ClassType, word: str) -> list[LinkedEdge]:
    targets = [moniker(method.path, method.name) for method, _ in code.methods(holder, word)]
    field = code.field(holder, word)
    if field is not None:
        targets.append(moniker(field[0].path, f"{field[0].owner}.{word}"))  # type: ignore[arg-type]
    inner = code.member_type(holder, word)
    if inner is not None:
        targets.append(moniker(inner.path, inner.name))
    return [
        LinkedEdge(EdgeKind.IMPORTS, form.op, target, CERTAIN, Method.IMPORT)
        for target in targets
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
