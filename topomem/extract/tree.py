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
    FIRST,
    MARK,
    NODE,
    PLACE,
    PLAIN,
    SEPARATOR,
    SPREAD,
    UNQUOTED,
)
from topomem.model.code import Op

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from topomem.extract.regions import Parsed, Region
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
_REST = "rest"
_READ = frozenset({UNQUOTED, FIRST})
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
    own_comments: list[tuple[int, int]] = field(default_factory=list)  # none of nested regions
    blocks: list[tuple[int, int]] = field(default_factory=list)
    documentation: tuple[int, int] | None = None
    kinds: bytes = b""
    parents: Sequence[int] = ()
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    lines: Sequence[int] = ()
    texts: Sequence[str] = ()


def capture_keys(parsed: Parsed, wanted: Sequence[int]) -> list[int]:
    """Run the edges query over the wanted regions; return captures and heads as sorted keys."""
    root, language, regions = parsed.root, parsed.language, parsed.regions
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
    head = language.queries.head
    keys += [_key(part.start, part.end, head) for region in regions for part in region.heads[:-1]]
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
    """Return the byte ranges of a region's own text that are not blank.

    Each goes one byte into the nested definition behind it, where a block of the region's own may
    begin; so does a blank one where more than the definition itself begins there.
    """
    region = regions[index]
    place = region.start
    for piece, child in zip(region.text.split(b"\0"), [*region.children, -1], strict=True):
        if not piece.isspace() and piece:
            yield place, place + len(piece) + (child >= 0)
        elif child >= 0 and regions[child].start < regions[child].head.inner_start:
            yield regions[child].start, regions[child].start + 1
        if child >= 0:
            place = regions[child].end


class TreeReader:
    """Makes the reduced trees of one blob from its sorted keys."""

    def __init__(self, parsed: Parsed, keys: Sequence[int]) -> None:
        queries, source = parsed.language.queries, parsed.source
        self._ops = [capture.op for capture in queries.captures]
        self._modes = [capture.mode for capture in queries.captures]
        self._fixed = [capture.fixed for capture in queries.captures]
        self._define = queries.define
        self._strings = _Strings(parsed.language.spec)
        self._keys = keys
        self._source = source
        self._ascii = source.decode("ascii") if source.isascii() else ""
        self._newlines = parsed.newlines
        self._line_ends = [*parsed.newlines, len(source) + 1]
        self._regions = parsed.regions

    def read(self, index: int) -> ReducedTree:
        """Return the tree of one region: its captures, without those of its nested regions."""
        region, keys = self._regions[index], self._keys
        tree = ReducedTree()
        nest = _Nest(region, bisect_left(self._newlines, region.start), len(self._source) + 1)
        place = 0
        if region.heads:
            place = bisect_left(keys, _key(region.start, region.end, self._define))
        for child in region.children:
            nested = self._regions[child]
            until = bisect_left(keys, _key(nested.start, nested.end, self._define), place)
            self._nest(place, until, tree, nest)
            self._put_nested(nested, tree, nest)
            place = bisect_left(keys, nested.end << _START_SHIFT, until)
        until = bisect_left(keys, region.end << _START_SHIFT, place)
        self._nest(place, until, tree, nest)
        _finish(tree, [self._regions[child] for child in region.children], region)
        return tree

    def _put_nested(self, nested: Region, tree: ReducedTree, nest: _Nest) -> None:
        nest.close_before(nested.start)
        first = bisect_left(self._newlines, nested.start)
        row = first - nest.line_base
        ordinal = str(nested.ordinal)
        start = nested.start - nest.base
        tree.rows.append((Op.DEFINE, nest.parent, start, nested.end, row, ordinal))
        nest.base += nested.end - nested.start - 1
        nest.line = bisect_left(self._newlines, nested.end)
        nest.line_base += nest.line - first

    def _nest(self, place: int, until: int, tree: ReducedTree, nest: _Nest) -> None:  # noqa: C901, PLR0912  the hottest loop, kept in local names
        ops, modes, line_ends, rows = self._ops, self._modes, self._line_ends, tree.rows
        ascii_text, source = self._ascii, self._source
        parents, parent_ends = nest.parents, nest.parent_ends
        parent, parent_end, base, skip_end = nest.parent, nest.parent_end, nest.base, nest.skip_end
        line, line_base, header_end, previous = nest.line, nest.line_base, nest.header_end, -1
        for key in self._keys[place:until]:
            start = key >> _START_SHIFT
            if start < skip_end or key == previous:
                continue
            previous = key
            low = key & _LOW_MASK
            end = LARGEST - (low >> _CODE_BITS)
            code = low & _CODE_MASK
            mode = modes[code]
            op = ops[code]
            if start <= header_end and mode != MARK and nest.is_header(start, end):
                continue
            while start >= parent_end:
                parent, parent_end = parents.pop(), parent_ends.pop()
            while line_ends[line] < start:
                line += 1
            if mode == PLAIN:
                text, leaf = "", False
            elif mode == NODE:
                text, leaf = ascii_text[start:end] or source[start:end].decode(), True
            elif mode == MARK:
                if nest.mark(op, start, end, tree):
                    skip_end = end
                continue
            else:
                if (
                    mode == SPREAD
                    and rows
                    and parent == len(rows) - 1
                    and rows[-1][0] in _SPREAD_OVER
                ):
                    rows.pop()
                    parent, parent_end = parents.pop(), parent_ends.pop()
                text = self._fixed[code]
                if mode in _READ:
                    text = ascii_text[start:end] or source[start:end].decode()
                before = rows[-1] if rows else None
                if (
                    mode == PLACE
                    and before
                    and before[0] == op
                    and before[2:4] == (start - base, end)
                ):
                    continue  # one with a text of its own came first
                above = rows[parent][2] if parent >= 0 else -1
                op, text, leaf = self._read_text(op, mode, text, nest, (start - base, above))
            rows.append((op, parent, start - base, end, line - line_base, text))
            if leaf:
                skip_end = end
            else:
                parents.append(parent)
                parent_ends.append(parent_end)
                parent, parent_end = len(rows) - 1, end
        nest.parent, nest.parent_end, nest.skip_end, nest.line = parent, parent_end, skip_end, line

    def _read_text(
        self, op: int, mode: int, text: str, nest: _Nest, starts: tuple[int, int]
    ) -> tuple[int, str, bool]:
        """Return op, text, whether nothing inside counts; `starts` are its own, its parent's."""
        if mode == UNQUOTED:
            return self._strings.read(op, text)
        if mode == FIRST:
            found = _IDENTIFIER.search(text)
            return op, found[0] if found else text, False
        if mode == PLACE:
            return op, "keyword_only" if nest.separator > starts[1] else "", False
        if op == Op.PARAMETER and text == _REST:
            nest.separator = starts[0]
        return op, text, False


class _Nest:
    """Where the reading of one region stands: open ops, and what offsets and lines count from."""

    def __init__(self, region: Region, line: int, beyond: int) -> None:
        self.parent = -1
        self.parent_end = beyond
        self.parents: list[int] = []
        self.parent_ends: list[int] = []
        self.base = region.start
        self.line = self.line_base = line
        self.skip_end = 0  # of the name or literal that was read last
        self.separator = -1  # start of what makes the following parameters keyword-only
        self.header_end = -1
        self._names: frozenset[int] = frozenset()
        self._inner = (0, beyond)
        if region.heads:
            head = region.head
            self._names = frozenset(part.name_start for part in region.heads)
            self._inner = head.inner_start, head.inner_end
            self.header_end = max(head.inner_start, *self._names)

    def is_header(self, start: int, end: int) -> bool:
        """Whether a capture is the definition's name or holds the whole definition: no op of it."""
        inner_start, inner_end = self._inner
        return start in self._names or (start <= inner_start and end >= inner_end)

    def close_before(self, start: int) -> None:
        """Close the ops that end before an offset."""
        while start >= self.parent_end:
            self.parent, self.parent_end = self.parents.pop(), self.parent_ends.pop()

    def mark(self, kind: int, start: int, end: int, tree: ReducedTree) -> bool:
        """Put down a mark; return whether captures inside it do not count."""
        if kind == COMMENT:
            tree.comments.append((start, end))
        elif kind == BLOCK:
            tree.blocks.append((start, end))
        elif kind == SEPARATOR:
            self.separator = start - self.base
        elif tree.documentation is None:
            tree.documentation = (start, end)
            return True
        return False


def _finish(tree: ReducedTree, nested: Sequence[Region], region: Region) -> None:
    """Turn rows into columns; ends and marks, still offsets in the blob, into those of the text."""
    kinds, tree.parents, tree.starts, tree.ends, tree.lines, tree.texts = (
        zip(*tree.rows, strict=True) if tree.rows else ((),) * 6
    )
    tree.kinds = bytes(kinds)
    tree.rows = []
    limits = [other.end for other in nested]
    removed = [region.start]
    for other in nested:
        removed.append(removed[-1] + other.end - other.start - 1)

    def relative(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return [
            (start - removed[bisect_right(limits, start)], end - removed[bisect_right(limits, end)])
            for start, end in ranges
        ]

    if nested:
        tree.ends = tuple([end - removed[bisect_right(limits, end)] for end in tree.ends])
    else:
        first = region.start
        tree.ends = tuple([end - first for end in tree.ends])
    foreign = [other.documentation for other in nested if other.documentation]
    own = [place for place in tree.comments if not foreign or not _inside(foreign, place[0])]
    tree.comments, tree.own_comments = relative(tree.comments), relative(own)
    tree.blocks = relative(tree.blocks)
    if tree.documentation:
        tree.documentation = relative([tree.documentation])[0]


def _inside(ranges: Sequence[tuple[int, int]], offset: int) -> bool:
    """Whether an offset stands in one of some sorted byte ranges."""
    place = bisect_right(ranges, (offset, LARGEST)) - 1
    return place >= 0 and offset < ranges[place][1]


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
