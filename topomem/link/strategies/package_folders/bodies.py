"""Reading a region from its first op to its last.

Every expression gets its meaning, every reference its edge. Ops are left after all that is inside
them; nothing here calls itself along the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.package_folders import binding, calling, literals, naming
from topomem.link.strategies.package_folders.region import Block, Region
from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from topomem.link.strategies.package_folders.code import Code
    from topomem.link.strategies.package_folders.declarations import Unit
    from topomem.link.strategies.package_folders.types import Type


def read_region(code: Code, unit: Unit, number: int) -> Region:
    """Return a region after reading all of it."""
    region = Region(code, unit, number)
    read(region, 0, len(region.tree.kinds))
    return region


def value_types(code: Code, unit: Unit, declare: int) -> list[Type | None]:
    """Return the types of the values of a declaration of the module's."""
    region = Region(code, unit, 0)
    read(region, declare, region.tree.last[declare] + 1)
    return region.types_of(declare)


def read(region: Region, first: int, end: int) -> None:
    """Read the ops of a region from `first` up to `end`."""
    tree = region.tree
    kinds, last = tree.kinds, tree.last
    enter, leave = ENTER, LEAVE
    stack: list[int] = []
    op = first
    while op < end:
        while stack and last[stack[-1]] < op:
            done = stack.pop()
            leave[kinds[done]](region, done)
        kind = kinds[op]
        begin = enter.get(kind)
        following = op + 1
        if begin is not None and begin(region, op):
            following = last[op] + 1
        elif kind in leave:
            if last[op] == op:
                leave[kind](region, op)
            else:
                stack.append(op)
        op = following
    while stack:
        done = stack.pop()
        leave[kinds[done]](region, done)


def _open(region: Region, op: int) -> bool:
    region.block = Block(region.block)
    if region.tree.texts[op] == "type_case":
        binding.type_case(region, op)
    return False


def _close(region: Region, _op: int) -> None:
    outer = region.block.outer
    if outer is not None:
        region.block = outer


def _close_function(region: Region, op: int) -> None:
    _close(region, op)
    literals.function(region, op)


ENTER: dict[int, Callable[[Region, int], bool]] = {
    Op.SCOPE: _open,
    Op.LAMBDA: _open,
    Op.DEFINE: binding.define,
    Op.IMPORT: naming.skip,
    Op.PACKAGE: naming.skip,
    Op.TYPE: naming.written,
    Op.BOUND: naming.written,
    Op.RETURN_TYPE: binding.results,
    Op.INHERIT: naming.embedded,
    Op.CALLEE: naming.callee,
    Op.COLLECTION: literals.begin,
    Op.FUNCTION_TYPE: literals.written_type,
    Op.DECLARE: binding.begin_declare,
}
"""What is done before what is inside an op; true leaves its inside out."""

LEAVE: dict[int, Callable[[Region, int], None]] = {
    Op.SCOPE: _close,
    Op.LAMBDA: _close_function,
    Op.NAME: naming.name,
    Op.MEMBER: naming.member,
    Op.CALL: calling.call,
    Op.CONSTRUCT: literals.construct,
    Op.INDEX: literals.index,
    Op.SLICE: literals.cut,
    Op.CAST: literals.assertion,
    Op.TRANSPARENT: literals.transparent,
    Op.POINTER: literals.pointer,
    Op.OPERATION: literals.operation,
    Op.PARAMETER: binding.parameter,
    Op.ASSIGN: binding.assign,
    Op.DECLARE: binding.declare,
    Op.ITERATE: binding.iterate,
    Op.COLLECTION: literals.end,
}
"""What is done after what is inside an op."""
