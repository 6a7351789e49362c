"""What a call means: where its method is looked for, which one it is, what it gives.

Nothing here looks at the text of the call: a place, a name and the types of the arguments decide,
so that equal calls are worked out once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.strategies.declared_packages.declarations import TYPE_KINDS
from topomem.link.strategies.declared_packages.outside import choose_outside, outside_result
from topomem.link.strategies.declared_packages.overloads import Choice, choose, infer
from topomem.link.strategies.declared_packages.region import CERTAIN, GUESSED, Place
from topomem.link.strategies.declared_packages.types import (
    OBJECT,
    WITH_MEMBERS,
    ClassType,
    FunctionType,
    OutsideType,
    Type,
    substituted,
)
from topomem.model.code import External, Method, Target, Unresolved
from topomem.model.ids import FilePath, moniker

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.declarations import Method as Declared

Candidates = tuple[tuple["Declared", ClassType], ...]
Types = tuple["Type | None", ...]


class Called(NamedTuple):
    """Where the methods that a call may mean are looked for, and how that was found.

    `place` is set when no receiver is written.
    """

    candidates: Candidates
    of: Type | None
    how: Method
    place: Place | None = None


class Resolution(NamedTuple):
    """What a call means, and the type of its result."""

    target: Target
    how: Method
    confidence: float
    result: Type | None


def unqualified(code: Code, place: Place, word: str) -> Called:
    """Look for a method called without a receiver: in the types around, then static imports."""
    nothing = Called((), None, Method.IMPORT, place)
    return code.remember(("unqualified", place, word), lambda: _around(code, place, word), nothing)


def _around(code: Code, place: Place, word: str) -> Called:
    unit = code.unit(place.path)
    at = place.at
    own: Type | None = None
    while at > 0:
        if unit.kind_at(at) in TYPE_KINDS:
            plain = ClassType(unit.path, unit.name(at))
            holder = plain._replace(arguments=code.own_arguments(plain))
            own = own or holder
            found = code.methods(holder, word)
            if found:
                inherited = found[0][0].path != unit.path
                how = Method.RECEIVER if inherited else Method.ENCLOSING
                return Called(found, holder, how, place)
            if _outside_has(code, holder, word):
                return Called((), holder, Method.RECEIVER, place)
        at = unit.parent(at)
    return Called(_static_methods(code, place.path, word), own, Method.IMPORT, place)


def _outside_has(code: Code, holder: ClassType, word: str) -> bool:
    return any(
        isinstance(up, OutsideType) and code.library.methods(up, word) for up in code.above(holder)
    )


def _static_methods(code: Code, path: FilePath, word: str) -> Candidates:
    code.world.asked.append(("head", path))
    found: list[tuple[Declared, ClassType]] = []
    for form in code.unit(path).imports:
        if not form.static:
            continue
        owner, _, last = form.name.rpartition(".")
        if form.star or last == word:
            holder = code.dotted_type(path, form.name if form.star else owner)
            if holder is not None:
                found.extend(code.methods(holder, word))
    return tuple(found)


def of_parent(code: Code, own: ClassType, word: str) -> Called:
    """Look for `super.word` in the bases: the class first, then interfaces."""
    bases = code.bases(own)
    found: Candidates = ()
    for base in bases:
        found = code.methods(base, word)
        if found:
            break
    return Called(found, bases[0] if bases else OBJECT, Method.RECEIVER)


def on_value(code: Code, of: Type | None, word: str) -> Called:
    """Look for a method of a value or a type."""
    return Called(code.methods(of, word), of, Method.RECEIVER)


def resolve(
    code: Code, called: Called, word: str, arguments: Types, written: Types = ()
) -> Resolution:
    """Return what a call means. `written` are the types it writes for the method's variables."""
    key = ("call", called, word, arguments, written)
    nothing = Resolution(Unresolved(word), Method.UNRESOLVED, 0.0, None)
    return code.remember(key, lambda: _resolve(code, called, word, arguments, written), nothing)


def _resolve(code: Code, called: Called, word: str, arguments: Types, written: Types) -> Resolution:
    chosen = choose(code, called.candidates, arguments)
    if chosen is not None and (chosen.fits or not _outside_takes(code, called, word, arguments)):
        method = chosen.method
        return Resolution(
            moniker(method.path, method.name),
            called.how,
            CERTAIN if chosen.sure else GUESSED,
            result_of(code, chosen, arguments, written),
        )
    return _outside(code, called, word, arguments)


def _outside_takes(code: Code, called: Called, word: str, arguments: Types) -> bool:
    """Tell whether a method of the library, inherited, takes so many arguments."""
    return any(
        isinstance(up, OutsideType)
        and any(
            len(method.parameters) == len(arguments) for method, _ in code.library.methods(up, word)
        )
        for up in code.lineage(called.of)
    )


def result_of(code: Code, chosen: Choice, arguments: Types, written: Types = ()) -> Type | None:
    """Return the type that a call of a chosen method gives."""
    method = chosen.method
    plain = code.applied(code.result_type(method), chosen.holder)
    if not method.variables:
        return plain
    mapping = infer(code, chosen, arguments)
    if len(written) == len(method.variables):
        for word, of in zip(method.variables, written, strict=True):
            mapping[method.path, method.name, word] = of
    return substituted(plain, mapping)


def _outside(code: Code, called: Called, word: str, arguments: Types) -> Resolution:
    """Return what a call of something outside means, as far as the library tells."""
    outside = [up for up in code.lineage(called.of) if isinstance(up, OutsideType)]
    if isinstance(called.of, WITH_MEMBERS) or outside:
        outside.append(OBJECT)
    for up in outside:
        found = choose_outside(code, code.library.methods(up, word), arguments)
        if found is not None:
            result = outside_result(code, found, arguments)
            if word == "getClass":
                result = OutsideType("java.lang.Class", (called.of,))
            return _external(f"{found[1].name}.{word}", result)
    unknown = [up for up in outside if code.library.known(up) is None]
    if unknown:
        return _external(f"{unknown[0].name}.{word}", None)
    owner = None if called.place is None else _outside_static(code, called.place.path, word)
    if owner is not None:
        return _external(f"{owner}.{word}", None)
    if isinstance(called.of, FunctionType):
        return _external(word, None)
    return Resolution(Unresolved(word), Method.UNRESOLVED, 0.0, None)


def _external(name: str, result: Type | None) -> Resolution:
    return Resolution(External(name), Method.EXTERNAL, CERTAIN, result)


def _outside_static(code: Code, path: FilePath, word: str) -> str | None:
    """Return the outside type that a static import brings `word` from, None without one."""
    code.world.asked.append(("head", path))
    stars = []
    for form in code.unit(path).imports:
        if form.static:
            owner, _, last = form.name.rpartition(".")
            if not form.star and last == word:
                return owner
            if form.star and code.dotted_type(path, form.name) is None:
                stars.append(form.name)
    return stars[0] if len(stars) == 1 else None
