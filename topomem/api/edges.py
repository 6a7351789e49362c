"""Which typed edges are there?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from topomem.api.answers import EdgesAnswer
from topomem.api.documents import edge_words, kinds_of
from topomem.api.opening import Opened
from topomem.api.reasons import why_empty
from topomem.api.view import open_view
from topomem.errors import UsageError
from topomem.model.code import EdgeKind
from topomem.store.snapshot import EdgeFilter


@dataclass(frozen=True, slots=True)
class EdgeQuery:
    """Which edges are wanted; empty fields mean any."""

    kinds: tuple[EdgeKind, ...] = ()
    path_glob: str = ""
    unresolved: bool | None = None


def edge_kinds(words: Iterable[str]) -> tuple[EdgeKind, ...]:
    """Return the kinds that words name, in those of documents or our own.

    Raises UsageError for a word that names none.
    """
    found: list[EdgeKind] = []
    for word in words:
        kinds = kinds_of(word)
        if not kinds:
            raise UsageError(f"no kind of edge {word!r}", "one of: " + ", ".join(edge_words()))
        found += kinds
    return tuple(dict.fromkeys(found))


def edges(opened: Opened, query: EdgeQuery, as_of: str | None) -> EdgesAnswer:
    """Return the edges that match. Raises UnknownRevision, NotIndexed."""
    wanted = EdgeFilter(kinds=query.kinds, path_glob=query.path_glob, unresolved=query.unresolved)
    with open_view(opened, as_of) as view:
        found = view.snapshot.edges(wanted) if view.snapshot else []
        return EdgesAnswer(
            as_of=view.as_of,
            edges=tuple(found),
            empty=None if found else why_empty(opened, view, query.path_glob),
            partial=view.partial,
            notes=view.notes,
        )
