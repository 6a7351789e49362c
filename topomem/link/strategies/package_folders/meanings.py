"""What names and members lead to."""

from __future__ import annotations

from typing import NamedTuple

from topomem.link.strategies.package_folders.types import Type
from topomem.model.ids import FilePath, QualifiedName


class Package(NamedTuple):
    """A package: its folder and the name its files give it; outside ones have no folder."""

    folder: FilePath | None
    name: str
    path: str = ""


class TypeName(NamedTuple):
    """A type written where a value could stand."""

    type: Type


class Routine(NamedTuple):
    """Something that can be called by name: a function or method at a placement.

    `mapping` is what the type it was read through says of its type's variables.
    """

    path: FilePath
    number: int
    name: QualifiedName
    mapping: tuple[tuple[tuple[FilePath, QualifiedName, str], Type | None], ...] = ()


class Member(NamedTuple):
    """A field or method of a type: `field` has the region and ops, `function` the placement."""

    function: Routine | None
    path: FilePath
    name: QualifiedName | None
    type: Type | None


class Embedded(NamedTuple):
    """A type inside a struct or interface: what it is and the name it goes by."""

    word: str
    type: Type | None
