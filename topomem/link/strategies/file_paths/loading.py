"""Modules that load others by calling, and that export by assigning (`require`, `exports`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.tree import Tree
    from topomem.link.values import Variable
    from topomem.link.views import Bound, FileView

HOLDERS = frozenset({"exports", "module.exports"})
DEFAULTS = frozenset({"default", ""})
"""Exports that mean what the module is replaced by."""

Origin = tuple[str, str]
"""The specifier of a module, and a name in it; `` for all of it."""


def loaded(tree: Tree, op: int) -> Origin | None:
    """Return what `require("...")`, or a member of it, loads; None for other expressions."""
    name = ""
    if tree.kinds[op] == Op.MEMBER:
        name = tree.text(op, Op.MEMBER_NAME)
        op = tree.operand(op, Op.OBJECT)
    if op < 0 or tree.kinds[op] != Op.CALL:
        return None
    callee, argument = tree.operand(op, Op.CALLEE), tree.operand(op, Op.ARGUMENT)
    if callee < 0 or argument < 0 or tree.kinds[argument] != Op.STRING_VALUE:
        return None
    named = tree.kinds[callee] == Op.NAME and tree.texts[callee] == "require"
    return (tree.texts[argument], name) if named else None


def origin(look: Evaluator, place: Variable, bound: Bound | None) -> Origin | None:
    """Return what a variable imports: its only binding is to something loaded, or a part of it."""
    tables = look.world.scope_of(place.path, place.scope)
    if tables is None or bound is None or len(bound.bindings) != 1:
        return None
    binding, tree = bound.bindings[0], tables.tree
    value = tree.operand(binding.op, Op.VALUE) if binding.form == Op.ASSIGN else -1
    found = loaded(tree, value) if value >= 0 else None
    target = tree.operand(binding.op, Op.TARGET)
    if found is None or target < 0 or binding.target == target:
        return found
    if found[1]:
        return None
    parent = tree.parents[binding.target]
    if parent == target:
        return found[0], tree.texts[binding.target]
    pair = tree.parents[parent]
    if tree.kinds[pair] != Op.PAIR or tree.parents[pair] != target:
        return None
    return found[0], tree.text(pair, Op.PAIR_NAME)


def assigned(look: Evaluator, view: FileView, name: str) -> list[int]:
    """Return the expressions that a module exports under a name by assignment."""
    tables = look.world.given(view.path)
    found: list[int] = []
    if tables is None:
        return found
    tree = tables.tree
    for write in tables.attribute_writes:
        value = tree.operand(write.binding.op, Op.VALUE)
        while value >= 0 and tree.kinds[value] == Op.ASSIGN:  # `a = module.exports = ...`
            value = tree.operand(value, Op.VALUE)
        if write.holder == "module" and write.name == "exports":
            value = value if name in DEFAULTS else _member_of_literal(tree, value, name)
        elif write.holder not in HOLDERS or write.name != name:
            continue
        if value >= 0:
            found.append(value)
    if name == "":
        found += _replacing(look, view)
    return found


def _replacing(look: Evaluator, view: FileView) -> list[int]:
    """Return the expression of `export = ...`."""
    tree = view.scope_at(0).tree
    return [
        form.value
        for form in look.world.exported(view.path, "default")
        if form.value >= 0 and _is_assigned(tree, form.value)
    ]


def _is_assigned(tree: Tree, op: int) -> bool:
    while op >= 0 and tree.kinds[op] != Op.EXPORT_DEFAULT:
        op = tree.parents[op]
    return op >= 0 and tree.texts[op] == "assign"


def _member_of_literal(tree: Tree, op: int, name: str) -> int:
    """Return the expression that an object literal has under a name, -1 for none."""
    if op < 0 or tree.kinds[op] != Op.COLLECTION:
        return -1
    for child in tree.children(op):
        if tree.kinds[child] == Op.NAME and tree.texts[child] == name:
            return child
        if tree.kinds[child] == Op.PAIR and tree.text(child, Op.PAIR_NAME) == name:
            return tree.operand(child, Op.VALUE)
    return -1
