"""Cutting a blob into regions: one per definition without its nested ones, and the remainder.

A region's text holds one NUL byte where a nested region stands (code never holds NUL), so regions
put back into their placeholders give the blob's bytes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from topomem.extract.documentation import comment_before
from topomem.model.code import Placement, Span, SymbolKind
from topomem.model.ids import QualifiedName, RegionKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from topomem.languages.load import Language
    from topomem.languages.spec import LanguageSpec

VERSION = 4
"""Part of every region key: raised when the same text and queries give other facts than before."""

PLACEHOLDER = b"\0"

CLASS_LIKE = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.STRUCT,
    }
)
_KINDS = {f"definition.{kind.value}": kind for kind in SymbolKind}
_LAYOUT = b" \t\r\n\f\v"
_BETWEEN_HEADS = b" \t\r\n\f\v;,"
_ANONYMOUS = "<anonymous>"
_NO_KEY = RegionKey("")


@dataclass(slots=True)
class Head:
    """One definition as the query found it. Offsets are bytes in the blob."""

    kind: SymbolKind
    start: int  # of the outermost node that belongs to it
    end: int
    inner_start: int  # of the definition's own node
    inner_end: int
    name: str
    name_start: int
    name_end: int
    body_start: int  # where the signature ends; `inner_end` without a body
    bodiless: bool
    modifiers: tuple[str, ...]
    owner: str
    documentation: tuple[int, int] | None


@dataclass(slots=True)
class Region:
    """One region of a blob; `heads` are overload heads, the definition itself last."""

    heads: list[Head]
    start: int
    end: int
    kind: SymbolKind
    parent: int = -1
    ordinal: int = 0  # among the children of its parent
    children: list[int] = field(default_factory=list)
    name: str = ""  # qualified and unique in the blob
    text: bytes = b""
    key: RegionKey = _NO_KEY
    documentation: tuple[int, int] | None = None  # comment before it

    @property
    def head(self) -> Head:
        """The definition itself; the module has none."""
        return self.heads[-1]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A blob that was parsed and cut into regions. `newlines` are the offsets of all LF."""

    root: Node
    source: bytes
    newlines: Sequence[int]
    regions: Sequence[Region]
    language: Language


def find_regions(root: Node, source: bytes, language: Language) -> list[Region]:
    """Return the module and all definitions that are regions, outermost first, by start."""
    heads = _find_heads(root, source, language)
    regions = [Region(heads=[], start=0, end=len(source), kind=SymbolKind.MODULE)]
    stack = [0]
    for head in heads:
        while head.start >= regions[stack[-1]].end:
            stack.pop()
        parent = regions[stack[-1]]
        if head.end > parent.end:
            continue  # ranges that cross: the outer one was recovered from an error
        earlier = regions[parent.children[-1]] if parent.children else None
        if (
            earlier is not None
            and parent.kind is not SymbolKind.INTERFACE  # its members never get a body
            and _continues(earlier, head, source, language.spec)
        ):
            earlier.heads.append(head)
            earlier.end = head.end
            stack.append(parent.children[-1])
            continue
        index = len(regions)
        regions.append(
            Region(
                [head],
                head.start,
                head.end,
                head.kind,
                parent=stack[-1],
                ordinal=len(parent.children),
                documentation=head.documentation,
            )
        )
        parent.children.append(index)
        stack.append(index)
    _name(regions, source, language.spec)
    return regions


def put_keys(regions: Sequence[Region], source: bytes, language: Language, salt: bytes) -> None:
    """Cut the text of every region and digest it with what its facts depend on beside it.

    `salt` is empty, or, where the tree has errors, stands for the whole blob: what the parser makes
    of broken text depends on its surroundings.
    """
    base = blake2b(b"%d %s" % (VERSION, language.fingerprint.encode()), digest_size=16)
    for region in regions:
        pieces = []
        place = region.start
        for child in region.children:
            nested = regions[child]
            pieces.append(source[place : nested.start])
            place = nested.end
        pieces.append(source[place : region.end])
        region.text = PLACEHOLDER.join(pieces)
        digest = base.copy()
        digest.update(_surroundings(regions, region, source))
        if salt:
            digest.update(salt + b"%d" % region.start)
        digest.update(region.text)
        region.key = RegionKey(digest.hexdigest())


def header_size(regions: Sequence[Region], region: Region) -> int:
    """Return how many bytes of a region's text stand before its body; 0 where it has no header."""
    if not region.heads:
        return 0
    size = region.head.body_start - region.start
    for child in region.children:
        nested = regions[child]
        if nested.end > region.head.body_start:
            break
        size -= nested.end - nested.start - len(PLACEHOLDER)
    return min(size, len(region.text))


def _surroundings(regions: Sequence[Region], region: Region, source: bytes) -> bytes:
    before = region.documentation
    comment = source[before[0] : before[1]] if before else b""
    inside = region.parent >= 0 and regions[region.parent].kind in CLASS_LIKE
    return b"%s %d %d\0%s\0" % (region.kind.encode(), inside, len(region.heads), comment)


def place(regions: Sequence[Region], newlines: Sequence[int]) -> tuple[Placement, ...]:
    """Return where the regions stand. `newlines` are the offsets of all LF."""
    lines = LineCounter(newlines)
    placements = []
    for region in regions:
        name_line = 1
        start_line = lines.line(region.start)
        if region.heads:
            name_line = lines.line(region.head.name_start)
        end_line = lines.line(max(region.end - 1, region.start))
        span = Span(region.start, region.end, start_line, end_line)
        placements.append(
            Placement(region.key, region.parent, QualifiedName(region.name), span, name_line)
        )
    return tuple(placements)


class LineCounter:
    """Lines of offsets, 1-based."""

    def __init__(self, newlines: Sequence[int]) -> None:
        self._newlines = newlines

    def line(self, offset: int) -> int:
        """Return the line of the byte at `offset`."""
        return bisect_left(self._newlines, offset) + 1


def _find_heads(root: Node, source: bytes, language: Language) -> list[Head]:
    found: dict[tuple[int, int], tuple[SymbolKind, dict[str, list[Node]]]] = {}
    for _, captures in QueryCursor(language.queries.regions).matches(root):
        for capture in captures:
            if capture in _KINDS:
                break
        node = captures[capture][0].byte_range
        known = found.get(node)
        if known is None:
            found[node] = _KINDS[capture], captures
        else:
            for name, nodes in captures.items():
                known[1][name] = known[1].get(name, []) + nodes
    heads = [
        _read_head(kind, inner, captures, source, language.spec)
        for inner, (kind, captures) in found.items()
        if "name" in captures or "anonymous" in captures
    ]
    heads.sort(key=_by_extent)
    return heads


def _by_extent(head: Head) -> tuple[int, int, int]:
    return head.start, -head.end, head.inner_start


def _read_head(
    kind: SymbolKind,
    inner: tuple[int, int],
    captures: dict[str, list[Node]],
    source: bytes,
    spec: LanguageSpec,
) -> Head:
    inner_start, inner_end = start, end = inner
    for node in captures.get("outer", ()):
        outer_start, outer_end = node.byte_range
        start, end = min(start, outer_start), max(end, outer_end)
    if source[end - 1] in _LAYOUT:
        end = start + len(source[start:end].rstrip())
    name_start = name_end = inner_start
    if "name" in captures:
        name_start, name_end = captures["name"][0].byte_range
    body = captures.get("body")
    owner = captures.get("owner")
    modifiers = captures.get("modifier")
    documentation = None
    if spec.documentation == "before":
        doc = captures.get("doc")
        documentation = (
            (doc[0].start_byte, doc[-1].end_byte) if doc else comment_before(source, start)
        )
    return Head(
        kind,
        start,
        end,
        inner_start,
        min(inner_end, end),
        source[name_start:name_end].decode(errors="replace") or _ANONYMOUS,
        name_start,
        name_end,
        body[0].start_byte if body else inner_end,
        body is None,
        _modifiers(modifiers, source) if modifiers else (),
        _owner(owner, source) if owner else "",
        documentation,
    )


def _modifiers(nodes: list[Node], source: bytes) -> tuple[str, ...]:
    places = sorted({node.byte_range for node in nodes})
    return tuple(dict.fromkeys(source[start:end].decode(errors="replace") for start, end in places))


def _owner(nodes: list[Node], source: bytes) -> str:
    """Return the names of what a definition stands in, outermost first, a dot between."""
    places = sorted({node.byte_range for node in nodes})
    return ".".join(source[start:end].decode(errors="replace") for start, end in places)


def _continues(earlier: Region, head: Head, source: bytes, spec: LanguageSpec) -> bool:
    """Whether `head` goes on with the overload heads that stand right before it."""
    last = earlier.heads[-1]
    if spec.names.overloads == "none" or last.name != head.name or last.owner != head.owner:
        return False
    start = head.documentation[0] if head.documentation else head.start
    if last.kind != head.kind or source[last.end : start].strip(_BETWEEN_HEADS):
        return False
    return is_overload(last, source, spec)


def is_overload(head: Head, source: bytes, spec: LanguageSpec) -> bool:
    """Whether a definition is only one head of an overloaded one."""
    if spec.names.overloads == "bodiless":
        return head.bodiless and head.kind not in CLASS_LIKE
    return head.start < head.inner_start and any(
        name in spec.names.overload_decorators for name in decorators(head, source)
    )


def decorators(head: Head, source: bytes) -> list[str]:
    """Return the last components of decorators such as `@a.b.name` or `@a.b.name(...)`."""
    if head.start == head.inner_start:
        return []
    text = source[head.start : head.inner_start].decode(errors="replace")
    return _DECORATOR.findall(text)


def _name(regions: list[Region], source: bytes, spec: LanguageSpec) -> None:
    """Set final kinds and unique qualified names, in source order."""
    taken: dict[str, int] = {}
    for region in regions[1:]:
        parent = regions[region.parent]
        region.kind = _final_kind(region, parent, source, spec)
        owner = region.head.owner
        above = f"{parent.name}." if parent.name else ""
        if region.head.name == _ANONYMOUS:
            count = taken[above] = taken.get(above, 0) + 1
            region.name = f"{above}<anonymous{count}>"
            continue
        name = f"{above}{owner}.{region.head.name}" if owner else f"{above}{region.head.name}"
        count = taken[name] = taken.get(name, 0) + 1
        region.name = name if count == 1 else f"{name}+{count}"


def _final_kind(region: Region, parent: Region, source: bytes, spec: LanguageSpec) -> SymbolKind:
    kind = region.head.kind
    names = spec.names
    if kind is SymbolKind.CLASS and names.enum_bases:
        header = source[region.head.name_end : region.head.body_start].decode(errors="replace")
        return SymbolKind.ENUM if set(_WORD.findall(header)) & set(names.enum_bases) else kind
    if kind is SymbolKind.FUNCTION and region.head.owner:
        return SymbolKind.METHOD
    if kind is not SymbolKind.FUNCTION or parent.kind not in CLASS_LIKE:
        return kind
    if region.head.name in names.constructors:
        return SymbolKind.CONSTRUCTOR
    if names.property_decorators and not set(decorators(region.head, source)).isdisjoint(
        names.property_decorators
    ):
        return SymbolKind.PROPERTY
    return SymbolKind.METHOD


_DECORATOR = re.compile(r"@\s*(?:\w+\s*\.\s*)*(\w+)")
_WORD = re.compile(r"\w+")
