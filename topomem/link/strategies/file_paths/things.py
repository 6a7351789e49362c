"""What an expression or a written type may stand for, in programs with structural types.

Items are tuples that end in a tag, so that two kinds are never equal. A *value* is a frozen set of
items: what a thing may be (a union), or all that it is at once (an intersection); the empty set
means that nothing is known. Type parameters are items too; *bindings* say what they stand for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from topomem.model.ids import FilePath, QualifiedName

DEEPEST = 2
"""Type arguments inside type arguments that are kept."""

NESTED = (tuple, frozenset)

MOST_ITEMS = 24
"""A value with more items than this says too little and is dropped."""


class Parameter(NamedTuple):
    """A type parameter: the op that declares it in a region."""

    path: FilePath
    scope: QualifiedName
    op: int
    name: str
    tag: Literal["parameter"] = "parameter"


class Nominal(NamedTuple):
    """A thing of a class, interface or enum, or one made by a constructor function."""

    path: FilePath
    name: QualifiedName
    arguments: tuple[Value, ...] = ()
    tag: Literal["nominal"] = "nominal"


class ClassObject(NamedTuple):
    """A class itself."""

    path: FilePath
    name: QualifiedName
    tag: Literal["class"] = "class"


class Space(NamedTuple):
    """A namespace, or an enum itself."""

    path: FilePath
    name: QualifiedName
    tag: Literal["space"] = "space"


class ModuleObject(NamedTuple):
    """A file as a namespace."""

    path: FilePath
    tag: Literal["module"] = "module"


class Routine(NamedTuple):
    """A function or method that is a definition of its own."""

    path: FilePath
    name: QualifiedName
    bindings: Bindings = ()
    tag: Literal["routine"] = "routine"


class Closure(NamedTuple):
    """A function without a definition: an op of a region that is a lambda or a function type."""

    path: FilePath
    scope: QualifiedName
    op: int
    bindings: Bindings = ()
    tag: Literal["closure"] = "closure"


class Shape(NamedTuple):
    """An object as it is written at an op of a region: a literal, or a type's members."""

    path: FilePath
    scope: QualifiedName
    op: int
    bindings: Bindings = ()
    tag: Literal["shape"] = "shape"


class Tuple(NamedTuple):
    """An array whose elements are told apart by position."""

    elements: tuple[Value, ...]
    tag: Literal["tuple"] = "tuple"


class Foreign(NamedTuple):
    """A thing of a type outside the repository, or of the language (`Array`, `string`)."""

    name: str
    arguments: tuple[Value, ...] = ()
    tag: Literal["foreign"] = "foreign"


class ForeignObject(NamedTuple):
    """Something outside itself, by its name: a module, a class, a function (`Promise`, `react`)."""

    name: str
    tag: Literal["foreign_object"] = "foreign_object"


class ForeignMember(NamedTuple):
    """A member read from a foreign thing."""

    owner: Foreign | ForeignObject
    name: str
    tag: Literal["foreign_member"] = "foreign_member"


class Text(NamedTuple):
    """A literal string, for keys."""

    text: str
    tag: Literal["text"] = "text"


class Delayed(NamedTuple):
    """A type argument that nobody has asked for yet: a written type at an op of a region."""

    path: FilePath
    scope: QualifiedName
    op: int
    bindings: Bindings = ()
    tag: Literal["delayed"] = "delayed"


Item = (
    Parameter
    | Nominal
    | ClassObject
    | Space
    | ModuleObject
    | Routine
    | Closure
    | Shape
    | Tuple
    | Foreign
    | ForeignObject
    | ForeignMember
    | Text
    | Delayed
)
Value = frozenset[Item]
Bindings = frozenset[tuple[Parameter, Value]] | tuple[()]
"""What type parameters stand for; a set, whose hash is worked out once. Nothing is `()`."""
NOTHING: Value = frozenset()

THIS = Parameter(FilePath(""), QualifiedName(""), -1, "this")
"""The type parameter that stands for the receiver."""

INSIDE = Parameter(FilePath(""), QualifiedName(""), -2, "inside")
"""Not a parameter: bound to the names of the recursive types that are being worked out."""


def limited(items: set[Item] | Value) -> Value:
    """Return the items as a value, nothing when there are too many of them."""
    return frozenset(items) if len(items) <= MOST_ITEMS else NOTHING


def bind(bindings: Bindings, more: dict[Parameter, Value]) -> Bindings:
    """Return bindings with `more` put over them; deep arguments are dropped."""
    if not more:
        return bindings
    merged = {**dict(bindings), **{key: shallow(value) for key, value in more.items()}}
    return frozenset(merged.items())


def bound(bindings: Bindings, parameter: Parameter) -> Value | None:
    """Return what a type parameter stands for, None when nothing says so."""
    return next((value for key, value in bindings if key == parameter), None)


@lru_cache(maxsize=1 << 16)
def shallow(value: Value, depth: int = DEEPEST) -> Value:
    """Return the value with what is nested deeper than `depth` taken out."""
    for item in value:
        if _inner(item):
            break
    else:
        return value
    return frozenset(_shallow(item, depth) for item in value)


def _inner(item: Item) -> bool:
    """Tell whether something is nested in an item: its last field but the tag."""
    return len(item) > 2 and bool(item[-2]) and isinstance(item[-2], NESTED)  # noqa: PLR2004


def _shallow(item: Item, depth: int) -> Item:
    if isinstance(item, Nominal | Foreign) and item.arguments:
        if depth <= 0:
            return item._replace(arguments=())
        return item._replace(arguments=tuple(shallow(one, depth - 1) for one in item.arguments))
    if isinstance(item, Routine | Closure | Shape | Delayed) and item.bindings:
        if depth <= 0:
            return item._replace(bindings=())
        kept = frozenset((key, shallow(value, depth - 1)) for key, value in item.bindings)
        return item._replace(bindings=kept)
    return item


def ordered(value: Value) -> list[Item]:
    """Return the items in an order that is always the same."""
    return sorted(value, key=_order) if len(value) > 1 else list(value)


def _order(item: Item) -> tuple[str, ...]:
    """Return what an item is, without what is nested in it (sets have no order of their own)."""
    if isinstance(item, ForeignMember):
        return (item.tag, item.owner.name, item.name)
    return (item.tag, *(str(part) for part in item if not isinstance(part, NESTED)))
