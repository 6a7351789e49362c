"""In what role each name and member of a region stands: the kinds of edges it makes."""

from __future__ import annotations

from typing import NamedTuple

from topomem.link.tree import Tree
from topomem.model.code import EdgeKind, Op


class Context(NamedTuple):
    """The kinds of edges that a reference makes; `called` when it is the callee of a call."""

    kinds: tuple[EdgeKind, ...]
    called: bool = False
    quiet: bool = False  # makes no edge when the name is a local, or not known


READS = Context((EdgeKind.READS,), quiet=True)
WRITES = Context((EdgeKind.WRITES,), quiet=True)
UPDATES = Context((EdgeKind.READS, EdgeKind.WRITES), quiet=True)
CALLS = Context((EdgeKind.CALLS,), called=True)
USES_TYPE = Context((EdgeKind.USES_TYPE,))
RAISES = Context((EdgeKind.RAISES,))
CALLS_TO_RAISE = Context((EdgeKind.CALLS, EdgeKind.RAISES), called=True)
DECORATES = Context((EdgeKind.DECORATES,))
CALLS_TO_DECORATE = Context((EdgeKind.CALLS, EdgeKind.DECORATES), called=True)

BY_ROLE = {
    Op.INHERIT: Context((EdgeKind.INHERITS,)),
    Op.IMPLEMENT: Context((EdgeKind.IMPLEMENTS,)),
    Op.DECORATOR: DECORATES,
}
NAMING = frozenset(
    {
        Op.MEMBER_NAME,
        Op.KEYWORD_NAME,
        Op.PARAMETER_NAME,
        Op.IMPORT_NAME,
        Op.IMPORT_ALIAS,
        Op.IMPORT_MODULE,
        Op.IMPORT_DEFAULT,
        Op.EXPORT_ALIAS,
        Op.PAIR_NAME,
        Op.TYPE_PARAMETER,
        Op.PARAMETER,
        Op.GLOBAL,
        Op.NONLOCAL,
    }
)
"""Ops whose own name is no reference."""

PLAIN = frozenset({Op.ARGUMENT, Op.SPREAD, Op.OPTION, Op.DEFAULT, Op.RESULT})
"""Roles in which a name is only read."""

TYPES = frozenset({Op.TYPE, Op.RETURN_TYPE, Op.BOUND})
REFERENCES = frozenset({Op.NAME, Op.MEMBER, Op.REFERENCE})


def contexts(tree: Tree) -> dict[int, Context]:
    """Return the context of every name and member that is a reference, by op."""
    kinds, parents, ends, starts = tree.kinds, tree.parents, tree.ends, tree.starts
    found: dict[int, Context] = {}
    type_end = -1  # last op of the written type that the loop is in
    for op, kind in enumerate(kinds):
        if kind in TYPES and op > type_end:
            type_end = tree.last[op]
        if kind not in REFERENCES:
            continue
        parent = parents[op]
        if parent < 0:
            found[op] = READS
            continue
        above = kinds[parent]
        if ends[parent] == ends[op]:
            if above in NAMING:
                continue
            if above in PLAIN and op > type_end and starts[parent] == starts[op]:
                found[op] = READS
                continue
        found[op] = _context(tree, tree.role_of(op), typed=op <= type_end)
    return found


def _context(tree: Tree, role: int, *, typed: bool) -> Context:
    kinds = tree.kinds
    if typed:
        return USES_TYPE
    if role < 0:
        return READS
    kind = kinds[role]
    parent = tree.parents[role]
    if kind == Op.CALLEE and parent >= 0:
        return _called(tree, parent)
    if kind == Op.TARGET and parent >= 0:
        return UPDATES if kinds[parent] == Op.AUGMENT else WRITES
    if kind == Op.VALUE and parent >= 0 and kinds[parent] == Op.RAISE:
        return RAISES
    if kind == Op.OBJECT and parent >= 0 and kinds[parent] == Op.INDEX:
        above = tree.role_of(parent)
        if above >= 0 and kinds[above] in BY_ROLE:
            return BY_ROLE[Op(kinds[above])]
    if kind == Op.KEY and _below_base(tree, parent):
        return USES_TYPE
    if kind == Op.ELEMENT and _is_target(tree, role):
        return WRITES
    return BY_ROLE.get(Op(kind), READS)


def _called(tree: Tree, call: int) -> Context:
    role = tree.role_of(call)
    if role < 0:
        return CALLS
    if tree.kinds[role] == Op.DECORATOR:
        return CALLS_TO_DECORATE
    parent = tree.parents[role]
    if tree.kinds[role] == Op.VALUE and parent >= 0 and tree.kinds[parent] == Op.RAISE:
        return CALLS_TO_RAISE
    return CALLS


def _below_base(tree: Tree, index: int) -> bool:
    while index >= 0:
        if tree.kinds[index] in (Op.INHERIT, Op.IMPLEMENT):
            return True
        index = tree.parents[index]
    return False


def _is_target(tree: Tree, op: int) -> bool:
    while op >= 0:
        kind = tree.kinds[op]
        if kind == Op.TARGET:
            return True
        if kind not in (Op.ELEMENT, Op.COLLECTION, Op.SPREAD):
            return False
        op = tree.parents[op]
    return False
