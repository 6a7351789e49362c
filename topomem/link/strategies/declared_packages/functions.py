"""What types that stand for one function take and give."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.declared_packages.types import (
    BOXES,
    OBJECT,
    VOID,
    ClassType,
    OutsideType,
    PrimitiveType,
    Type,
)

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.code import Code


class Signature(NamedTuple):
    """Parameters and result of the one function that a type stands for."""

    parameters: tuple[Type | None, ...]
    result: Type | None
    gives: bool


OBJECT_METHODS = frozenset({"equals", "hashCode", "toString"})


def signature(code: Code, of: Type | None) -> Signature | None:
    """Return the function that an interface stands for, None when it is not one function."""
    if isinstance(of, OutsideType):
        return code.library.signature(of)
    if not isinstance(of, ClassType) or not code.declared(of).is_interface:
        return None
    found: Signature | None = None
    shapes = set()
    for holder in code.lineage(of):
        if isinstance(holder, OutsideType):
            found = found or code.library.signature(holder)
            continue
        if not isinstance(holder, ClassType):
            continue
        declared = code.declared(holder)
        for word, numbers in declared.methods.items():
            if word in OBJECT_METHODS:
                continue
            for number in numbers:
                method = declared.unit.method_at(number)
                if method.has_body or "static" in method.modifiers:
                    continue
                parameters = code.parameter_types(method, holder)
                shapes.add((word, len(parameters)))
                if found is None:
                    result = code.applied(code.result_type(method), holder)
                    found = Signature(parameters, result, result != VOID)
    return found if len(shapes) <= 1 else None


def boxed(of: Type | None) -> Type | None:
    """Return the class that holds a primitive value; other types as they are."""
    if isinstance(of, PrimitiveType):
        box = BOXES.get(of.word)
        return OBJECT if box is None else OutsideType(box)
    return of
