"""Methods of the library: which one a call means, and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topomem.link.strategies.declared_packages.library import mapping_of, replaced
from topomem.link.strategies.declared_packages.overloads import passes, spread, unify
from topomem.link.strategies.declared_packages.types import ArrayType, Mapping, OutsideType, Type

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.library import OutsideMethod

Found = tuple["OutsideMethod", OutsideType]
"""A method of the library and the applied type that declares it."""


def choose_outside(
    code: Code, methods: Sequence[Found], arguments: Sequence[Type | None]
) -> Found | None:
    """Return the method of the library that a call with these arguments means."""
    count = len(arguments)
    fitting = [
        one
        for one in methods
        if len(one[0].parameters) == count
        or (one[0].variadic and count >= len(one[0].parameters) - 1)
    ]
    if len(fitting) > 1:
        shapes = [outside_shape(code, one, count) for one in fitting]
        for loose in (False, True):
            passing = [
                at
                for at, shape in enumerate(shapes)
                if _all_pass(code, arguments, shape, loose=loose)
            ]
            for at in passing:
                if all(_all_pass(code, shapes[at], shapes[two], loose=False) for two in passing):
                    return fitting[at]
            if passing:
                return fitting[passing[0]]
    return (fitting or methods)[0] if methods else None


def outside_shape(code: Code, one: Found, count: int) -> list[Type | None]:
    """Return the parameter types that `count` arguments of a method of the library meet."""
    method, holder = one
    mapping = _mapping(code, holder)
    variadic = method.variadic and len(method.parameters) != count
    parameters = [replaced(parameter, mapping) for parameter in method.parameters]
    return spread(parameters, count, variadic=variadic)


def _all_pass(
    code: Code, ones: Sequence[Type | None], others: Sequence[Type | None], *, loose: bool
) -> bool:
    return all(
        passes(code, one, other, loose=loose) for one, other in zip(ones, others, strict=False)
    )


def _mapping(code: Code, holder: OutsideType) -> Mapping:
    known = code.library.known(holder)
    return {} if known is None else mapping_of(known, holder)


def outside_result(code: Code, one: Found, arguments: Sequence[Type | None]) -> Type | None:
    """Return the type that a method of the library gives."""
    method, holder = one
    mapping = _mapping(code, holder)
    if method.variables:
        found = learned(code, one, arguments)
        mapping = dict(mapping)
        for word in method.variables:
            key = (method.path, method.name, word)
            mapping[key] = found.get(key)
    return replaced(method.result, mapping)


def learned(code: Code, one: Found, arguments: Sequence[Type | None]) -> Mapping:
    """Return what arguments tell of the variables of a method of the library."""
    method, holder = one
    found: Mapping = {}
    count = len(arguments)
    variadic = method.variadic and not (
        count == len(method.parameters) and isinstance(arguments[-1], ArrayType)
    )
    mapping = _mapping(code, holder)
    parameters = [replaced(parameter, mapping) for parameter in method.parameters]
    if variadic and count < len(parameters) - 1:
        return found
    for argument, parameter in zip(
        arguments, spread(parameters, count, variadic=variadic), strict=False
    ):
        unify(code, parameter, argument, method, found)
    return found
