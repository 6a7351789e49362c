"""Which typed edges are there?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topomem.api.answers import EdgesAnswer
from topomem.api.documents import edge_words, kinds_of
from topomem.api.opening import Opened
from topomem.api.reasons import why_empty
from topomem.api.view import open_view
from topomem.errors import UsageError
from topomem.model.code import EdgeKind
from topomem.store.globs import matching
from topomem.store.snapshot import EdgeFilter
from topomem.store.structure import versions

if TYPE_CHECKING:
    from topomem.api.view import View
    from topomem.model.structure import Ownership, TestsEdge

MADE = frozenset({EdgeKind.TESTS, EdgeKind.OWNS})
"""Kinds that are not linked but made from other edges and files, where they are asked for."""


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
    kinds = tuple(kind for kind in query.kinds if kind not in MADE)
    wanted = EdgeFilter(kinds=kinds, path_glob=query.path_glob, unresolved=query.unresolved)
    with open_view(opened, as_of) as view:
        linked = view.snapshot.edges(wanted) if view.snapshot and (kinds or not query.kinds) else []
        tests = _tests(view, query) if EdgeKind.TESTS in query.kinds else ()
        owns = _owns(opened, view, query) if EdgeKind.OWNS in query.kinds else ()
        found = linked or tests or owns
        return EdgesAnswer(
            as_of=view.as_of,
            edges=tuple(linked),
            empty=None if found else why_empty(opened, view, query.path_glob),
            partial=view.partial,
            notes=view.notes,
            tests=tests,
            owns=owns,
        )


def _tests(view: View, query: EdgeQuery) -> tuple[TestsEdge, ...]:
    """Return what is tested, by tests of the wanted files."""
    from topomem.api.testing import Testing

    if view.snapshot is None or query.unresolved:
        return ()
    wanted = matching(query.path_glob)
    testing = Testing(view)
    return tuple(testing.edges(path for path in testing.paths if wanted(path)))


def _owns(opened: Opened, view: View, query: EdgeQuery) -> tuple[Ownership, ...]:
    """Return who owns the wanted files."""
    from topomem.api.ownership import read_owners

    if view.snapshot is None or query.unresolved:
        return ()
    wanted = matching(query.path_glob)
    owners = read_owners(opened, view)
    paths = (path for path in versions(view.snapshot) if wanted(path))
    return tuple(one for path in paths for one in owners.owning(path))
