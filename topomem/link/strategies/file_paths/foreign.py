"""What calls of well-known functions of the language give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.file_paths import calling, expressions, written
from topomem.link.strategies.file_paths.things import (
    NOTHING,
    Foreign,
    ForeignMember,
    ForeignObject,
    Item,
    Value,
    limited,
    shallow,
)

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator

SAME_ARRAY = frozenset(
    [
        "concat",
        "copyWithin",
        "fill",
        "filter",
        "reverse",
        "slice",
        "sort",
        "splice",
        "toReversed",
        "toSorted",
    ]
)
ONE_ELEMENT = frozenset(["at", "find", "findLast", "pop", "shift"])
MAPPING = frozenset({"map", "flatMap"})
OF_ELEMENTS = frozenset(
    [
        "every",
        "filter",
        "find",
        "findIndex",
        "findLast",
        "findLastIndex",
        "flatMap",
        "forEach",
        "map",
        "some",
        "sort",
        "toSorted",
    ]
)
"""Methods of arrays that hand elements to the function they are given."""

SAME_OBJECT = frozenset(
    {"assign", "defineProperty", "defineProperties", "freeze", "seal", "create"}
)
PROMISES = frozenset({"Promise", "PromiseLike"})


def call(look: Evaluator, item: ForeignMember | ForeignObject, site: calling.Site, k: int) -> Value:
    """Return what a call of something outside gives, as far as its rules are known here."""
    if isinstance(item, ForeignObject):
        return something(item.name)
    owner, name = item.owner, item.name
    if isinstance(owner, ForeignObject):
        return _static(look, owner.name, name, site, k) or something(f"{owner.name}.{name}")
    if owner.name in written.ARRAYS:
        return _of_array(look, owner, name, site, k)
    if owner.name in PROMISES:
        return _of_promise(look, owner, name, site, k)
    if owner.name == "Map" and name == "get":
        return owner.arguments[1] if owner.arguments[1:] else NOTHING
    return NOTHING if owner.name == "Function" else something(f"{owner.name}.{name}")


def something(name: str) -> Value:
    """Return what something outside gives: nothing is known of it but where it comes from."""
    return frozenset({ForeignObject(f"{name.partition('(')[0]}()")})


def _argument(look: Evaluator, site: calling.Site, number: int, k: int) -> Value:
    tree = expressions.tree_of(look, site.path, site.scope)
    listed = calling.arguments_of(tree, site.op)
    if number >= len(listed):
        return NOTHING
    return expressions.value_at(look, site.path, site.scope, listed[number], site.bindings, k)


def _given_back(look: Evaluator, site: calling.Site, number: int, k: int) -> Value:
    """Return what the function that is handed over gives back."""
    found: set[Item] = set()
    for one in _argument(look, site, number, k):
        found |= calling.call(look, one, None, k)
    return limited(found)


def _static(look: Evaluator, owner: str, name: str, site: calling.Site, k: int) -> Value:
    if owner == "Object" and name in SAME_OBJECT:
        first, second = (_argument(look, site, number, k) for number in (0, 1))
        return limited(first | second) if name == "assign" else first
    if owner == "Object" and name == "values":
        return frozenset({Foreign("Array", (expressions.elements(_argument(look, site, 0, k)),))})
    if owner == "Array" and name in ("from", "of"):
        return frozenset({Foreign("Array", (expressions.elements(_argument(look, site, 0, k)),))})
    if owner == "Promise" and name == "resolve":
        inner = expressions.awaited(_argument(look, site, 0, k))
        return frozenset({Foreign("Promise", (shallow(inner),))})
    if owner == "Promise" and name in ("all", "allSettled"):
        waited = expressions.awaited(expressions.elements(_argument(look, site, 0, k)))
        return frozenset({Foreign("Promise", (frozenset({Foreign("Array", (waited,))}),))})
    return NOTHING


def _of_array(look: Evaluator, owner: Foreign, name: str, site: calling.Site, k: int) -> Value:
    if name in SAME_ARRAY:
        return frozenset({owner})
    if name in ONE_ELEMENT:
        return owner.arguments[0] if owner.arguments else NOTHING
    if name in MAPPING:
        value = _given_back(look, site, 0, k)
        value = expressions.elements(value) if name == "flatMap" else value
        return frozenset({Foreign("Array", (shallow(value),))})
    if name == "reduce":
        return _argument(look, site, 1, k)
    return NOTHING


def _of_promise(look: Evaluator, owner: Foreign, name: str, site: calling.Site, k: int) -> Value:
    if name == "then":
        value = expressions.awaited(_given_back(look, site, 0, k))
        return frozenset({Foreign("Promise", (shallow(value),))})
    return frozenset({owner}) if name in ("catch", "finally") else NOTHING


def handed_over(item: Item, position: int, number: int) -> Value:
    """Return what a well-known function hands to a function that it is given as an argument.

    `position` is that of the argument, `number` the parameter's.
    """
    if not isinstance(item, ForeignMember) or not isinstance(item.owner, Foreign):
        return NOTHING
    owner = item.owner
    first = owner.arguments[0] if owner.arguments else NOTHING
    if owner.name in PROMISES:
        return first if item.name == "then" and position == 0 and number == 0 else NOTHING
    if owner.name == "Map" and item.name == "forEach" and number == 0:
        return owner.arguments[1] if owner.arguments[1:] else NOTHING
    if owner.name not in written.ARRAYS or position != 0:
        return NOTHING
    if item.name == "reduce":
        return first if number == 1 else NOTHING
    both = item.name in ("sort", "toSorted") and number == 1
    return first if item.name in OF_ELEMENTS and (number == 0 or both) else NOTHING
