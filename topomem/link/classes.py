"""Classes: their bases, the order in which members are looked up, and the members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.scopes import last_name
from topomem.link.values import (
    Argument,
    Bound,
    Collection,
    Container,
    Definition,
    Folder,
    Found,
    Generator,
    Instance,
    Item,
    Lambda,
    Module,
    Outside,
    OutsideInstance,
    OwnClass,
    Parent,
    Part,
    Text,
    Variable,
)
from topomem.link.views import CLASSES, own_name
from topomem.model.code import Method, Op
from topomem.model.ids import QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.scopes import Scope

MOST_CLASSES = 200
MOST_HEIRS = 16


def is_class(look: Evaluator, item: Definition) -> bool:
    """Tell whether a definition has members."""
    return look.world.kind(item.path, item.name) in CLASSES


def class_name(look: Evaluator, owner: Definition, name: str) -> tuple[Found, ...]:
    """Return what a class itself says of `name`: definitions, class variables, attributes."""
    bound = look.world.bound(owner.path, owner.name, name)
    found: list[Found] = []
    if bound is not None:
        found.extend(
            Found(Definition(owner.path, nested), Method.RECEIVER) for nested in bound.nested
        )
        if bound.imports or any(binding.form != Op.DELETE for binding in bound.bindings):
            found.append(Found(Variable(owner.path, owner.name, name), Method.RECEIVER))
            return tuple(found)
    if not found and look.world.attribute(owner.path, owner.name, name):
        found.append(Found(Variable(owner.path, owner.name, name), Method.RECEIVER))
    return tuple(found)


def written_bases(look: Evaluator, owner: Definition, k: int) -> tuple[Item, ...]:
    """Return what the header of a class names as its bases, in order."""
    scope = look.world.header(owner.path, owner.name)
    if scope is None:
        return ()
    tree = scope.tree
    bases: list[Item] = []
    for role in scope.header:
        if tree.kinds[role] not in (Op.INHERIT, Op.IMPLEMENT):
            continue
        base = tree.expression(role)
        if base >= 0 and tree.kinds[base] == Op.INDEX:
            base = tree.operand(base, Op.OBJECT)
        if base < 0:
            continue
        for item in sorted(look.value_at(owner.path, owner.name, base, k), key=repr):
            if isinstance(item, (Definition, Outside)) and item not in bases and item != owner:
                bases.append(item)
    return tuple(bases)


def order(look: Evaluator, owner: Definition, k: int) -> tuple[Item, ...]:
    """Return a class and all its bases in the order in which members are looked up."""
    bases: dict[Item, tuple[Item, ...]] = {}
    waiting: list[Item] = [owner]
    while waiting and len(bases) < MOST_CLASSES:
        item = waiting.pop()
        if item in bases:
            continue
        bases[item] = look.bases(item, k) if isinstance(item, Definition) else ()
        waiting.extend(reversed(bases[item]))
    if look.strategy_of(owner.path).first_base_first:
        return _depth_first(owner, bases)
    return _merged(owner, bases)


def _depth_first(owner: Item, bases: dict[Item, tuple[Item, ...]]) -> tuple[Item, ...]:
    found: dict[Item, None] = {}
    waiting = [owner]
    while waiting:
        item = waiting.pop()
        if item not in found:
            found[item] = None
            waiting.extend(reversed(bases.get(item, ())))
    return tuple(found)


def _merged(owner: Item, bases: dict[Item, tuple[Item, ...]]) -> tuple[Item, ...]:
    """C3 order; depth first where the bases have none (cycles, contradictions)."""
    done: dict[Item, list[Item]] = {}
    for item in reversed(_depth_first(owner, bases)):
        waiting = [item]
        on_path: set[Item] = set()
        while waiting:
            at = waiting[-1]
            missing = [base for base in bases.get(at, ()) if base not in done]
            if at in done:
                waiting.pop()
            elif missing and at not in on_path:
                on_path.add(at)
                waiting.extend(reversed([base for base in missing if base not in on_path]))
            else:
                waiting.pop()
                lists = [list(done.get(base, [base])) for base in bases.get(at, ())]
                merged = _merge([*lists, list(bases.get(at, ()))])
                done[at] = (
                    [at, *(one for one in merged if one != at)]
                    if merged is not None
                    else (list(_depth_first(at, bases)))
                )
    return tuple(done[owner])


def _merge(lists: list[list[Item]]) -> list[Item] | None:
    merged: list[Item] = []
    while lists := [rest for rest in lists if rest]:
        for rest in lists:
            head = rest[0]
            if not any(head in other[1:] for other in lists):
                break
        else:
            return None
        merged.append(head)
        lists = [rest[1:] if rest[0] == head else rest for rest in lists]
    return merged


def receiver_form(look: Evaluator, function: Definition) -> str:
    """Return how a function is given its receiver.

    `method`, `class`, `static`, or `function` for one that is in no class.
    """
    owner = QualifiedName(function.name.rpartition(".")[0])
    if not owner or look.world.kind(function.path, owner) not in CLASSES:
        return "function"
    strategy = look.strategy_of(function.path)
    tables = look.world.header(function.path, function.name)
    if tables is None:
        return "method"
    names = decorator_names(tables)
    if not names.isdisjoint(strategy.spec.names.static_decorators):
        return "static"
    if "static" in tables.tree.facts.declarations[0].modifiers:
        return "static"
    if "classmethod" in names or own_name(function.name) in CLASS_METHODS:
        return "class"
    return "method"


CLASS_METHODS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


def receiver_of(look: Evaluator, function: Definition) -> Item | None:
    """Return what the first parameter of a function stands for, None when callers say."""
    if not look.strategy_of(function.path).receiver_is_parameter:
        return None
    form = receiver_form(look, function)
    owner = QualifiedName(function.name.rpartition(".")[0])
    if form == "method":
        return Instance(function.path, owner, own=True)
    if form == "class":
        return OwnClass(function.path, owner)
    return None


def decorator_names(tables: Scope) -> set[str]:
    """Return the last names of the decorators of a definition."""
    tree = tables.tree
    names: set[str] = set()
    for role in tables.header:
        if tree.kinds[role] == Op.DECORATOR:
            at = tree.expression(role)
            if at >= 0 and tree.kinds[at] == Op.CALL:
                at = tree.operand(at, Op.CALLEE)
            names.add(last_name(tree, at))
    return names


def has_decorators(look: Evaluator, function: Definition) -> bool:
    """Tell whether decorators may make something else of a definition."""
    tables = look.world.header(function.path, function.name)
    return tables is not None and any(tables.tree.kinds[op] == Op.DECORATOR for op in tables.header)


def is_property(look: Evaluator, function: Definition) -> bool:
    """Tell whether reading a function as a member calls it."""
    properties = look.strategy_of(function.path).spec.names.property_decorators
    if not properties:
        return False
    tables = look.world.header(function.path, function.name)
    return tables is not None and not decorator_names(tables).isdisjoint(properties)


def is_marker(look: Evaluator, function: Definition, role: int) -> bool:
    """Tell whether a decorator only marks how a function is bound."""
    tables = look.world.header(function.path, function.name)
    if tables is None:
        return False
    at = tables.tree.expression(role)
    names = look.strategy_of(function.path).spec.names
    marks = {*names.static_decorators, *names.property_decorators, "classmethod"}
    return last_name(tables.tree, at) in marks


def seen_from(look: Evaluator, item: Item, receiver: Item, k: int) -> Item:
    """Return what `item` is when the receiver of the function it comes from is known."""
    if isinstance(item, Bound):
        return item._replace(receiver=seen_from(look, item.receiver, receiver, k))
    if not isinstance(item, (Instance, OwnClass)) or (isinstance(item, Instance) and not item.own):
        return item
    if not isinstance(receiver, (Instance, OwnClass, Definition)):
        return item
    if (item.path, item.name) != (receiver.path, receiver.name):
        line = look.order(Definition(receiver.path, receiver.name), k)
        if Definition(item.path, item.name) not in line:
            return item
    if isinstance(item, Instance):
        if isinstance(receiver, Instance):
            return receiver
        own = isinstance(receiver, OwnClass)
        return Instance(receiver.path, receiver.name, own=own)
    if isinstance(receiver, Instance):
        if receiver.own:
            return OwnClass(receiver.path, receiver.name)
        return Definition(receiver.path, receiver.name)
    return receiver


def members(look: Evaluator, item: Item, name: str, k: int) -> tuple[Found, ...]:
    """Return what `item.name` is, with the receiver it is read through."""
    match item:
        case Instance():
            return _of_class(look, item, Definition(item.path, item.name), name, k)
        case OwnClass():
            return _of_class(look, item, Definition(item.path, item.name), name, k)
        case Definition():
            if is_class(look, item):
                return _of_class(look, item, item, name, k)
            return ()
        case Module() | Folder():
            return look.follow(look.exported(item, name))
        case Outside():
            return (Found(Outside(f"{item.name}.{name}"), Method.EXTERNAL),)
        case OutsideInstance():
            return (Found(Outside(f"{item.name}.{name}"), Method.EXTERNAL),)
        case Parent():
            return _behind(look, item, name, k)
        case Argument():
            return tuple(
                found._replace(method=Method.FLOW)
                for passed in sorted(look.passed(item, k), key=repr)
                for found in look.members(passed, name, k)
            )
        case Collection() | Part() | Container() | Generator() | Text():
            kind = look.builtin_kind(item)
            if not kind:
                return ()
            return (Found(Outside(f"{kind}.{name}"), Method.BUILTIN, receiver=item),)
        case Bound() | Lambda():
            return ()
    return ()


def _of_class(
    look: Evaluator, receiver: Item, owner: Definition, name: str, k: int
) -> tuple[Found, ...]:
    outside: list[Outside] = []
    nearest: tuple[Found, ...] = ()
    for item in look.order(owner, k):
        if isinstance(item, Definition):
            found = look.own_members(item, name)
            if found and (not nearest or is_declared(look, found)):
                nearest = found
            if found and is_declared(look, found):
                break
        elif isinstance(item, Outside):
            outside.append(item)
    if nearest:
        return tuple(one._replace(receiver=receiver) for one in nearest)
    if isinstance(receiver, OwnClass) or (isinstance(receiver, Instance) and receiver.own):
        found = _of_heirs(look, owner, name, k)
        if found:
            return found
    return tuple(Found(Outside(f"{base.name}.{name}"), Method.EXTERNAL) for base in outside[:1])


def is_declared(look: Evaluator, found: tuple[Found, ...]) -> bool:
    """Tell whether a class declares a member: as a definition, or as a variable with a type.

    What only gets a value in a derived class is still the variable that a base declares.
    """
    for one in found:
        place = one.place
        if not isinstance(place, Variable):
            return True
        bound = look.world.bound(place.path, place.scope, place.name)
        tables = look.world.scope_of(place.path, place.scope)
        if bound is None or tables is None:
            continue
        if bound.imports or any(
            tables.tree.role(binding.op, Op.TYPE) >= 0 for binding in bound.bindings
        ):
            return True
    return False


def assigned(look: Evaluator, place: Variable, receiver: Item, k: int) -> tuple[Variable, ...]:
    """Return the variables of the same name in the classes before the one that declares it."""
    if not isinstance(receiver, (Instance, OwnClass, Definition)):
        return ()
    found: list[Variable] = []
    for item in look.order(Definition(receiver.path, receiver.name), k):
        if not isinstance(item, Definition) or (item.path, item.name) == (place.path, place.scope):
            break
        found.extend(
            one.place
            for one in look.own_members(item, place.name)
            if isinstance(one.place, Variable)
        )
    return tuple(found)


def _behind(look: Evaluator, parent: Parent, name: str, k: int) -> tuple[Found, ...]:
    """Look behind the parent's class in the order of the receiver's class."""
    here = Definition(parent.path, parent.name)
    receiver = parent.receiver
    owner = (
        Definition(receiver.path, receiver.name)
        if isinstance(receiver, (Instance, OwnClass, Definition))
        else here
    )
    line = look.order(owner, k)
    if here not in line:
        line = look.order(here, k)
    behind = line[line.index(here) + 1 :] if here in line else ()
    for item in behind:
        if isinstance(item, Definition):
            found = look.own_members(item, name)
            if found:
                seen_as = receiver or Instance(parent.path, parent.name, own=True)
                return tuple(one._replace(receiver=seen_as) for one in found)
    bases = [item for item in behind if isinstance(item, Outside)]
    if bases:
        return (Found(Outside(f"{bases[0].name}.{name}"), Method.EXTERNAL),)
    return (Found(Outside(f"<builtin>.object.{name}"), Method.BUILTIN),)


def _of_heirs(look: Evaluator, owner: Definition, name: str, k: int) -> tuple[Found, ...]:
    """Return the members that only classes derived from `owner` have."""
    found: dict[Found, None] = {}
    for heir in look.heirs(owner, k):
        for one in look.own_members(heir, name):
            receiver = Instance(heir.path, heir.name, own=True)
            found[one._replace(method=Method.FLOW, receiver=receiver)] = None
    return tuple(found)


def heirs(look: Evaluator, owner: Definition, k: int) -> tuple[Definition, ...]:
    """Return the classes derived from `owner`, directly or not, near ones first."""
    found: dict[Definition, None] = {}
    waiting = [owner]
    while waiting and len(found) < MOST_HEIRS:
        base = waiting.pop(0)
        for path, name in look.world.heirs(own_name(base.name)):
            heir = Definition(path, name)
            if heir in found or heir == owner or not look.are_akin(path, base.path):
                continue
            if base in look.bases(heir, k):
                found[heir] = None
                waiting.append(heir)
    return tuple(found)
