"""What `this` and `super` stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.file_paths import expressions, members, written
from topomem.link.strategies.file_paths.scoping import follow, names, plain
from topomem.link.strategies.file_paths.things import (
    NOTHING,
    ClassObject,
    Item,
    Nominal,
    Routine,
    Shape,
    Value,
    limited,
)
from topomem.model.code import Op, SymbolKind
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree

IN_CLASSES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})


def receiver(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
    """Return what `this` is at an op of a region."""
    view = look.world.view(path)
    number = -1 if view is None else view.by_name.get(scope, -1)
    at = op
    while view is not None and number >= 0:
        tables = view.scope_at(number)
        here = view.placement(number).name
        shape = _object_around(tables.tree, at)
        if shape >= 0:
            return frozenset({Shape(path, here, shape)})
        for parameter in tables.parameters.get(-1, ()):
            if parameter.kind == "receiver":
                type_op = tables.tree.operand(parameter.op, Op.TYPE)
                return written.type_at(look, path, here, type_op, (), k)
        own = tables.tree.facts.declarations[0]
        parent = view.placement(number).parent
        if view.kind_at(number) in IN_CLASSES:
            return frozenset({written.own_type(look, path, here)})
        if parent >= 0 and view.kind_at(parent) in IN_CLASSES and "static" in own.modifiers:
            return frozenset({ClassObject(path, QualifiedName(plain(view.placement(parent).name)))})
        if own.owner and parent >= 0:
            return _owner_value(look, path, view.placement(parent).name, own.owner, k)
        if any(write.holder == "this" for write in tables.attribute_writes) and (
            parent < 0 or view.kind_at(parent) not in IN_CLASSES
        ):
            return frozenset({Nominal(path, QualifiedName(plain(here)))})
        at = view.define_of(number)
        number = parent
    return NOTHING


def _object_around(tree: Tree, op: int) -> int:
    """Return the object literal whose method an op stands in, -1 for none."""
    at = op
    while at >= 0:
        parent = tree.parents[at]
        method = tree.kinds[at] == Op.LAMBDA and parent >= 0 and tree.kinds[parent] == Op.PAIR
        if method and tree.role_of(at) < 0:
            return tree.parents[parent]
        at = parent
    return -1


def _owner_value(
    look: Evaluator, path: FilePath, scope: QualifiedName, owner: str, k: int
) -> Value:
    """Return what `this` is in a function given to a member of something named."""
    found: set[Item] = set()
    for one in follow(look, names(look, path, scope, -1, owner, "value"), "value"):
        for item in expressions.value_of(look, one, k):
            if isinstance(item, ClassObject | Routine):
                found.add(Nominal(item.path, QualifiedName(plain(item.name))))
            else:
                found.add(item)
    return limited(found)


def parent(look: Evaluator, path: FilePath, scope: QualifiedName, op: int, k: int) -> Value:
    """Return what `super` is at an op of a region."""
    found: set[Item] = set()
    for item in receiver(look, path, scope, op, k):
        if isinstance(item, Nominal):
            found |= members.bases(look, item, k)
        elif isinstance(item, ClassObject):
            of = members.bases(look, Nominal(item.path, item.name), k)
            found |= {ClassObject(one.path, one.name) for one in of if isinstance(one, Nominal)}
    return limited(found)
