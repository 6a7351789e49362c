"""Facts of one blob, from its bytes and its language alone."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING

from tree_sitter import Query, QueryCursor

from topomem.extract import digest
from topomem.extract.declare import captured_declarations, light_declarations, own_declaration
from topomem.extract.documentation import clean_comment, clean_string
from topomem.extract.gates import Limits, read
from topomem.extract.lexing import lex_region
from topomem.extract.regions import decorators, find_regions, place, put_keys
from topomem.extract.words import region_words
from topomem.extract.tree import TreeReader, capture_keys
from topomem.model.code import BlobFacts, Diagnostic, Op, RegionFacts, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from tree_sitter import Node

    from topomem.extract.regions import Region
    from topomem.extract.tree import ReducedTree
    from topomem.languages.load import Language
    from topomem.languages.spec import LanguageSpec
    from topomem.model.code import Declaration
    from topomem.model.ids import BlobId, RegionKey

_NEWLINE = re.compile(b"\n")
_FUNCTIONS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY}
)
_MOST_ERRORS = 20
"""Diagnostics of one blob; more of them say nothing new."""


def extract(
    blob: BlobId,
    source: bytes | None,
    language: Language,
    known: Container[RegionKey] = frozenset(),
    limits: Limits = Limits(),
) -> tuple[BlobFacts, list[RegionFacts]]:
    """Return what a blob says, and the facts of those of its regions that are not `known`.

    Broken source is normal: its readable part is still extracted and what could not be read
    becomes diagnostics. Never raises for bad input; `source` None is a blob that is missing.
    """
    text = language.spec.text
    reading = read(source, limits, text.generated, cookie=text.coding_cookie)
    size = len(source) if source is not None else 0
    if reading.text is None:
        lines = source.count(b"\n") + 1 if source else 0
        return BlobFacts(blob, language.name, (), reading.diagnostics, lines, size), []
    return _extract_text(blob, reading.text, size, language, known, reading.diagnostics)


def _extract_text(
    blob: BlobId,
    source: bytes,
    size: int,
    language: Language,
    known: Container[RegionKey],
    diagnostics: tuple[Diagnostic, ...],
) -> tuple[BlobFacts, list[RegionFacts]]:
    parsed = source if b"\n" in source else source.replace(b"\r", b"\n")
    root = language.parser.parse(parsed).root_node
    newlines = [match.start() for match in _NEWLINE.finditer(source)]
    errors, error_bytes = _errors(root, language) if root.has_error else ((), 0)
    regions = find_regions(root, source, language)
    salt = blake2b(source, digest_size=16).digest() if errors else b""
    put_keys(regions, source, language, salt)
    facts = BlobFacts(
        blob=blob,
        language=language.name,
        placements=place(regions, newlines),
        diagnostics=diagnostics + errors,
        line_count=len(newlines) + (not source.endswith(b"\n") and bool(source)),
        byte_count=size,
        error_bytes=error_bytes,
    )
    wanted: dict[RegionKey, int] = {}
    for index, region in enumerate(regions):
        if region.key not in known:
            wanted.setdefault(region.key, index)
    if not wanted:
        return facts, []
    return facts, _region_facts(root, source, newlines, regions, sorted(wanted.values()), language)


def _region_facts(
    root: Node,
    source: bytes,
    newlines: Sequence[int],
    regions: Sequence[Region],
    wanted: Sequence[int],
    language: Language,
) -> list[RegionFacts]:
    chosen = frozenset(wanted)
    keys = capture_keys(root, language, regions, wanted)
    reader = TreeReader(keys, source, newlines, regions, language)
    captured = captured_declarations(root, source, language, regions, chosen)
    return [
        _one_region(
            regions, index, reader.read(index), source, captured.get(index, []), language.spec
        )
        for index in wanted
    ]


def _one_region(
    regions: Sequence[Region],
    index: int,
    tree: ReducedTree,
    source: bytes,
    captured: list[Declaration],
    spec: LanguageSpec,
) -> RegionFacts:
    region = regions[index]
    if region.kind in (SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY):
        _mark_receiver(region, tree, source, spec)
    lexed = lex_region(region.text, tree)
    bindings = digest.find_bindings(tree)
    own = own_declaration(region, source, bindings.names(), lexed, spec)
    light = sorted(
        [*captured, *light_declarations(region, tree, spec)], key=lambda item: item.start
    )
    docstring = _docstring(region, tree, source)
    return RegionFacts(
        key=region.key,
        language=spec.name,  # type: ignore[arg-type]
        declarations=(own, *light),
        docstring=docstring,
        kinds=tree.kinds,
        parents=tuple(tree.parents),
        starts=tuple(tree.starts),
        ends=tuple(tree.ends),
        rows=tuple(tree.lines),
        texts=tuple(tree.texts),
        words=region_words(own.name, own.signature, docstring, lexed, spec.text.keywords),
        value_hash=digest.value_hash(tree, bindings, is_function=region.kind in _FUNCTIONS),
        size=len(region.text),
        row_count=own.end_row + 1,
    )


def _mark_receiver(region: Region, tree: ReducedTree, source: bytes, spec: LanguageSpec) -> None:
    """Give the first parameter of a method the text `receiver` where the language says so."""
    if spec.names.receiver != "first_parameter":
        return
    if not set(decorators(region.head, source)).isdisjoint(spec.names.static_decorators):
        return
    for index, (kind, parent) in enumerate(zip(tree.kinds, tree.parents, strict=True)):
        if kind == Op.PARAMETER and parent < 0:
            if not tree.texts[index]:
                tree.texts = (*tree.texts[:index], "receiver", *tree.texts[index + 1 :])
            return


def _docstring(region: Region, tree: ReducedTree, source: bytes) -> str:
    if tree.documentation:
        start, end = tree.documentation
        return clean_string(region.text[start:end].decode(errors="replace"))
    if region.documentation:
        start, end = region.documentation
        return clean_comment(source[start:end].decode(errors="replace"))
    return ""


def _errors(root: Node, language: Language) -> tuple[tuple[Diagnostic, ...], int]:
    """Return one diagnostic per outermost piece that could not be parsed, and their bytes."""
    captures = QueryCursor(Query(language.grammar, "[(ERROR) (MISSING)] @error")).captures(root)
    nodes = sorted(captures.get("error", ()), key=lambda node: (node.start_byte, -node.end_byte))
    found: list[Diagnostic] = []
    total = reached = 0
    for node in nodes:
        if node.end_byte <= reached and node.start_byte < reached:
            continue
        reached = max(reached, node.end_byte)
        total += node.end_byte - node.start_byte
        first, last = node.start_point.row + 1, node.end_point.row + 1
        what = f"{node.type!r} is missing" if node.is_missing else "could not be parsed"
        found.append(Diagnostic("syntax", what, first, last))
    if not found:
        found.append(Diagnostic("syntax", "could not be parsed", 1, root.end_point.row + 1))
    return tuple(found[:_MOST_ERRORS]), total
