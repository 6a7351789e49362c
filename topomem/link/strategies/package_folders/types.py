"""Types of a language whose packages are folders. `None` stands for a type that is not known."""

from __future__ import annotations

from typing import NamedTuple

from topomem.model.ids import FilePath, QualifiedName


class Basic(NamedTuple):
    """A type of the language itself."""

    word: str
    tag: str = "basic"


class Named(NamedTuple):
    """A type that the repository declares, applied to `arguments` (may be empty)."""

    path: FilePath
    name: QualifiedName
    arguments: tuple[Type | None, ...] = ()
    tag: str = "named"


class Outside(NamedTuple):
    """A type of a package outside the repository: `net/http.Request`."""

    name: str
    tag: str = "outside"


class Pointer(NamedTuple):
    """A pointer."""

    to: Type | None
    tag: str = "pointer"


class Listed(NamedTuple):
    """A slice or an array."""

    element: Type | None
    tag: str = "listed"


class Mapped(NamedTuple):
    """A map."""

    key: Type | None
    element: Type | None
    tag: str = "mapped"


class Channel(NamedTuple):
    """A channel."""

    element: Type | None
    tag: str = "channel"


class Function(NamedTuple):
    """A function's type; the last of `parameters` takes the rest when `variadic`."""

    parameters: tuple[Type | None, ...]
    results: tuple[Type | None, ...]
    variadic: bool = False
    tag: str = "function"


class Written(NamedTuple):
    """A struct or interface type written at an op of a region, without a name of its own."""

    path: FilePath
    number: int
    op: int
    tag: str = "written"


class Variable(NamedTuple):
    """A type parameter `word` that the definition `name` of the file declares."""

    path: FilePath
    name: QualifiedName
    word: str
    tag: str = "variable"


class Several(NamedTuple):
    """What a call with several results gives."""

    types: tuple[Type | None, ...]
    tag: str = "several"


Type = (
    Basic | Named | Outside | Pointer | Listed | Mapped | Channel | Function | Written | Variable
    | Several
)  # fmt: skip

Mapping = dict[tuple[FilePath, QualifiedName, str], "Type | None"]
"""What type variables stand for."""

BOOL, INT, STRING, RUNE, BYTE = (
    Basic("bool"), Basic("int"), Basic("string"), Basic("rune"), Basic("byte"),
)  # fmt: skip

TYPES = frozenset(
    {
        "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32",
        "float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8",
        "uint16", "uint32", "uint64", "uintptr",
    }
)  # fmt: skip

DEEPEST = 40
"""Types nested deeper than this are not read."""


def substituted(of: Type | None, mapping: Mapping, depth: int = 0) -> Type | None:
    """Return a type with its variables replaced by what they stand for."""
    if not mapping or depth > DEEPEST or of is None:
        return of

    def inner(one: Type | None) -> Type | None:
        return substituted(one, mapping, depth + 1)

    if isinstance(of, Variable):
        return mapping.get((of.path, of.name, of.word), of)
    if isinstance(of, Named):
        return of._replace(arguments=tuple(map(inner, of.arguments))) if of.arguments else of
    if isinstance(of, Pointer):
        return Pointer(inner(of.to))
    if isinstance(of, Listed | Channel):
        return of._replace(element=inner(of.element))
    if isinstance(of, Mapped):
        return Mapped(inner(of.key), inner(of.element))
    if isinstance(of, Function):
        return of._replace(
            parameters=tuple(map(inner, of.parameters)), results=tuple(map(inner, of.results))
        )
    if isinstance(of, Several):
        return Several(tuple(map(inner, of.types)))
    return of


def unify(pattern: Type | None, of: Type | None, found: Mapping, depth: int = 0) -> None:
    """Learn what the variables in `pattern` stand for where a value of type `of` is given."""
    if pattern is None or of is None or depth > DEEPEST:
        return
    if isinstance(pattern, Variable):
        found.setdefault((pattern.path, pattern.name, pattern.word), of)
        return
    pairs: list[tuple[Type | None, Type | None]] = []
    if isinstance(pattern, Pointer) and isinstance(of, Pointer):
        pairs = [(pattern.to, of.to)]
    elif (isinstance(pattern, Listed) and isinstance(of, Listed)) or (
        isinstance(pattern, Channel) and isinstance(of, Channel)
    ):
        pairs = [(pattern.element, of.element)]
    elif isinstance(pattern, Mapped) and isinstance(of, Mapped):
        pairs = [(pattern.key, of.key), (pattern.element, of.element)]
    elif isinstance(pattern, Function) and isinstance(of, Function):
        pairs = [
            *zip(pattern.parameters, of.parameters, strict=False),
            *zip(pattern.results, of.results, strict=False),
        ]
    elif isinstance(pattern, Named) and isinstance(of, Named) and pattern[:2] == of[:2]:
        pairs = list(zip(pattern.arguments, of.arguments, strict=False))
    for one, other in pairs:
        unify(one, other, found, depth + 1)


def single(of: Type | None) -> Type | None:
    """Return the type of a value where one is wanted."""
    if isinstance(of, Several):
        return of.types[0] if of.types else None
    return of


def behind(of: Type | None) -> Type | None:
    """Return what a pointer points to; other types as they are."""
    of = single(of)
    return of.to if isinstance(of, Pointer) else of
