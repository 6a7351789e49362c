"""A cited bundle for a task."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from topomem.api.episode_recalling import beside_episodes, joined
from topomem.api.focusing import Subject, focus_on, focus_on_change
from topomem.api.opening import Opened
from topomem.api.recalling import beside
from topomem.api.view import View, open_view
from topomem.errors import UsageError
from topomem.model.bundle import Bundle
from topomem.model.ids import Moniker
from topomem.retrieve.assembly import Touched
from topomem.retrieve.beside import Aside
from topomem.retrieve.budget import Budget
from topomem.retrieve.bundle import Request
from topomem.retrieve.bundle import bundle as make_bundle
from topomem.retrieve.hints import Embedder
from topomem.retrieve.items import SECOND, Moment
from topomem.retrieve.render import markdown
from topomem.retrieve.tokens import token_count
from topomem.secrets.scan import redact
from topomem.store.changes import Changes
from topomem.store.search import Search

if TYPE_CHECKING:
    from topomem.api.diff import DiffQuery

DEFAULT_BUDGET = 4_000

LONGEST_SECONDS = 10.0
"""After so long what can be left out of an answer is, and the answer says so."""

Printed = Callable[[Bundle], str]


@dataclass(frozen=True, slots=True)
class BundleRequest:
    """A task, and how long its answer may be.

    `count` is `estimate`, `chars4`, or an installed tokenizer; `printed` makes the document whose
    tokens are bounded, None bounds the sum of the items alone. With a `focus` (a path or symbol) or
    a change the task may be empty.
    """

    task: str
    budget_tokens: int = DEFAULT_BUDGET
    count: str = "estimate"
    printed: Printed | None = markdown
    focus: str = ""
    change: DiffQuery | None = None
    embedder: Embedder | None = None


def bundle(opened: Opened, request: BundleRequest, as_of: str | None) -> Bundle:
    """Return the best cited answer within the budget.

    Raises UsageError (no task, no such count), BudgetTooSmall, UnknownRevision, UnknownSymbol,
    NotIndexed.
    """
    if not (request.task.strip() or request.focus or request.change):
        raise UsageError("the task is empty", "say what the bundle is for")
    request = replace(request, task=redact(request.task))  # it may be a log, and is shown again
    budget = Budget(request.budget_tokens, token_count(request.count), request.printed)
    changed = focus_on_change(opened, request.change) if request.change else Subject()
    with open_view(opened, request.change.head if request.change else as_of) as view:
        if view.snapshot is None:
            return _nothing(view, request)
        focused = focus_on(view, request.focus) if request.focus else Subject()
        moment = Moment(view.as_of.commit, view.as_of.base_commit)
        search = Search(view.snapshot.connection)
        read = partial(view.read_blob, opened)
        told = partial(beside_code, opened, view)
        task = request.task.strip() and request.task
        asked = Request(
            task or "\n".join(filter(None, (focused.words, changed.words))),
            budget,
            told,
            touched_by(view),
            changes_behind(view),
            (*focused.focus, *changed.focus),
            (*view.notes, *changed.notes, *changed.partial),
            request.embedder,
            _late_after(LONGEST_SECONDS),
        )
        return make_bundle(search, moment, read, asked)


def change_of(base: str, head: str, merge_base: bool = False) -> DiffQuery:  # noqa: FBT001, FBT002
    """Return a change by its ends; what compares them is loaded for it alone."""
    from topomem.api.diff import DiffQuery

    return DiffQuery(base, head, merge_base)


def _late_after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def beside_code(
    opened: Opened, view: View, stems: Collection[str], targets: Sequence[Moniker]
) -> Aside:
    """Return the decisions and the episodes that a task should know of."""
    return joined(
        beside(opened, view, stems, targets), beside_episodes(opened, view, stems, targets)
    )


def touched_by(view: View) -> Touched | None:
    """Return what tells which commits last changed symbols, for a commit that is stored."""
    reader, commit = view.reader, view.as_of.commit
    if reader is None or commit is None or not reader.is_stored(commit):
        return None
    return partial(reader.last_edits, commit=commit, most=SECOND)


def changes_behind(view: View) -> Changes | None:
    """Return what the commits behind a moment say and changed; None where none are stored."""
    reader, snapshot = view.reader, view.snapshot
    commit = view.as_of.commit or view.as_of.base_commit
    if reader is None or snapshot is None or commit is None or not reader.is_stored(commit):
        return None
    return Changes(snapshot.connection, reader.ancestors(commit))


def _nothing(view: View, request: BundleRequest) -> Bundle:
    return Bundle(
        as_of=None,
        task=request.task,
        budget_tokens=request.budget_tokens,
        used_tokens=0,
        evidence=0.0,
        items=(),
        left_out=(),
        mode="nothing",
        notes=view.notes,
    )
