"""Calls: of functions, methods, values of function types; conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.meanings import Routine, TypeName
from topomem.link.strategies.package_folders.region import Builtin
from topomem.link.strategies.package_folders.types import (
    INT,
    Function,
    Listed,
    Mapping,
    Pointer,
    Several,
    Type,
    single,
    substituted,
    unify,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.region import Region


def call(region: Region, op: int) -> None:
    """Give a call the type of its result; the edge is made where its callee is named."""
    tree = region.tree
    called = region.value(tree.role(op, Op.CALLEE))
    if isinstance(called, TypeName):
        region.meanings[op] = called.type
    elif isinstance(called, Builtin):
        region.meanings[op] = _builtin(region, op, called.word)
    elif isinstance(called, Routine):
        region.meanings[op] = _result(region, op, called)
    else:
        of = region.code.underlying(single(region.type_of(called)))
        if isinstance(of, Function):
            region.meanings[op] = joined(of.results)


def joined(results: tuple[Type | None, ...]) -> Type | None:
    """Return the type of a call with these results."""
    if not results:
        return None
    return results[0] if len(results) == 1 else Several(results)


def _result(region: Region, op: int, called: Routine) -> Type | None:
    of = region.code.type_of_function(called)
    variables = region.code.unit(called.path).header(called.number).variables
    if not variables:
        return joined(of.results)
    found: Mapping = {}
    types = _argument_types(region, op)
    for at, pattern in enumerate(of.parameters):
        last = at == len(of.parameters) - 1
        if of.variadic and last and isinstance(pattern, Listed):
            for one in types[at:]:
                unify(pattern.element, one, found)
        elif at < len(types):
            unify(pattern, types[at], found)
    result = joined(of.results)
    known = {
        (called.path, called.name, word): found.get((called.path, called.name, word))
        for word in variables
    }
    return substituted(result, known)


def _argument_types(region: Region, op: int) -> list[Type | None]:
    tree = region.tree
    roles = [at for at in tree.children(op) if tree.kinds[at] in (Op.ARGUMENT, Op.SPREAD)]
    if len(roles) == 1:
        of = region.type_of(region.value(roles[0]))
        if isinstance(of, Several):
            return list(of.types)
    return [region.typed(role) for role in roles]


def _builtin(region: Region, op: int, word: str) -> Type | None:
    tree = region.tree
    role = tree.role(op, Op.ARGUMENT)
    first = region.value(role) if role >= 0 else None
    if word == "new":
        return Pointer(first.type) if isinstance(first, TypeName) else None
    if word == "make":
        return first.type if isinstance(first, TypeName) else None
    if word in ("append", "min", "max"):
        return single(region.type_of(first))
    return INT if word in ("len", "cap", "copy") else None
