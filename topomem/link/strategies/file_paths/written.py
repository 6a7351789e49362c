"""What written types say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.file_paths import calling, expressions, members
from topomem.link.strategies.file_paths.scoping import (
    LOOKUPS,
    TYPES,
    Expression,
    Meaning,
    Names,
    TypeParameter,
    binding_block,
    declared,
    exported,
    follow,
    module_at,
    names,
    plain,
)
from topomem.link.strategies.file_paths.things import (
    INSIDE,
    NOTHING,
    THIS,
    Bindings,
    Closure,
    Delayed,
    Foreign,
    Item,
    ModuleObject,
    Nominal,
    Parameter,
    Shape,
    Text,
    Tuple,
    Value,
    bind,
    bound,
    limited,
    shallow,
)
from topomem.link.values import Definition, Found, Module, Outside, Variable
from topomem.model.code import Method, Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator

PRIMITIVES = frozenset(
    [
        "any",
        "bigint",
        "boolean",
        "never",
        "null",
        "number",
        "object",
        "string",
        "symbol",
        "undefined",
        "unknown",
        "void",
    ]
)
SAME = frozenset(
    [
        "Partial",
        "Required",
        "Readonly",
        "NonNullable",
        "Omit",
        "Pick",
        "Exclude",
        "Extract",
        "NoInfer",
        "ThisType",
    ]
)
"""Types of the language that leave most members of their first argument as they are."""

ARRAYS = frozenset(
    ["Array", "ReadonlyArray", "Iterable", "IterableIterator", "ArrayLike", "Set", "ReadonlySet"]
)


def type_at(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    """Return what something of the type written at an op may be."""
    if op < 0:
        return NOTHING
    key = ("type", path, scope, op, bindings)
    return look.ask(key, k, NOTHING, _type_at, path, scope, op, bindings, k - 1)


def _type_at(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    tree = expressions.tree_of(look, path, scope)
    kind, text = tree.kinds[op], tree.texts[op]
    if kind in (Op.NAME, Op.MEMBER):
        return _named(look, path, scope, op, (), bindings, k)
    if kind == Op.INDEX:
        return _index(look, path, scope, op, bindings, k)
    if kind == Op.UNION_TYPE:
        return _union(look, path, scope, op, bindings, k)
    if kind == Op.COLLECTION:
        return _collection(look, path, scope, op, bindings, k)
    if kind == Op.FUNCTION_TYPE:
        return frozenset({Closure(path, scope, op, bindings)})
    if kind == Op.TRANSPARENT:
        inner = expressions.inner(tree, op)
        if text == "typeof":
            return expressions.value_at(look, path, scope, inner, bindings, k)
        return type_at(look, path, scope, inner, bindings, k)
    if kind == Op.RECEIVER:
        return receiver_type(look, path, scope, bindings)
    if kind == Op.CALL:
        return frozenset(
            ModuleObject(one.place.path)
            for one in meanings(look, path, scope, op, "type", k)
            if isinstance(one, Found) and isinstance(one.place, Module)
        )
    if kind == Op.STRING_VALUE:
        return frozenset({Text(text)})
    return NOTHING


def receiver_type(
    look: Evaluator, path: FilePath, scope: QualifiedName, bindings: Bindings
) -> Value:
    """Return what `this` means as a type: what it is bound to, else the class around."""
    known = bound(bindings, THIS)
    if known is not None:
        return known  # never delayed
    view = look.world.view(path)
    number = -1 if view is None else view.by_name.get(scope, -1)
    while view is not None and number >= 0:
        if view.kind_at(number) in (SymbolKind.CLASS, SymbolKind.INTERFACE):
            return frozenset({own_type(look, path, view.placement(number).name)})
        number = view.placement(number).parent
    return NOTHING


def own_type(look: Evaluator, path: FilePath, name: QualifiedName) -> Nominal:
    """Return a class's type inside itself: applied to its own parameters."""
    arguments = tuple(frozenset({one}) for one in parameters(look, path, name))
    return Nominal(path, QualifiedName(plain(name)), arguments)


def parameters(look: Evaluator, path: FilePath, name: QualifiedName) -> list[Parameter]:
    """Return the type parameters that a definition declares, in order."""
    tables = look.world.header(path, name)
    if tables is None:
        return []
    tree = tables.tree
    return [
        Parameter(path, name, op, tree.texts[op])
        for op in tables.header
        if tree.kinds[op] == Op.TYPE_PARAMETER and tree.parents[op] < 0
    ]


def _named(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    op: int,
    arguments: tuple[Value, ...],
    bindings: Bindings,
    k: int,
) -> Value:
    tree = expressions.tree_of(look, path, scope)
    text = tree.texts[op] if tree.kinds[op] == Op.NAME else ""
    if text in PRIMITIVES:
        return frozenset({Foreign(text)})
    found: set[Item] = set()
    known = meanings(look, path, scope, op, "type", k)
    for one in known:
        found |= type_of(look, one, arguments, bindings, k)
    if not known and text:
        return utility(look, text, arguments, path, scope, op, k)
    return limited(found)


def meanings(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, space: Names, k: int
) -> tuple[Meaning, ...]:
    """Return what a name or a qualified name means, imports followed."""
    tree = expressions.tree_of(look, path, scope)
    chain: list[str] = []
    while op >= 0 and tree.kinds[op] == Op.MEMBER:
        chain.append(tree.text(op, Op.MEMBER_NAME))
        op = tree.operand(op, Op.OBJECT)
    if op < 0:
        return ()
    found: tuple[Meaning, ...] = ()
    if tree.kinds[op] == Op.NAME:
        found = _ends(look, path, scope, op, "value" if chain else space)
        if chain and not found:
            found = _ends(look, path, scope, op, "type")
    elif tree.kinds[op] == Op.CALL:
        target = module_at(look, path, expressions.literal_argument(tree, op))
        found = () if target is None else (Found(Module(target), Method.IMPORT),)
    for name in reversed(chain):
        found = tuple(
            end
            for one in found
            if isinstance(one, Found)
            for end in inside(look, one, name, space if name == chain[0] else "value", k)
        )
    return found


def _ends(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, space: Names
) -> tuple[Meaning, ...]:
    """Return what a name means, imports followed; equal names of a block are looked up once."""
    tables = look.world.scope_of(path, scope)
    assert tables is not None  # noqa: S101  # as in `tree_of`
    name = tables.tree.texts[op]
    if space == "type" and name in tables.type_parameters:
        return follow(look, names(look, path, scope, op, name, space), space)
    key = ("meaning", path, scope, binding_block(tables, op, name), name, space)
    return look.ask(key, LOOKUPS, (), _followed, path, scope, op, name, space, 0)


def _followed(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    op: int,
    name: str,
    space: Names,
    _: int,
) -> tuple[Meaning, ...]:
    return follow(look, names(look, path, scope, op, name, space), space)


def inside(look: Evaluator, space: Found, name: str, wanted: Names, _: int) -> tuple[Meaning, ...]:
    """Return what a module, namespace, enum or something outside has under a name."""
    place = space.place
    if isinstance(place, Module):
        found = exported(look, place.path, name, wanted)
        return found or (exported(look, place.path, name, "type") if wanted == "value" else ())
    if isinstance(place, Outside):
        return (Found(Outside(f"{place.name}.{name}"), Method.EXTERNAL),)
    if isinstance(place, Definition):
        view = look.world.view(place.path)
        number = None if view is None else view.by_name.get(place.name)
        if view is None or number is None:
            return ()
        kind = look.world.kind(place.path, place.name)
        if kind in (SymbolKind.NAMESPACE, SymbolKind.ENUM):
            return follow(look, declared(look, view, number, name, wanted, Method.RECEIVER), wanted)
    return ()


def type_of(
    look: Evaluator, meaning: Meaning, arguments: tuple[Value, ...], bindings: Bindings, k: int
) -> Value:
    """Return what something of a named type may be."""
    if isinstance(meaning, TypeParameter):
        tree = expressions.tree_of(look, meaning.path, meaning.scope)
        one = Parameter(meaning.path, meaning.scope, meaning.op, tree.texts[meaning.op])
        known = bound(bindings, one)
        return frozenset({one}) if known is None else forced(look, known, k)
    if isinstance(meaning, Expression):
        return NOTHING
    place = meaning.place
    if isinstance(place, Outside):
        return frozenset({Foreign(place.name)})
    if isinstance(place, Definition) and look.world.kind(place.path, place.name) in TYPES:
        trimmed = tuple(shallow(one) for one in arguments)
        return frozenset({Nominal(place.path, QualifiedName(plain(place.name)), trimmed)})
    if isinstance(place, Variable):
        inside = bound(bindings, INSIDE) or NOTHING
        if Text(f"{place.path}#{place.name}") in inside:
            return NOTHING
        key = ("alias", place, arguments, inside)
        return look.ask(key, k, NOTHING, _alias, place, arguments, inside, k - 1)
    return NOTHING


def _alias(
    look: Evaluator, place: Variable, arguments: tuple[Value, ...], inside: Value, k: int
) -> Value:
    tables = look.world.scope_of(place.path, place.scope)
    if tables is None:
        return NOTHING
    if place.block >= 0:
        look.world.inner(place.path, place.scope)
    else:
        look.world.bound(place.path, place.scope, place.name)
    tree = tables.tree
    found: set[Item] = set()
    for binding in tables.bound(place.name, place.block):
        if tree.texts[binding.op] == "type_alias":
            declared_ones = [
                Parameter(place.path, place.scope, op, tree.texts[op])
                for op in tree.roles(binding.op, Op.TYPE_PARAMETER)
            ]
            given = bind((), dict(zip(declared_ones, arguments, strict=False)))
            if place.name in tree.texts[binding.target + 1 : tree.last[binding.op] + 1]:
                inside = inside | {Text(f"{place.path}#{place.name}")}
            given = bind(given, {INSIDE: inside}) if inside else given
            op = tree.operand(binding.op, Op.TYPE)
            found |= type_at(look, place.path, place.scope, op, given, k)
        elif tree.texts[binding.op] == "alias":
            op = tree.operand(binding.op, Op.VALUE)
            if op >= 0:
                found |= _named(look, place.path, place.scope, op, arguments, (), k)
    return limited(found)


def utility(
    look: Evaluator,
    name: str,
    arguments: tuple[Value, ...],
    path: FilePath,
    scope: QualifiedName,
    op: int,
    k: int,
) -> Value:
    """Return what a type of the language itself stands for."""
    first = forced(look, arguments[0], k) if arguments else NOTHING
    if name in SAME:
        return first
    if name == "Awaited":
        return expressions.awaited(first)
    site = calling.Site(path, scope, op, ())
    if name == "ReturnType":
        return limited({one for item in first for one in calling.call(look, item, site, k)})
    if name == "InstanceType":
        return limited({one for item in first for one in calling.construct(look, item, site, k)})
    kept = (first, *(forced(look, one, k) for one in arguments[1:2])) if arguments else ()
    return frozenset({Foreign("Array" if name in ARRAYS else name, kept)})


def delayed(path: FilePath, scope: QualifiedName, op: int, bindings: Bindings) -> Item:
    """Return a type argument to be read when it is asked for."""
    return Delayed(path, scope, op, bindings)


def forced(look: Evaluator, value: Value, k: int) -> Value:
    """Return the value with its delayed items read."""
    if not any(isinstance(item, Delayed) for item in value):
        return value
    found: set[Item] = set()
    for item in value:
        if isinstance(item, Delayed):
            found |= type_at(look, item.path, item.scope, item.op, item.bindings, k)
        else:
            found.add(item)
    return limited(found)


def _index(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    tree = expressions.tree_of(look, path, scope)
    head = tree.operand(op, Op.OBJECT)
    keys = [tree.expression(role) for role in tree.roles(op, Op.KEY)]
    if head < 0:
        return NOTHING
    if tree.texts[op] != "member":
        late = tuple(frozenset({delayed(path, scope, key, bindings)}) for key in keys)
        return _named(look, path, scope, head, late, bindings, k)
    arguments = tuple(type_at(look, path, scope, key, bindings, k) for key in keys)
    owner = type_at(look, path, scope, head, bindings, k)
    found: set[Item] = set()
    for key in arguments[0] if arguments else ():
        if isinstance(key, Text):
            found |= members.read_all(look, owner, key.text, k)
        elif isinstance(key, Foreign) and key.name == "number":
            found |= expressions.elements(owner)
    return limited(found)


def _union(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    tree = expressions.tree_of(look, path, scope)
    found: set[Item] = set()
    waiting, steps = [op], 0
    while waiting and steps < 64:  # noqa: PLR2004  # options of one written union
        at, steps = waiting.pop(), steps + 1
        if at < 0:
            continue
        if tree.kinds[at] == Op.UNION_TYPE:
            waiting.extend(tree.expression(role) for role in reversed(tree.roles(at, Op.OPTION)))
        elif tree.kinds[at] != Op.LITERAL:
            found |= type_at(look, path, scope, at, bindings, k)
    return limited(found)


def _collection(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, bindings: Bindings, k: int
) -> Value:
    tree = expressions.tree_of(look, path, scope)
    if tree.texts[op] == "object":
        found: set[Item] = {Shape(path, scope, op, bindings)}
        for pair in tree.roles(op, Op.PAIR):
            of = (
                tree.operand(tree.operand(pair, Op.BOUND), Op.VALUE)
                if tree.texts[pair] == "mapped"
                else -1
            )
            found |= type_at(look, path, scope, of, bindings, k)
        return limited(found)
    parts = [tree.expression(role) for role in tree.roles(op, Op.ELEMENT)]
    values = tuple(type_at(look, path, scope, part, bindings, k) for part in parts)
    if tree.texts[op] == "tuple":
        return frozenset({Tuple(tuple(shallow(value) for value in values))})
    return frozenset({Foreign("Array", tuple(shallow(value) for value in values))})


def bound_of(look: Evaluator, one: Parameter, k: int) -> Value:
    """Return what a type parameter may at most be: the type written as its bound."""
    if one == THIS:
        return NOTHING
    tree = expressions.tree_of(look, one.path, one.scope)
    at = one.op + 1
    if (
        at < len(tree.kinds)
        and tree.kinds[at] == Op.BOUND
        and tree.parents[at] == tree.parents[one.op]
    ):
        return type_at(look, one.path, one.scope, tree.expression(at), (), k)
    return NOTHING
