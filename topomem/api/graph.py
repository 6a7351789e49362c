"""A snapshot as a graph, for questions nobody thought of."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from topomem.api.opening import Opened
from topomem.api.view import open_view
from topomem.model.answer import Edge, SymbolRef
from topomem.model.code import External
from topomem.model.ids import moniker
from topomem.store.snapshot import SymbolFilter

if TYPE_CHECKING:
    import networkx

    Graph = networkx.MultiDiGraph[str]


def graph(opened: Opened, as_of: str | None) -> Graph:
    """Return symbols and edges as a graph; nodes are ids, `external:NAME` for what is outside.

    Attributes are those of `Symbol` and `Edge`. Unresolved
    references are no edges. Raises UnknownRevision, NotIndexed.
    """
    import networkx

    made: Graph = networkx.MultiDiGraph()
    with open_view(opened, as_of) as view:
        if view.snapshot is None:
            return made
        for symbol in view.snapshot.symbols(SymbolFilter(with_modules=True)):
            made.add_node(symbol.id, **asdict(symbol))
        for edge in view.snapshot.edges():
            _add_edge(made, edge)
    return made


def _add_edge(made: Graph, edge: Edge) -> None:
    if isinstance(edge.target, SymbolRef):
        target = str(moniker(edge.target.path, edge.target.qualified_name))
    elif isinstance(edge.target, External):
        target = f"external:{edge.target.name}"
        made.add_node(target, external=True)
    else:
        return
    source = str(moniker(edge.source.path, edge.source.qualified_name))
    made.add_edge(
        source,
        target,
        kind=edge.kind.value,
        path=edge.path,
        line=edge.line,
        confidence=edge.confidence,
        method=edge.method.value,
    )
