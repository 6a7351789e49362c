"""Reading a region from its first op to its last: every expression gets its type, every reference
its edge. Ops are left after all that is inside them; nothing here calls itself along the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.declared_packages import binding, calling, naming, typing_rules
from topomem.link.strategies.declared_packages.region import Block, Function, Region
from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.declarations import Unit

OPENERS = frozenset({Op.SCOPE, Op.ITERATE, Op.CATCH})


def read_region(code: Code, unit: Unit, number: int, blocks: dict[int, Block]) -> Region:
    """Return a region after reading it. `blocks` has, for each definition inside a region that was
    read before, the block it stands in; those inside this one are added."""
    region = Region(code, unit, number, blocks)
    tree = region.tree
    kinds, last = tree.kinds, tree.last
    enter, leave = ENTER, LEAVE
    stack: list[int] = []
    op, count = 0, len(kinds)
    while op < count:
        while stack and last[stack[-1]] < op:
            done = stack.pop()
            leave[kinds[done]](region, done)
        begin = enter.get(kinds[op])
        following = op + 1
        if begin is not None and begin(region, op):
            following = last[op] + 1
        elif kinds[op] in leave:
            if last[op] == op:
                leave[kinds[op]](region, op)
            else:
                stack.append(op)
        op = following
    while stack:
        done = stack.pop()
        leave[kinds[done]](region, done)
    return region


def _open(region: Region, op: int) -> bool:
    region.block = Block(region.block)
    return False


def _close(region: Region, op: int) -> None:
    outer = region.block.outer
    if outer is not None:
        region.block = outer


def _open_function(region: Region, op: int) -> bool:
    region.block = Block(region.block)
    region.functions.append(Function(op, []))
    calling.expect(region, op)
    return False


def _close_function(region: Region, op: int) -> None:
    _close(region, op)
    typing_rules.function(region, op, region.functions.pop())


def _define(region: Region, op: int) -> bool:
    nested = region.unit.nested[region.number]
    text = region.tree.texts[op]
    ordinal = int(text) if text.isdigit() else -1
    if 0 <= ordinal < len(nested):
        region.blocks[nested[ordinal]] = region.block
    return True


ENTER: dict[int, Callable[[Region, int], bool]] = {
    Op.SCOPE: _open,
    Op.ITERATE: _open,
    Op.CATCH: _open,
    Op.LAMBDA: _open_function,
    Op.DEFINE: _define,
    Op.IMPORT: naming.skip,
    Op.PACKAGE: naming.skip,
    Op.TYPE: naming.written,
    Op.RETURN_TYPE: naming.written,
    Op.BOUND: naming.written,
    Op.INHERIT: naming.base,
    Op.IMPLEMENT: naming.base,
    Op.CALLEE: naming.callee,
    Op.KEY: naming.key,
    Op.OBJECT: naming.qualifier,
    Op.DECORATOR: naming.decorator,
    Op.DECLARE: binding.declare,
    Op.ASSIGN: binding.begin_assign,
}
"""What is done before what is inside an op; true leaves its inside out."""

LEAVE: dict[int, Callable[[Region, int], None]] = {
    Op.SCOPE: _close,
    Op.ITERATE: _close,
    Op.CATCH: _close,
    Op.LAMBDA: _close_function,
    Op.NAME: naming.name,
    Op.MEMBER: naming.member,
    Op.CALL: calling.call,
    Op.CONSTRUCT: calling.construct,
    Op.REFERENCE: calling.reference,
    Op.RECEIVER: naming.receiver,
    Op.PARENT: naming.parent,
    Op.LITERAL: typing_rules.literal,
    Op.INDEX: typing_rules.index,
    Op.COLLECTION: typing_rules.collection,
    Op.CHOICE: typing_rules.choice,
    Op.CAST: typing_rules.cast,
    Op.TRANSPARENT: typing_rules.transparent,
    Op.OPERATION: typing_rules.operation,
    Op.ASSIGN: binding.assign,
    Op.AUGMENT: binding.augment,
    Op.DECLARE: binding.end_declare,
    Op.TARGET: binding.target,
    Op.VALUE: binding.value,
    Op.ENTER: binding.enter,
    Op.PARAMETER: binding.parameter,
    Op.RETURN: binding.result,
    Op.RESULT: binding.result,
    Op.RAISE: calling.raised,
    Op.KEYWORD: naming.keyword,
}
"""What is done after what is inside an op."""
