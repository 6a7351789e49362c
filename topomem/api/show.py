"""One symbol: its text and what stands around it."""

from __future__ import annotations

from topomem.api.answers import ShowAnswer
from topomem.api.episode_recalling import episodes_of_symbol
from topomem.api.episode_results import last_results
from topomem.api.find import find, split_commit
from topomem.api.opening import Opened
from topomem.api.ownership import read_owners
from topomem.api.recalling import governing_records
from topomem.api.testing import Testing
from topomem.api.view import View, open_view
from topomem.model.answer import Edge, Symbol
from topomem.model.code import EdgeKind, SymbolKind
from topomem.model.ids import moniker
from topomem.retrieve.source import SourceLines, masking_told
from topomem.store.snapshot import EdgeFilter, Snapshot, SymbolFilter

HOLDERS = frozenset(
    {
        SymbolKind.MODULE,
        SymbolKind.NAMESPACE,
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.STRUCT,
    }
)


def show(opened: Opened, text: str, as_of: str | None) -> ShowAnswer:
    """Return a symbol, its text as indexed, its members and its nearest edges.

    Raises UnknownSymbol, AmbiguousSymbol, UnknownRevision, NotIndexed.
    """
    text, as_of = split_commit(text, as_of)
    with open_view(opened, as_of) as view:
        symbol = find(view, text)
        assert view.snapshot is not None  # noqa: S101 - a symbol was found in it
        name = ((symbol.path, symbol.qualified_name),)
        source, notes = _source(opened, view, symbol)
        tests = tuple(Testing(view).edges_to(name[0]))
        episodes, total = episodes_of_symbol(opened, view, *name[0])
        return ShowAnswer(
            as_of=view.as_of,
            symbol=symbol,
            source=source,
            members=tuple(_members(view.snapshot, symbol)),
            incoming=_talk(view.snapshot.edges(EdgeFilter(targets=name))),
            outgoing=_talk(view.snapshot.edges(EdgeFilter(sources=name))),
            partial=view.partial,
            notes=(*view.notes, *notes),
            decisions=governing_records(opened, view, moniker(symbol.path, symbol.qualified_name)),
            episodes=episodes,
            episode_count=total,
            tests=tests,
            results=last_results(opened, view, {edge.source.id for edge in tests}),
            owners=tuple(read_owners(opened, view).owning(symbol.path)),
        )


def _source(opened: Opened, view: View, symbol: Symbol) -> tuple[str, tuple[str, ...]]:
    """Return the symbol's lines as the blob has them; never those of a file that has changed."""
    data = view.read_blob(opened, symbol.path, symbol.blob)
    if data is None:
        return "", (f"the content of {symbol.path} is not available",)
    text = SourceLines(data).text(symbol.start_line, symbol.end_line)
    return text, masking_told(text)


def _members(snapshot: Snapshot, symbol: Symbol) -> list[Symbol]:
    if symbol.kind not in HOLDERS:
        return []
    prefix = f"{symbol.qualified_name}." if symbol.qualified_name else ""
    return [
        member
        for member in snapshot.symbols(SymbolFilter(paths=(symbol.path,)))
        if member.qualified_name.startswith(prefix)
        and "." not in member.qualified_name[len(prefix) :]
    ]


def _talk(edges: list[Edge]) -> tuple[Edge, ...]:
    return tuple(edge for edge in edges if edge.kind is not EdgeKind.CONTAINS)
