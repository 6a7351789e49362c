"""The value of a variable: of each of its bindings, and what its written type says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link import patterns
from topomem.link.calls import Site
from topomem.link.values import (
    NOTHING,
    Argument,
    Container,
    Definition,
    Found,
    Instance,
    Item,
    Outside,
    OutsideInstance,
    OwnClass,
    Value,
    Variable,
)
from topomem.link.views import CLASSES
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.scopes import Binding, Scope
    from topomem.model.ids import FilePath, QualifiedName

MOST_BINDINGS = 24


def variable_value(look: Evaluator, place: Variable, k: int) -> Value:
    """Return the value of a variable, in terms of parameters and receivers of its function."""
    found: set[Item] = set()
    bindings: list[tuple[QualifiedName, Binding]] = []
    if place.block >= 0:
        tables = look.world.inner(place.path, place.scope)
        if tables is not None:
            bindings = [(place.scope, one) for one in tables.bound(place.name, place.block)]
    else:
        bound = look.world.bound(place.path, place.scope, place.name)
        if bound is not None:
            bindings = [(place.scope, one) for one in bound.bindings]
            if bound.imports:
                found |= look.read(look.follow(lookup_imports(look, place)), k)
        if look.world.kind(place.path, place.scope) in CLASSES:
            writes = look.world.attribute(place.path, place.scope, place.name)
            bindings.extend((write.scope, write.binding) for write in writes)
    if len(bindings) > MOST_BINDINGS:
        return NOTHING
    written = _written(look, place.path, bindings, k)
    if written:
        return written
    for scope, binding in bindings:
        found |= binding_value(look, place.path, scope, binding, k)
    return look.limited(found)


def lookup_imports(look: Evaluator, place: Variable) -> tuple[Found, ...]:
    """Return what the imports that bind a variable stand for, one step."""
    bound = look.world.bound(place.path, place.scope, place.name)
    if bound is None:
        return ()
    strategy = look.strategy_of(place.path)
    return tuple(
        step
        for form in bound.imports
        for step in strategy.imported(look, place.path, place.scope, form)
    )


def _written(
    look: Evaluator,
    path: FilePath,
    bindings: list[tuple[QualifiedName, Binding]],
    k: int,
) -> Value:
    """Return what the written types of a variable say, when that is something of the repository."""
    strategy = look.strategy_of(path)
    found: set[Item] = set()
    for scope, binding in bindings:
        if binding.form not in (Op.ASSIGN, Op.DECLARE):
            continue
        tables = look.world.scope_of(path, scope)
        at = -1 if tables is None else tables.tree.operand(binding.op, Op.TYPE)
        if at >= 0:
            found |= strategy.type_value(look, path, scope, at, k)
    if any(isinstance(item, (Instance, OwnClass, Container, Definition)) for item in found):
        return look.limited(found)
    return NOTHING


def binding_value(
    look: Evaluator, path: FilePath, scope: QualifiedName, binding: Binding, k: int
) -> Value:
    """Return what one statement gives a name."""
    tables = look.world.scope_of(path, scope)
    if tables is None:
        return NOTHING
    tree = tables.tree
    form = binding.form
    if form == Op.PARAMETER:
        return parameter_value(look, path, scope, tables, binding, k)
    if form == Op.ASSIGN:
        value_op = tree.operand(binding.op, Op.VALUE)
        steps = patterns.steps_to(tree, binding)
        if not steps:
            return look.value_at(path, scope, value_op, k)
        return patterns.taken(look, path, scope, value_op, steps, k)
    if form == Op.ITERATE:
        value = look.value_at(path, scope, tree.operand(binding.op, Op.VALUE), k)
        taken = look.iterated(value, k)
        return patterns.taken_from(look, taken, patterns.steps_to(tree, binding), k)
    if form == Op.ENTER:
        strategy = look.strategy_of(path)
        value = look.value_at(path, scope, tree.operand(binding.op, Op.VALUE), k)
        entered: set[Item] = set()
        for item in value:
            entered |= strategy.entered(look, item, k)
        return patterns.taken_from(look, entered, patterns.steps_to(tree, binding), k)
    if form == Op.CATCH:
        return _caught(look, path, scope, tables, binding, k)
    return NOTHING


def _caught(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    tables: Scope,
    binding: Binding,
    k: int,
) -> Value:
    tree = tables.tree
    at = tree.operand(binding.op, Op.TYPE)
    options = [at]
    if at >= 0 and tree.kinds[at] == Op.COLLECTION:
        options = [tree.expression(role) for role in tree.roles(at, Op.ELEMENT)]
    found: set[Item] = set()
    for option in options:
        found |= written_type(look, path, scope, option, k)
    return look.limited(found)


def parameter_value(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    tables: Scope,
    binding: Binding,
    k: int,
) -> Value:
    """Return what a parameter is: the receiver, what its type says, or whatever is passed."""
    tree = tables.tree
    block = tree.block[binding.op]
    name = tree.texts[binding.target]
    listed = tables.parameters.get(block, [])
    if block < 0 and listed and listed[0].op == binding.op:
        receiver = look.receiver_of(Definition(path, scope))
        if receiver is not None:
            return frozenset({receiver})
    strategy = look.strategy_of(path)
    at = tree.operand(binding.op, Op.TYPE)
    kind = tree.texts[binding.op]
    if at >= 0:
        written = strategy.type_value(look, path, scope, at, k)
        if any(isinstance(one, (Instance, OwnClass, Container, Definition)) for one in written):
            return frozenset({Container(written)}) if kind in ("rest", "keywords") else written
    return frozenset({Argument(path, scope, name, block)})


def decorated(look: Evaluator, place: Definition, k: int) -> Value:
    """Return the value of a definition's name: what its decorators make of it."""
    tables = look.world.header(place.path, place.name)
    if tables is None:
        return frozenset({place})
    count = sum(tables.tree.kinds[op] == Op.DECORATOR for op in tables.header)
    return look.decorated_to(place, count, k) if count else frozenset({place})


def decorated_to(look: Evaluator, place: Definition, count: int, k: int) -> Value:
    """Return the value of a definition with its `count` innermost decorators applied."""
    tables = look.world.header(place.path, place.name)
    if tables is None or count == 0:
        return frozenset({place})
    tree = tables.tree
    roles = [op for op in tables.header if tree.kinds[op] == Op.DECORATOR]
    role = roles[len(roles) - count]
    below = look.decorated_to(place, count - 1, k)
    expression = tree.expression(role)
    if expression < 0 or look.is_marker(place, role):
        return below
    site = Site(place.path, place.name, role, decorates=count - 1)
    found: set[Item] = set()
    for item in look.value_at(place.path, place.name, expression, k):
        if not isinstance(item, (Outside, OutsideInstance)):
            found |= look.call(item, site, k)
    usable = frozenset(
        one for one in found if not isinstance(one, (Outside, OutsideInstance, Argument))
    )
    return usable or below


def written_type(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
    """Return the value of something of a written type: instances of the classes it names."""
    if op < 0 or k <= 0:
        return look.stopped() if op >= 0 else NOTHING
    tables = look.world.scope_of(path, scope)
    if tables is None:
        return NOTHING
    tree = tables.tree
    kind = tree.kinds[op]
    strategy = look.strategy_of(path)
    if kind in (Op.NAME, Op.MEMBER):
        return _named_type(look, path, scope, op, k)
    if kind in (Op.UNION_TYPE, Op.CHOICE):
        found: set[Item] = set()
        for role in tree.roles(op, Op.OPTION):
            at = tree.expression(role)
            found |= strategy.type_value(look, path, scope, at, k - 1)
        return look.limited(found)
    if kind == Op.INDEX:
        arguments = tuple(
            strategy.type_value(look, path, scope, tree.expression(role), k - 1)
            for role in tree.roles(op, Op.KEY)
        )
        found = set()
        for item in look.value_at(path, scope, tree.operand(op, Op.OBJECT), k):
            found |= strategy.generic_value(look, item, arguments, k)
        return look.limited(found)
    if kind in (Op.TRANSPARENT, Op.POINTER):
        return strategy.type_value(look, path, scope, tree.inner(op), k - 1)
    return NOTHING


def _named_type(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
    found: set[Item] = set()
    for one in look.type_places(path, scope, op, k):
        if isinstance(one, Variable):
            found |= _alias(look, one, k)
        else:
            for item in look.value_of(one, k):
                made = as_instance(look, item)
                if made is not None:
                    found.add(made)
    return look.limited(found)


def _alias(look: Evaluator, place: Variable, k: int) -> Value:
    """Return what a type alias stands for."""
    if place.block >= 0:
        return NOTHING
    bound = look.world.bound(place.path, place.scope, place.name)
    if bound is None or len(bound.bindings) != 1:
        return NOTHING
    binding = bound.bindings[0]
    tables = look.world.scope_of(place.path, place.scope)
    if tables is None or binding.form not in (Op.ASSIGN, Op.DECLARE):
        return NOTHING
    role = Op.VALUE if binding.form == Op.ASSIGN else Op.TYPE
    at = tables.tree.operand(binding.op, role)
    return look.strategy_of(place.path).type_value(look, place.path, place.scope, at, k - 1)


def as_instance(look: Evaluator, item: Item) -> Item | None:
    """Return a thing of the class `item`, None when it is no class."""
    if isinstance(item, Definition) and look.is_class(item):
        return Instance(item.path, item.name)
    if isinstance(item, Outside):
        return OutsideInstance(item.name)
    return None
