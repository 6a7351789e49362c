"""The reduced tree: captures of one query, nested by their byte ranges.

Nothing here walks the syntax tree. Captures become integers that sort into the order of
(start, -end, rank); one pass with a stack per region gives parents. The pass is the hottest loop
of an index, so it holds its state in local names.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from topomem.languages.queries import BLOCK, COMMENT, DOC
from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from topomem.extract.regions import Region
    from topomem.languages.load import Language
    from topomem.languages.spec import LanguageSpec

_BITS = 28
_MASK = (1 << _BITS) - 1
_CODE_BITS = 16
_CODE_MASK = (1 << _CODE_BITS) - 1
_END_SHIFT = _CODE_BITS
_START_SHIFT = _CODE_BITS + _BITS
_ENOUGH = 0.5
"""Above this share of wanted text one pass over the whole blob is cheaper than one per region."""
_LONGEST_VALUE = 200
_SPREAD = Op.SPREAD
_SPREAD_OVER = frozenset({Op.ARGUMENT, Op.ELEMENT})
"""A spread element is no element: the query may find it as both."""
_QUOTED = re.compile(r"""([A-Za-z]*)(\"{3}|'{3}|"|'|`)(.*)\2\Z""", re.DOTALL)
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*")


@dataclass(slots=True)
class ReducedTree:
    """The ops of one region, and the marks in it. Offsets count in the region's text."""

    kinds: bytearray = field(default_factory=bytearray)
    parents: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    blocks: list[tuple[int, int]] = field(default_factory=list)
    documentation: tuple[int, int] | None = None

    def drop_last(self) -> None:
        """Take back the op that came last."""
        for column in (self.kinds, self.parents, self.starts, self.ends, self.rows, self.texts):
            column.pop()


def capture_keys(
    root: Node, language: Language, regions: Sequence[Region], wanted: Sequence[int]
) -> list[int]:
    """Run the edges query over the wanted regions; return captures and regions as sortable keys."""
    total = regions[0].end or 1
    size = sum(len(regions[index].text) for index in wanted)
    cursor = QueryCursor(language.queries.edges)
    keys: list[int] = []
    if size >= total * _ENOUGH:
        _collect(cursor, root, language.queries.codes, keys)
    else:
        for index in wanted:
            for start, end in _gaps(regions, index):
                cursor.set_byte_range(start, end)
                _collect(cursor, root, language.queries.codes, keys)
    define = language.queries.define
    head = language.queries.head
    for region in regions[1:]:
        keys.append(_key(region.start, region.end, define))
        keys += [_key(part.start, part.end, head) for part in region.heads[:-1]]
    keys.sort()
    return keys


def _key(start: int, end: int, code: int) -> int:
    return start << _START_SHIFT | (_MASK - end) << _END_SHIFT | code


def _collect(cursor: QueryCursor, root: Node, codes: dict[str, int], keys: list[int]) -> None:
    for name, nodes in cursor.captures(root).items():
        code = (_MASK << _END_SHIFT) + codes[name]
        keys += [
            (start << _START_SHIFT) - (end << _END_SHIFT) + code
            for start, end in [node.byte_range for node in nodes]
        ]


def _gaps(regions: Sequence[Region], index: int) -> Iterable[tuple[int, int]]:
    """Return the byte ranges of a region's own text that hold more than one byte."""
    region = regions[index]
    place = region.start
    for piece, child in zip(region.text.split(b"\0"), [*region.children, -1], strict=True):
        if not piece.isspace() and piece:
            yield place, place + len(piece)
        if child >= 0:
            place = regions[child].end


def reduce_tree(  # noqa: C901, PLR0912, PLR0915  one loop over all captures, kept in local names
    keys: Sequence[int],
    source: bytes,
    newlines: Sequence[int],
    regions: Sequence[Region],
    wanted: frozenset[int],
    language: Language,
) -> dict[int, ReducedTree]:
    """Nest captures into one tree per wanted region. `keys` are sorted, `newlines` offsets of LF."""
    queries = language.queries
    table = [
        (capture.op, capture.mark, capture.text, capture.fixed, capture.leaf) for capture in queries.captures
    ]
    define = queries.define
    ascii_text = source.decode("ascii") if source.isascii() else None
    strings = _Strings(language.spec)
    line_ends = [*newlines, len(source) + 1]
    line = 0

    trees: dict[int, ReducedTree] = {}
    next_region = 1
    frames: list[tuple[int, ReducedTree | None, list[int], list[int], int, int]] = []
    current = 0
    tree = ReducedTree() if 0 in wanted else None
    if tree is not None:
        trees[0] = tree
    beyond = region_end = len(source) + 1
    inner_start, inner_end, name_starts = _inner(regions[0])
    stack: list[int] = [-1]
    stack_ends: list[int] = [beyond]
    base = row_base = 0
    skip_end = 0
    previous = -1
    before = -1
    separator = -1

    for key in keys:
        start = key >> _START_SHIFT
        if start < skip_end or key == previous:
            continue
        previous = key
        end = _MASK - (key >> _END_SHIFT & _MASK)
        code = key & _CODE_MASK
        while start >= region_end:
            closed = regions[current]
            current, tree, stack, stack_ends, base, row_base = frames.pop()
            base += closed.end - closed.start - 1
            row_base += bisect_left(newlines, closed.end) - bisect_left(newlines, closed.start)
            parent = regions[current]
            region_end = parent.end if current else beyond
            inner_start, inner_end, name_starts = _inner(parent)
        if code == define:
            if tree is not None:
                while start >= stack_ends[-1]:
                    stack.pop()
                    stack_ends.pop()
                while line_ends[line] < start:
                    line += 1
                tree.kinds.append(Op.DEFINE)
                tree.parents.append(stack[-1])
                tree.starts.append(start - base)
                tree.ends.append(end)
                tree.rows.append(line - row_base)
                tree.texts.append(str(regions[next_region].ordinal))
            frames.append((current, tree, stack, stack_ends, base, row_base))
            current = next_region
            next_region += 1
            region = regions[current]
            tree = None
            if current in wanted:
                tree = trees[current] = ReducedTree()
            stack, stack_ends = [-1], [beyond]
            separator = before = -1
            while line_ends[line] < start:
                line += 1
            base, row_base, region_end = start, line, end
            inner_start, inner_end, name_starts = _inner(region)
            continue
        if tree is None or start == end:
            continue
        op, mark, text_from, fixed, leaf = table[code]
        if mark:
            if mark == COMMENT:
                tree.comments.append((start, end))
            elif mark == BLOCK:
                tree.blocks.append((start, end))
            elif mark == DOC:
                if tree.documentation is None:
                    tree.documentation = (start, end)
                    skip_end = end
            else:
                separator = start - base
            continue
        if start in name_starts or (end >= inner_end and start <= inner_start):
            continue
        while start >= stack_ends[-1]:
            stack.pop()
            stack_ends.pop()
        if start == before and op == tree.kinds[-1] and tree.ends[-1] == end and not fixed:
            continue  # the same op with a text of its own came first
        while line_ends[line] < start:
            line += 1
        before = start
        if op == _SPREAD and tree.kinds and tree.kinds[-1] in _SPREAD_OVER and stack[-1] == len(tree.starts) - 1:
            stack.pop()
            stack_ends.pop()
            tree.drop_last()
        if not text_from:
            text = ""
        elif text_from == "fixed":
            text = fixed
            if fixed == "rest":
                separator = start - base
        elif text_from == "place":
            first = tree.starts[stack[-1]] if stack[-1] >= 0 else 0
            text = "keyword_only" if separator > first else ""
        else:
            text = ascii_text[start:end] if ascii_text is not None else source[start:end].decode()
            if text_from == "unquoted":
                op, text, leaf = strings.read(op, text)
            elif text_from == "first":
                found = _IDENTIFIER.search(text)
                text = found[0] if found else text
        tree.kinds.append(op)
        tree.parents.append(stack[-1])
        tree.starts.append(start - base)
        tree.ends.append(end)
        tree.rows.append(line - row_base)
        tree.texts.append(text)
        if leaf:
            skip_end = end
        else:
            stack.append(len(tree.starts) - 1)
            stack_ends.append(end)
    for index in wanted:
        _make_relative(trees[index], regions, regions[index])
    return trees


def _inner(region: Region) -> tuple[int, int, frozenset[int]]:
    """Return the range of a definition's own node and where its names stand: no ops of its body."""
    if not region.heads:
        return -1, region.end + 1, frozenset()
    head = region.head
    return head.inner_start, head.inner_end, frozenset(part.name_start for part in region.heads)


def _make_relative(tree: ReducedTree, regions: Sequence[Region], region: Region) -> None:
    """Turn ends and marks, still offsets in the blob, into offsets in the region's text."""
    nested = [regions[child] for child in region.children]
    if not nested:
        first = region.start
        tree.ends = [end - first for end in tree.ends]
        tree.comments = [(start - first, end - first) for start, end in tree.comments]
        tree.blocks = [(start - first, end - first) for start, end in tree.blocks]
        if tree.documentation:
            tree.documentation = (tree.documentation[0] - first, tree.documentation[1] - first)
        return
    limits = [other.end for other in nested]
    removed = [region.start]
    for other in nested:
        removed.append(removed[-1] + other.end - other.start - 1)

    def relative(offset: int) -> int:
        return offset - removed[bisect_right(limits, offset)]

    tree.ends = [relative(end) for end in tree.ends]
    tree.comments = [(relative(start), relative(end)) for start, end in tree.comments]
    tree.blocks = [(relative(start), relative(end)) for start, end in tree.blocks]
    if tree.documentation:
        tree.documentation = (relative(tree.documentation[0]), relative(tree.documentation[1]))


class _Strings:
    """What string literals say: which op they are, and their text without quotes."""

    def __init__(self, spec: LanguageSpec) -> None:
        self._template = frozenset(spec.text.template_prefixes)
        self._bytes = frozenset(spec.text.bytes_prefixes)

    def read(self, op: int, text: str) -> tuple[int, str, bool]:
        """Return op, text and whether nothing inside is of interest."""
        quoted = _QUOTED.match(text)
        if quoted is None:
            return op, text, True
        prefix, _, content = quoted.groups()
        if op != Op.STRING_VALUE:
            return op, content, True
        if prefix and not self._template.isdisjoint(prefix):
            return Op.LITERAL, "template", False
        if prefix and not self._bytes.isdisjoint(prefix):
            return Op.LITERAL, "bytes", True
        if len(content) > _LONGEST_VALUE or "\\" in content:
            return Op.LITERAL, "string", True
        return op, content, True
