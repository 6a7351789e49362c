"""Query texts of one language, checked against the vocabulary and cut by what they are run for.

`symbols.scm` holds three kinds of patterns: those that find *regions* run over every blob; those
that find light *declarations* and those that only mark documentation run where a region is new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tree_sitter import Query, QueryError

from topomem.errors import ConfigurationError
from topomem.languages.captures import EDGE_CAPTURES, REGION_KINDS, SYMBOL_CAPTURES
from topomem.model.code import Op

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar

    from topomem.languages.spec import LanguageSpec

COMMENT, BLOCK, DOC, SEPARATOR = 1, 2, 3, 4
"""Marks among the captures of the edges query: they are no ops (see `Capture.mark`)."""

_REGIONS = frozenset(f"definition.{kind.value}" for kind in REGION_KINDS)
_MARKS = {"comment": COMMENT, "block": BLOCK, "doc": DOC, "parameter.separator": SEPARATOR}

_LEAVES = frozenset(
    {
        Op.NAME, Op.MEMBER_NAME, Op.KEYWORD_NAME, Op.PARAMETER_NAME, Op.PAIR_NAME, Op.STRING_VALUE,
        Op.STRING_TYPE, Op.IMPORT_MODULE, Op.IMPORT_NAME, Op.IMPORT_ALIAS, Op.IMPORT_DEFAULT,
        Op.EXPORT_NAME, Op.EXPORT_ALIAS, Op.PACKAGE, Op.GLOBAL, Op.NONLOCAL, Op.DIMENSIONS,
    }
)  # fmt: skip
_UNQUOTED = frozenset({Op.STRING_VALUE, Op.STRING_TYPE, Op.PAIR_NAME, Op.IMPORT_MODULE})
_EXPRESSION_STATEMENTS = frozenset({Op.ASSIGN, Op.AUGMENT, Op.YIELD, Op.YIELD_FROM, Op.IMPORT})


@dataclass(frozen=True, slots=True)
class Capture:
    """What one capture name of the edges query means.

    `text` is where the op's text comes from: "" none, "fixed" (then `fixed`), "node", "unquoted",
    "first" (the leading identifier) or "place" (a parameter, by what stands before it). A leaf
    swallows all captures inside it.
    """

    op: int
    mark: int = 0
    text: str = ""
    fixed: str = ""
    leaf: bool = False


DEFINE = Capture(Op.DEFINE)
HEAD = Capture(Op.HEAD)


@dataclass(frozen=True, slots=True)
class Queries:
    """Compiled queries. `captures` are in the order in which ops of one byte range nest."""

    regions: Query
    declarations: Query | None
    edges: Query
    captures: tuple[Capture, ...]
    codes: dict[str, int]  # capture name of the edges query -> index in `captures`
    define: int
    head: int


def compile_queries(spec: LanguageSpec, grammar: Grammar, symbols: str, edges: str) -> Queries:
    """Compile the texts of one language. Raises ConfigurationError for what cannot be used."""
    whole = _compile(spec.name, grammar, symbols)
    _check_names(spec.name, "symbols", whole, SYMBOL_CAPTURES)
    cut: dict[str, list[str]] = {"regions": [], "declarations": [], "marks": []}
    data = symbols.encode()
    for index in range(whole.pattern_count):
        start, end = whole.start_byte_for_pattern(index), whole.end_byte_for_pattern(index)
        pattern = data[start:end].decode()
        used = _names(_compile(spec.name, grammar, pattern))
        cut[_kind_of_pattern(frozenset(used))].append(pattern)
    trivia = [
        *(f"({kind}) @comment" for kind in spec.text.comments),
        *(f"({kind}) @block" for kind in spec.text.blocks),
    ]
    edge_query = _compile(spec.name, grammar, "\n".join([edges, *cut["marks"], *trivia]))
    light = cut["declarations"]
    captures, codes, define, head = _order_captures(spec.name, edge_query)
    return Queries(
        regions=_compile(spec.name, grammar, "\n".join(cut["regions"])),
        declarations=_compile(spec.name, grammar, "\n".join(light)) if light else None,
        edges=edge_query,
        captures=captures,
        codes=codes,
        define=define,
        head=head,
    )


def _compile(name: str, grammar: Grammar, text: str) -> Query:
    try:
        return Query(grammar, text)
    except QueryError as error:
        message = f"language {name!r}: {error}"
        raise ConfigurationError(message) from error


def _names(query: Query) -> list[str]:
    return [query.capture_name(index) for index in range(query.capture_count)]


def _check_names(language: str, where: str, query: Query, allowed: frozenset[str]) -> None:
    for name in _names(query):
        if name not in allowed and not name.startswith("_"):  # those only serve predicates
            message = f"language {language!r}: {where}: capture @{name} is not in the vocabulary"
            raise ConfigurationError(message)


def _kind_of_pattern(used: frozenset[str]) -> str:
    if used & _REGIONS:
        return "regions"
    if any(name.startswith("definition.") for name in used):
        return "declarations"
    return "marks"


def _order_captures(language: str, query: Query) -> tuple[tuple[Capture, ...], dict[str, int], int, int]:
    named = {name: _read_capture(language, name) for name in _names(query)}
    places = [(_rank(capture), capture.op, not capture.fixed, name) for name, capture in named.items()]
    places += [(_rank(DEFINE), DEFINE.op, False, ""), (_rank(HEAD), HEAD.op, False, "")]
    places.sort()
    captures: list[Capture] = []
    codes: dict[str, int] = {}
    special: dict[int, int] = {}
    for index, (_, op, _, name) in enumerate(places):
        if name:
            captures.append(named[name])
            codes[name] = index
        else:
            captures.append(DEFINE if op == Op.DEFINE else HEAD)
            special[op] = index
    return tuple(captures), codes, special[Op.DEFINE], special[Op.HEAD]


def _read_capture(language: str, name: str) -> Capture:
    if name in _MARKS:
        return Capture(0, mark=_MARKS[name])
    stem, _, fixed = name.partition(".")
    op = EDGE_CAPTURES.get(stem)
    if op is None or op in (Op.DEFINE, Op.HEAD):
        message = f"language {language!r}: edges: capture @{name} is not in the vocabulary"
        raise ConfigurationError(message)
    leaf = op in _LEAVES
    if fixed:
        return Capture(op, text="fixed", fixed=fixed, leaf=leaf)
    if op == Op.TYPE_PARAMETER:
        return Capture(op, text="first")
    if op == Op.LITERAL:
        return Capture(op, text="node", leaf=True)
    if op == Op.PARAMETER:
        return Capture(op, text="place")
    if op in _UNQUOTED:
        return Capture(op, text="unquoted", leaf=leaf)
    return Capture(op, text="node" if leaf else "", leaf=leaf)


def _rank(capture: Capture) -> int:
    """Order of captures with one byte range, the enclosing first."""
    op = capture.op
    if capture.mark:
        return 0
    if op >= Op.EXPORT and op not in _LEAVES:
        return 1
    if Op.ASSIGN <= op < Op.IMPORT and op not in _LEAVES | _EXPRESSION_STATEMENTS:
        return 2
    if op < Op.NAME and op not in _LEAVES and op != Op.TYPE_PARAMETER:
        return 3
    if op == Op.DEFINE:
        return 4
    if op in _EXPRESSION_STATEMENTS or (op >= Op.IMPORT and op not in _LEAVES):
        return 5
    if op in _LEAVES | {Op.TYPE_PARAMETER} and op != Op.NAME:
        return 6
    return 8 if op == Op.NAME else 7
