"""Meanings of expressions that name nothing: literals, operators, elements, functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.binding import function_type
from topomem.link.strategies.package_folders.declarations import expression_in
from topomem.link.strategies.package_folders.meanings import Routine, TypeName
from topomem.link.strategies.package_folders.naming import uses
from topomem.link.strategies.package_folders.types import (
    BYTE,
    STRING,
    Channel,
    Listed,
    Mapped,
    Named,
    Pointer,
    Type,
    behind,
    single,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.region import Meaning, Region


def written_type(region: Region, op: int) -> bool:
    """Read a type that is written where a value could stand."""
    of = region.code.written(region.path, region.number, op)
    region.meanings[op] = None if of is None else TypeName(of)
    uses(region, op)
    return True


def begin(region: Region, op: int) -> bool:
    """Begin the elements of a literal: they know the type they are for.

    Other collections are written types; the body of the region's own type is read as declarations.
    """
    tree = region.tree
    if tree.texts[op] != "literal":
        return tree.parents[op] >= 0 and written_type(region, op)
    region.meanings[op] = literal_type(region, op)
    return False


def literal_type(region: Region, op: int) -> Type | None:
    """Return the type that the elements in a literal's brackets make."""
    tree = region.tree
    parent = tree.parents[op]
    if parent < 0:
        return None
    kind = tree.kinds[parent]
    if kind == Op.CONSTRUCT:
        role = tree.role(parent, Op.CALLEE)
        return region.type_of(region.meanings[role]) if role >= 0 else None
    holder = tree.parents[parent]
    if kind in (Op.VALUE, Op.KEY) and holder >= 0 and tree.kinds[holder] == Op.PAIR:
        holder = tree.parents[holder]
    outer = region.type_of(region.meanings[holder]) if holder >= 0 else None
    inner = region.code.underlying(behind(outer))
    if isinstance(inner, Mapped) and kind == Op.KEY:
        return behind(inner.key)
    if isinstance(inner, Listed | Mapped):
        return behind(inner.element)
    return None


def end(_region: Region, _op: int) -> None:
    """Leave the elements of a literal: they have their type already."""


def construct(region: Region, op: int) -> None:
    """Give a composite literal its type."""
    role = region.tree.role(op, Op.CALLEE)
    region.meanings[op] = region.meanings[role] if role >= 0 else None


def function(region: Region, op: int) -> None:
    """Give a function literal its type."""
    region.meanings[op] = function_type(region, op)


def index(region: Region, op: int) -> None:
    """Give an element its type; apply a generic function or type to types."""
    tree = region.tree
    whole = region.value(tree.role(op, Op.OBJECT))
    keys = [region.value(role) for role in tree.roles(op, Op.KEY)]
    if isinstance(whole, TypeName):
        arguments = tuple(key.type if isinstance(key, TypeName) else None for key in keys)
        if isinstance(whole.type, Named):
            region.meanings[op] = TypeName(whole.type._replace(arguments=arguments))
        return
    if isinstance(whole, Routine):
        region.meanings[op] = applied(region, whole, keys)
        return
    region.meanings[op] = element(region, region.type_of(whole))


def applied(region: Region, routine: Routine, keys: list[Meaning]) -> Routine:
    """Return a generic function with the types that were written for its variables."""
    variables = region.code.unit(routine.path).header(routine.number).variables
    pairs = [
        ((routine.path, routine.name, word), key.type)
        for word, key in zip(variables, keys, strict=False)
        if isinstance(key, TypeName)
    ]
    return routine._replace(mapping=(*routine.mapping, *pairs))


def element(region: Region, of: Type | None) -> Type | None:
    """Return the type of an element of a value."""
    inner = region.code.underlying(single(of))
    if isinstance(inner, Pointer):
        inner = region.code.underlying(inner.to)
    if isinstance(inner, Listed | Mapped):
        return inner.element
    return BYTE if inner == STRING else None


def cut(region: Region, op: int) -> None:
    """Give a part of a slice its type."""
    of = region.typed(region.tree.role(op, Op.OBJECT))
    inner = region.code.underlying(of)
    if isinstance(inner, Pointer):
        of = inner.to
    region.meanings[op] = of


def assertion(region: Region, op: int) -> None:
    """Give a value the type that is asserted."""
    role = region.tree.role(op, Op.TYPE)
    region.meanings[op] = region.meanings[role] if role >= 0 else None


def transparent(region: Region, op: int) -> None:
    """Give brackets the meaning of what is inside."""
    inner = expression_in(region.tree, op)
    region.meanings[op] = region.meanings[inner] if inner >= 0 else None


def pointer(region: Region, op: int) -> None:
    """Take the address of a value, follow a pointer, or make the type of one."""
    tree = region.tree
    inner = expression_in(tree, op)
    if inner < 0:
        return
    meaning = region.meanings[inner]
    if isinstance(meaning, TypeName):
        region.meanings[op] = TypeName(Pointer(meaning.type))
        return
    of = single(region.type_of(meaning))
    if of is None:
        return
    if tree.texts[op] == "address":
        region.meanings[op] = Pointer(of)
        return
    plain = of if isinstance(of, Pointer) else region.code.underlying(of)
    region.meanings[op] = plain.to if isinstance(plain, Pointer) else None


def operation(region: Region, op: int) -> None:
    """Give what a channel gives; other operators, the named type of an operand."""
    tree = region.tree
    types = [single(region.type_of(region.meanings[child])) for child in tree.children(op)]
    if tree.texts[op] == "receive":
        inner = region.code.underlying(types[0]) if types else None
        region.meanings[op] = inner.element if isinstance(inner, Channel) else None
        return
    known = [of for of in types if isinstance(of, Named)]
    region.meanings[op] = known[0] if known else None
