"""Declarations of one region: its own definition, and the light ones that are no regions."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from topomem.extract.digest import subtree_end
from topomem.extract.lexing import Lexed, body_digest, digest, lex_piece, shape_digest
from topomem.extract.regions import CLASS_LIKE, PLACEHOLDER, decorators
from topomem.model.code import Declaration, Op, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from tree_sitter import Node

    from topomem.extract.regions import Head, Parsed, Region
    from topomem.extract.tree import ReducedTree
    from topomem.languages.spec import LanguageSpec

_LONGEST_SIGNATURE = 400
_LONGEST_LIGHT = 160
_DEFINITION = "definition."
_KINDS_BY_TEXT = {
    "type_alias": SymbolKind.TYPE_ALIAS,
    "type": SymbolKind.TYPE_ALIAS,
    "const": SymbolKind.CONSTANT,
}
_UPPER = re.compile(r"_*[A-Z][A-Z0-9_]*\Z")
_BINDINGS = re.compile(b"[" + re.escape(bytes([Op.ASSIGN, Op.DECLARE, Op.AUGMENT])) + b"]")
_HIDING = frozenset({Op.LAMBDA, Op.COMPREHENSION, Op.SCOPE})
_PATTERN_PARENTS = frozenset({Op.TARGET, Op.ELEMENT, Op.SPREAD, Op.COLLECTION})
_STATEMENTS = frozenset({Op.ASSIGN, Op.DECLARE})
_SCOPES = frozenset({SymbolKind.MODULE, SymbolKind.NAMESPACE})
_HEADER = frozenset({Op.PARAMETER, Op.RETURN_TYPE, Op.HEAD, Op.EXPORT, Op.BOUND})
_WORD = re.compile(r"[A-Za-z]+")
_ANNOTATION = re.compile(rb"@(?!interface\b)\s*(?:\w+\s*\.\s*)*(\w+)\s*")
_BRACKETS = re.compile(rb"""[()]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
_KEYWORD_BEFORE = re.compile(rb"\b(?:const|let|var)\s+\Z")


def own_declaration(
    region: Region,
    source: bytes,
    names: Sequence[str],
    texts: tuple[Lexed, Lexed],
    signature: str,
) -> Declaration:
    """Return the declaration of the region's definition; of the module, where there is none.

    `names` are the local names, `texts` are the text of the region and that of its body alone.
    """
    lexed, body = texts
    rows = region.text.count(b"\n")
    if not region.heads:
        return Declaration(
            kind=SymbolKind.MODULE, name="", signature="", start=0, end=len(region.text), row=0,
            end_row=rows, name_row=0, body_hash=body_digest(lexed),
            shape_hash=shape_digest(lexed, "", names), code_hash=body_digest(body),
        )  # fmt: skip
    head = region.head
    return Declaration(
        kind=region.kind,
        name=head.name,
        signature=signature,
        start=0,
        end=len(region.text),
        row=0,
        end_row=rows,
        name_row=source.count(b"\n", region.start, head.name_start),
        modifiers=_modifiers(region, source),
        body_hash=body_digest(lexed),
        shape_hash=shape_digest(lexed, head.name, names),
        owner=head.owner,
        code_hash=body_digest(body),
    )


def light_declarations(
    region: Region, tree: ReducedTree, spec: LanguageSpec
) -> Iterable[Declaration]:
    """Return what assignments declare, each name once, in source order."""
    rules = spec.declarations
    if region.kind in _SCOPES:
        plain = rules.module_assignments
    else:
        plain = rules.class_assignments and region.kind in CLASS_LIKE
    method = region.kind in (SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY)
    receiver = _receiver(tree, spec) if rules.receiver_attributes and method else None
    seen: set[tuple[str, bool, int]] = set()
    for name, statement, at in (
        *(_plain(region, tree, spec) if plain else _members_of_types(tree)),
        *(_through_receiver(tree, receiver) if receiver is not None else ()),
        *(_properties(tree) if region.kind is SymbolKind.CONSTRUCTOR else ()),
    ):
        head = -1 if plain else _head_around(tree, statement)
        once = name, tree.texts[statement] in ("type_alias", "type"), head
        if once not in seen:
            seen.add(once)
            own = not plain and tree.texts[statement] != "field"
            yield _light(region, tree, (name, statement, at), spec, through_receiver=own)


def _plain(region: Region, tree: ReducedTree, spec: LanguageSpec) -> Iterable[tuple[str, int, int]]:
    """Return (name, statement, op of the name) of what statements of a module or class declare."""
    hidden_until = 0
    hidden = [index for index, kind in enumerate(tree.kinds) if kind in _HIDING]
    for match in _BINDINGS.finditer(tree.kinds):
        index = match.start()
        while hidden and hidden[0] < index:
            hidden_until = max(hidden_until, subtree_end(tree, hidden.pop(0)))
        if index < hidden_until and (tree.texts[index] != "var" or _in_lambda(tree, index)):
            continue
        if spec.declarations.written_only and tree.texts[index] in ("", "set"):
            continue
        above = _names_above(tree, index)
        if tree.texts[index] == "field" and not above and region.kind not in CLASS_LIKE:
            continue  # a member of a type that has no name
        for name, at in _plain_names(tree, index):
            yield f"{above}{name}", index, at


def _members_of_types(tree: ReducedTree) -> Iterable[tuple[str, int, int]]:
    """Return the members of types that are written out for parameters and results of a function."""
    index = tree.texts.index("field") if "field" in tree.texts else len(tree.texts)
    for statement in range(index, len(tree.kinds)):
        if tree.kinds[statement] == Op.DECLARE and tree.texts[statement] == "field":
            above = _names_above(tree, statement)
            if _in_header(tree, statement):
                for name, at in _plain_names(tree, statement):
                    yield f"{above}{name}", statement, at


def _head_around(tree: ReducedTree, index: int) -> int:
    while index >= 0 and tree.kinds[index] != Op.HEAD:
        index = tree.parents[index]
    return index


def _in_header(tree: ReducedTree, index: int) -> bool:
    while tree.parents[index] >= 0:
        index = tree.parents[index]
    return tree.kinds[index] in _HEADER


def _in_lambda(tree: ReducedTree, index: int) -> bool:
    while index >= 0 and tree.kinds[index] != Op.LAMBDA:
        index = tree.parents[index]
    return index >= 0


def _names_above(tree: ReducedTree, index: int) -> str:
    """Return the names of the declarations that a statement is nested in, a dot behind each."""
    names = ""
    at = tree.parents[index]
    while at >= 0 and tree.kinds[at] != Op.VALUE:
        if tree.kinds[at] in _STATEMENTS:
            names = "".join(f"{name}." for name, _ in [*_plain_names(tree, at)][:1]) + names
        elif tree.kinds[at] == Op.PARAMETER:
            names = "".join(f"{name}." for name in _parameter_name(tree, at)) + names
        at = tree.parents[at]
    return names


def _through_receiver(tree: ReducedTree, receiver: str) -> Iterable[tuple[str, int, int]]:
    for match in _BINDINGS.finditer(tree.kinds):
        for name, at in _members_of(tree, match.start(), receiver):
            yield name, match.start(), at


def _parameter_name(tree: ReducedTree, parameter: int) -> list[str]:
    return [
        tree.texts[at]
        for at in range(parameter + 1, subtree_end(tree, parameter))
        if tree.kinds[at] == Op.PARAMETER_NAME and tree.parents[at] == parameter
    ]


def _properties(tree: ReducedTree) -> Iterable[tuple[str, int, int]]:
    """Return the parameters of a constructor that are written as properties of its class."""
    for index, (kind, text) in enumerate(zip(tree.kinds, tree.texts, strict=True)):
        if kind == Op.PARAMETER and text == "property":
            for at in range(index + 1, subtree_end(tree, index)):
                if tree.kinds[at] == Op.PARAMETER_NAME:
                    yield tree.texts[at], index, at


def captured_declarations(parsed: Parsed, wanted: Container[int]) -> dict[int, list[Declaration]]:
    """Return, per wanted region, the light definitions that `symbols.scm` finds."""
    source, regions = parsed.source, parsed.regions
    query = parsed.language.queries.declarations
    if query is None:
        return {}
    found: dict[tuple[int, int], dict[str, list[Node]]] = {}
    for _, captures in QueryCursor(query).matches(parsed.root):
        key = next(name for name in captures if name.startswith(_DEFINITION))
        node = captures[key][0]
        known = found.setdefault((node.start_byte, node.end_byte), captures)
        if known is not captures:
            for name, nodes in captures.items():
                known[name] = known.get(name, []) + nodes
    starts = [region.start for region in regions]
    declared: dict[int, list[Declaration]] = {}
    for (start, end), captures in sorted(found.items(), key=lambda item: item[0]):
        owner = innermost(regions, starts, start, end)
        region = regions[owner]
        if owner not in wanted or "name" not in captures:
            continue
        if region.heads and region.kind not in CLASS_LIKE | {SymbolKind.NAMESPACE}:
            continue
        declared.setdefault(owner, []).append(_captured(captures, source, regions, region))
    return declared


def innermost(regions: Sequence[Region], starts: Sequence[int], start: int, end: int) -> int:
    """Return the innermost region that holds a byte range. `starts` are those of the regions."""
    index = bisect_right(starts, start) - 1
    while regions[index].end < end or (regions[index].start == start and regions[index].end == end):
        if index == 0:
            break
        index = regions[index].parent
    return index


def _captured(
    captures: dict[str, list[Node]], source: bytes, regions: Sequence[Region], region: Region
) -> Declaration:
    kind = next(name for name in captures if name.startswith(_DEFINITION))
    node = captures[kind][0]
    outer = captures.get("outer", [node])[0]
    name = captures["name"][0]
    first, last = min(outer.start_byte, node.start_byte), max(outer.end_byte, node.end_byte)
    body = captures.get("body")
    stop = body[0].start_byte if body else last
    start, start_row = _relative(regions, region, first, source)
    end, end_row = _relative(regions, region, last, source)
    _, name_row = _relative(regions, region, name.start_byte, source)
    text = source[first:last]
    places = sorted({item.byte_range for item in captures.get("modifier", ())})
    return Declaration(
        kind=SymbolKind(kind[len(_DEFINITION) :]),
        name=".".join(_text(source, node) for node in (*captures.get("owner", ()), name)),
        signature=_one_line(source[first:stop], _LONGEST_LIGHT),
        start=start,
        end=end,
        row=start_row,
        end_row=end_row,
        name_row=name_row,
        modifiers=tuple(dict.fromkeys(source[a:b].decode(errors="replace") for a, b in places)),
        body_hash=digest(text.split()),
        shape_hash=digest((source[first : name.start_byte] + source[name.end_byte : last]).split()),
    )


def _relative(
    regions: Sequence[Region], region: Region, offset: int, source: bytes
) -> tuple[int, int]:
    """Return offset and row in the region's text of an offset in the blob."""
    removed = rows = 0
    for child in region.children:
        nested = regions[child]
        if nested.end > offset:
            break
        removed += nested.end - nested.start - 1
        rows += source.count(b"\n", nested.start, nested.end)
    row = source.count(b"\n", region.start, offset) - rows
    return offset - region.start - removed, row


def signature_of(region: Region, source: bytes, tree: ReducedTree, spec: LanguageSpec) -> str:
    """Return the heads of a definition in one line, without comments and annotations."""
    comments = _comments(region, tree)
    return "; ".join(_signature(part, source, comments, spec) for part in region.heads)


def _comments(region: Region, tree: ReducedTree) -> Sequence[tuple[int, int]]:
    """Return the comments before the body, as offsets in the blob; none behind nested ones."""
    nested = region.text.find(PLACEHOLDER)
    until = nested if nested >= 0 else len(region.text)
    return [
        (region.start + start, region.start + end)
        for start, end in tree.own_comments
        if end <= until
    ]


def _signature(
    head: Head, source: bytes, comments: Sequence[tuple[int, int]], spec: LanguageSpec
) -> str:
    place = head.inner_start if spec.names.overloads == "decorated" else head.start
    place = min(place, head.inner_start)
    pieces: list[bytes] = []
    for start, end in comments:
        if place <= start and end <= head.body_start:
            pieces.append(source[place:start])
            place = end
    pieces.append(source[place : head.body_start])
    return _one_line(_annotations(b" ".join(pieces))[1], _LONGEST_SIGNATURE)


def _annotations(text: bytes) -> tuple[list[str], bytes]:
    """Return the last names of the annotations that a definition begins with, and the rest."""
    names: list[str] = []
    while (found := _ANNOTATION.match(text)) is not None:
        end = found.end()
        if text[end : end + 1] == b"(":
            end = _behind_brackets(text, end)
        names.append(found[1].decode(errors="replace"))
        text = text[end:].lstrip()
    return names, text


def _behind_brackets(text: bytes, start: int) -> int:
    """Return the offset behind the bracket that closes the one at `start`; strings are skipped."""
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return len(text)


def _one_line(text: bytes, longest: int) -> str:
    line = " ".join(text.decode(errors="replace").replace("\0", " ").split())
    for opening in "([":
        line = line.replace(f"{opening} ", opening)
    for closing in (" ,", " )", " ]", ",)", ",]"):
        line = line.replace(closing, closing[-1])
    line = line.rstrip(" :={;")
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _modifiers(region: Region, source: bytes) -> tuple[str, ...]:
    head = region.head
    annotated, _ = _annotations(source[head.inner_start : head.body_start])
    words = (*head.modifiers, *decorators(head, source), *annotated)
    return tuple(dict.fromkeys(words))


def _text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode(errors="replace")


def _receiver(tree: ReducedTree, spec: LanguageSpec) -> str | None:
    """Return what a method calls its object, "" for the keyword; None where it has none."""
    if spec.names.receiver == "keyword":
        return ""
    try:
        index = tree.texts.index("receiver")
    except ValueError:
        return None
    for at in range(index, len(tree.kinds)):
        if tree.kinds[at] == Op.PARAMETER_NAME:
            return tree.texts[at]
    return None


def _plain_names(tree: ReducedTree, index: int) -> Iterable[tuple[str, int]]:
    kinds, parents = tree.kinds, tree.parents
    for target in range(index + 1, subtree_end(tree, index)):
        if kinds[target] == Op.TARGET and parents[target] == index:
            for at in range(target + 1, subtree_end(tree, target)):
                above = kinds[parents[at]]
                if kinds[at] == Op.NAME and (
                    above in _PATTERN_PARENTS
                    or (above == Op.VALUE and kinds[parents[parents[at]]] == Op.PAIR)
                ):
                    yield tree.texts[at], at


def _members_of(tree: ReducedTree, index: int, receiver: str) -> Iterable[tuple[str, int]]:
    """Return members of the receiver that are written: `self.x = ...`, also in a tuple."""
    kinds, parents, texts = tree.kinds, tree.parents, tree.texts
    for target in range(index + 1, subtree_end(tree, index)):
        if kinds[target] != Op.TARGET or parents[target] != index:
            continue
        for at in range(target + 1, subtree_end(tree, target)):
            if kinds[at] != Op.MEMBER_NAME or kinds[parents[parents[at]]] not in _PATTERN_PARENTS:
                continue
            value = at - 1
            plain = kinds[value - 1] == Op.OBJECT and parents[value - 1] == parents[at]
            if plain and (
                kinds[value] == Op.RECEIVER
                or (kinds[value] == Op.NAME and texts[value] == receiver != "")
            ):
                yield texts[at], at


def _light(
    region: Region,
    tree: ReducedTree,
    found: tuple[str, int, int],
    spec: LanguageSpec,
    *,
    through_receiver: bool,
) -> Declaration:
    """Return the declaration of (name, statement, op of the name)."""
    name, statement, at = found
    start, end, row, modifiers = _extent(region, tree, statement)
    text = region.text[start:end]
    lexed = lex_piece(region.text, start, end, tree)
    return Declaration(
        kind=_light_kind(region, tree.texts[statement], name, spec, member=through_receiver),
        name=name,
        signature=_one_line(text, _LONGEST_LIGHT),
        start=start,
        end=end,
        row=row,
        end_row=row + text.count(b"\n"),
        name_row=tree.lines[at],
        modifiers=modifiers,
        through_receiver=through_receiver,
        body_hash=body_digest(lexed),
        shape_hash=shape_digest(lexed, name, ()),
    )


def _extent(
    region: Region, tree: ReducedTree, statement: int
) -> tuple[int, int, int, tuple[str, ...]]:
    """Return start, end, row of a statement with the words before its target, and these."""
    start, end, row = tree.starts[statement], tree.ends[statement], tree.lines[statement]
    if tree.texts[statement] in ("", "set"):
        return start, end, row, ()
    above = tree.parents[statement]
    exported = above >= 0 and tree.kinds[above] == Op.EXPORT
    target = (above if exported else statement) + 1
    while target < len(tree.kinds) and tree.kinds[target] not in (Op.TARGET, Op.PARAMETER_NAME):
        target += 1
    if exported:
        start, end, row = tree.starts[above], tree.ends[above], tree.lines[above]
    else:
        window = max(0, start - 16)
        keyword = _KEYWORD_BEFORE.search(region.text[window:start])
        if keyword:
            start = window + keyword.start()
            row -= region.text.count(b"\n", start, tree.starts[statement])
    before = region.text[start : tree.starts[target]] if target < len(tree.kinds) else b""
    return start, end, row, tuple(dict.fromkeys(_WORD.findall(before.decode(errors="replace"))))


def _light_kind(
    region: Region,
    text: str,
    name: str,
    spec: LanguageSpec,
    *,
    member: bool,
) -> SymbolKind:
    if text in _KINDS_BY_TEXT:
        return _KINDS_BY_TEXT[text]
    if region.kind is SymbolKind.ENUM and not member and not name.startswith("_"):
        return SymbolKind.ENUM_MEMBER
    if member or region.kind in CLASS_LIKE or "." in name:
        return SymbolKind.FIELD
    constant = spec.names.constants == "upper_case" and _UPPER.match(name)
    return SymbolKind.CONSTANT if constant else SymbolKind.VARIABLE
