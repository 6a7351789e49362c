"""Targets that take a value apart: `a, (b, *c) = ...`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from topomem.link.values import NOTHING, Collection, Item, Part, Value
from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topomem.link.evaluate import Evaluator
    from topomem.link.scopes import Binding
    from topomem.link.tree import Tree
    from topomem.model.ids import FilePath, QualifiedName


class Step(NamedTuple):
    """One step into a collection.

    Position from the start or, behind a star, from the end (-1 is the last); `rest` for the
    starred name; `key` for a named part.
    """

    position: int
    rest: bool = False
    key: str = ""


def steps_to(tree: Tree, binding: Binding) -> list[Step]:
    """Return the steps from a statement's target to the name it binds, outermost first."""
    steps: list[Step] = []
    at = binding.target
    while True:
        parent = tree.parents[at]
        if parent < 0 or parent == binding.op or tree.kinds[parent] == Op.TARGET:
            break
        if tree.kinds[parent] == Op.COLLECTION:
            steps.append(_step(tree, parent, at))
        elif tree.kinds[parent] == Op.PAIR:
            steps.append(Step(0, key=tree.text(parent, Op.PAIR_NAME)))
        at = parent
    steps.reverse()
    return steps


def _step(tree: Tree, collection: int, part: int) -> Step:
    parts = [
        child
        for child in tree.children(collection)
        if tree.kinds[child] in (Op.ELEMENT, Op.SPREAD, Op.PAIR)
    ]
    if tree.kinds[part] == Op.PAIR:
        return Step(0, key=tree.text(part, Op.PAIR_NAME))
    if part not in parts:
        return Step(0)
    position = parts.index(part)
    starred = next((at for at, one in enumerate(parts) if _is_star(tree, one)), -1)
    if starred < 0 or position < starred:
        return Step(position)
    if position == starred:
        return Step(position, rest=True)
    return Step(position - len(parts))


def _is_star(tree: Tree, part: int) -> bool:
    if tree.kinds[part] == Op.SPREAD:
        return True
    return any(
        tree.kinds[child] == Op.SPREAD and tree.ends[child] == tree.ends[part]
        for child in tree.children(part)
    )


def taken(
    look: Evaluator,
    path: FilePath,
    scope: QualifiedName,
    value_op: int,
    steps: list[Step],
    k: int,
) -> Value:
    """Return what a pattern takes from a written value: part by part while both are written."""
    tables = look.world.scope_of(path, scope)
    if tables is None:
        return NOTHING
    tree = tables.tree
    at, left = value_op, list(steps)
    while at >= 0 and tree.kinds[at] in (Op.ASSIGN, Op.TRANSPARENT):
        at = tree.operand(at, Op.VALUE) if tree.kinds[at] == Op.ASSIGN else at + 1
    while left and at >= 0 and tree.kinds[at] == Op.COLLECTION:
        parts = tree.roles(at, Op.ELEMENT)
        step = left[0]
        if step.rest or step.key or tree.roles(at, Op.SPREAD):
            break
        if not -len(parts) <= step.position < len(parts):
            return NOTHING
        at = tree.expression(parts[step.position])
        left.pop(0)
    if not left:
        return look.value_at(path, scope, at, k)
    return taken_from(look, look.value_at(path, scope, at, k), left, k)


def taken_from(look: Evaluator, value: Iterable[Item], steps: list[Step], k: int) -> Value:
    """Return what a pattern takes from a value."""
    current = frozenset(value)
    for step in steps:
        found: set[Item] = set()
        for item in current:
            if step.rest:
                found.add(Part(item, step.position))
            elif step.key:
                found |= look.elements(item, step.key, k)
            elif step.position >= 0 or not isinstance(item, Collection):
                found |= look.elements(item, f"#{step.position}", k)
            else:
                found |= look.elements(item, f"#{step.position}", k)
        current = look.limited(found)
    return current
