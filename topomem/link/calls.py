"""What a call gives: results of functions in terms of their parameters, filled in at the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.values import (
    NOTHING,
    Argument,
    Bound,
    Container,
    Definition,
    Generator,
    Instance,
    Item,
    Lambda,
    Outside,
    OutsideInstance,
    OutsideMethod,
    OwnClass,
    Value,
)
from topomem.link.views import CLASSES
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.scopes import Parameter, Scope


class Site(NamedTuple):
    """A call: the op of a region. `shift` parameters are filled by the receiver.

    When `decorates` is not negative, it is the application of decorator number `decorates`
    (counted from the definition outwards) to the region's definition, its one argument.
    """

    path: FilePath
    scope: QualifiedName
    op: int
    shift: int = 0
    decorates: int = -1


def call(look: Evaluator, item: Item, site: Site, k: int) -> Value:
    """Return what a call of `item` at `site` gives."""
    match item:
        case Definition():
            if look.world.kind(item.path, item.name) in CLASSES:
                return frozenset({Instance(item.path, item.name)})
            return _filled(look, item, None, site, k)
        case Bound():
            inner = Definition(item.path, item.name)
            shift = 1 if look.strategy_of(item.path).receiver_is_parameter else 0
            return _filled(look, inner, item.receiver, site._replace(shift=shift), k)
        case OwnClass():
            return frozenset({Instance(item.path, item.name, own=True)})
        case Lambda():
            return _filled(look, item, None, site, k)
        case Instance():
            names = look.strategy_of(item.path).special_method("call")
            found: set[Item] = set()
            for name in names:
                for callee in look.read(look.members(item, name, k), k):
                    if not isinstance(callee, Instance):
                        found |= look.call(callee, site, k)
            return look.limited(found)
        case Outside():
            strategy = look.strategy_of(site.path)
            value = strategy.outside_call(look, item.name, site.path, site.scope, site.op, k)
            return value if value is not None else frozenset({made_outside(item.name)})
        case OutsideMethod():
            return look.strategy_of(site.path).outside_method(look, item, site, k)
        case Argument():
            found = set()
            for passed in look.passed(item, k):
                if not isinstance(passed, Argument):
                    found |= look.call(passed, site, k - 1)
            return look.limited(found)
    return NOTHING


def made_outside(name: str) -> OutsideInstance:
    """Return what a call of something outside gives: a thing of that class, or its result."""
    last = name.rpartition(".")[2]
    return OutsideInstance(name if last[:1].isupper() else f"{name}()")


def results(look: Evaluator, function: Definition, k: int) -> Value:
    """Return what a function gives back: what its header says, else what its returns do."""
    head = look.world.header(function.path, function.name)
    if head is None:
        return NOTHING
    strategy = look.strategy_of(function.path)
    body = look.world.results(function.path, function.name)
    generates = body is not None and bool(body.yields.get(-1))
    written: Value = NOTHING
    for role in head.header:
        if head.tree.kinds[role] == Op.RETURN_TYPE:
            at = head.tree.expression(role)
            written = strategy.type_value(look, function.path, function.name, at, k)
    if any(isinstance(item, (Instance, Container, OwnClass, Definition)) for item in written):
        return written
    if generates:
        return frozenset({Generator(function.path, function.name)})
    flowing = (
        returned(look, function.path, function.name, body, -1, k) if body is not None else NOTHING
    )
    return flowing or written


def returned(
    look: Evaluator, path: FilePath, scope: QualifiedName, tables: Scope, block: int, k: int
) -> Value:
    """Return the values of all returns of a function (block -1) or lambda."""
    found: set[Item] = set()
    for op in tables.results.get(block, ()):
        tree = tables.tree
        at = tree.expression(op) if tree.kinds[op] == Op.RESULT else tree.operand(op, Op.VALUE)
        found |= look.value_at(path, scope, at, k)
    return look.limited(found)


def lambda_results(look: Evaluator, item: Lambda, k: int) -> Value:
    """Return what a call of a lambda gives, in terms of its parameters."""
    tables = look.world.inner(item.path, item.scope)
    if tables is None:
        return NOTHING
    return returned(look, item.path, item.scope, tables, item.op, k)


def yielded(look: Evaluator, item: Generator, k: int) -> Value:
    """Return what a generator yields."""
    tables = look.world.results(item.path, item.name)
    if tables is None:
        return NOTHING
    found: set[Item] = set()
    for op in tables.yields.get(-1, ()):
        value = look.value_at(item.path, item.name, tables.tree.operand(op, Op.VALUE), k)
        found |= look.iterated(value, k) if tables.tree.kinds[op] == Op.YIELD_FROM else value
    if item.receiver is not None:
        found = {look.seen_from(one, item.receiver, k) for one in found}
    return look.limited(found)


def _filled(
    look: Evaluator,
    function: Definition | Lambda,
    receiver: Item | None,
    site: Site,
    k: int,
) -> Value:
    value = look.results_of(function, k)
    found: set[Item] = set()
    for item in value:
        found |= _fill(look, item, function, receiver, site, k)
    return look.limited(found)


def _fill(
    look: Evaluator,
    item: Item,
    function: Definition | Lambda,
    receiver: Item | None,
    site: Site,
    k: int,
) -> Value:
    if isinstance(item, Argument) and _is_of(item, function):
        given = argument(look, item, site, k)
        return given if given is not None else frozenset({item})
    if isinstance(item, Bound) and isinstance(item.receiver, Argument):
        inner = _fill(look, item.receiver, function, receiver, site, k)
        return frozenset(item._replace(receiver=one) for one in inner)
    if isinstance(item, Generator):
        return frozenset({item._replace(receiver=receiver)})
    if receiver is not None:
        return frozenset({look.seen_from(item, receiver, k)})
    return frozenset({item})


def _is_of(item: Argument, function: Definition | Lambda) -> bool:
    if isinstance(function, Lambda):
        return (item.path, item.scope, item.block) == (
            function.path,
            function.scope,
            function.op,
        )
    return (item.path, item.scope, item.block) == (function.path, function.name, -1)


def parameters(look: Evaluator, item: Argument) -> list[Parameter]:
    """Return the parameters of the function or lambda that a parameter belongs to."""
    tables = (
        look.world.header(item.path, item.scope)
        if item.block < 0
        else look.world.inner(item.path, item.scope)
    )
    return [] if tables is None else tables.parameters.get(item.block, [])


def argument(look: Evaluator, item: Argument, site: Site, k: int) -> Value | None:
    """Return what `site` passes for a parameter, its default when it passes nothing.

    None when the site does not say (spread arguments).
    """
    listed = parameters(look, item)
    position = next((at for at, one in enumerate(listed) if one.name == item.name), -1)
    if position < 0:
        return None
    if site.decorates >= 0:
        if position != site.shift:
            return default_value(look, item, listed[position], k)
        place = Definition(site.path, site.scope)
        return look.decorated_to(place, site.decorates, k)
    tables = look.world.scope_of(site.path, site.scope)
    if tables is None:
        return None
    tree = tables.tree
    spread = False
    place_at = site.shift
    for child in tree.children(site.op):
        kind = tree.kinds[child]
        if kind == Op.ARGUMENT:
            if listed[position].kind == "rest" and place_at >= position:
                return _rest(look, site, position, k)
            if place_at == position and listed[position].kind not in ("keywords", "keyword_only"):
                return look.value_at(site.path, site.scope, tree.expression(child), k)
            place_at += 1
        elif kind == Op.SPREAD:
            spread = True
        elif kind == Op.KEYWORD and tree.text(child, Op.KEYWORD_NAME) == item.name:
            return look.value_at(site.path, site.scope, tree.operand(child, Op.VALUE), k)
    if spread:
        return None
    return default_value(look, item, listed[position], k)


def _rest(look: Evaluator, site: Site, position: int, k: int) -> Value:
    tables = look.world.scope_of(site.path, site.scope)
    found: set[Item] = set()
    if tables is not None:
        given = tables.tree.roles(site.op, Op.ARGUMENT)
        for role in given[position - site.shift :]:
            found |= look.value_at(site.path, site.scope, tables.tree.expression(role), k)
    return frozenset({Container(look.limited(found))})


def default_value(look: Evaluator, item: Argument, parameter: Parameter, k: int) -> Value:
    """Return the default value of a parameter."""
    tables = look.world.scope_of(item.path, item.scope)
    if tables is None:
        return NOTHING
    at = tables.tree.operand(parameter.op, Op.DEFAULT)
    return look.value_at(item.path, item.scope, at, k)
