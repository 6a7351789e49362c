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

from topomem.languages.queries import (
    BLOCK,
    COMMENT,
    FIXED,
    MARK,
    NODE,
    PLACE,
    PLAIN,
    REGION,
    SEPARATOR,
    SPREAD,
    UNQUOTED,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from topomem.extract.regions import Region
    from topomem.languages.load import Language
    from topomem.languages.spec import LanguageSpec

_OFFSET_BITS = 24
LARGEST = (1 << _OFFSET_BITS) - 1
"""Longest text in bytes that sort keys can tell positions of."""
_CODE_BITS = 8
_START_SHIFT = _CODE_BITS + _OFFSET_BITS
_CODE_MASK = (1 << _CODE_BITS) - 1
_LOW_MASK = (1 << _START_SHIFT) - 1
_ENOUGH = 0.5
"""Above this share of wanted text one pass over the whole blob is cheaper than one per region."""
_LONGEST_VALUE = 200
_PARAMETER = Op.PARAMETER
_SPREAD_OVER = frozenset({Op.ARGUMENT, Op.ELEMENT})
"""A spread element is no element: the query may find it as both."""
_QUOTED = re.compile(r"""([A-Za-z]*)(\"{3}|'{3}|"|'|`)(.*)\2\Z""", re.DOTALL)
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*")


_Row = tuple[int, int, int, int, int, str]
"""Op, parent, start, end, row, text."""


@dataclass(slots=True)
class ReducedTree:
    """The ops of one region, and the marks in it. Offsets count in the region's text."""

    rows: list[_Row] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    blocks: list[tuple[int, int]] = field(default_factory=list)
    documentation: tuple[int, int] | None = None
    kinds: bytes = b""
    parents: Sequence[int] = ()
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    lines: Sequence[int] = ()
    texts: Sequence[str] = ()


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
    return start << _START_SHIFT | (LARGEST - end) << _CODE_BITS | code


def _collect(cursor: QueryCursor, root: Node, codes: dict[str, int], keys: list[int]) -> None:
    for name, nodes in cursor.captures(root).items():
        code = (LARGEST << _CODE_BITS) + codes[name]
        keys += [
            (start << _START_SHIFT) - (end << _CODE_BITS) + code
            for start, end in [node.byte_range for node in nodes]
            if start < end
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
    captures = language.queries.captures
    ops = [capture.op for capture in captures]
    modes = [capture.mode for capture in captures]
    fixed = [capture.fixed for capture in captures]
    ascii_text = source.decode("ascii") if source.isascii() else ""
    strings = _Strings(language.spec)
    line_ends = [*newlines, len(source) + 1]
    beyond = len(source) + 1
    trees = {index: ReducedTree() for index in wanted}

    frames: list[tuple[int, list[_Row] | None, int, int, list[int], list[int], int, int]] = []
    current = line = 0
    next_region = 1
    tree = trees.get(0, ReducedTree())
    rows = tree.rows if 0 in wanted else None
    region_end = beyond
    inner_start, inner_end, name_starts, header_end = _header(regions[0])
    parent, parent_end = -1, beyond
    parents: list[int] = []
    parent_ends: list[int] = []
    base = line_base = skip_end = 0
    previous = separator = -1

    for key in keys:
        start = key >> _START_SHIFT
        if start < skip_end or key == previous:
            continue
        previous = key
        low = key & _LOW_MASK
        end = LARGEST - (low >> _CODE_BITS)
        code = low & _CODE_MASK
        while start >= region_end:
            closed = regions[current]
            current, rows, parent, parent_end, parents, parent_ends, base, line_base = frames.pop()
            base += closed.end - closed.start - 1
            line_base += bisect_left(newlines, closed.end) - bisect_left(newlines, closed.start)
            region_end = regions[current].end if current else beyond
            inner_start, inner_end, name_starts, header_end = _header(regions[current])
            tree = trees.get(current, tree)
        mode = modes[code]
        if mode == MARK:
            if rows is None:
                continue
            op = ops[code]
            if op == COMMENT:
                tree.comments.append((start, end))
            elif op == BLOCK:
                tree.blocks.append((start, end))
            elif op == SEPARATOR:
                separator = start - base
            elif tree.documentation is None:
                tree.documentation = (start, end)
                skip_end = end
            continue
        while line_ends[line] < start:
            line += 1
        if mode == REGION:
            if rows is not None:
                while start >= parent_end:
                    parent, parent_end = parents.pop(), parent_ends.pop()
                ordinal = str(regions[next_region].ordinal)
                rows.append((ops[code], parent, start - base, end, line - line_base, ordinal))
            frames.append((current, rows, parent, parent_end, parents, parent_ends, base, line_base))
            current = next_region
            next_region += 1
            rows = None
            if current in wanted:
                tree = trees[current]
                rows = tree.rows
            parent, parent_end, parents, parent_ends = -1, beyond, [], []
            base, line_base, region_end = start, line, end
            inner_start, inner_end, name_starts, header_end = _header(regions[current])
            separator = -1
            continue
        if rows is None:
            continue
        if start <= header_end and (
            start in name_starts or (start <= inner_start and end >= inner_end)
        ):
            continue
        while start >= parent_end:
            parent, parent_end = parents.pop(), parent_ends.pop()
        if mode == PLAIN:
            parents.append(parent)
            parent_ends.append(parent_end)
            rows.append((ops[code], parent, start - base, end, line - line_base, ""))
            parent, parent_end = len(rows) - 1, end
            continue
        op = ops[code]
        if mode == NODE:
            text = ascii_text[start:end] or source[start:end].decode()
            skip_end = end
            rows.append((op, parent, start - base, end, line - line_base, text))
            continue
        leaf = False
        if mode == FIXED:
            text = fixed[code]
            if op == _PARAMETER and text == "rest":
                separator = start - base
        elif mode == PLACE:
            if rows and rows[-1][:4] == (op, parents[-1] if parents else -1, start - base, end):
                continue  # one with a text of its own came first
            text = "keyword_only" if separator > (rows[parent][2] if parent >= 0 else -1) else ""
        elif mode == SPREAD:
            text = fixed[code]
            if rows and parent == len(rows) - 1 and rows[-1][0] in _SPREAD_OVER:
                rows.pop()
                parent, parent_end = parents.pop(), parent_ends.pop()
        else:
            text = ascii_text[start:end] or source[start:end].decode()
            if mode == UNQUOTED:
                op, text, leaf = strings.read(op, text)
            else:
                found = _IDENTIFIER.search(text)
                text = found[0] if found else text
        rows.append((op, parent, start - base, end, line - line_base, text))
        if leaf:
            skip_end = end
        else:
            parents.append(parent)
            parent_ends.append(parent_end)
            parent, parent_end = len(rows) - 1, end
    for index in wanted:
        _finish(trees[index], regions, regions[index])
    return trees


def _header(region: Region) -> tuple[int, int, frozenset[int], int]:
    """Return the range of a definition's own node, where its names stand, and the last of these.

    Captures that hold the whole definition, or are its name, are no ops of it.
    """
    if not region.heads:
        return -1, region.end + 1, frozenset(), -1
    head = region.head
    names = frozenset(part.name_start for part in region.heads)
    return head.inner_start, head.inner_end, names, max(head.inner_start, *names)


def _finish(tree: ReducedTree, regions: Sequence[Region], region: Region) -> None:
    """Turn rows into columns; ends and marks, still offsets in the blob, into those of the text."""
    kinds, tree.parents, tree.starts, tree.ends, tree.lines, tree.texts = (
        zip(*tree.rows, strict=True) if tree.rows else ((),) * 6
    )
    tree.kinds = bytes(kinds)
    tree.rows = []
    nested = [regions[child] for child in region.children]
    if not nested:
        first = region.start
        tree.ends = tuple([end - first for end in tree.ends])
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

    tree.ends = tuple([relative(end) for end in tree.ends])
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
