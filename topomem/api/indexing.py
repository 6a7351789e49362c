"""Bring the store up to date."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from topomem.api.opening import Opened
from topomem.api.subjects import publish
from topomem.api.view import no_commits_note
from topomem.errors import TopomemError
from topomem.index.events import Emit
from topomem.index.pipeline import IndexOptions, index
from topomem.index.plan import Scope
from topomem.index.report import IndexReport
from topomem.store.store import Store

PURPOSE = "index"


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """What to index. `jobs` 0: one process for each core."""

    scope: Scope
    jobs: int = 0
    follow: bool = False  # do what the last run did, for what came after it
    anew: bool = False  # do all of what the last run did once more, into a new derived file


def run_index(opened: Opened, request: IndexRequest, emit: Emit) -> IndexReport:
    """Index what is not there yet; an empty repository is no error.

    Raises UnknownRevision, StoreBusy, StoreFull, StoreTooNew.
    """
    store = Store(
        opened.store.folder,
        opened.store.repository,
        replace(opened.store.options, purpose=PURPOSE),
    )
    now = int(time.time())
    opened.repository.forget()
    options = IndexOptions(
        request.scope, request.jobs, follow=request.follow, anew=request.anew, now=now
    )
    report = index(opened.repository, store, opened.configuration, options, emit)
    report = replace(report, warnings=(*report.warnings, *_published(opened)))
    if opened.repository.head() is None:
        note = no_commits_note(opened.repository)
        return replace(report, warnings=(note, *report.warnings))
    return report


def _published(opened: Opened) -> tuple[str, ...]:
    """Publish what is known by name; that this failed is told, and fails nothing."""
    try:
        publish(opened)
    except (TopomemError, OSError) as error:
        return (f"what `notice` reads was not published: {error}",)
    return ()
