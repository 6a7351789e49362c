"""What declarations and assignments make of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.declared_packages.declarations import (
    TYPE_KINDS,
    declared_names,
    dimensions_of,
)
from topomem.link.strategies.declared_packages.function_values import expected
from topomem.link.strategies.declared_packages.region import value_of
from topomem.link.strategies.declared_packages.types import (
    ArrayType,
    OutsideType,
    wrapped,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.region import Region
    from topomem.link.strategies.declared_packages.types import Type

ITERABLE = "java.lang.Iterable"


def typed(region: Region, role: int) -> Type | None:
    """Return the type of the expression of a role, None without one."""
    if role < 0:
        return None
    at = region.tree.expression(role)
    return value_of(region.meanings[at]) if at >= 0 else None


def of_fields(region: Region, op: int) -> bool:
    """Tell whether a DECLARE declares fields of the type that the region is."""
    return region.tree.parents[op] < 0 and region.unit.kind_at(region.number) in TYPE_KINDS


def declare(region: Region, op: int) -> bool:
    """Begin a declaration: what it says is said by its first field."""
    if of_fields(region, op):
        names = declared_names(region.tree, op)
        if names:
            _speak_as(region, names[0][0])
    return False


def _speak_as(region: Region, name: str) -> None:
    declarations = region.unit.facts.regions[region.number].declarations
    for source, declaration in enumerate(declarations):
        if source and declaration.name == name:
            region.source = source
            return


def begin_assign(region: Region, op: int) -> bool:
    """Begin an assignment: the value of a field is said by that field."""
    tree = region.tree
    parent = tree.parents[op]
    if parent >= 0 and tree.kinds[parent] == Op.DECLARE and of_fields(region, parent):
        target = tree.operand(op, Op.TARGET)
        if target >= 0:
            _speak_as(region, tree.texts[target])
    return False


def end_declare(region: Region, _op: int) -> None:
    """End a declaration."""
    region.source = 0


def written_type(region: Region, op: int) -> Type | None:
    """Return the written type of a statement, None where it is left to the value."""
    tree = region.tree
    role = tree.role(op, Op.TYPE)
    if role < 0 or (tree.kinds[role + 1] == Op.NAME and tree.texts[role + 1] == "var"):
        return None
    of = region.meanings[role]
    return value_of(of)


def assign(region: Region, op: int) -> None:
    """Bind the name of a declaration; give an assignment the type of its value."""
    tree = region.tree
    if tree.texts[op] == "pattern":
        _bind(region, tree.operand(op, Op.TARGET), written_type(region, op))
        return
    parent = tree.parents[op]
    if parent >= 0 and tree.kinds[parent] == Op.DECLARE:
        if not of_fields(region, parent):
            of = written_type(region, parent)
            role = tree.role(op, Op.VALUE)
            of = typed(region, role) if of is None else wrapped(of, dimensions_of(tree, op))
            _bind(region, tree.operand(op, Op.TARGET), of)
        return
    region.meanings[op] = typed(region, tree.role(op, Op.TARGET))


def augment(region: Region, op: int) -> None:
    """Give `x += y` and `x++` the type of their target."""
    region.meanings[op] = typed(region, region.tree.role(op, Op.TARGET))


def _bind(region: Region, target: int, of: Type | None) -> None:
    if target >= 0:
        region.block.names[region.tree.texts[target]] = of


def target(region: Region, op: int) -> None:
    """Bind the name of a declaration without a value."""
    tree = region.tree
    parent = tree.parents[op]
    if parent < 0:
        return
    kind = tree.kinds[parent]
    if kind == Op.DECLARE and not of_fields(region, parent):
        following = tree.last[op] + 1
        brackets = 0
        if following <= tree.last[parent] and tree.kinds[following] == Op.DIMENSIONS:
            brackets = tree.texts[following].count("[")
        _bind(region, tree.expression(op), wrapped(written_type(region, parent), brackets))
    elif kind == Op.CATCH:
        types = tree.roles(parent, Op.TYPE)
        of = value_of(region.meanings[types[0]]) if len(types) == 1 else None
        _bind(region, tree.expression(op), of or OutsideType("java.lang.Throwable"))


def value(region: Region, op: int) -> None:
    """Bind what takes each element of a value, once the value is known."""
    tree = region.tree
    parent = tree.parents[op]
    if parent >= 0 and tree.kinds[parent] == Op.ITERATE:
        of = written_type(region, parent)
        if of is None:
            of = element_of(region, typed(region, op))
        _bind(region, tree.operand(parent, Op.TARGET), of)


def element_of(region: Region, of: Type | None) -> Type | None:
    """Return the type of the elements of an array or of anything that can be iterated over."""
    if isinstance(of, ArrayType):
        return of.element
    for up in region.code.lineage(of):
        if isinstance(up, OutsideType) and up.name == ITERABLE and up.arguments:
            return up.arguments[0]
    return None


def enter(region: Region, op: int) -> None:
    """Bind a resource."""
    tree = region.tree
    of = written_type(region, op)
    if of is None:
        of = typed(region, tree.role(op, Op.VALUE))
    _bind(region, tree.operand(op, Op.TARGET), of)


def parameter(region: Region, op: int) -> None:
    """Bind a parameter of the region's function or of a lambda."""
    tree = region.tree
    name = tree.text(op, Op.PARAMETER_NAME)
    of = written_type(region, op)
    if of is not None:
        extra = dimensions_of(tree, op) + (tree.texts[op] == "rest")
        of = wrapped(of, extra)
    elif tree.parents[op] >= 0 and tree.kinds[tree.parents[op]] == Op.LAMBDA:
        of = expected(region, tree.parents[op], op)
    region.block.names[name] = of


def result(region: Region, op: int) -> None:
    """Note what a lambda gives."""
    if not region.functions:
        return
    tree = region.tree
    if tree.kinds[op] == Op.RESULT:
        region.functions[-1].results.append(typed(region, op))
    else:
        role = tree.role(op, Op.VALUE)
        if role >= 0:
            region.functions[-1].results.append(typed(region, role))
