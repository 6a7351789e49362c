"""Members of things: where they are declared, and what they may stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from topomem.link.strategies.file_paths import calling, expressions, shapes, written
from topomem.link.strategies.file_paths.scoping import (
    exported,
    plain,
)
from topomem.link.strategies.file_paths.things import (
    NOTHING,
    THIS,
    Bindings,
    ClassObject,
    Closure,
    Delayed,
    Foreign,
    ForeignMember,
    ForeignObject,
    Item,
    ModuleObject,
    Nominal,
    Parameter,
    Routine,
    Shape,
    Space,
    Text,
    Tuple,
    Value,
    bind,
    limited,
    ordered,
)
from topomem.link.values import Definition, Found, Outside, Variable
from topomem.model.code import Method, Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.scopes import Scope
    from topomem.link.tree import Tree
    from topomem.link.views import FileView

MOST_BASES = 64
STATEMENTS = frozenset({Op.ASSIGN, Op.DECLARE})


class Member(NamedTuple):
    """One member: the place an edge may point at, and where its value is found.

    `form`: "routine" (a definition of its own), "type" (a written type at `op`), "value" (an
    expression at `op`), "call" (what a getter gives), "known" (the items in `value`).
    """

    found: Found | None
    form: Literal["routine", "type", "value", "call", "known"]
    path: FilePath
    scope: QualifiedName
    op: int
    bindings: Bindings
    value: Value = NOTHING


def read_all(look: Evaluator, value: Value, name: str, k: int) -> Value:
    """Return what a member of any of these things may be."""
    found: set[Item] = set()
    for item in value:
        for member in members(look, item, name, k):
            found |= read(look, member, k)
    return limited(found)


def read(look: Evaluator, member: Member, k: int) -> Value:
    """Return what a member may be."""
    if member.form == "routine":
        return frozenset({Routine(member.path, member.scope, member.bindings)})
    if member.form == "type":
        return written.type_at(look, member.path, member.scope, member.op, member.bindings, k)
    if member.form == "value":
        return expressions.value_at(look, member.path, member.scope, member.op, member.bindings, k)
    if member.form == "call":
        routine = Routine(member.path, member.scope, member.bindings)
        return calling.call(look, routine, None, k)
    return member.value


def members(look: Evaluator, item: Item, name: str, k: int) -> tuple[Member, ...]:
    """Return the members of a thing under a name."""
    return look.ask(("members", item, name), k, (), _members, item, name, k - 1)


def _members(  # one answer for each kind of thing
    look: Evaluator, item: Item, name: str, k: int
) -> tuple[Member, ...]:
    if isinstance(item, Nominal):
        return _of_nominal(look, item, name, k)
    if isinstance(item, ClassObject):
        return _of_class(look, item, name, k)
    if isinstance(item, Shape):
        return shapes.of_shape(look, item, name, k)
    if isinstance(item, Space):
        return shapes.of_space(look, item, name, k)
    if isinstance(item, ModuleObject):
        return tuple(
            named(look, one, k)
            for one in exported(look, item.path, name, "value")
            if isinstance(one, Found)
        )
    if isinstance(item, Parameter):
        return tuple(
            member
            for one in ordered(written.bound_of(look, item, k))
            for member in members(look, one, name, k)
        )
    if isinstance(item, Routine | Closure):
        return (_foreign(Foreign("Function"), name),)
    if isinstance(item, Text):
        return (_foreign(Foreign("string"), name),)
    if isinstance(item, Tuple):
        everything = limited({one for part in item.elements for one in part})
        return (_foreign(Foreign("Array", (everything,)), name),)
    if isinstance(item, Foreign | ForeignObject):
        return (_foreign(item, name),)
    if isinstance(item, Delayed):
        return tuple(
            member
            for one in ordered(written.forced(look, frozenset({item}), k))
            for member in members(look, one, name, k)
        )
    return ()


def _foreign(owner: Foreign | ForeignObject, name: str) -> Member:
    place = Outside(f"{owner.name}.{name}")
    value: Value = frozenset({ForeignMember(owner, name)})
    return Member(
        Found(place, Method.EXTERNAL), "known", FilePath(""), QualifiedName(""), -1, (), value
    )


def named(look: Evaluator, found: Found, k: int) -> Member:
    """Return a named thing as a member of what it stands in."""
    value = expressions.value_of(look, found, k)
    return Member(found, "known", FilePath(""), QualifiedName(""), -1, (), value)


def attached(
    look: Evaluator, path: FilePath, scope: QualifiedName, op: int, name: str
) -> Definition | None:
    """Return the function that the file gives to a member of a name (`app.use = function`)."""
    if op < 0:
        return None
    tree = expressions.tree_of(look, path, scope)
    if tree.kinds[op] != Op.NAME:
        return None
    bound = look.world.bound(path, QualifiedName(""), name)
    full = f"{tree.texts[op]}.{name}"
    for nested in () if bound is None else bound.nested:
        if plain(nested) == full:
            return Definition(path, nested)
    return None


# classes and interfaces


def parts(look: Evaluator, path: FilePath, name: QualifiedName) -> list[QualifiedName]:
    """Return all definitions that make up one class or interface: merged declarations."""
    parent, _, own = name.rpartition(".")
    bound = look.world.bound(path, QualifiedName(parent), own)
    found = [] if bound is None else [one for one in bound.nested if plain(one) == name]
    return found or [name]


def given(look: Evaluator, item: Nominal, part: QualifiedName, receiver: Value) -> Bindings:
    """Return what the type parameters of a class stand for in a thing of it."""
    declared_ones = written.parameters(look, item.path, part)
    pairs = dict(zip(declared_ones, item.arguments, strict=False))
    for one in declared_ones[len(item.arguments) :] if item.arguments else ():
        pairs[one] = _default_of(look, one, bind((), pairs))
    return bind((), {**pairs, THIS: receiver})


def _default_of(look: Evaluator, one: Parameter, bindings: Bindings) -> Value:
    tree = expressions.tree_of(look, one.path, one.scope)
    for at in tree.tops():
        if at > one.op and tree.kinds[at] == Op.DEFAULT:
            return written.type_at(look, one.path, one.scope, tree.expression(at), bindings, 4)
        if at > one.op and tree.kinds[at] != Op.BOUND:
            break
    return NOTHING


def _of_nominal(look: Evaluator, item: Nominal, name: str, k: int) -> tuple[Member, ...]:
    """Look in the class, then in its bases, nearest first."""
    receiver: Value = frozenset({item})
    waiting, seen = [item], {item}
    while waiting and len(seen) < MOST_BASES:
        one = waiting.pop(0)
        found = own_members(look, one, name, receiver, k, static=False)
        if found:
            return found
        outside = []
        for base in ordered(bases(look, one, k)):
            if isinstance(base, Nominal):
                if base not in seen:
                    seen.add(base)
                    waiting.append(base)
            elif isinstance(base, Foreign):
                outside.append(base)
            else:
                found = members(look, base, name, k)
                if found:
                    return found
        if outside and not waiting:
            return (_foreign(outside[0], name),)
    return ()


def _of_class(look: Evaluator, item: ClassObject, name: str, k: int) -> tuple[Member, ...]:
    waiting, seen = [Nominal(item.path, item.name)], {item.name}
    while waiting and len(seen) < MOST_BASES:
        one = waiting.pop(0)
        found = own_members(look, one, name, frozenset({item}), k, static=True)
        if found:
            return found
        for base in ordered(bases(look, one, k)):
            if isinstance(base, Nominal) and base.name not in seen:
                seen.add(base.name)
                waiting.append(base)
            elif isinstance(base, Foreign) and not waiting:
                return (_foreign(ForeignObject(base.name), name),)
    return (_foreign(Foreign("Function"), name),) if name in FUNCTION_MEMBERS else ()


FUNCTION_MEMBERS = frozenset({"apply", "bind", "call", "length", "name", "prototype", "toString"})


def own_members(
    look: Evaluator, item: Nominal, name: str, receiver: Value, k: int, *, static: bool
) -> tuple[Member, ...]:
    """Return the members that a class itself declares, as seen through a receiver."""
    del k
    view = look.world.view(item.path)
    if view is None:
        return ()
    found: list[Member] = []
    for part in parts(look, item.path, item.name):
        bindings = given(look, item, part, receiver)
        found += _named_by(look, view, part, name, bindings, static=static)
        if not found and not static:
            found += _set_through_receiver(look, view, part, name, bindings)
    return tuple(found) or _given_from_outside(look, view, item, name, receiver, static=static)


def _named_by(
    look: Evaluator,
    view: FileView,
    part: QualifiedName,
    name: str,
    bindings: Bindings,
    *,
    static: bool,
) -> list[Member]:
    found: list[Member] = []
    bound = look.world.bound(view.path, part, name)
    if bound is None:
        return found
    for nested in bound.nested:
        tables = look.world.header(view.path, nested)
        if tables is None or plain(nested) != f"{part}.{name}":
            continue
        marks = tables.tree.facts.declarations[0].modifiers
        if view.kind_at(view.by_name[part]) is SymbolKind.CLASS and ("static" in marks) != static:
            continue
        place = Found(Definition(view.path, nested), Method.RECEIVER)
        form: Literal["call", "routine"] = "call" if "get" in marks else "routine"
        if "set" not in marks or len(bound.nested) == 1:
            found.append(Member(place, form, view.path, nested, -1, bindings))
    for binding in bound.bindings:
        place = Found(Variable(view.path, part, name), Method.RECEIVER)
        tree = view.scope_at(view.by_name[part]).tree
        found.append(field_of(place, tree, binding.op, view.path, part, bindings))
        break
    return found


def field_of(
    place: Found | None,
    tree: Tree,
    op: int,
    path: FilePath,
    scope: QualifiedName,
    bindings: Bindings,
) -> Member:
    """Return a field as a member: its value is that of its written type, else what it is set to."""
    type_op = tree.operand(op, Op.TYPE)
    if type_op >= 0:
        return Member(place, "type", path, scope, type_op, bindings)
    return Member(place, "value", path, scope, tree.operand(op, Op.VALUE), bindings)


def _set_through_receiver(
    look: Evaluator, view: FileView, part: QualifiedName, name: str, bindings: Bindings
) -> list[Member]:
    """Return a property that a constructor's parameter declares, or that methods set."""
    maker = look.world.bound(view.path, part, "constructor")
    for nested in () if maker is None else maker.nested:
        tables = look.world.header(view.path, nested)
        for parameter in () if tables is None else tables.parameters.get(-1, ()):
            if parameter.name == name and parameter.kind == "property" and tables is not None:
                place = Found(Variable(view.path, part, name), Method.RECEIVER)
                tree = tables.tree
                type_op = tree.operand(parameter.op, Op.TYPE)
                if type_op < 0:
                    at = tree.operand(parameter.op, Op.DEFAULT)
                    return [Member(place, "value", view.path, nested, at, bindings)]
                return [Member(place, "type", view.path, nested, type_op, bindings)]
    found = []
    for write in look.world.attribute(view.path, part, name):
        tree = expressions.tree_of(look, view.path, write.scope)
        place = Found(Variable(view.path, part, name), Method.RECEIVER)
        at = tree.operand(write.binding.op, Op.VALUE)
        found.append(Member(place, "value", view.path, write.scope, at, bindings))
    return found[:4]


def _given_from_outside(
    look: Evaluator,
    view: FileView,
    item: Nominal,
    name: str,
    receiver: Value,
    *,
    static: bool,
) -> tuple[Member, ...]:
    """Return a function that is assigned to a member of a class or of its prototype."""
    parent = item.name.rpartition(".")[0]
    bound = look.world.bound(view.path, QualifiedName(parent), name)
    found = []
    for nested in () if bound is None else bound.nested:
        if plain(nested) == f"{item.name}.{name}":
            place = Found(Definition(view.path, nested), Method.RECEIVER)
            bindings = bind((), {THIS: receiver})
            found.append(Member(place, "routine", view.path, nested, -1, bindings))
    if not found and not static and own_attributes(look, view, item.name):
        tables = own_attributes(look, view, item.name)
        for write in () if tables is None else tables.attribute_writes:
            if write.holder == "this" and write.name == name and tables is not None:
                at = tables.tree.operand(write.binding.op, Op.VALUE)
                found.append(Member(None, "value", view.path, item.name, at, ()))
    return tuple(found)


def own_attributes(look: Evaluator, view: FileView, name: QualifiedName) -> Scope | None:
    """Return the tables of a function that makes objects through `this`, None for others."""
    number = view.by_name.get(name, -1)
    if number < 0 or view.kind_at(number) not in (SymbolKind.FUNCTION, SymbolKind.METHOD):
        return None
    return look.world.inner(view.path, name)


def bases(look: Evaluator, item: Nominal, k: int) -> Value:
    """Return the direct bases of a class or interface as things of them."""
    return look.ask(("bases", item), k, NOTHING, _bases, item, k - 1)


def _bases(look: Evaluator, item: Nominal, k: int) -> Value:
    found: set[Item] = set()
    for part in parts(look, item.path, item.name):
        tables = look.world.header(item.path, part)
        if tables is None:
            continue
        bindings = given(look, item, part, NOTHING)
        bindings = frozenset(pair for pair in bindings if pair[0] != THIS) or ()
        interface = look.world.kind(item.path, part) is SymbolKind.INTERFACE
        for role in tables.header:
            kind = tables.tree.kinds[role]
            if kind == Op.IMPLEMENT or (kind == Op.INHERIT and interface):
                at = tables.tree.expression(role)
                found |= written.type_at(look, item.path, part, at, bindings, k)
            elif kind == Op.INHERIT:
                found |= _extended(look, item.path, part, role, bindings, k)
    return limited(found - {item})


def _extended(
    look: Evaluator, path: FilePath, part: QualifiedName, role: int, bindings: Bindings, k: int
) -> Value:
    """Return the things that a class extends: its base is a value that makes them."""
    tree = expressions.tree_of(look, path, part)
    at = tree.expression(role)
    if at < 0:
        return NOTHING
    arguments: tuple[Value, ...] = ()
    if tree.kinds[at] == Op.INDEX and tree.texts[at] != "member":
        keys = [tree.expression(key) for key in tree.roles(at, Op.KEY)]
        arguments = tuple(written.type_at(look, path, part, key, bindings, k) for key in keys)
        at = tree.operand(at, Op.OBJECT)
    found: set[Item] = set()
    site = calling.Site(path, part, role, bindings)
    for item in expressions.value_at(look, path, part, at, bindings, k):
        if isinstance(item, ClassObject):
            found.add(Nominal(item.path, item.name, arguments))
        else:
            found |= calling.construct(look, item, site, k)
    return limited(found)
