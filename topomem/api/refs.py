"""Who uses a symbol, and what does it use?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from topomem.api.answers import Neighbour, RefsAnswer
from topomem.api.find import find, split_commit
from topomem.api.opening import Opened
from topomem.api.reasons import why_empty, why_without_symbols
from topomem.api.view import View, open_view
from topomem.errors import UnknownSymbol, UsageError
from topomem.model.answer import Edge, Symbol, SymbolRef
from topomem.model.code import EdgeKind, SymbolKind
from topomem.model.ids import FilePath, QualifiedName
from topomem.store.snapshot import EdgeFilter, Snapshot, SymbolFilter

Direction = Literal["in", "out"]
Name = tuple[FilePath, QualifiedName]

MOST_EDGES = 5_000
"""Past this many neighbours the answer is cut, and says so."""

DEEPEST = 10


@dataclass(frozen=True, slots=True)
class RefsQuery:
    """Which neighbours are wanted, and how many steps away at most."""

    directions: tuple[Direction, ...] = ("in",)
    depth: int = 1
    kinds: tuple[EdgeKind, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise UsageError(f"depth must be from 1 to {DEEPEST}, not {self.depth}")


def directions(text: str) -> tuple[Direction, ...]:
    """Return the directions of a comma-separated text. Raises UsageError for any other word."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    found: list[Direction] = []
    for word in words:
        if word not in ("in", "out"):
            raise UsageError(f"no direction {word!r}", "in, out, or in,out")
        found.append("in" if word == "in" else "out")
    return tuple(dict.fromkeys(found)) or ("in",)


def refs(opened: Opened, text: str, query: RefsQuery, as_of: str | None) -> RefsAnswer:
    """Return the typed neighbours of a symbol, the nearest first.

    Constructors count as their class. Raises UnknownSymbol, AmbiguousSymbol, UnknownRevision,
    NotIndexed.
    """
    text, as_of = split_commit(text, as_of)
    with open_view(opened, as_of) as view:
        try:
            symbol = find(view, text)
        except UnknownSymbol as error:
            return _without_symbol(opened, view, text, error)
        assert view.snapshot is not None  # noqa: S101 - a symbol was found in it
        neighbours, cut = _spread(view.snapshot, symbol, query)
        cuts = (f"cut at {MOST_EDGES} edges",) if cut else ()
        stale = _changed_since(opened, view, symbol) if not neighbours else ()
        return RefsAnswer(
            as_of=view.as_of,
            symbol=symbol,
            neighbours=tuple(neighbours),
            empty=None if neighbours else why_empty(opened, view),
            partial=(*view.partial, *cuts, *stale),
            notes=view.notes,
        )


def _without_symbol(opened: Opened, view: View, text: str, error: UnknownSymbol) -> RefsAnswer:
    """Answer for a file that is there and was not read; anything else is unknown."""
    path = FilePath(text.rpartition("#")[0] or text)
    empty = why_without_symbols(opened, view, path)
    if empty is None:
        raise error
    return RefsAnswer(view.as_of, None, (), empty=empty, partial=view.partial, notes=view.notes)


def _changed_since(opened: Opened, view: View, symbol: Symbol) -> tuple[str, ...]:
    """Say so when the symbol's file differs on disk from the commit that was asked."""
    if view.as_of.uncommitted or opened.repository.top is None:
        return ()
    if view.as_of.commit != opened.repository.head():
        return ()
    changed = {change.path for change in opened.repository.worktree_changes()}
    if symbol.path not in changed:
        return ()
    return (f"changed since: {symbol.path} differs in the work tree; ask --as-of WORKTREE",)


def _spread(snapshot: Snapshot, symbol: Symbol, query: RefsQuery) -> tuple[list[Neighbour], bool]:
    """Return neighbours in breadth-first order, and whether there were too many."""
    found: list[Neighbour] = []
    for direction in query.directions:
        reached = _names(snapshot, symbol)
        frontier = set(reached)
        for distance in range(1, query.depth + 1):
            edges = _step(snapshot, frontier, direction, query.kinds)
            if distance == 1 and len(reached) > 1:  # a class's talk with its own members
                edges = [edge for edge in edges if not _inside(edge, reached)]
            found += [Neighbour(edge, direction, distance) for edge in edges]
            if len(found) > MOST_EDGES:
                return found[:MOST_EDGES], True
            frontier = _ends(edges, direction) - reached
            reached |= frontier
            if not frontier:
                break
    return found, False


def _names(snapshot: Snapshot, symbol: Symbol) -> set[Name]:
    """Return the symbol's name, with those of its constructors if it has any."""
    names = {(symbol.path, symbol.qualified_name)}
    if symbol.kind in (SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM):
        makers = snapshot.symbols(
            SymbolFilter(kinds=(SymbolKind.CONSTRUCTOR,), paths=(symbol.path,))
        )
        prefix = f"{symbol.qualified_name}."
        names |= {
            (maker.path, maker.qualified_name)
            for maker in makers
            if maker.qualified_name.startswith(prefix)
            and "." not in maker.qualified_name[len(prefix) :]
        }
    return names


def _step(
    snapshot: Snapshot, frontier: set[Name], direction: Direction, kinds: tuple[EdgeKind, ...]
) -> list[Edge]:
    names = tuple(sorted(frontier))
    wanted = (
        EdgeFilter(kinds=kinds, targets=names)
        if direction == "in"
        else EdgeFilter(kinds=kinds, sources=names)
    )
    edges = snapshot.edges(wanted)
    return edges if kinds else [edge for edge in edges if edge.kind is not EdgeKind.CONTAINS]


def _inside(edge: Edge, names: set[Name]) -> bool:
    return (
        isinstance(edge.target, SymbolRef)
        and _name(edge.source) in names
        and _name(edge.target) in names
    )


def _ends(edges: list[Edge], direction: Direction) -> set[Name]:
    ends = [edge.source if direction == "in" else edge.target for edge in edges]
    return {_name(end) for end in ends if isinstance(end, SymbolRef)}


def _name(end: SymbolRef) -> Name:
    return end.path, end.qualified_name
