"""What a region binds, and a digest of what other regions can learn from it."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import repeat
from operator import sub
from typing import TYPE_CHECKING

from topomem.extract.lexing import digest
from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from topomem.extract.tree import ReducedTree


def subtree_end(tree: ReducedTree, index: int) -> int:
    """Return the index after the last op inside op `index`."""
    return bisect_left(tree.starts, tree.ends[index], index + 1)


@dataclass(slots=True)
class Bindings:
    """What the statements of a region bind. Indices are those of ops."""

    by_name: dict[str, list[int]]  # statements that bind a local name
    escaping: list[int]  # statements that write a member or an element of something
    parameters: list[str]
    anonymous: list[tuple[int, int]]  # ranges of anonymous functions and comprehensions

    def names(self) -> list[str]:
        """Return parameters and names that are assigned."""
        return [*self.parameters, *self.by_name]

    def hides(self, index: int) -> bool:
        """Whether an op stands in an anonymous function or a comprehension."""
        place = bisect_right(self.anonymous, (index, 0)) - 1
        return place >= 0 and index < self.anonymous[place][1]


def find_bindings(tree: ReducedTree) -> Bindings:
    """Return what a region binds, from its reduced tree."""
    kinds, parents, texts = tree.kinds, tree.parents, tree.texts
    by_name: dict[str, list[int]] = {}
    escaping: list[int] = []
    for match in _TARGETS.finditer(kinds):
        target = match.start()
        statement = parents[target]
        following = match[1][0] if match[1] else 0
        if following == Op.NAME:
            by_name.setdefault(texts[target + 1], []).append(statement)
            continue
        if following in _WRITTEN_PARTS:
            escaping.append(statement)
            continue
        for inner in _NAMES.finditer(kinds, target + 1, subtree_end(tree, target)):
            at = inner.start()
            if kinds[parents[at]] in _BINDING_PARENTS:
                by_name.setdefault(texts[at], []).append(statement)
            else:
                escaping.append(statement)
    anonymous: list[tuple[int, int]] = []
    for match in _ANONYMOUS.finditer(kinds):
        if not anonymous or match.start() >= anonymous[-1][1]:
            anonymous.append((match.start(), subtree_end(tree, match.start())))
    parameters = [texts[match.start()] for match in _PARAMETER_NAMES.finditer(kinds)]
    return Bindings(by_name, escaping, parameters, anonymous)


def value_hash(tree: ReducedTree, bindings: Bindings, *, is_function: bool) -> str:
    """Digest what other regions can learn: header, bindings, results and what these depend on.

    Of a function, assignments of local names that no result depends on are left out; positions,
    comments and plain calls always are.
    """
    kinds, parents = tree.kinds, tree.parents
    header = [
        match.start()
        for match in _HEADER.finditer(kinds)
        if parents[match.start()] < 0 or kinds[parents[match.start()]] == Op.HEAD
    ]
    pattern = _RESULTS if is_function else _LEARNED
    chosen = [
        match.start()
        for match in pattern.finditer(kinds)
        if not (bindings.anonymous and bindings.hides(match.start()))
    ]
    if is_function:
        chosen = _slice(tree, bindings, chosen)
    elif bindings.by_name:
        chosen += _changing_calls(tree, bindings.by_name)
    return _digest_ops(tree, sorted({*header, *chosen}))


def _digest_ops(tree: ReducedTree, chosen: Sequence[int]) -> str:
    """Digest the ops with what is inside them: kinds, texts and shape, but no positions."""
    kinds, parents = bytearray(), array("i")
    texts: list[str] = []
    done = -1
    for index in chosen:
        if index < done:
            continue
        done = _learned_end(tree, index)
        kinds += tree.kinds[index:done]
        texts += tree.texts[index:done]
        parents.append(-1)
        parents.extend(map(sub, tree.parents[index + 1 : done], repeat(index)))
    encoded = "\x1e".join(texts).encode("utf-8", "surrogatepass")
    return digest((bytes(kinds), encoded, parents.tobytes()))


def _learned_end(tree: ReducedTree, index: int) -> int:
    """Return where the roles of a statement end; the statements of its body are chosen apart."""
    last = subtree_end(tree, index)
    if tree.kinds[index] not in _BLOCKS:
        return last
    end = index + 1
    while end < last and tree.kinds[end] < Op.NAME:
        end = subtree_end(tree, end)
    return end


def _slice(tree: ReducedTree, bindings: Bindings, results: list[int]) -> list[int]:
    """Return results, what escapes, and the bindings these depend on."""
    kinds, texts, by_name = tree.kinds, tree.texts, bindings.by_name
    taken = {*results, *bindings.escaping}
    if not by_name:
        return list(taken)
    seen: set[str] = set()
    wanted = [texts[index] for index in results if kinds[index] in _OUTER_NAMES]
    pending = list(taken)
    while pending:
        index = pending.pop()
        wanted += [
            texts[match.start()]
            for match in _NAMES.finditer(kinds, index, _learned_end(tree, index))
        ]
        for name in wanted:
            if name not in seen:
                seen.add(name)
                pending += [at for at in by_name.get(name, ()) if at not in taken]
        taken.update(pending)
        wanted.clear()
    taken.update(_changing_calls(tree, seen & by_name.keys()))
    return list(taken)


def _changing_calls(tree: ReducedTree, names: Container[str]) -> list[int]:
    """Return calls such as `x.append(...)` for the given names: they may change what x holds."""
    return [
        tree.parents[match.start()]
        for match in _METHOD_CALLS.finditer(tree.kinds)
        if tree.texts[match.end() - 1] in names
    ]


def _one_of(ops: Iterable[int]) -> bytes:
    return b"[" + b"".join(re.escape(bytes([op])) for op in ops) + b"]"


def _pattern(ops: Iterable[int]) -> re.Pattern[bytes]:
    return re.compile(_one_of(ops), re.DOTALL)


_BINDING_PARENTS = frozenset({Op.TARGET, Op.ELEMENT, Op.SPREAD, Op.VALUE, Op.TRANSPARENT})
_BLOCKS = frozenset({Op.ITERATE, Op.ENTER, Op.CATCH, Op.SCOPE, Op.EXPORT_DEFAULT, Op.EXPORT})
_OUTER_NAMES = frozenset({Op.GLOBAL, Op.NONLOCAL})
_WRITTEN_PARTS = frozenset({Op.MEMBER, Op.INDEX})
_HEADER = _pattern(
    {
        Op.PARAMETER, Op.DECORATOR, Op.INHERIT, Op.IMPLEMENT, Op.RETURN_TYPE, Op.TYPE_PARAMETER,
        Op.KEYWORD, Op.TYPE,
    }
)  # fmt: skip
_RESULTS = _pattern(
    {
        Op.RETURN, Op.YIELD, Op.YIELD_FROM, Op.GLOBAL, Op.NONLOCAL, Op.DEFINE,
        *range(Op.IMPORT, Op.PACKAGE + 1),
    }
)  # fmt: skip
_LEARNED = _pattern(
    {*range(Op.ASSIGN, Op.PACKAGE + 1), Op.DEFINE} - {Op.HEAD, Op.SCOPE, Op.RAISE, Op.DELETE}
)
_TARGETS = re.compile(_one_of([Op.TARGET]) + b"(.?)", re.DOTALL)
_NAMES = _pattern([Op.NAME])
_PARAMETER_NAMES = _pattern([Op.PARAMETER_NAME])
_ANONYMOUS = _pattern([Op.LAMBDA, Op.COMPREHENSION])
_METHOD_CALLS = re.compile(
    b"".join(_one_of([op]) for op in (Op.CALLEE, Op.MEMBER, Op.OBJECT, Op.NAME)), re.DOTALL
)
