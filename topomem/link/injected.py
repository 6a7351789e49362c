"""What a framework of tests hands to a parameter: the result of the fixture of that name.

A fixture is a decorated function. It is looked for in the class and file of whoever asks, then in
the shared files of the folders above, the nearest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from topomem.link.guess import is_test
from topomem.link.paths import folders_above
from topomem.link.scopes import last_name
from topomem.link.values import NOTHING, Argument, Definition, Generator, Item, Value
from topomem.model.code import Op
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator


def injected(look: Evaluator, item: Argument, k: int) -> Value:
    """Return what fixtures say of a parameter; nothing for one that no framework fills."""
    rules = look.strategy_of(item.path).spec.tests
    if not rules.fixture_marks or item.block >= 0 or not is_test(item.path):
        return NOTHING
    for place in _places(look, item, rules.fixture_files):
        if (place.path, place.name) != (item.path, item.scope) and _is_fixture(look, place):
            return _given(look, place, k)
    return NOTHING


def _places(look: Evaluator, item: Argument, shared: tuple[str, ...]) -> Iterator[Definition]:
    """Yield where a fixture may stand, the nearest first."""
    holder = item.scope.rpartition(".")[0]
    while holder:
        yield Definition(item.path, QualifiedName(f"{holder}.{item.name}"))
        holder = holder.rpartition(".")[0]
    name = QualifiedName(item.name)
    yield Definition(item.path, name)
    for folder in folders_above(item.path):
        for file in shared:
            path = FilePath(f"{folder}/{file}" if folder else file)
            if path != item.path and look.world.exists(path):
                yield Definition(path, name)


def _is_fixture(look: Evaluator, place: Definition) -> bool:
    tables = look.world.header(place.path, place.name)
    if tables is None:
        return False
    tree, marks = tables.tree, look.strategy_of(place.path).spec.tests.fixture_marks
    for role in tables.header:
        if tree.kinds[role] == Op.DECORATOR:
            at = tree.expression(role)
            if at >= 0 and tree.kinds[at] == Op.CALL:
                at = tree.operand(at, Op.CALLEE)
            if last_name(tree, at) in marks:
                return True
    return False


def _given(look: Evaluator, place: Definition, k: int) -> Value:
    """Return what a fixture returns, or yields first."""
    found: set[Item] = set()
    for one in look.results(place, k):
        given = look.yielded(one, k) if isinstance(one, Generator) else {one}
        for value in given:
            found |= look.passed(value, k) if isinstance(value, Argument) else {value}
    return look.limited(found)
