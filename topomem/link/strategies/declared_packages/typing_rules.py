"""Types of expressions that name nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.declared_packages.binding import typed
from topomem.link.strategies.declared_packages.declarations import expression_in
from topomem.link.strategies.declared_packages.region import value_of
from topomem.link.strategies.declared_packages.types import (
    BOOLEAN,
    INT,
    NULL,
    STRING,
    ArrayType,
    FunctionType,
    OutsideType,
    PrimitiveType,
    arithmetic,
    primitive_word,
    wrapped,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.region import Function, Region
    from topomem.link.strategies.declared_packages.types import Type

WORDS: dict[str, Type] = {
    "string": STRING,
    "char": PrimitiveType("char"),
    "boolean": BOOLEAN,
    "none": NULL,
}


def literal(region: Region, op: int) -> None:
    """Give a literal its type."""
    text = region.tree.texts[op]
    if text == "class":
        of = region.meanings[op + 1] if op + 1 <= region.tree.last[op] else None
        region.meanings[op] = OutsideType("java.lang.Class", (value_of(of),))
        return
    found = WORDS.get(text)
    region.meanings[op] = _number(text) if found is None else found


def _number(text: str) -> Type:
    last = text[-1:].lower()
    hexadecimal = text[:2].lower() == "0x"
    if last == "l":
        return PrimitiveType("long")
    if hexadecimal and "p" not in text.lower():
        return INT
    if last == "f":
        return PrimitiveType("float")
    if last == "d" or "." in text or "e" in text.lower():
        return PrimitiveType("double")
    return INT


def index(region: Region, op: int) -> None:
    """Give an index the type of an element of its array."""
    of = typed(region, region.tree.role(op, Op.OBJECT))
    region.meanings[op] = of.element if isinstance(of, ArrayType) else None


def collection(region: Region, op: int) -> None:
    """Give a new array its type."""
    tree = region.tree
    role = tree.role(op, Op.TYPE)
    if role < 0:
        return
    dimensions = sum(tree.texts[at].count("[") for at in tree.roles(op, Op.DIMENSIONS))
    dimensions += len(tree.roles(op, Op.KEY))
    region.meanings[op] = wrapped(value_of(region.meanings[role]), dimensions)


def choice(region: Region, op: int) -> None:
    """Give a choice the first type that is known; of numbers, the widest."""
    tree = region.tree
    found: list[Type | None] = []
    for at in tree.inside(op):
        if tree.kinds[at] == Op.OPTION and _choice_around(region, at) == op:
            found.append(typed(region, at))
        elif tree.kinds[at] == Op.YIELD and _choice_around(region, at) == op:
            found.append(typed(region, tree.role(at, Op.VALUE)))
    known = [of for of in found if of is not None and of != NULL]
    words = {primitive_word(of) for of in known}
    if len(known) > 1 and None not in words and words != {"boolean"}:
        region.meanings[op] = known[0] if len(set(known)) == 1 else arithmetic(list(known))
    elif known:
        region.meanings[op] = known[0]


def _choice_around(region: Region, op: int) -> int:
    tree = region.tree
    at = tree.parents[op]
    while at >= 0 and tree.kinds[at] == Op.SCOPE:
        at = tree.parents[at]
    return at


def cast(region: Region, op: int) -> None:
    """Give a cast the written type."""
    role = region.tree.role(op, Op.TYPE)
    region.meanings[op] = region.meanings[role] if role >= 0 else None


def transparent(region: Region, op: int) -> None:
    """Give brackets the type of what is inside."""
    inner = expression_in(region.tree, op)
    region.meanings[op] = region.meanings[inner] if inner >= 0 else None


def operation(region: Region, op: int) -> None:
    """Give a test a truth value, other operators what follows from their operands."""
    tree = region.tree
    if tree.texts[op] == "test":
        region.meanings[op] = BOOLEAN
        return
    region.meanings[op] = arithmetic(
        [value_of(region.meanings[child]) for child in tree.children(op)]
    )


def function(region: Region, op: int, seen: Function) -> None:
    """Note how many parameters a lambda takes, and what it gives."""
    tree = region.tree
    known = [of for of in seen.results if of is not None and of != NULL]
    expression = tree.role(op, Op.RESULT)
    gives: bool | None = bool(seen.results)
    if expression >= 0:
        inner = tree.expression(expression)
        statement = inner >= 0 and tree.kinds[inner] in (
            Op.CALL, Op.CONSTRUCT, Op.ASSIGN, Op.AUGMENT,
        )  # fmt: skip
        gives = None if statement else True
    arity = len(tree.roles(op, Op.PARAMETER))
    region.meanings[op] = FunctionType(arity, known[0] if known else None, gives)
