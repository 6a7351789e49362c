"""The edges of one placement.

What it contains, what its file imports, which interfaces its type satisfies, what its text
refers to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.bodies import read_region
from topomem.link.strategies.package_folders.declarations import TYPE_KINDS
from topomem.link.strategies.package_folders.interfaces import satisfied
from topomem.link.strategies.package_folders.region import CERTAIN, LIKELY
from topomem.link.strategies.package_folders.types import Named
from topomem.model.code import EdgeKind, External, LinkedEdge, Method, Op, SymbolKind
from topomem.model.ids import QualifiedName, moniker

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.code import Code
    from topomem.link.strategies.package_folders.declarations import Import, Unit
    from topomem.model.ids import FilePath

MOST_FILES = 64
"""Files of one package that an import is said to import."""


def edges_of(code: Code, path: FilePath, number: int) -> tuple[LinkedEdge, ...]:
    """Return the edges of a placement in order of op, kind and target, each once."""
    unit = code.unit(path)
    edges = {*read_region(code, unit, number).edges, *_contains(unit, number)}
    if number == 0:
        edges.update(edge for form in unit.imports for edge in _import(code, unit, form))
        edges.update(_light_types(code, unit))
    elif unit.kind_at(number) in TYPE_KINDS:
        edges.update(_satisfies(code, Named(path, unit.name(number)), 0))
    elif unit.owner(number):
        edges.update(_replaces(code, unit, number))
    return tuple(sorted(edges, key=_order))


def _order(edge: LinkedEdge) -> tuple[object, ...]:
    return (edge.op, edge.kind, str(edge.target), edge.source, -edge.confidence, edge.method)


def _contains(unit: Unit, number: int) -> list[LinkedEdge]:
    tree = unit.tree(number)
    nested = unit.nested[number]
    found = []
    for op, kind in enumerate(tree.kinds):
        if kind == Op.DEFINE and int(tree.texts[op]) < len(nested):
            target = moniker(unit.path, unit.name(nested[int(tree.texts[op])]))
            found.append(LinkedEdge(EdgeKind.CONTAINS, op, target, 1.0, Method.STRUCTURE))
    return found


# what the file imports


def _import(code: Code, unit: Unit, form: Import) -> list[LinkedEdge]:
    """Return the edges of an import: a package is all its files."""
    package = code.imported(unit.path, form.path)
    if package.folder is None:
        target = External(form.path)
        return [LinkedEdge(EdgeKind.IMPORTS, form.op, target, CERTAIN, Method.EXTERNAL)]
    code.world.asked.append(("package_name", package.folder, code.language))
    paths = [
        one.path
        for one in code.files(package.folder)
        if one.package == package.name and not one.is_test
    ]
    return [
        LinkedEdge(
            EdgeKind.IMPORTS, form.op, moniker(path, QualifiedName("")), CERTAIN, Method.IMPORT
        )
        for path in paths[:MOST_FILES]
    ]


# what the type satisfies


def _light_types(code: Code, unit: Unit) -> list[LinkedEdge]:
    """Return what the types satisfy that are no regions of their own."""
    return [
        edge
        for top in unit.tops.values()
        if top.kind == SymbolKind.TYPE_ALIAS and unit.tree(0).texts[top.op] == "type"
        for edge in _satisfies(code, Named(unit.path, top.name), top.source)
    ]


def _satisfies(code: Code, of: Named, source: int) -> list[LinkedEdge]:
    return [
        LinkedEdge(
            EdgeKind.IMPLEMENTS,
            -1,
            moniker(one.path, one.name),
            LIKELY if several else LIKELY - 0.2,
            Method.STRUCTURE,
            source,
        )
        for one, several in satisfied(code, of)
    ]


def _replaces(code: Code, unit: Unit, number: int) -> list[LinkedEdge]:
    """Return the edges from a method to those of the interfaces that its type satisfies."""
    owner = code.owner_type(unit, number)
    if owner is None:
        return []
    word = unit.facts.regions[number].declarations[0].name
    found = []
    for one, several in satisfied(code, owner._replace(arguments=())):
        there = code.unit(one.path)
        name = QualifiedName(f"{one.name}.{word}")
        if name in there.by_name:
            confidence = LIKELY if several else LIKELY - 0.2
            found.append(
                LinkedEdge(
                    EdgeKind.OVERRIDES, -1, moniker(one.path, name), confidence, Method.STRUCTURE
                )
            )
    return found
