"""What expressions and variables may stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.file_paths import calling, expected, members, receivers, written
from topomem.link.strategies.file_paths.scoping import (
    WHOLE,
    Expression,
    Meaning,
    TypeParameter,
    binding_block,
    exported,
    follow,
    module_at,
    names,
    plain,
)
from topomem.link.strategies.file_paths.things import (
    NOTHING,
    Bindings,
    ClassObject,
    Closure,
    Foreign,
    ForeignObject,
    Item,
    ModuleObject,
    Routine,
    Shape,
    Space,
    Text,
    Tuple,
    Value,
    limited,
    shallow,
)
from topomem.link.values import Definition, Found, Module, Outside, Variable
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.scopes import Binding
    from topomem.link.tree import Tree

SPINE = frozenset({Op.MEMBER, Op.CALL, Op.CONSTRUCT, Op.INDEX, Op.AWAIT, Op.TRANSPARENT})
OPERANDS: dict[int, Op] = {
    Op.MEMBER: Op.OBJECT,
    Op.INDEX: Op.OBJECT,
    Op.CALL: Op.CALLEE,
    Op.CONSTRUCT: Op.CALLEE,
}
_STRETCH = 256
"""Ops of a chain of members and calls whose value is kept together."""
MOST_PARTS = 16
LOADERS = frozenset({"require", "import"})


def tree_of(look: Evaluator, path: FilePath, scope: QualifiedName) -> Tree:
    """Return the tree of a region that an answer led to."""
    tables = look.world.scope_of(path, scope)
    assert tables is not None  # noqa: S101  # answers name regions of the snapshot
    return tables.tree


def inner(tree: Tree, op: int) -> int:
    """Return the expression inside parentheses, a mark or an await; -1 without one."""
    return next((at for at in tree.children(op) if 32 <= tree.kinds[at] < 80), -1)  # noqa: PLR2004


def value_at(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    """Return what the expression at an op may stand for."""
    if op < 0:
        return NOTHING
    key = ("value", path, scope, op, bindings)
    return look.ask(key, k, NOTHING, _value_at, path, scope, op, bindings, k - 1)


def _value_at(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    """Go down the chain of members and calls to its first operand, then outwards again.

    A long chain is cut into stretches whose values are kept, at the same places from wherever it
    is looked at: else every link of it would go over the whole rest again.
    """
    tree = tree_of(look, path, scope)
    chain: list[int] = []
    cuts: list[int] = []
    at = op
    while at >= 0 and tree.kinds[at] in SPINE and not is_loading(tree, at):
        if at != op and look.knows(("value", path, scope, at, bindings), k):
            break
        if chain and at // _STRETCH != chain[-1] // _STRETCH:
            cuts.append(len(chain))
            if look.knows(("stretch", path, scope, at, bindings), k):
                break
        chain.append(at)
        role = OPERANDS.get(tree.kinds[at])
        at = inner(tree, at) if role is None else tree.operand(at, role)
    value = NOTHING
    for place in reversed(cuts):  # those inside first: each finds the next one known
        start = chain[place] if place < len(chain) else at
        key = ("stretch", path, scope, start, bindings)
        value = look.keep(key, k, _value_at, path, scope, start, bindings, k)
    if cuts:
        del chain[cuts[0] :]
    elif at >= 0 and at != op and tree.kinds[at] in SPINE:
        value = value_at(look, path, scope, at, bindings, k)
    elif at >= 0:
        value = _base(look, tree, path, scope, at, bindings, k)
    for step in reversed(chain):
        value = _outward(look, tree, path, scope, step, value, bindings, k)
    return value


def _outward(  # where it stands, and what is known
    look: Evaluator,
    tree: Tree,
    path: FilePath,
    scope: QualifiedName,
    op: int,
    value: Value,
    bindings: Bindings,
    k: int,
) -> Value:
    kind = tree.kinds[op]
    if kind == Op.MEMBER:
        name = tree.text(op, Op.MEMBER_NAME)
        found = members.attached(look, path, scope, tree.operand(op, Op.OBJECT), name)
        if found is not None:
            return frozenset({Routine(found.path, found.name)})
        return members.read_all(look, value, name, k)
    site = calling.Site(path, scope, op, bindings)
    if kind == Op.CALL:
        return limited({one for item in value for one in calling.call(look, item, site, k)})
    if kind == Op.CONSTRUCT:
        return limited({one for item in value for one in calling.construct(look, item, site, k)})
    if kind == Op.INDEX:
        return _indexed(look, path, scope, op, value, bindings, k)
    return awaited(value) if kind == Op.AWAIT else value


def _indexed(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    op: int,
    value: Value,
    bindings: Bindings,
    k: int,
) -> Value:
    tree = tree_of(look, path, scope)
    key = tree.operand(op, Op.KEY)
    if key >= 0 and tree.kinds[key] == Op.LITERAL:
        return elements(value)
    found: set[Item] = set()
    for one in value_at(look, path, scope, key, bindings, k):
        if isinstance(one, Text):
            found |= members.read_all(look, value, one.text, k)
    return limited(found) or elements(value)


def is_loading(tree: Tree, op: int) -> bool:
    """Tell whether an op is `require("...")` or `import("...")`."""
    if tree.kinds[op] != Op.CALL:
        return False
    callee = tree.operand(op, Op.CALLEE)
    named = callee >= 0 and tree.kinds[callee] == Op.NAME and tree.texts[callee] in LOADERS
    return named and bool(literal_argument(tree, op))


def literal_argument(tree: Tree, call: int) -> str:
    """Return the string that is the first argument of a call, `` for none."""
    argument = tree.operand(call, Op.ARGUMENT)
    return tree.texts[argument] if argument >= 0 and tree.kinds[argument] == Op.STRING_VALUE else ""


def _base(  # where it stands
    look: Evaluator,
    tree: Tree,
    path: FilePath,
    scope: QualifiedName,
    op: int,
    bindings: Bindings,
    k: int,
) -> Value:
    kind, text = tree.kinds[op], tree.texts[op]
    if kind == Op.NAME:
        return _name(look, path, scope, op, k)
    if kind == Op.CALL:
        return _loaded(look, path, tree, op, k)
    if kind == Op.RECEIVER:
        return receivers.receiver(look, path, scope, op, k)
    if kind == Op.PARENT:
        return receivers.parent(look, path, scope, op, k)
    if kind == Op.LAMBDA:
        return frozenset({Closure(path, scope, op, bindings)})
    if kind == Op.COLLECTION:
        if text == "object":
            return frozenset({Shape(path, scope, op, bindings)})
        parts = [tree.expression(role) for role in tree.roles(op, Op.ELEMENT)[:MOST_PARTS]]
        values = [value_at(look, path, scope, part, bindings, k) for part in parts]
        return frozenset({Foreign("Array", (shallow(limited(set().union(*values))),))})
    if kind == Op.STRING_VALUE:
        return frozenset({Text(text)})
    if kind == Op.LITERAL:
        return NOTHING if text == "none" else frozenset({Foreign(PRIMITIVES.get(text, text))})
    if kind == Op.CHOICE:
        return _choice(look, path, scope, op, bindings, k)
    if kind == Op.CAST:
        written_op = tree.operand(op, Op.TYPE)
        if written_op >= 0 and text != "satisfies":
            return written.type_at(look, path, scope, written_op, bindings, k)
        return value_at(look, path, scope, tree.operand(op, Op.VALUE), bindings, k)
    if kind in (Op.ASSIGN, Op.AUGMENT):
        return value_at(look, path, scope, tree.operand(op, Op.VALUE), bindings, k)
    if kind == Op.DEFINE:
        view = look.world.view(path)
        number = -1 if view is None else view.defined_at(view.by_name[scope], op)
        if view is not None and number >= 0:
            return definition_value(look, Definition(path, view.placement(number).name))
    return NOTHING


PRIMITIVES = {"template": "string", "regex": "RegExp"}


def _choice(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    tree = tree_of(look, path, scope)
    found: set[Item] = set()
    waiting, steps = [op], 0
    while waiting and steps < MOST_PARTS:
        at, steps = waiting.pop(), steps + 1
        if at >= 0 and tree.kinds[at] == Op.CHOICE:
            waiting.extend(tree.expression(role) for role in reversed(tree.roles(at, Op.OPTION)))
        else:
            found |= value_at(look, path, scope, at, bindings, k)
    return limited(found)


def _name(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
    tables = look.world.scope_of(path, scope)
    assert tables is not None  # noqa: S101  # as in `tree_of`
    text = tables.tree.texts[op]
    key = ("name", path, scope, binding_block(tables, op, text), text)
    return look.ask(key, k, NOTHING, _name_in_block, path, scope, op, text, k - 1)


def _name_in_block(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, text: str, k: int
) -> Value:
    found = follow(look, names(look, path, scope, op, text, "value"), "value")
    if not found:
        return frozenset({ForeignObject(text)})
    return limited({item for one in found for item in value_of(look, one, k)})


def _loaded(look: Evaluator, path: FilePath, tree: Tree, op: int, k: int) -> Value:
    name = literal_argument(tree, op)
    target = module_at(look, path, name)
    dynamic = tree.texts[tree.operand(op, Op.CALLEE)] == "import"
    value: Value = frozenset({ForeignObject(name)})
    if target is not None:
        value = module_value(look, target, k)
    return frozenset({Foreign("Promise", (value,))}) if dynamic else value


def module_value(look: Evaluator, path: FilePath, k: int) -> Value:
    """Return what loading a file gives: what it is replaced by, and what it exports."""
    found: set[Item] = {ModuleObject(path)}
    for one in exported(look, path, WHOLE, "value"):
        if isinstance(one, Found) and isinstance(one.place, Module):
            found.add(ModuleObject(one.place.path))
        else:
            found |= value_of(look, one, k)
    return limited(found)


def value_of(look: Evaluator, meaning: Meaning, k: int) -> Value:
    """Return what a named thing may be."""
    if isinstance(meaning, TypeParameter):
        return NOTHING
    if isinstance(meaning, Expression):
        return value_at(look, meaning.path, meaning.scope, meaning.op, (), k)
    place = meaning.place
    if isinstance(place, Module):
        return module_value(look, place.path, k)
    if isinstance(place, Outside):
        return frozenset({ForeignObject(place.name)})
    if isinstance(place, Definition):
        return definition_value(look, place)
    if isinstance(place, Variable):
        return look.ask(("variable", place), k, NOTHING, _variable, place, k - 1)
    return NOTHING


def definition_value(look: Evaluator, place: Definition) -> Value:
    """Return what a definition is as a value."""
    kind = look.world.kind(place.path, place.name)
    name = QualifiedName(plain(place.name))
    if kind is SymbolKind.CLASS:
        return frozenset({ClassObject(place.path, name)})
    if kind in (SymbolKind.NAMESPACE, SymbolKind.ENUM):
        return frozenset({Space(place.path, name)})
    if kind is SymbolKind.INTERFACE or kind is None:
        return NOTHING
    return frozenset({Routine(place.path, place.name)})


def _variable(look: Evaluator, place: Variable, k: int) -> Value:
    tables = look.world.scope_of(place.path, place.scope)
    if tables is None:
        return NOTHING
    if place.block >= 0:
        look.world.inner(place.path, place.scope)
    else:
        look.world.bound(place.path, place.scope, place.name)
    found: set[Item] = set()
    for binding in tables.bound(place.name, place.block):
        if tables.tree.texts[binding.op] not in ("type_alias", "field"):
            found |= binding_value(look, place.path, place.scope, binding, (), k)
    return limited(found)


def binding_value(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    binding: Binding,
    bindings: Bindings,
    k: int,
) -> Value:
    """Return what a statement gives to the name it binds."""
    tree = tree_of(look, path, scope)
    op = binding.op
    type_op = tree.operand(op, Op.TYPE)
    if type_op >= 0:
        value = written.type_at(look, path, scope, type_op, bindings, k)
    elif binding.form == Op.PARAMETER:
        value = expected.of_parameter(look, path, scope, op, bindings, k)
        if not value:
            value = value_at(look, path, scope, tree.operand(op, Op.DEFAULT), bindings, k)
    elif binding.form == Op.ITERATE:
        if tree.texts[op] == "key":
            return frozenset({Foreign("string")})
        value = elements(value_at(look, path, scope, tree.operand(op, Op.VALUE), bindings, k))
    elif binding.form in (Op.ASSIGN, Op.DECLARE):
        value = value_at(look, path, scope, tree.operand(op, Op.VALUE), bindings, k)
    else:
        return NOTHING
    return _taken(look, tree, binding, value, k)


def _taken(look: Evaluator, tree: Tree, binding: Binding, value: Value, k: int) -> Value:
    """Return what a pattern takes out of a value for the name it binds."""
    for key, position in _steps(tree, binding):
        if key == "...":
            continue
        value = members.read_all(look, value, key, k) if key else elements(value, position)
    return value


def _steps(tree: Tree, binding: Binding) -> list[tuple[str, int]]:
    """Return the steps from a statement's target to a name in its pattern, outermost first."""
    steps: list[tuple[str, int]] = []
    at = binding.target
    while at != binding.op:
        parent = tree.parents[at]
        if parent < 0:
            break
        if tree.kinds[parent] == Op.COLLECTION:
            if tree.kinds[at] == Op.NAME:
                steps.append((tree.texts[at], 0))
            elif tree.kinds[at] == Op.PAIR:
                steps.append((tree.text(at, Op.PAIR_NAME), 0))
            elif tree.kinds[at] == Op.SPREAD:
                steps.append(("...", 0))
            elif tree.kinds[at] == Op.ELEMENT:
                steps.append(("", tree.roles(parent, Op.ELEMENT).index(at)))
        at = parent
    steps.reverse()
    return steps


def elements(value: Value, position: int = -1) -> Value:
    """Return what stands in arrays and tuples: at a position, or anywhere."""
    found: set[Item] = set()
    for item in value:
        if isinstance(item, Tuple):
            chosen = item.elements
            if 0 <= position < len(chosen):
                chosen = chosen[position : position + 1]
            for one in chosen:
                found |= one
        elif isinstance(item, Foreign) and item.name in written.ARRAYS and item.arguments:
            found |= item.arguments[0]
        elif isinstance(item, Foreign) and item.name in ("Record", "Map") and item.arguments[1:]:
            found |= item.arguments[1]
    return limited(found)


def awaited(value: Value) -> Value:
    """Return what awaiting a value gives."""
    found: set[Item] = set()
    for item in value:
        if isinstance(item, Foreign) and item.name in ("Promise", "PromiseLike"):
            found |= item.arguments[0] if item.arguments else NOTHING
        else:
            found.add(item)
    return limited(found)
