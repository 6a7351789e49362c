"""Fields and methods of types, through pointers, names and what they embed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders.code import MOST_EMBEDDED
from topomem.link.strategies.package_folders.declarations import expression_in
from topomem.link.strategies.package_folders.meanings import Embedded, Member, Routine
from topomem.link.strategies.package_folders.types import (
    Mapping,
    Named,
    Outside,
    Type,
    Variable,
    Written,
    behind,
    substituted,
)
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.strategies.package_folders.code import Code
    from topomem.link.tree import Tree


def member(code: Code, of: Type | None, word: str) -> Member | None:
    """Return the field or method `word` of a type.

    Its own, else that of the least deeply embedded type which has one. A member of something
    outside has neither path nor name.
    """
    of = behind(of)
    key = ("member", of, word)
    return code.remember(key, lambda: _member(code, of, word), None)


def _member(code: Code, of: Type | None, word: str) -> Member | None:
    level: list[Type | None] = [of]
    seen: set[Type | None] = set()
    outside: Member | None = None
    while level and len(seen) < MOST_EMBEDDED:
        following: list[Type | None] = []
        for one in level:
            at = behind(code.alias_end(behind(one)))
            if at in seen:
                continue
            seen.add(at)
            found = own_member(code, at, word)
            if found is not None:
                return found
            if isinstance(at, Outside) and outside is None:
                outside = _outside(at, word)
            following.extend(inside.type for inside in embedded(code, at))
        level = following
    return outside


def own_member(code: Code, of: Type | None, word: str) -> Member | None:
    """Return the field or method that a type declares itself."""
    if isinstance(of, Variable):
        for bound in code.bounds(of):
            found = member(code, bound, word)
            if found is not None:
                return found
        return None
    if isinstance(of, Named):
        for unit, number in code.methods_of(of, word):
            mapping = tuple(code.mapping(of).items())
            routine = Routine(unit.path, number, unit.name(number), mapping)
            return Member(routine, unit.path, unit.name(number), None)
    inner = code.underlying(of)
    if isinstance(inner, Written):
        return _written_member(code, inner, of, word)
    if isinstance(of, Named) and isinstance(inner, Outside):
        return _outside(inner, word)
    return None


def _outside(of: Outside, word: str) -> Member:
    """Return a member of something outside: it has a name of its own kind alone."""
    return Member(None, FilePath(""), QualifiedName(""), Outside(f"{of.name}.{word}"))


def _written_member(code: Code, inner: Written, of: Type | None, word: str) -> Member | None:
    unit = code.unit(inner.path)
    tree = unit.tree(inner.number)
    mapping: Mapping = code.mapping(of) if isinstance(of, Named) else {}
    if inner.op < 0:
        return None
    for op in tree.children(inner.op):
        kind = tree.kinds[op]
        if kind == Op.DEFINE:
            number = _defined(unit.nested[inner.number], tree, op)
            if number >= 0 and unit.facts.regions[number].declarations[0].name == word:
                routine = Routine(unit.path, number, unit.name(number), tuple(mapping.items()))
                return Member(routine, unit.path, unit.name(number), None)
        elif kind == Op.DECLARE:
            for role in tree.roles(op, Op.TARGET):
                if tree.texts[tree.expression(role)] == word:
                    type_op = tree.operand(op, Op.TYPE)
                    found = substituted(code.written(inner.path, inner.number, type_op), mapping)
                    return Member(None, inner.path, _field_name(code, inner, word), found)
    return None


def _field_name(code: Code, inner: Written, word: str) -> QualifiedName | None:
    """Return the qualified name of a field, None where its struct is part of no declaration."""
    unit = code.unit(inner.path)
    tree = unit.tree(inner.number)
    above = unit.name(inner.number)
    if inner.number and unit.body(inner.number) != inner.op:
        above = QualifiedName(f"{above}.{_holder(tree, inner.op)}")
    elif not inner.number:
        above = QualifiedName(_holder(tree, inner.op))
    known = {one.name for one in unit.facts.regions[inner.number].declarations[1:]}
    name = f"{above}.{word}"
    own = name.removeprefix(f"{unit.name(inner.number)}.") if inner.number else name
    return QualifiedName(name) if own in known else None


def _holder(tree: Tree, op: int) -> str:
    """Return the name of the declaration that a written struct is the type of, or part of it."""
    at = tree.parents[op]
    while at >= 0 and tree.kinds[at] != Op.DECLARE:
        at = tree.parents[at]
    target = tree.operand(at, Op.TARGET) if at >= 0 else -1
    return tree.texts[target] if target >= 0 else ""


def _defined(nested: list[int], tree: Tree, op: int) -> int:
    text = tree.texts[op]
    ordinal = int(text) if text.isdigit() else -1
    return nested[ordinal] if 0 <= ordinal < len(nested) else -1


def embedded(code: Code, of: Type | None) -> tuple[Embedded, ...]:
    """Return the types that a struct or interface embeds, in order."""
    if isinstance(of, Variable):
        return ()
    key = ("embedded", of)
    return code.remember(key, lambda: _embedded(code, of), ())


def _embedded(code: Code, of: Type | None) -> tuple[Embedded, ...]:
    inner = code.underlying(of)
    if not isinstance(inner, Written) or inner.op < 0:
        return ()
    mapping: Mapping = code.mapping(of) if isinstance(of, Named) else {}
    tree = code.unit(inner.path).tree(inner.number)
    found = []
    for role in tree.roles(inner.op, Op.INHERIT):
        expression = expression_in(tree, role)
        one = substituted(code.written(inner.path, inner.number, expression), mapping)
        found.append(Embedded(last_word(tree, expression), one))
    return tuple(found)


def last_name_op(tree: Tree, expression: int) -> int:
    """Return the op of the last name of a written type, without what it is applied to."""
    at = expression
    while at >= 0:
        kind = tree.kinds[at]
        if kind == Op.NAME:
            return at
        if kind == Op.MEMBER:
            return tree.role(at, Op.MEMBER_NAME)
        if kind == Op.INDEX:
            at = tree.operand(at, Op.OBJECT)
        elif kind in (Op.POINTER, Op.TRANSPARENT):
            at = expression_in(tree, at)
        else:
            break
    return -1


def last_word(tree: Tree, expression: int) -> str:
    """Return the last name of a written type."""
    at = last_name_op(tree, expression)
    return tree.texts[at] if at >= 0 else ""


def embedded_named(code: Code, of: Type | None, word: str) -> Type | None:
    """Return the embedded type that goes by `word`, at any depth."""
    level: list[Type | None] = [behind(of)]
    seen: set[Type | None] = set()
    while level and len(seen) < MOST_EMBEDDED:
        following: list[Type | None] = []
        for one in level:
            at = behind(code.alias_end(behind(one)))
            if at in seen:
                continue
            seen.add(at)
            for inside in embedded(code, at):
                if inside.word == word:
                    return inside.type
                following.append(inside.type)
        level = following
    return None
