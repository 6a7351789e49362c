"""Query texts of one language, checked against the vocabulary and cut by what they are run for.

`symbols.scm` holds three kinds of patterns: those that find *regions* run over every blob; those
that find light *declarations* and those that only mark documentation run where a region is new.
"""

from __future__ import annotations

import re
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
"""Marks among the captures of the edges query: what their `op` is; they are no ops of the tree."""

PLAIN, NODE, FIXED, UNQUOTED, FIRST, PLACE, SPREAD, REGION, MARK = range(9)
"""How a capture is read (see `Capture`)."""

_REGIONS = frozenset(f"definition.{kind.value}" for kind in REGION_KINDS)
_CAPTURE = re.compile(r"@([\w.]+)")
_NO_CAPTURE = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\n]*')
_MARKS = {"comment": COMMENT, "block": BLOCK, "doc": DOC, "parameter.separator": SEPARATOR}

_LEAVES = frozenset(
    {
        Op.NAME, Op.MEMBER_NAME, Op.KEYWORD_NAME, Op.PARAMETER_NAME, Op.PAIR_NAME, Op.STRING_VALUE,
        Op.STRING_TYPE, Op.IMPORT_MODULE, Op.IMPORT_NAME, Op.IMPORT_ALIAS, Op.IMPORT_DEFAULT,
        Op.EXPORT_NAME, Op.EXPORT_ALIAS, Op.PACKAGE, Op.GLOBAL, Op.NONLOCAL, Op.DIMENSIONS,
    }
)  # fmt: skip
_UNQUOTED = frozenset({Op.STRING_VALUE, Op.STRING_TYPE, Op.PAIR_NAME, Op.IMPORT_MODULE})
_MODES = {
    Op.TYPE_PARAMETER: FIRST,
    Op.PARAMETER: PLACE,
    Op.LITERAL: NODE,  # a number: its form tells its type
    **dict.fromkeys(_UNQUOTED, UNQUOTED),
}
_EXPRESSION_STATEMENTS = frozenset({Op.ASSIGN, Op.AUGMENT, Op.YIELD, Op.YIELD_FROM, Op.IMPORT})


@dataclass(frozen=True, slots=True)
class Capture:
    """What one capture name of the edges query means.

    PLAIN ops have no text; NODE ops are names with the text of their node, and nothing inside them
    counts; FIXED ones have the text of the capture's suffix; of UNQUOTED ones it is that of a
    literal; of FIRST ones the leading identifier; PLACE is a parameter, told by what stands before
    it; a SPREAD replaces an argument or element of which it is all; REGION is a nested region; a
    MARK is no op.
    """

    op: int
    mode: int = PLAIN
    fixed: str = ""


DEFINE = Capture(Op.DEFINE, REGION)
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
        cut[_kind_of_pattern(_captures_in(pattern))].append(pattern)
    trivia = [
        *(f"({kind}) @comment" for kind in spec.text.comments),
        *(f"({kind}) @block" for kind in spec.text.blocks),
    ]
    edge_query = _compile(spec.name, grammar, "\n".join([edges, *cut["marks"], *trivia]))
    light = cut["declarations"]
    captures, codes, define, head = _order_captures(spec.name, edge_query)
    return Queries(
        regions=_compile(spec.name, grammar, "\n".join(cut["regions"]))
        if cut["marks"] or light
        else whole,
        declarations=_compile(spec.name, grammar, "\n".join(light)) if light else None,
        edges=edge_query,
        captures=captures,
        codes=codes,
        define=define,
        head=head,
    )


def _captures_in(pattern: str) -> frozenset[str]:
    """Return the captures of one pattern; compiling it to find out takes a hundred times longer."""
    return frozenset(_CAPTURE.findall(_NO_CAPTURE.sub("", pattern)))


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


def _order_captures(
    language: str, query: Query
) -> tuple[tuple[Capture, ...], dict[str, int], int, int]:
    named = {name: _read_capture(language, name) for name in _names(query)}
    places = [
        (_rank(capture), capture.op, not capture.fixed, name) for name, capture in named.items()
    ]
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
        return Capture(_MARKS[name], MARK)
    stem, _, fixed = name.partition(".")
    op = EDGE_CAPTURES.get(stem)
    if op is None or op in (Op.DEFINE, Op.HEAD):
        message = f"language {language!r}: edges: capture @{name} is not in the vocabulary"
        raise ConfigurationError(message)
    if op == Op.SPREAD:
        return Capture(op, SPREAD, fixed)
    if fixed:
        return Capture(op, FIXED, fixed)
    return Capture(op, _MODES.get(op, NODE if op in _LEAVES else PLAIN))


def _rank(capture: Capture) -> int:
    """Order of captures with one byte range, the enclosing first."""
    op = capture.op
    leaf = op in _LEAVES or op == Op.TYPE_PARAMETER
    ranks = (
        capture.mode == MARK,
        op >= Op.EXPORT and not leaf,
        Op.ASSIGN <= op < Op.IMPORT and not leaf and op not in _EXPRESSION_STATEMENTS,
        op < Op.NAME and not leaf,
        op == Op.DEFINE,
        (op in _EXPRESSION_STATEMENTS or op >= Op.IMPORT) and not leaf,
        leaf and op != Op.NAME,
        op != Op.NAME,
    )
    return ranks.index(True) if True in ranks else len(ranks)
