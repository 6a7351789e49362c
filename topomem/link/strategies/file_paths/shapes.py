"""Members of objects as they are written: literals, types, namespaces, enums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.scopes import dotted
from topomem.link.strategies.file_paths import expressions, members
from topomem.link.strategies.file_paths.scoping import declared, plain
from topomem.link.strategies.file_paths.things import (
    THIS,
    Closure,
    Foreign,
    ForeignObject,
    Nominal,
    Shape,
    Space,
    Value,
    bind,
    ordered,
)
from topomem.link.values import Definition, Found, Variable
from topomem.link.views import own_name
from topomem.model.code import Method, Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree

HOLDING = frozenset({Op.COLLECTION, Op.ASSIGN, Op.VALUE, Op.TRANSPARENT})


def of_shape(look: Evaluator, item: Shape, name: str, k: int) -> tuple[members.Member, ...]:
    """Return the members of an object as it is written."""
    tree = expressions.tree_of(look, item.path, item.scope)
    wild: list[members.Member] = []
    for child in tree.children(item.op):
        kind = tree.kinds[child]
        if kind in members.STATEMENTS:
            if spelling(tree, child) == name:
                place = _written_place(look, item.path, item.scope, tree, child)
                return (members.field_of(place, tree, child, item.path, item.scope, item.bindings),)
        elif kind == Op.PAIR:
            if tree.texts[child] in ("index", "mapped"):
                at = tree.operand(child, Op.VALUE)
                wild.append(members.Member(None, "type", item.path, item.scope, at, item.bindings))
            elif tree.text(child, Op.PAIR_NAME) == name or pair_name(tree, child) == name:
                return (_pair(item, tree, child),)
        elif kind == Op.NAME and tree.texts[child] == name:
            return (members.Member(None, "value", item.path, item.scope, child, item.bindings),)
        elif kind == Op.FUNCTION_TYPE and tree.text(child, Op.PAIR_NAME) == name:
            closure: Value = frozenset({Closure(item.path, item.scope, child, item.bindings)})
            return (members.Member(None, "known", item.path, item.scope, child, (), closure),)
        elif kind == Op.DEFINE:
            member = _defined(look, item, child, name)
            if member is not None:
                return (member,)
        elif kind == Op.SPREAD:
            at = tree.expression(child)
            for one in ordered(
                expressions.value_at(look, item.path, item.scope, at, item.bindings, k)
            ):
                found = members.members(look, one, name, k)
                if found and not isinstance(one, Foreign | ForeignObject):
                    return found
    return _given_to_holder(look, item, tree, name) or tuple(wild[:1])


def _given_to_holder(
    look: Evaluator, item: Shape, tree: Tree, name: str
) -> tuple[members.Member, ...]:
    """Return the function given to a member of a variable that holds this object."""
    bound = look.world.bound(item.path, item.scope, name) if not item.scope else None
    if bound is None or not bound.nested:
        return ()
    at, holders = item.op, set()
    while at >= 0 and tree.kinds[at] in HOLDING:
        if tree.kinds[at] == Op.ASSIGN:
            holders.add(dotted(tree, tree.operand(at, Op.TARGET)))
        at = tree.parents[at]
    bindings = bind((), {THIS: frozenset({item})})
    return tuple(
        members.Member(
            Found(Definition(item.path, nested), Method.RECEIVER),
            "routine", item.path, nested, -1, bindings,
        )
        for nested in bound.nested
        if plain(nested).rpartition(".")[0] in holders
    )  # fmt: skip


def pair_name(tree: Tree, pair: int) -> str:
    """Return the name of a method in an object literal."""
    for child in tree.children(pair):
        if tree.kinds[child] == Op.LAMBDA:
            return tree.text(child, Op.PAIR_NAME)
    return ""


def _pair(item: Shape, tree: Tree, pair: int) -> members.Member:
    at = tree.operand(pair, Op.VALUE)
    if at < 0:
        at = tree.role(pair, Op.LAMBDA)
    return members.Member(None, "value", item.path, item.scope, at, item.bindings)


def _defined(look: Evaluator, item: Shape, define: int, name: str) -> members.Member | None:
    view = look.world.view(item.path)
    number = -1 if view is None else view.by_name.get(item.scope, -1)
    nested = -1 if view is None or number < 0 else view.defined_at(number, define)
    if view is None or nested < 0:
        return None
    full = view.placement(nested).name
    if own_name(full) != name:
        return None
    look.world.header(item.path, full)
    place = Found(Definition(item.path, full), Method.RECEIVER)
    bindings = bind(item.bindings, {THIS: frozenset({item})})
    return members.Member(place, "routine", item.path, full, -1, bindings)


def spelling(tree: Tree, statement: int) -> str:
    """Return the name that a statement declares, without quotes; `` for a pattern."""
    target = tree.operand(statement, Op.TARGET)
    if target < 0 or tree.kinds[target] != Op.NAME:
        return ""
    return tree.texts[target].strip("\"'")


def _written_place(
    look: Evaluator, path: FilePath, scope: QualifiedName, tree: Tree, statement: int
) -> Found | None:
    """Return the symbol that a member of a written type is, named after what it stands in."""
    names = [tree.texts[tree.operand(statement, Op.TARGET)]]
    at = tree.parents[statement]
    while at >= 0:
        if tree.kinds[at] in members.STATEMENTS:
            target = tree.operand(at, Op.TARGET)
            if target >= 0 and tree.kinds[target] == Op.NAME:
                names.append(tree.texts[target])
        elif tree.kinds[at] == Op.PARAMETER:
            names.append(tree.text(at, Op.PARAMETER_NAME))
        at = tree.parents[at]
    name = ".".join(reversed(names))
    if look.world.declares(path, scope, name):
        return Found(Variable(path, scope, name), Method.RECEIVER)
    return None


def of_space(look: Evaluator, item: Space, name: str, k: int) -> tuple[members.Member, ...]:
    """Return the members of a namespace or an enum."""
    view = look.world.view(item.path)
    if view is None:
        return ()
    for part in members.parts(look, item.path, item.name):
        number = view.by_name.get(part, -1)
        if number < 0:
            continue
        if view.kind_at(number) is SymbolKind.ENUM:
            bound = look.world.bound(item.path, part, name)
            if bound is not None:
                place = Found(Variable(item.path, part, name), Method.RECEIVER)
                value: Value = frozenset({Nominal(item.path, item.name)})
                return (members.Member(place, "known", item.path, part, -1, (), value),)
            continue
        found = declared(look, view, number, name, "value", Method.RECEIVER)
        if found:
            return tuple(members.named(look, one, k) for one in found)
    return ()
