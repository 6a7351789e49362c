"""Types of a language with declared types, as far as the text and the repository tell.

`None` stands for a type that is not known. A type variable is named by the definition that
declares it; what it stands for is known where a generic type is applied.
"""

from __future__ import annotations

from typing import NamedTuple

from topomem.model.ids import FilePath, QualifiedName


class ClassType(NamedTuple):
    """A class, interface or enum of the repository, applied to `arguments` (may be empty)."""

    path: FilePath
    name: QualifiedName
    arguments: tuple[Type | None, ...] = ()


class OutsideType(NamedTuple):
    """A type outside the repository; `name` is as full as the text tells it."""

    name: str
    arguments: tuple[Type | None, ...] = ()


class ArrayType(NamedTuple):
    """An array of `element`."""

    element: Type | None


class PrimitiveType(NamedTuple):
    """A type of the language that is no class; `null` and `void` count as such."""

    word: str
    tag: str = "primitive"


class VariableType(NamedTuple):
    """A type parameter `word` that the definition `name` of the file declares."""

    path: FilePath
    name: QualifiedName
    word: str
    tag: str = "variable"


class FunctionType(NamedTuple):
    """A lambda or a method reference: `arity` is -1 and `gives` None where not known.

    `result` is the type of what it gives; `gives` tells whether it gives anything.
    """

    arity: int
    result: Type | None
    gives: bool | None
    tag: str = "function"


# one of the above; None where it is not known
Type = ClassType | OutsideType | ArrayType | PrimitiveType | VariableType | FunctionType

APPLIED = (ClassType, OutsideType)
"""Types that may be applied to others."""

WITH_MEMBERS = (ClassType, VariableType)
"""Types whose methods the repository knows."""

NO_CLASSES = (ArrayType, PrimitiveType)

NULL = PrimitiveType("null")
VOID = PrimitiveType("void")
BOOLEAN = PrimitiveType("boolean")
INT = PrimitiveType("int")

PRIMITIVES = frozenset(
    {"boolean", "byte", "short", "int", "long", "char", "float", "double", "void"}
)

OBJECT = OutsideType("java.lang.Object")
STRING = OutsideType("java.lang.String")

BOXES = {
    "boolean": "java.lang.Boolean",
    "byte": "java.lang.Byte",
    "short": "java.lang.Short",
    "int": "java.lang.Integer",
    "long": "java.lang.Long",
    "char": "java.lang.Character",
    "float": "java.lang.Float",
    "double": "java.lang.Double",
}
UNBOXED = {box: word for word, box in BOXES.items()}

WIDER = {
    "byte": ("short", "int", "long", "float", "double"),
    "short": ("int", "long", "float", "double"),
    "char": ("int", "long", "float", "double"),
    "int": ("long", "float", "double"),
    "long": ("float", "double"),
    "float": ("double",),
}
"""What a primitive value may be passed as without a cast, the nearest first."""

_RANKS = ("int", "long", "float", "double")


Mapping = dict[tuple[FilePath, QualifiedName, str], "Type | None"]
"""What type variables stand for."""


def arithmetic(operands: list[Type | None]) -> Type | None:
    """Return the type of an arithmetic operator applied to `operands`."""
    rank = 0
    for operand in operands:
        if operand == STRING:
            return STRING
        word = primitive_word(operand)
        if word is None:
            return None
        if word == "boolean":
            return BOOLEAN
        rank = max(rank, _RANKS.index(word) if word in _RANKS else 0)
    return PrimitiveType(_RANKS[rank])


def primitive_word(of: Type | None) -> str | None:
    """Return the word of a primitive type or of the class that boxes it, None for others."""
    if isinstance(of, PrimitiveType):
        return of.word
    if isinstance(of, OutsideType):
        return UNBOXED.get(of.name)
    return None


def wrapped(of: Type | None, dimensions: int) -> Type | None:
    """Return the array type with so many dimensions around `of`."""
    for _ in range(dimensions):
        of = ArrayType(of)
    return of


def last_word(name: str) -> str:
    """Return the part of a dotted name behind its last dot."""
    return name.rpartition(".")[2]


def same_class(one: Type, other: Type) -> bool:
    """Tell whether two types are one class, whatever it is applied to."""
    if isinstance(one, ClassType) and isinstance(other, ClassType):
        return one.path == other.path and one.name == other.name
    if isinstance(one, OutsideType) and isinstance(other, OutsideType):
        return one.name == other.name or (
            ("." not in one.name or "." not in other.name)
            and last_word(one.name) == last_word(other.name)
        )
    return False


DEEPEST = 40
"""Types nested deeper than this are left as they are."""


def substituted(of: Type | None, mapping: Mapping, depth: int = 0) -> Type | None:
    """Return a type with its variables replaced by what they stand for."""
    if not mapping or depth > DEEPEST:
        return of
    if isinstance(of, VariableType):
        return mapping.get((of.path, of.name, of.word), of)
    if isinstance(of, APPLIED):
        if not of.arguments:
            return of
        return of._replace(
            arguments=tuple(substituted(one, mapping, depth + 1) for one in of.arguments)
        )
    if isinstance(of, ArrayType):
        return ArrayType(substituted(of.element, mapping, depth + 1))
    return of
