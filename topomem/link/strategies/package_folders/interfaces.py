"""Which types satisfy which interfaces: all methods are there, with the same parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.meanings import Routine
from topomem.link.strategies.package_folders.members import embedded, member
from topomem.link.strategies.package_folders.types import (
    Function,
    Named,
    Type,
    Variable,
    Written,
    behind,
)
from topomem.model.code import SymbolKind
from topomem.model.ids import QualifiedName

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.code import Code

MOST_METHODS = 200
MOST_INTERFACES = 64
"""Interfaces that are compared with one type."""


def satisfied(code: Code, of: Named) -> tuple[tuple[Named, bool], ...]:
    """Return the interfaces that a type satisfies, and whether each asks for several methods."""
    return code.remember(("satisfied", of), lambda: _satisfied(code, of), ())


def _satisfied(code: Code, of: Named) -> tuple[tuple[Named, bool], ...]:
    top = code.top_of(of)
    if top is None or top.kind == SymbolKind.INTERFACE or code.variables_of(of):
        return ()
    found: list[tuple[Named, bool]] = []
    for candidate in _candidates(code, of):
        wanted = methods_of(code, candidate)
        if wanted and all(_has(code, of, word, one) for word, one in wanted.items()):
            found.append((candidate, len(wanted) > 1))
    return tuple(found)


def _candidates(code: Code, of: Named) -> list[Named]:
    """Return the interfaces that ask for a method which the type, or what it embeds, has."""
    words: set[str] = set()
    level: list[Type | None] = [of]
    seen: set[Type | None] = set()
    while level and len(seen) < MOST_METHODS:
        one = behind(code.alias_end(behind(level.pop())))
        if one in seen:
            continue
        seen.add(one)
        if isinstance(one, Named):
            words.update(code.method_names(one))
        level.extend(inside.type for inside in embedded(code, one))
    found: dict[Named, None] = {}
    for word in sorted(words):
        for path, name in code.world.defined(word):
            owner, _, _ = name.rpartition(".")
            view = code.world.view(path)
            if not owner or view is None or view.language != code.language:
                continue
            holder = QualifiedName(owner)
            if code.world.kind(path, holder) == SymbolKind.INTERFACE:
                found[Named(path, holder)] = None
    return sorted(found)[:MOST_INTERFACES]


def methods_of(code: Code, of: Named) -> dict[str, Routine]:
    """Return the methods that an interface asks for, embedded ones included.

    None when it also asks for something that is not known.
    """
    return code.remember(("methods", of), lambda: _methods_of(code, of), {})


def _methods_of(code: Code, of: Named) -> dict[str, Routine]:
    found: dict[str, Routine] = {}
    level: list[Type | None] = [of]
    seen: set[Type | None] = set()
    while level and len(seen) < MOST_METHODS:
        one = code.alias_end(level.pop())
        if one in seen:
            continue
        seen.add(one)
        inner = code.underlying(one)
        if not isinstance(one, Named) or not isinstance(inner, Written):
            return {}
        code.ask_type(one)
        unit = code.unit(inner.path)
        mapping = tuple(code.mapping(one).items())
        for at in unit.nested[inner.number]:
            word = unit.facts.regions[at].declarations[0].name
            found.setdefault(word, Routine(unit.path, at, unit.name(at), mapping))
        level.extend(inside.type for inside in embedded(code, one))
    return found


def _has(code: Code, of: Named, word: str, wanted: Routine) -> bool:
    found = member(code, of, word)
    if found is None or found.function is None:
        return False
    own, theirs = code.type_of_function(found.function), code.type_of_function(wanted)
    return alike(own, theirs)


def alike(own: Function, theirs: Function) -> bool:
    """Tell whether two functions have the same type, as far as both are known."""
    if len(own.parameters) != len(theirs.parameters) or len(own.results) != len(theirs.results):
        return False
    pairs = [
        *zip(own.parameters, theirs.parameters, strict=True),
        *zip(own.results, theirs.results, strict=True),
    ]
    return own.variadic == theirs.variadic and all(
        one is None or other is None or one == other or isinstance(other, Variable)
        for one, other in pairs
    )
