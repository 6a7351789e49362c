"""Who may call a function, and what they pass: values followed against the direction of calls.

Uses of a function's name are looked at, up to `MOST_USES` in the repository: called on the spot,
kept under another name of the same scope, applied as a decorator, or passed on to a parameter that
is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.calls import Site, argument
from topomem.link.guess import is_test
from topomem.link.injected import injected
from topomem.link.scopes import last_name
from topomem.link.values import (
    Argument,
    Bound,
    Definition,
    Item,
    Lambda,
    OwnClass,
    Value,
    Variable,
)
from topomem.link.views import CLASSES, Use, own_name
from topomem.model.code import Op
from topomem.model.ids import QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree

MOST_SITES = 24


def passed(look: Evaluator, item: Argument, k: int) -> Value:
    """Return what the callers of a function pass for one of its parameters."""
    function: Definition | Lambda = (
        Definition(item.path, item.scope)
        if item.block < 0
        else Lambda(item.path, item.scope, item.block)
    )
    found: set[Item] = set(injected(look, item, k))
    for site in look.callers(function, k):
        given = argument(look, item, site, k)
        for one in given or ():
            if isinstance(one, Argument):
                found |= look.passed(one, k)
            else:
                found.add(one)
    return look.limited(found)


def callers(look: Evaluator, function: Definition | Lambda, k: int) -> tuple[Site, ...]:
    """Return the calls that may call `function`, sorted by where they stand.

    Calls in tests say nothing about what production code is for.
    """
    found: set[Site] = set()
    if isinstance(function, Lambda):
        tables = look.world.inner(function.path, function.scope)
        if tables is not None:
            use = Use(function.path, function.scope, function.op)
            found |= _sites_of_value(look, tables.tree, use, 0, k)
    elif isinstance(function, Definition):
        for name in _called_names(look, function, k):
            for use in look.world.uses(name):
                if look.are_akin(use.path, function.path):
                    key = ("sites", use, function)
                    found |= look.keep(key, k, _sites_of_use, use, function, k)
        found |= _decorated_by(look, function, k)
    if not is_test(function.path):
        found = {site for site in found if not is_test(site.path)}
    if len(found) > MOST_SITES:
        return ()
    return tuple(sorted(found))


def _called_names(look: Evaluator, function: Definition, k: int) -> list[str]:
    """Return the names under which a function is called.

    Its own, and for what makes objects those of its class and of the classes that inherit it.
    """
    name = own_name(function.name)
    strategy = look.strategy_of(function.path)
    owner = function.name.rpartition(".")[0]
    if name not in strategy.constructors or not owner:
        return [name]
    names = {name, own_name(QualifiedName(owner))}
    for heir in look.heirs(Definition(function.path, QualifiedName(owner)), k):
        if not look.own_members(heir, name):
            names.add(own_name(heir.name))
    return sorted(names)


def _sites_of_use(look: Evaluator, use: Use, function: Definition, k: int) -> frozenset[Site]:
    tables = look.world.scope_of(use.path, use.scope)
    if tables is None:
        return frozenset()
    shift = _shift(look, use, function, k)
    if shift < 0:
        return frozenset()
    return frozenset(_sites_of_value(look, tables.tree, use, shift, k))


def _shift(look: Evaluator, use: Use, function: Definition, k: int) -> int:
    """Return how many parameters the receiver fills where `use` reads the function.

    -1 when the use does not mean the function.
    """
    by_parameter = look.strategy_of(function.path).receiver_is_parameter
    constructor = own_name(function.name) in look.strategy_of(function.path).constructors
    for item in look.undecorated_at(use.path, use.scope, use.op, k):
        if item == function:
            return 0
        if isinstance(item, Bound) and (item.path, item.name) == (function.path, function.name):
            return 1 if by_parameter else 0
        if constructor and isinstance(item, (Definition, OwnClass)):
            made = Definition(item.path, item.name)
            if look.world.kind(made.path, made.name) not in CLASSES:
                continue
            for one in look.members(made, own_name(function.name), k):
                if one.place == function:
                    return 1 if by_parameter else 0
    return -1


def _sites_of_value(look: Evaluator, tree: Tree, use: Use, shift: int, k: int) -> set[Site]:
    """Return the calls that reach a function which is read at `use`."""
    role = tree.role_of(use.op)
    if role < 0:
        return set()
    kind, parent = tree.kinds[role], tree.parents[role]
    if kind == Op.CALLEE and tree.kinds[parent] in (Op.CALL, Op.CONSTRUCT):
        return {Site(use.path, use.scope, parent, shift)}
    if k <= 0:
        look.stopped()
        return set()
    if kind == Op.VALUE and parent >= 0 and tree.kinds[parent] == Op.ASSIGN:
        return _sites_of_alias(look, tree, use, parent, shift, k)
    if kind in (Op.ARGUMENT, Op.VALUE) and parent >= 0:
        return _sites_of_passing(look, tree, use, role, shift, k)
    return set()


def _sites_of_alias(
    look: Evaluator, tree: Tree, use: Use, statement: int, shift: int, k: int
) -> set[Site]:
    """Return the calls of a variable of the same region that holds the function."""
    found: set[Site] = set()
    target = tree.operand(statement, Op.TARGET)
    name = last_name(tree, target)
    if not name or target < 0 or tree.kinds[target] != Op.NAME:
        return found
    tables = look.world.inner(use.path, use.scope)
    if tables is None:
        return found
    for call in tables.calls:
        callee = tree.operand(call, Op.CALLEE)
        if callee >= 0 and tree.kinds[callee] == Op.NAME and tree.texts[callee] == name:
            found.add(Site(use.path, use.scope, call, shift))
    for role in (op for op, kind in enumerate(tree.kinds) if kind == Op.ARGUMENT):
        at = tree.expression(role)
        if at >= 0 and tree.kinds[at] == Op.NAME and tree.texts[at] == name:
            found |= _sites_of_passing(look, tree, use, role, shift, k - 1)
    return found


def _sites_of_passing(
    look: Evaluator, tree: Tree, use: Use, role: int, shift: int, k: int
) -> set[Site]:
    """Return the calls of the parameter that takes the function at a call."""
    call = tree.parents[role]
    keyword = ""
    if tree.kinds[role] == Op.VALUE:
        if tree.kinds[call] != Op.KEYWORD:
            return set()
        keyword = tree.text(call, Op.KEYWORD_NAME)
        call = tree.parents[call]
    if call < 0 or tree.kinds[call] not in (Op.CALL, Op.CONSTRUCT):
        return set()
    position = -1 if keyword else tree.roles(call, Op.ARGUMENT).index(role)
    found: set[Site] = set()
    for item in look.value_at(use.path, use.scope, tree.operand(call, Op.CALLEE), k):
        taken = _parameter_at(look, item, position, keyword)
        if taken is not None:
            found |= _calls_of_parameter(look, taken, shift)
    return found


def _parameter_at(look: Evaluator, item: Item, position: int, keyword: str) -> Variable | None:
    shift = 0
    if isinstance(item, Bound):
        shift = 1 if look.strategy_of(item.path).receiver_is_parameter else 0
        item = Definition(item.path, item.name)
    if isinstance(item, Lambda):
        tables, block = look.world.inner(item.path, item.scope), item.op
        scope = item.scope
    elif isinstance(item, Definition) and look.world.kind(item.path, item.name) not in CLASSES:
        tables, block = look.world.header(item.path, item.name), -1
        scope = item.name
    else:
        return None
    listed = [] if tables is None else tables.parameters.get(block, [])
    if keyword:
        names = [one.name for one in listed if one.name == keyword]
    else:
        names = [one.name for one in listed[position + shift : position + shift + 1]]
    return Variable(item.path, scope, names[0], block) if names else None


def _calls_of_parameter(look: Evaluator, place: Variable, shift: int) -> set[Site]:
    tables = look.world.inner(place.path, place.scope)
    found: set[Site] = set()
    if tables is not None:
        for call in tables.calls:
            callee = tables.tree.operand(call, Op.CALLEE)
            if (
                callee >= 0
                and tables.tree.kinds[callee] == Op.NAME
                and tables.tree.texts[callee] == place.name
            ):
                found.add(Site(place.path, place.scope, call, shift))
    return found


def _decorated_by(look: Evaluator, function: Definition, k: int) -> set[Site]:
    """Return the applications of a function as a decorator."""
    found: set[Site] = set()
    name = own_name(function.name)
    for use in look.world.uses(name):
        tables = look.world.header(use.path, use.scope)
        if tables is None or not look.are_akin(use.path, function.path):
            continue
        tree = tables.tree
        roles = [op for op in tables.header if tree.kinds[op] == Op.DECORATOR]
        for position, role in enumerate(roles):
            if use.op in tree.inside(role):
                value = look.value_at(use.path, use.scope, tree.expression(role), k)
                below = len(roles) - 1 - position
                if function in value:
                    found.add(Site(use.path, use.scope, role, 0, below))
                bound = any(
                    isinstance(item, Bound)
                    and (item.path, item.name) == (function.path, function.name)
                    for item in value
                )
                if bound:
                    found.add(Site(use.path, use.scope, role, 1, below))
    return found
