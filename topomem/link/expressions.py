"""The value of an expression of a region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.calls import Site
from topomem.link.collections import key_text
from topomem.link.values import (
    NOTHING,
    Bound,
    Collection,
    Definition,
    Found,
    Instance,
    Item,
    Lambda,
    Outside,
    OutsideInstance,
    OutsideMethod,
    OwnClass,
    Parent,
    Text,
    Value,
    Variable,
)
from topomem.link.views import CLASSES
from topomem.model.code import Op, SymbolKind

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree
    from topomem.model.ids import FilePath, QualifiedName

SPINE = {
    Op.MEMBER: Op.OBJECT,
    Op.REFERENCE: Op.OBJECT,
    Op.CALL: Op.CALLEE,
    Op.CONSTRUCT: Op.CALLEE,
    Op.INDEX: Op.OBJECT,
    Op.SLICE: Op.OBJECT,
}
"""Expressions that begin with another one, and the role it stands in; chains of them are long."""

THROUGH = frozenset({Op.TRANSPARENT, Op.AWAIT, Op.POINTER})
VALUED_STATEMENTS = frozenset({Op.ASSIGN, Op.AUGMENT, Op.YIELD})
MOST_OPTIONS = 16


def value_at(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
    """Return the value of the expression `op`; nothing for -1."""
    if op < 0 or k <= 0:
        return NOTHING if op < 0 else look.stopped()
    tables = look.world.scope_of(path, scope)
    if tables is None:
        return NOTHING
    tree = tables.tree
    spine: list[int] = []
    at = op
    while at >= 0:
        kind = tree.kinds[at]
        known = look.known(path, scope, at, k)
        if known is not None:
            break
        role = SPINE.get(kind)  # type: ignore[call-overload]  # Op is an int
        if role is not None:
            spine.append(at)
            at = tree.operand(at, role)
        elif kind in THROUGH:
            spine.append(at)
            at = tree.inner(at)
        else:
            break
    if at < 0:
        value = NOTHING
    else:
        known = look.known(path, scope, at, k)
        value = _leaf(look, path, scope, tree, at, k) if known is None else known
        look.know(path, scope, at, k, value)
    for outer in reversed(spine):
        value = _outward(look, path, scope, tree, outer, value, k)
        look.know(path, scope, outer, k, value)
    return value


def _leaf(
    look: Evaluator, path: FilePath, scope: QualifiedName, tree: Tree, op: int, k: int
) -> Value:
    kind = tree.kinds[op]
    if kind == Op.NAME:
        found = look.meaning(path, scope, op, tree.texts[op])
        return look.read(found, k)
    if kind == Op.RECEIVER:
        return receiver_value(look, path, scope)
    if kind == Op.PARENT:
        return parent_value(look, path, scope)
    if kind == Op.LAMBDA:
        return frozenset({Lambda(path, scope, op)})
    if kind in (Op.COLLECTION, Op.COMPREHENSION):
        return frozenset({Collection(path, scope, op)})
    if kind == Op.STRING_VALUE:
        return frozenset({Text(key_text(tree, op))})
    if kind == Op.LITERAL:
        return frozenset({OutsideInstance(f"<builtin>.{tree.texts[op]}")})
    if kind == Op.CHOICE:
        return _choice(look, path, scope, tree, op, k)
    if kind == Op.CAST:
        strategy = look.strategy_of(path)
        return strategy.type_value(look, path, scope, tree.operand(op, Op.TYPE), k)
    if kind in VALUED_STATEMENTS:
        return look.value_at(path, scope, tree.operand(op, Op.VALUE), k - 1)
    if kind == Op.DEFINE:
        view = look.world.view(path)
        number = -1 if view is None else view.defined_at(view.by_name[scope], op)
        if view is not None and number >= 0:
            return look.value_of(Definition(path, view.placement(number).name), k)
    return NOTHING


def _choice(
    look: Evaluator, path: FilePath, scope: QualifiedName, tree: Tree, op: int, k: int
) -> Value:
    found: set[Item] = set()
    waiting, seen = [op], 0
    while waiting and seen < MOST_OPTIONS:
        at = waiting.pop()
        if tree.kinds[at] == Op.CHOICE:
            options = [tree.expression(role) for role in tree.roles(at, Op.OPTION)]
            waiting.extend(option for option in reversed(options) if option >= 0)
        elif tree.kinds[at] == Op.TRANSPARENT:
            inner = tree.inner(at)
            waiting.extend([inner] if inner >= 0 else [])
        else:
            seen += 1
            found |= look.value_at(path, scope, at, k)
    return look.limited(found)


def _outward(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    tree: Tree,
    op: int,
    inner: Value,
    k: int,
) -> Value:
    kind = tree.kinds[op]
    if kind in (Op.MEMBER, Op.REFERENCE):
        return look.read(member_places(look, inner, tree.text(op, Op.MEMBER_NAME), k), k)
    if kind in (Op.CALL, Op.CONSTRUCT):
        site = Site(path, scope, op)
        found: set[Item] = set()
        for item in inner:
            found |= look.call(item, site, k)
        return look.limited(found)
    if kind == Op.INDEX:
        return look.indexed(path, scope, op, inner, k)
    if kind == Op.SLICE:
        return inner
    if kind == Op.AWAIT:
        strategy = look.strategy_of(path)
        return frozenset(one for item in inner for one in strategy.awaited(look, item, k))
    return inner


def member_places(look: Evaluator, value: Value, name: str, k: int) -> tuple[Found, ...]:
    """Return the places that `.name` of any item of a value leads to, sorted."""
    found: dict[Found, None] = {}
    for item in sorted(value, key=repr) if len(value) > 1 else value:
        for one in look.members(item, name, k):
            found[one] = None
    return tuple(found)


def read(look: Evaluator, found: tuple[Found, ...], k: int) -> Value:
    """Return the value of places; what is read through a receiver is bound to it."""
    value: set[Item] = set()
    for one in found:
        if one.receiver is None:
            value |= look.value_of(one.place, k)
        elif isinstance(one.place, Definition):
            value |= _bound(look, one.place, one.receiver, k)
        elif isinstance(one.place, Variable):
            inner = look.value_of(one.place, k)
            if all(isinstance(item, (Outside, OutsideInstance)) for item in inner):
                for other in look.assigned(one.place, one.receiver, k):
                    inner |= look.value_of(other, k)
            value |= frozenset(look.seen_from(item, one.receiver, k) for item in inner)
        elif isinstance(one.place, Outside):
            value.add(OutsideMethod(one.place.name, one.receiver))
        else:
            value |= look.value_of(one.place, k)
    return look.limited(value)


def _bound(look: Evaluator, place: Definition, receiver: Item, k: int) -> Value:
    kind = look.world.kind(place.path, place.name)
    if kind in CLASSES:
        return look.value_of(place, k)
    if kind == SymbolKind.PROPERTY or look.is_property(place):
        results = look.results(place, k)
        return frozenset(look.seen_from(item, receiver, k) for item in results)
    form = look.receiver_form(place)
    if form == "static":
        return look.value_of(place, k)
    if form == "class" and isinstance(receiver, (Instance, OwnClass)):
        owner: Item = (
            OwnClass(receiver.path, receiver.name)
            if isinstance(receiver, OwnClass) or receiver.own
            else Definition(receiver.path, receiver.name)
        )
        return frozenset({Bound(place.path, place.name, owner)})
    if form == "method" and isinstance(receiver, (Definition, OwnClass)):
        return look.value_of(place, k)
    value: set[Item] = set()
    for item in look.value_of(place, k):
        if isinstance(item, Definition) and item == place:
            value.add(Bound(item.path, item.name, receiver))
        else:
            value.add(item)
    return frozenset(value)


def places_at(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int
) -> tuple[Found, ...]:
    """Return the places that a name or member leads to, imports followed."""
    tables = look.world.scope_of(path, scope)
    if tables is None or op < 0:
        return ()
    tree = tables.tree
    if tree.kinds[op] == Op.NAME:
        return look.meaning(path, scope, op, tree.texts[op])
    if tree.kinds[op] in (Op.MEMBER, Op.REFERENCE):
        value = look.value_at(path, scope, tree.operand(op, Op.OBJECT), k)
        return member_places(look, value, tree.text(op, Op.MEMBER_NAME), k)
    return ()


def undecorated_at(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
    """Return the value of a name or member, definitions as they are without decorators."""
    found: set[Item] = set()
    for one in places_at(look, path, scope, op, k):
        if not isinstance(one.place, Definition):
            found |= look.read((one,), k)
        elif (
            one.receiver is None
            or look.receiver_form(one.place) == "static"
            or (
                isinstance(one.receiver, (Definition, OwnClass))
                and (look.receiver_form(one.place) != "class")
            )
        ):
            found.add(one.place)
        else:
            found.add(Bound(one.place.path, one.place.name, one.receiver))
    return look.limited(found)


def receiver_value(look: Evaluator, path: FilePath, scope: QualifiedName) -> Value:
    """Return what the receiver keyword stands for in a region: its class's own instance."""
    view = look.world.view(path)
    number = -1 if view is None else view.by_name.get(scope, -1)
    while view is not None and number > 0:
        if view.kind_at(number) in CLASSES:
            return frozenset({Instance(path, view.placement(number).name, own=True)})
        number = view.placement(number).parent
    return NOTHING


def parent_value(look: Evaluator, path: FilePath, scope: QualifiedName) -> Value:
    """Return what the parent keyword stands for in a region."""
    return frozenset(
        Parent(item.path, item.name, item)
        for item in receiver_value(look, path, scope)
        if isinstance(item, Instance)
    )
