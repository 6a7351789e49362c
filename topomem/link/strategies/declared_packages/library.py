"""What is known of types that stand outside the repository: the language's own library.

The text is made by `MakeLibrary` in the language's folder, which also says how it is written.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.declared_packages.functions import Signature
from topomem.link.strategies.declared_packages.types import (
    OBJECT,
    PRIMITIVES,
    VOID,
    ArrayType,
    OutsideType,
    PrimitiveType,
    Type,
    VariableType,
)
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.types import Mapping

MOST_LINEAGES = 10_000
"""Applied types whose bases are remembered."""

OUTSIDE = FilePath("")
"""Type variables of outside types stand in no file."""


class OutsideMethod(NamedTuple):
    """A method of an outside type. Its own variables are named by `path` and `name`."""

    path: FilePath
    name: QualifiedName
    word: str
    variables: tuple[str, ...]
    parameters: tuple[Type | None, ...]
    variadic: bool
    result: Type | None
    abstract: bool


class OutsideClass(NamedTuple):
    """An outside type: its variables, bases, methods by name, fields by name."""

    name: str
    interface: bool
    final: bool
    variables: tuple[str, ...]
    bases: tuple[Type, ...]
    methods: dict[str, tuple[OutsideMethod, ...]]
    fields: dict[str, Type | None]


class Library:
    """Outside types by full name; each is read when first asked for."""

    def __init__(self, text: str) -> None:
        self._packages: dict[str, str] = {}
        self._texts: dict[str, list[str]] = {}
        self._classes: dict[str, OutsideClass] = {}
        self._lineages: dict[OutsideType, tuple[OutsideType, ...]] = {}
        chunk: list[str] = []
        for line in text.splitlines():
            if line.startswith("P "):
                _, short, name = line.split(" ")
                self._packages[short] = name
            elif line.startswith("T "):
                chunk = self._texts[self._full(line.split(" ")[2].partition("<")[0])] = [line]
            elif chunk:
                chunk.append(line)

    def known(self, of: OutsideType) -> OutsideClass | None:
        """Return what is known of an outside type, None when nothing is."""
        found = self._classes.get(of.name)
        if found is None:
            lines = self._texts.get(of.name)
            if lines is None:
                return None
            found = self._classes[of.name] = self._read(of.name, lines)
        return found

    def bases(self, of: OutsideType) -> tuple[Type, ...]:
        """Return the direct bases of an outside type, applied as it is."""
        known = self.known(of)
        if known is None:
            return ()
        mapping = mapping_of(known, of)
        found = (replaced(base, mapping) for base in known.bases)
        return tuple(base for base in found if base is not None)

    def lineage(self, of: OutsideType) -> tuple[OutsideType, ...]:
        """Return an outside type and all it stands on, as far as known."""
        found = self._lineages.get(of)
        if found is None:
            found = self._lineage(of)
            if len(self._lineages) < MOST_LINEAGES:
                self._lineages[of] = found
        return found

    def _lineage(self, of: OutsideType) -> tuple[OutsideType, ...]:
        found: dict[str, OutsideType] = {}
        waiting = [of]
        while waiting:
            one = waiting.pop()
            if one.name not in found:
                found[one.name] = one
                waiting.extend(
                    base for base in reversed(self.bases(one)) if isinstance(base, OutsideType)
                )
        return tuple(found.values())

    def methods(self, of: OutsideType, word: str) -> list[tuple[OutsideMethod, OutsideType]]:
        """Return the known methods `word` of an outside type with the types that declare them."""
        found: list[tuple[OutsideMethod, OutsideType]] = []
        for holder in self.lineage(of):
            known = self.known(holder)
            if known is not None:
                found.extend((method, holder) for method in known.methods.get(word, ()))
        return found

    def declares(self, of: OutsideType, word: str, shape: tuple[Type | None, ...]) -> bool:
        """Tell whether an outside type itself declares a method with these erased parameters."""
        known = self.known(of)
        if known is None:
            return False
        mapping = mapping_of(known, of)
        return any(
            tuple(_bare(replaced(one, mapping)) for one in method.parameters) == shape
            for method in known.methods.get(word, ())
        )

    def field(self, of: OutsideType, word: str) -> Type | None:
        """Return the type of a field of an outside type."""
        for holder in self.lineage(of):
            known = self.known(holder)
            if known is not None and word in known.fields:
                return known.fields[word]
        return None

    def signature(self, of: OutsideType) -> Signature | None:
        """Return the one function that an outside interface stands for, None for other types."""
        open_methods: list[tuple[OutsideMethod, OutsideType]] = []
        for holder in self.lineage(of):
            known = self.known(holder)
            if known is None or not known.interface:
                return None
            for word, methods in known.methods.items():
                if word not in ("equals", "hashCode", "toString"):
                    open_methods.extend((method, holder) for method in methods if method.abstract)
        if not open_methods or len({method.word for method, _ in open_methods}) > 1:
            return None
        method, holder = open_methods[0]
        mapping = mapping_of(self._classes[holder.name], holder)
        parameters = tuple(replaced(one, mapping) for one in method.parameters)
        return Signature(parameters, replaced(method.result, mapping), method.result != VOID)

    def _full(self, name: str) -> str:
        package, dot, rest = name.partition(".")
        return f"{self._packages[package]}.{rest}" if dot and package in self._packages else name

    def _read(self, name: str, lines: list[str]) -> OutsideClass:
        _, mark, _, *variables = lines[0].split(" ")
        bases: list[Type] = []
        methods: dict[str, list[OutsideMethod]] = {}
        fields: dict[str, Type | None] = {}
        for line in lines[1:]:
            kind, _, rest = line.partition(" ")
            if kind == "B":
                found = [self._type(text, name, ()) for text in rest.split(" ")]
                bases.extend(
                    one for one in found if isinstance(one, OutsideType) and one.name in self._texts
                )
            elif kind == "F":
                word, _, text = rest.partition("|")
                fields[word] = self._type(text, name, ())
            else:
                method = self._method(name, rest, abstract=kind == "A")
                methods.setdefault(method.word, []).append(method)
        return OutsideClass(
            name,
            mark == "i",
            mark == "x",
            tuple(_variable(text) for text in variables),
            tuple(bases),
            {word: tuple(found) for word, found in methods.items()},
            fields,
        )

    def _method(self, owner: str, line: str, *, abstract: bool) -> OutsideMethod:
        head, parameters, result = line.split("|")
        word, *variables = head.split(" ")
        own = tuple(_variable(text) for text in variables)
        texts = parameters.split(" ") if parameters else []
        variadic = texts[:1] == ["V"]
        return OutsideMethod(
            OUTSIDE,
            QualifiedName(f"{owner}.{word}"),
            word,
            own,
            tuple(self._type(text, f"{owner}.{word}", own, owner) for text in texts[variadic:]),
            variadic,
            self._type(result, f"{owner}.{word}", own, owner),
            abstract,
        )

    def _type(self, text: str, name: str, own: tuple[str, ...], owner: str = "") -> Type | None:
        """Read a type as the text writes it; `own` are variables of `name`, others of `owner`."""
        if text.endswith("[]"):
            return ArrayType(self._type(text[:-2], name, own, owner))
        if text.startswith("'"):
            word = text[1:]
            holder = name if word in own or not owner else owner
            return VariableType(OUTSIDE, QualifiedName(holder), word)
        if text == "?":
            return None
        if text in PRIMITIVES:
            return PrimitiveType(text)
        head, opening, rest = text.partition("<")
        arguments: tuple[Type | None, ...] = ()
        if opening:
            arguments = tuple(self._type(one, name, own, owner) for one in _split(rest[:-1]))
        return OutsideType(self._full(head), arguments)


def _variable(text: str) -> str:
    return text.partition(":")[0][1:]


def _split(text: str) -> list[str]:
    """Split at the commas that stand in no inner brackets."""
    pieces, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if sign == "<":
            depth += 1
        elif sign == ">":
            depth -= 1
        elif sign == "," and not depth:
            pieces.append(text[start:at])
            start = at + 1
    return [*pieces, text[start:]]


def _bare(of: Type | None) -> Type | None:
    if isinstance(of, VariableType) or of is None:
        return OBJECT
    return of._replace(arguments=()) if isinstance(of, OutsideType) else of


def mapping_of(known: OutsideClass, of: OutsideType) -> Mapping:
    """Return what the variables of an applied outside type stand for."""
    arguments = of.arguments
    if len(arguments) != len(known.variables):
        arguments = (None,) * len(known.variables)
    return {
        (OUTSIDE, QualifiedName(known.name), word): argument
        for word, argument in zip(known.variables, arguments, strict=True)
    }


def replaced(of: Type | None, mapping: Mapping) -> Type | None:
    """Return a type of the library with its variables replaced. Its types are never deep."""
    if isinstance(of, VariableType):
        return mapping.get((of.path, of.name, of.word), of)
    if isinstance(of, OutsideType) and of.arguments:
        return of._replace(arguments=tuple(replaced(one, mapping) for one in of.arguments))
    if isinstance(of, ArrayType):
        return ArrayType(replaced(of.element, mapping))
    return of


@cache
def library_of(language: str) -> Library:
    """Return the library of a language; an empty one when its folder has none."""
    place = resources.files("topomem.grammars") / language / "library.txt"
    return Library(place.read_text("utf-8") if place.is_file() else "")
