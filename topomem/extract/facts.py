"""Facts of one blob, from its bytes and its language alone."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from tree_sitter import Query, QueryCursor

from topomem.extract import digest
from topomem.extract.declare import (
    captured_declarations,
    light_declarations,
    own_declaration,
    signature_of,
)
from topomem.extract.documentation import clean_comment, clean_string
from topomem.extract.gates import DEFAULT_LIMITS, Limits, read
from topomem.extract.lexing import comment_digest, joined, lex_region
from topomem.extract.regions import Parsed, decorators, find_regions, header_size, place, put_keys
from topomem.extract.tree import TreeReader, capture_keys
from topomem.extract.words import region_words
from topomem.model.code import BlobFacts, Diagnostic, Op, RegionFacts, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Container

    from tree_sitter import Node

    from topomem.extract.regions import Region
    from topomem.extract.tree import ReducedTree
    from topomem.languages.load import Language
    from topomem.languages.spec import LanguageSpec
    from topomem.model.code import Declaration
    from topomem.model.ids import BlobId, RegionKey

_NEWLINE = re.compile(b"\n")
_METHODS = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY})
_FUNCTIONS = _METHODS | {SymbolKind.FUNCTION}
_MOST_ERRORS = 20
"""Diagnostics of one blob; more of them say nothing new."""


def extract(
    blob: BlobId,
    source: bytes | None,
    language: Language,
    known: Container[RegionKey] = frozenset(),
    limits: Limits = DEFAULT_LIMITS,
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
    parsed, errors, error_bytes = _parse(reading.text, language)
    facts = BlobFacts(
        blob=blob,
        language=language.name,
        placements=place(parsed.regions, parsed.newlines),
        diagnostics=reading.diagnostics + errors,
        line_count=len(parsed.newlines) + (not reading.text.endswith(b"\n") and bool(reading.text)),
        byte_count=size,
        error_bytes=error_bytes,
    )
    return facts, _new_regions(parsed, known)


def _parse(source: bytes, language: Language) -> tuple[Parsed, tuple[Diagnostic, ...], int]:
    """Return the parsed text with its diagnostics and the bytes that could not be parsed."""
    text = source if b"\n" in source else source.replace(b"\r", b"\n")
    root = language.parser.parse(text).root_node
    errors, error_bytes = _errors(root, language) if root.has_error else ((), 0)
    regions = find_regions(root, source, language)
    salt = blake2b(source, digest_size=16).digest() if errors else b""
    put_keys(regions, source, language, salt)
    newlines = [match.start() for match in _NEWLINE.finditer(source)]
    return Parsed(root, source, newlines, regions, language), errors, error_bytes


def _new_regions(parsed: Parsed, known: Container[RegionKey]) -> list[RegionFacts]:
    """Return the facts of regions that are not known, each once, in order."""
    wanted: dict[RegionKey, int] = {}
    for index, region in enumerate(parsed.regions):
        if region.key not in known:
            wanted.setdefault(region.key, index)
    if not wanted:
        return []
    chosen = sorted(wanted.values())
    reader = TreeReader(parsed, capture_keys(parsed, chosen))
    captured = captured_declarations(parsed, frozenset(chosen))
    return [
        _region_facts(parsed, index, reader.read(index), captured.get(index, []))
        for index in chosen
    ]


def _region_facts(
    parsed: Parsed, index: int, tree: ReducedTree, captured: list[Declaration]
) -> RegionFacts:
    region, source, spec = parsed.regions[index], parsed.source, parsed.language.spec
    if region.kind in _METHODS:
        _mark_receiver(region, tree, source, spec)
    header, body = lex_region(region.text, tree, header_size(parsed.regions, region))
    bindings = digest.find_bindings(tree)
    lexed = joined(header, body)
    signature = signature_of(region, source, tree, spec)
    own = replace(
        own_declaration(region, source, bindings.names(), (lexed, body), signature),
        comment_hash=comment_digest(region.text, tree),
    )
    light = sorted([*captured, *light_declarations(region, tree, spec)], key=_by_start)
    docstring = _docstring(region, tree, source)
    return RegionFacts(
        key=region.key,
        language=parsed.language.name,
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


def _by_start(declaration: Declaration) -> int:
    return declaration.start


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
