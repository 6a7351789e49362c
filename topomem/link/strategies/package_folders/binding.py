"""What declarations and assignments make of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.declarations import TYPE_KINDS, read_header
from topomem.link.strategies.package_folders.meanings import TypeName
from topomem.link.strategies.package_folders.naming import uses
from topomem.link.strategies.package_folders.types import (
    BOOL,
    INT,
    RUNE,
    STRING,
    Basic,
    Channel,
    Function,
    Listed,
    Mapped,
    Named,
    Pointer,
    Type,
)
from topomem.link.views import own_name
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.region import Region


def define(region: Region, op: int) -> bool:
    """Bind the name of a type that is declared inside a function."""
    nested = region.unit.nested[region.number]
    text = region.tree.texts[op]
    ordinal = int(text) if text.isdigit() else -1
    if region.number and 0 <= ordinal < len(nested):
        number = nested[ordinal]
        if region.unit.kind_at(number) in TYPE_KINDS:
            name = region.unit.name(number)
            region.block.names[own_name(name)] = TypeName(Named(region.path, name))
    return True


def results(region: Region, op: int) -> bool:
    """Read written results and bind their names."""
    tree = region.tree
    for at in tree.roles(op, Op.PARAMETER):
        _bind_parameter(region, at)
    uses(region, op)
    return True


def parameter(region: Region, op: int) -> None:
    """Bind a parameter of the region's function or of a function literal."""
    _bind_parameter(region, op)


def _bind_parameter(region: Region, op: int) -> None:
    tree = region.tree
    names = tree.roles(op, Op.PARAMETER_NAME)
    if not names:
        return
    of = region.code.written(region.path, region.number, tree.operand(op, Op.TYPE))
    if tree.texts[op] == "rest":
        of = Listed(of)
    for at in names:
        region.block.names[tree.texts[at]] = of


def begin_declare(region: Region, op: int) -> bool:
    """Begin a declaration: what it says is said by its first name."""
    tree = region.tree
    if tree.parents[op] >= 0 and region.number == 0:
        return False
    target = tree.operand(op, Op.TARGET)
    at = tree.parents[op]
    light = at < 0 or (tree.kinds[at] == Op.COLLECTION and tree.parents[at] < 0)
    if target >= 0 and light:
        for source, one in enumerate(region.unit.facts.regions[region.number].declarations):
            if source and one.name == tree.texts[target]:
                region.source = source
                break
    return False


def declare(region: Region, op: int) -> None:
    """Bind the names of a declaration inside a function."""
    tree = region.tree
    parent = tree.parents[op]
    if parent < 0 or tree.kinds[parent] == Op.COLLECTION:
        region.source = 0
        return
    text = tree.texts[op]
    role = tree.role(op, Op.TYPE)
    of = region.type_of(region.meanings[role]) if role >= 0 else None
    targets = [tree.expression(at) for at in tree.roles(op, Op.TARGET)]
    if text in ("type", "type_alias"):
        if targets:
            region.block.names[tree.texts[targets[0]]] = None if of is None else TypeName(of)
        return
    types = region.types_of(op)
    for at, target in enumerate(targets):
        own = of if role >= 0 else types[at] if at < len(types) else None
        region.block.names[tree.texts[target]] = own


def assign(region: Region, op: int) -> None:
    """Bind the names that `:=` declares."""
    tree = region.tree
    if tree.texts[op] != "declare":
        return
    targets = [tree.expression(at) for at in tree.roles(op, Op.TARGET)]
    types = region.types_of(op)
    if len(targets) > len(types):
        types = [*types, BOOL][: len(targets)] if len(types) == 1 else types
    for at, target in enumerate(targets):
        if target < 0 or tree.kinds[target] != Op.NAME:
            continue
        word = tree.texts[target]
        of = types[at] if at < len(types) else None
        if word != "_" and (of is not None or word not in region.block.names):
            region.block.names[word] = of


def iterate(region: Region, op: int) -> None:
    """Bind what takes each element."""
    tree = region.tree
    if tree.texts[op] != "declare":
        return
    pair = elements(region, region.typed(tree.role(op, Op.VALUE)))
    for role, of in zip(tree.roles(op, Op.TARGET), pair, strict=False):
        target = tree.expression(role)
        if target >= 0 and tree.kinds[target] == Op.NAME:
            region.block.names[tree.texts[target]] = of


def elements(region: Region, of: Type | None) -> tuple[Type | None, Type | None]:
    """Return the types of what ranging over a value gives."""
    inner = region.code.underlying(of)
    if isinstance(inner, Pointer):
        inner = region.code.underlying(inner.to)
    if isinstance(inner, Listed):
        return INT, inner.element
    if isinstance(inner, Mapped):
        return inner.key, inner.element
    if isinstance(inner, Channel):
        return inner.element, None
    if isinstance(inner, Function) and inner.parameters:
        each = inner.parameters[0]
        if isinstance(each, Function):
            first, second = (*each.parameters, None, None)[:2]
            return first, second
    if inner == STRING:
        return INT, RUNE
    return (inner, None) if isinstance(inner, Basic) else (None, None)


def type_case(region: Region, op: int) -> None:
    """Bind the name of a type switch in one of its cases."""
    tree = region.tree
    switch = tree.parents[op]
    if switch < 0 or tree.kinds[switch] != Op.SCOPE:
        return
    target = tree.operand(switch, Op.TARGET)
    if target < 0:
        return
    roles = tree.roles(op, Op.TYPE)
    of: Type | None = None
    if len(roles) == 1:
        of = region.code.written(region.path, region.number, tree.expression(roles[0]))
    else:
        of = region.typed(tree.role(switch, Op.VALUE))
    region.block.names[tree.texts[target]] = of


def function_type(region: Region, op: int) -> Function:
    """Return the type of a function literal."""
    header = read_header(region.tree, op)
    return region.code.function_type(region.path, region.number, header)
