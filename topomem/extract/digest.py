"""Digests of one region: of its tokens, of their shape, and of what others can learn from it."""

from __future__ import annotations

import re
from bisect import bisect_left
from hashlib import blake2b
from typing import TYPE_CHECKING

from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topomem.extract.tree import ReducedTree

_TOKEN = re.compile(
    rb'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\''
    rb'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`'
    rb"|[\w\x80-\xff$]+|[^\s\w]",
    re.DOTALL,
)
_OPEN, _CLOSE = b"\x01", b"\x02"
"""Tokens for the bounds of blocks that only layout shows."""
_LITERAL_STARTS = frozenset(b"\"'`0123456789")


def tokens(
    text: bytes,
    comments: Sequence[tuple[int, int]],
    blocks: Sequence[tuple[int, int]] = (),
    documentation: tuple[int, int] | None = None,
) -> list[bytes]:
    """Return the tokens of a text without comments, documentation and layout, all byte ranges in it."""
    cuts = [(start, end, b"") for start, end in comments]
    if documentation:
        cuts.append((*documentation, b""))
    cuts += [(start, start, _OPEN) for start, _ in blocks]
    cuts += [(end, end, _CLOSE) for _, end in blocks]
    if not cuts:
        return _TOKEN.findall(text)
    cuts.sort()
    pieces = []
    place = 0
    for start, end, mark in cuts:
        if start > place:
            pieces.append(text[place:start])
        pieces.append(mark or b" ")
        place = max(place, end)
    pieces.append(text[place:])
    return _TOKEN.findall(b"".join(pieces))


def digest(parts: Iterable[bytes]) -> str:
    """Return 16 hexadecimal digits over a sequence of byte strings."""
    return blake2b(b"\x1f".join(parts), digest_size=8).hexdigest()


def shape(found: Sequence[bytes], own_name: str, tree: ReducedTree) -> str:
    """Digest tokens with the region's own name, local names and literals abstracted.

    Local names become numbers in order of first use, so a consistent renaming leaves the digest.
    """
    local = {text.encode() for text in local_names(tree)}
    own = own_name.encode()
    spelled: dict[bytes, bytes] = {}
    count = 0
    for token in dict.fromkeys(found):
        if token == own:
            spelled[token] = b"\x03"
        elif token in local:
            spelled[token] = b"\x04%d" % count
            count += 1
        elif token[0] in _LITERAL_STARTS:
            spelled[token] = b"\x05" if token[0] > ord("9") or token[0] < ord("0") else b"\x06"
        else:
            spelled[token] = token
    return digest(map(spelled.__getitem__, found))


def local_names(tree: ReducedTree) -> set[str]:
    """Return parameters and names that are assigned in the region."""
    kinds, parents, texts = tree.kinds, tree.parents, tree.texts
    names = {texts[match.start()] for match in _PARAMETER_NAMES.finditer(kinds)}
    for match in _TARGETS.finditer(kinds):
        target = match.start()
        end = subtree_end(tree, target)
        for index in range(target + 1, end):
            if kinds[index] == Op.NAME and kinds[parents[index]] in _BINDING_PARENTS:
                names.add(texts[index])
    return names


def subtree_end(tree: ReducedTree, index: int) -> int:
    """Return the index after the last op inside op `index`."""
    starts = tree.starts
    return bisect_left(starts, tree.ends[index], index + 1)


def value_hash(tree: ReducedTree, *, is_function: bool) -> str:
    """Digest what other regions can learn: header, bindings, results and what these depend on.

    Of a function, assignments of local names that no result depends on are left out; positions,
    comments and plain calls always are.
    """
    kinds = tree.kinds
    top = _statements(tree)
    if is_function:
        chosen = _slice(tree, top)
    else:
        chosen = [index for index in top if kinds[index] not in _BODY_ONLY]
        names = {name for index in chosen for name, _ in _targets(tree, index)}
        chosen += _changing_calls(tree, names)
    parts: list[bytes] = []
    done = -1
    for index in sorted(chosen):
        if index < done:
            continue
        end = _learned_end(tree, index)
        done = end
        parts.append(bytes(kinds[index:end]))
        parts.append("\x1e".join(tree.texts[index:end]).encode("utf-8", "surrogatepass"))
        parts.append(bytes((at - tree.parents[at]) & 0xFF for at in range(index + 1, end)))
    return digest(parts)


def _statements(tree: ReducedTree) -> list[int]:
    """Return header parts and statements of the region itself, not those of anonymous functions."""
    kinds, parents = tree.kinds, tree.parents
    found: list[int] = []
    inner_end = 0
    for match in _STATEMENTS.finditer(kinds):
        index = match.start()
        if index < inner_end:
            continue
        if kinds[index] in _OWN_SCOPES:
            inner_end = subtree_end(tree, index)
        elif kinds[index] not in _HEADER or parents[index] < 0 or kinds[parents[index]] == Op.HEAD:
            found.append(index)
    return found


def _learned_end(tree: ReducedTree, index: int) -> int:
    """Return where the roles of a statement end; the statements of its body are chosen apart."""
    if tree.kinds[index] not in _BLOCKS:
        return subtree_end(tree, index)
    end = index + 1
    last = subtree_end(tree, index)
    while end < last and tree.kinds[end] < Op.NAME:
        end = subtree_end(tree, end)
    return end


def _slice(tree: ReducedTree, top: Sequence[int]) -> list[int]:
    kinds, texts = tree.kinds, tree.texts
    chosen: list[int] = []
    by_name: dict[str, list[int]] = {}
    wanted: list[str] = []
    for index in top:
        kind = kinds[index]
        if kind not in _LOCAL_BINDINGS:
            if kind not in _BODY_ONLY:
                chosen.append(index)
            continue
        escapes = False
        for name, plain in _targets(tree, index):
            by_name.setdefault(name, []).append(index)
            escapes |= not plain
        if escapes:
            chosen.append(index)
    declared = {texts[index] for index in chosen if kinds[index] in (Op.GLOBAL, Op.NONLOCAL)}
    wanted.extend(declared)
    for index in chosen:
        wanted.extend(_names_in(tree, index))
    seen: set[str] = set()
    taken = set(chosen)
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        for index in by_name.get(name, ()):
            if index not in taken:
                taken.add(index)
                wanted.extend(_names_in(tree, index))
    taken.update(_changing_calls(tree, seen & by_name.keys()))
    return list(taken)


def _targets(tree: ReducedTree, index: int) -> Iterable[tuple[str, bool]]:
    """Return names bound by a statement; false where a member or element of the name is written."""
    kinds, parents, texts = tree.kinds, tree.parents, tree.texts
    end = _learned_end(tree, index)
    for at in range(index + 1, end):
        if kinds[at] == Op.TARGET and parents[at] == index:
            for inner in range(at + 1, subtree_end(tree, at)):
                if kinds[inner] in (Op.NAME, Op.RECEIVER):
                    yield texts[inner], kinds[parents[inner]] in _BINDING_PARENTS


def _names_in(tree: ReducedTree, index: int) -> Iterable[str]:
    kinds, texts = tree.kinds, tree.texts
    return [texts[at] for at in range(index, _learned_end(tree, index)) if kinds[at] == Op.NAME]


def _changing_calls(tree: ReducedTree, names: set[str]) -> list[int]:
    """Return calls such as `x.append(...)` for the given names: they may change what x holds."""
    return [
        tree.parents[match.start()]
        for match in _CALLEES.finditer(tree.kinds)
        if _changed_name(tree, match.start()) in names
    ]


def _changed_name(tree: ReducedTree, callee: int) -> str:
    """Return `x` for the callee `x.method`."""
    kinds = tree.kinds
    path = (Op.CALLEE, Op.MEMBER, Op.OBJECT, Op.NAME)
    if tuple(kinds[callee : callee + len(path)]) == path:
        return tree.texts[callee + len(path) - 1]
    return ""


def _one_of(ops: Iterable[int]) -> re.Pattern[bytes]:
    return re.compile(b"[" + b"".join(re.escape(bytes([op])) for op in ops) + b"]", re.DOTALL)


_BINDING_PARENTS = frozenset({Op.TARGET, Op.ELEMENT, Op.SPREAD, Op.VALUE, Op.TRANSPARENT})
_LOCAL_BINDINGS = frozenset({Op.ASSIGN, Op.AUGMENT, Op.ITERATE, Op.ENTER, Op.CATCH, Op.DECLARE})
_BLOCKS = frozenset({Op.ITERATE, Op.ENTER, Op.CATCH, Op.SCOPE, Op.EXPORT_DEFAULT, Op.EXPORT})
_BODY_ONLY = frozenset({Op.RAISE, Op.DELETE})
_HEADER = frozenset(
    {
        Op.PARAMETER, Op.PARAMETER_NAME, Op.DECORATOR, Op.INHERIT, Op.IMPLEMENT, Op.RETURN_TYPE,
        Op.TYPE_PARAMETER, Op.KEYWORD, Op.TYPE,
    }
)  # fmt: skip
_OWN_SCOPES = frozenset({Op.LAMBDA, Op.COMPREHENSION})
_STATEMENTS = _one_of(
    {*range(Op.ASSIGN, Op.PACKAGE + 1), *_HEADER, *_OWN_SCOPES, Op.DEFINE} - {Op.HEAD, Op.SCOPE}
)
_PARAMETER_NAMES = _one_of([Op.PARAMETER_NAME])
_TARGETS = _one_of([Op.TARGET])
_CALLEES = _one_of([Op.CALLEE])
