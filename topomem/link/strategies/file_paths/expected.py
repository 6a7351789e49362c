"""What the surroundings of an expression want it to be: how parameters without a type get one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.file_paths import (
    calling,
    expressions,
    foreign,
    members,
    shapes,
    written,
)
from topomem.link.strategies.file_paths.things import (
    NOTHING,
    Bindings,
    ClassObject,
    Item,
    Value,
    limited,
)
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree


def wanted(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    """Return what the surroundings of an expression want it to be."""
    key = ("wanted", path, scope, op, bindings)
    return look.ask(key, k, NOTHING, _wanted, path, scope, op, bindings, k - 1)


def _wanted(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    tree = expressions.tree_of(look, path, scope)
    role = tree.role_of(op)
    parent = tree.parents[role] if role >= 0 else tree.parents[op]
    if parent < 0:
        return NOTHING
    kind = tree.kinds[role] if role >= 0 else -1
    above = tree.kinds[parent]
    if kind == Op.ARGUMENT and above in (Op.CALL, Op.CONSTRUCT):
        return of_argument(look, path, scope, parent, role, bindings, k)
    if kind == Op.VALUE and above in (Op.ASSIGN, Op.CAST):
        at = tree.operand(parent, Op.TYPE)
        if at >= 0:
            return written.type_at(look, path, scope, at, bindings, k)
        if tree.texts[parent] == "set":
            at = tree.operand(parent, Op.TARGET)
            return expressions.value_at(look, path, scope, at, bindings, k)
        return NOTHING
    if kind == Op.VALUE and above == Op.PAIR:
        return _of_pair(look, path, scope, parent, bindings, k)
    if kind == Op.ELEMENT and above == Op.COLLECTION:
        return expressions.elements(wanted(look, path, scope, parent, bindings, k))
    if kind == Op.OPTION and above == Op.CHOICE:
        return wanted(look, path, scope, parent, bindings, k)
    if above == Op.TRANSPARENT:
        return wanted(look, path, scope, parent, bindings, k)
    if kind == Op.VALUE and above == Op.RETURN:
        return _of_result(look, path, scope, parent, bindings, k)
    if kind == Op.RESULT and above == Op.LAMBDA:
        return _of_result(look, path, scope, op, bindings, k)
    if above == Op.PAIR and tree.kinds[op] == Op.LAMBDA:
        return _of_pair(look, path, scope, parent, bindings, k)
    return NOTHING


def _of_pair(
    look: Evaluator, path: FilePath, scope: QualifiedName, pair: int, bindings: Bindings, k: int
) -> Value:
    tree = expressions.tree_of(look, path, scope)
    name = tree.text(pair, Op.PAIR_NAME) or shapes.pair_name(tree, pair)
    owner = wanted(look, path, scope, tree.parents[pair], bindings, k)
    return members.read_all(look, owner, name, k) if name else NOTHING


def _of_result(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    """Return what the function around wants its result to be."""
    tree = expressions.tree_of(look, path, scope)
    around = _function_around(tree, op)
    role = (
        tree.role(around, Op.RETURN_TYPE)
        if around >= 0
        else next((top for top in tree.tops() if tree.kinds[top] == Op.RETURN_TYPE), -1)
    )
    if role >= 0:
        value = written.type_at(look, path, scope, tree.expression(role), bindings, k)
        return expressions.awaited(value)
    if around < 0:
        return NOTHING
    found: set[Item] = set()
    for item in wanted(look, path, scope, around, bindings, k):
        found |= calling.call(look, item, None, k)
    return limited(found)


def _function_around(tree: Tree, op: int) -> int:
    block = tree.block[op]
    while block >= 0 and tree.kinds[block] != Op.LAMBDA:
        block = tree.block[block]
    return block


def of_argument(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    call: int,
    role: int,
    bindings: Bindings,
    k: int,
) -> Value:
    """Return what a called function wants an argument to be."""
    tree = expressions.tree_of(look, path, scope)
    roles = [one for one in tree.children(call) if tree.kinds[one] in (Op.ARGUMENT, Op.SPREAD)]
    position = roles.index(role)
    site = calling.Site(path, scope, call, bindings)
    callee = tree.operand(call, Op.CALLEE)
    form = "new" if tree.kinds[call] == Op.CONSTRUCT else "call"
    found: set[Item] = set()
    for item in expressions.value_at(look, path, scope, callee, bindings, k):
        listed = calling.signatures(look, item, form, k)
        if form == "new" and not listed:
            listed = _makers(look, item)
        signature = calling.chosen(look, listed, site)
        if signature is None:
            continue
        parameters = calling.parameters_of(look, signature)
        header = expressions.tree_of(look, signature.path, signature.scope)
        if position < len(parameters):
            at = header.operand(parameters[position], Op.TYPE)
            given = calling.applied(look, signature, site, k)
            found |= written.type_at(look, signature.path, signature.scope, at, given, k)
    return limited(found)


def _makers(look: Evaluator, item: Item) -> list[calling.Signature]:
    if not isinstance(item, ClassObject):
        return []
    bound = look.world.bound(item.path, item.name, "constructor")
    nested = () if bound is None else bound.nested
    return [calling.Signature(item.path, one, -1, ()) for one in nested]


def of_parameter(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    """Return what a parameter without a written type is, by what its function is wanted to be."""
    tree = expressions.tree_of(look, path, scope)
    owner = tree.parents[op]
    tables = look.world.scope_of(path, scope)
    if tables is None:
        return NOTHING
    block = owner if owner >= 0 and tree.kinds[owner] == Op.LAMBDA else -1
    listed = [one.op for one in tables.parameters.get(block, []) if one.kind != "receiver"]
    if op not in listed:
        return NOTHING
    number = listed.index(op)
    if block >= 0:
        handed = _handed(look, path, scope, block, number, bindings, k)
        if handed:
            return handed
        functions = wanted(look, path, scope, block, bindings, k)
    else:
        functions = _wanted_definition(look, path, scope, bindings, k)
    found: set[Item] = set()
    for item in functions:
        for signature in calling.signatures(look, item, "call", k)[:1]:
            parameters = calling.parameters_of(look, signature)
            if number < len(parameters):
                header = expressions.tree_of(look, signature.path, signature.scope)
                at = header.operand(parameters[number], Op.TYPE)
                found |= written.type_at(
                    look, signature.path, signature.scope, at, signature.bindings, k
                )
    return limited(found)


def _handed(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    function: int,
    number: int,
    bindings: Bindings,
    k: int,
) -> Value:
    """Return what a well-known function hands to a parameter of the lambda it is given."""
    tree = expressions.tree_of(look, path, scope)
    role = tree.role_of(function)
    call = tree.parents[role] if role >= 0 else -1
    if call < 0 or tree.kinds[role] != Op.ARGUMENT or tree.kinds[call] != Op.CALL:
        return NOTHING
    position = tree.roles(call, Op.ARGUMENT).index(role)
    callee = tree.operand(call, Op.CALLEE)
    found: set[Item] = set()
    for item in expressions.value_at(look, path, scope, callee, bindings, k):
        found |= foreign.handed_over(item, position, number)
    return limited(found)


def _wanted_definition(
    look: Evaluator, path: FilePath, scope: QualifiedName, bindings: Bindings, k: int
) -> Value:
    """Return what a function that is a definition is wanted to be: `const f: Handler = ...`."""
    tree = expressions.tree_of(look, path, scope)
    for top in tree.tops():
        if tree.kinds[top] == Op.TYPE:
            return written.type_at(look, path, scope, tree.expression(top), bindings, k)
    view = look.world.view(path)
    number = -1 if view is None else view.by_name.get(scope, -1)
    if view is None or number <= 0:
        return NOTHING
    define = view.define_of(number)
    parent = view.placement(view.placement(number).parent).name
    if define < 0:
        return NOTHING
    look.world.inner(path, parent)
    outer = expressions.tree_of(look, path, parent)
    above = outer.parents[define]
    if above >= 0 and outer.kinds[above] == Op.COLLECTION:
        owner = wanted(look, path, parent, above, bindings, k)
        return members.read_all(look, owner, tree.facts.declarations[0].name, k)
    return wanted(look, path, parent, define, bindings, k)
