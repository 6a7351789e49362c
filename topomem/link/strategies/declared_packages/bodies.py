"""Reading a region from its first op to its last.

Every expression gets its type, every reference its edge. Ops are left after all that is inside
them; nothing here calls itself along the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from topomem.link.strategies.declared_packages import (
    binding,
    calling,
    function_values,
    naming,
    typing_rules,
)
from topomem.link.strategies.declared_packages.region import Block, Function, Region
from topomem.model.code import Op

if TYPE_CHECKING:
    from topomem.link.strategies.declared_packages.code import Code
    from topomem.link.strategies.declared_packages.declarations import Unit
Begin = Callable[[Region, int], bool]


def read_region(code: Code, unit: Unit, number: int, blocks: dict[int, Block]) -> Region:
    """Return a region after reading it.

    `blocks` has, for each definition inside a region that was read before, the block it stands in;
    those inside this one are added.
    """
    region = Region(code, unit, number, blocks)
    tree = region.tree
    kinds, last = tree.kinds, tree.last
    enter: list[Begin | None] = _ENTER
    leave: list[Any] = _LEAVE
    stack: list[int] = []
    op, count = 0, len(kinds)
    while op < count:
        while stack and last[stack[-1]] < op:
            done = stack.pop()
            leave[kinds[done]](region, done)
        kind = kinds[op]
        begin = enter[kind]
        if begin is not None and begin(region, op):
            op = last[op] + 1
            continue
        end = leave[kind]
        if end is not None:
            if last[op] == op:
                end(region, op)
            else:
                stack.append(op)
        op += 1
    while stack:
        done = stack.pop()
        leave[kinds[done]](region, done)
    return region


def _open(region: Region, _op: int) -> bool:
    region.block = Block(region.block)
    return False


def _close(region: Region, _op: int) -> None:
    outer = region.block.outer
    if outer is not None:
        region.block = outer


def _open_function(region: Region, op: int) -> bool:
    region.block = Block(region.block)
    region.functions.append(Function(op, []))
    function_values.expect(region, op)
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


ENTER: dict[int, Begin] = {
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
    Op.REFERENCE: function_values.reference,
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

_KINDS = range(256)
_ENTER = [ENTER.get(kind) for kind in _KINDS]
_LEAVE = [LEAVE.get(kind) for kind in _KINDS]
