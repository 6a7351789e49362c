"""What a bundle is about beside its task: a path or symbol, or the change between two revisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topomem.api.find import find
from topomem.model.answer import SymbolRef
from topomem.model.code import EdgeKind, SymbolKind
from topomem.model.ids import CommitId
from topomem.retrieve.focus import Focus
from topomem.secrets.scan import redact
from topomem.store.snapshot import EdgeFilter

if TYPE_CHECKING:
    from topomem.api.diff import DiffQuery
    from topomem.api.impact import ImpactAnswer
    from topomem.api.opening import Opened
    from topomem.api.view import View
    from topomem.model.answer import Symbol

_NEAR = (
    EdgeKind.CALLS,
    EdgeKind.CONSTRUCTS,
    EdgeKind.TESTS,
    EdgeKind.INHERITS,
    EdgeKind.IMPLEMENTS,
    EdgeKind.OVERRIDES,
    EdgeKind.DECORATES,
)
_AFFECTED = 0.3
"""How strongly a bundle is about what depends on what changed, for the surest."""

_TEST = 0.2
_MOST_AFFECTED = 40
_MOST_TESTS = 20
_MOST_REMOVED = 20
_MOST_TITLES = 30


@dataclass(frozen=True, slots=True)
class Subject:
    """What a bundle is about, words for a task where none was given, and what cannot be shown."""

    focus: tuple[Focus, ...] = ()
    words: str = ""
    notes: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()


def focus_on(view: View, text: str) -> Subject:
    """Return the focus that a path, folder or symbol text names. Raises UnknownSymbol."""
    folder = text.removeprefix("./").rstrip("/")
    if view.snapshot is not None:
        inside = [row.path for row in view.snapshot.files() if row.path.startswith(f"{folder}/")]
        if inside:
            return Subject(tuple(Focus(path, 0, 0.5, f"in {folder}") for path in inside), folder)
    symbol = find(view, text)
    if symbol.kind is SymbolKind.MODULE:
        return Subject((Focus(symbol.path, 0, 0.5, "focus"),), symbol.path)
    own = Focus(symbol.path, symbol.name_line, 1.0, "focus")
    return Subject((own, *_beside(view, symbol)), symbol.qualified_name)


def _beside(view: View, symbol: Symbol) -> Iterator[Focus]:
    """Yield who uses a symbol, and what it uses, the surest first."""
    assert view.snapshot is not None  # noqa: S101 - the symbol is of it
    name = symbol.qualified_name
    key = ((symbol.path, name),)
    users = view.snapshot.edges(EdgeFilter(kinds=_NEAR, targets=key))
    used = view.snapshot.edges(EdgeFilter(kinds=_NEAR, sources=key))
    found = [
        Focus(end.path, end.start_line, _AFFECTED * edge.confidence, f"{word} {name}")
        for edges, word in ((users, "uses"), (used, "used by"))
        for edge in edges
        if isinstance(end := edge.source if word == "uses" else edge.target, SymbolRef)
    ]
    yield from sorted(found, key=lambda one: -one.strength)[:_MOST_AFFECTED]


def focus_on_change(opened: Opened, query: DiffQuery) -> Subject:
    """Return what a change is about: its symbols, who depends on them, and their tests.

    Raises UnknownRevision, NotIndexed, UsageError.
    """
    from topomem.api.impact import ImpactQuery, impact

    answer = impact(opened, ImpactQuery(query, depth=1))
    removed = [one.symbol.id for one in answer.changed if one.new is None]
    notes = [f"removed: {name}" for name in removed[:_MOST_REMOVED]]
    if len(removed) > _MOST_REMOVED:
        notes.append(f"and {len(removed) - _MOST_REMOVED} more removed symbols")
    return Subject(
        tuple(_focus(answer)),
        _titles(opened, query),
        (*notes, *answer.notes),
        answer.partial,
    )


def _focus(answer: ImpactAnswer) -> Iterator[Focus]:
    for one in answer.changed:
        if one.new is not None and one.new.kind is not SymbolKind.MODULE:
            what = " ".join((one.change, *(kind for kind in one.kinds if kind != one.change)))
            yield Focus(one.new.path, one.new.name_line, 1.0, what)
    inside = [one for one in answer.affected if one.symbol.kind is not SymbolKind.MODULE]
    for affected in inside[:_MOST_AFFECTED]:
        symbol = affected.symbol
        reason = f"{' '.join(affected.kinds)} {affected.because.rpartition('#')[2]}"
        yield Focus(symbol.path, symbol.name_line, _AFFECTED * affected.confidence, reason)
    for chosen in answer.tests[:_MOST_TESTS]:
        test = chosen.test
        yield Focus(test.path, test.start_line, _TEST * chosen.confidence, f"test, {chosen.method}")


def _titles(opened: Opened, query: DiffQuery) -> str:
    """Return the titles of the commits that HEAD has and BASE has not, the latest first.

    They are shown, so they are without secrets.
    """
    from topomem.api.view import WORKTREE, resolve

    if WORKTREE in (query.base, query.head):
        return ""
    base, head = resolve(opened, query.base), resolve(opened, query.head)
    if base is None or head is None:
        return ""
    repository = opened.repository
    behind = {commit.id for commit in repository.walk([base])}
    found: list[str] = []
    waiting: list[CommitId] = [head]
    while waiting and len(found) < _MOST_TITLES:
        one = waiting.pop(0)
        if one in behind:
            continue
        behind.add(one)
        commit = repository.commit(one)
        found.append(redact(commit.message).partition("\n")[0])
        waiting += commit.present_parents
    return "\n".join(found)
