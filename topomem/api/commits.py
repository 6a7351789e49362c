"""What is known of one commit beside its files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone

from topomem.api.lost import lost_notes
from topomem.api.opening import Opened
from topomem.api.view import not_indexed, resolve
from topomem.errors import NotIndexed, UnknownRevision
from topomem.model.history import Commit
from topomem.model.ids import CommitId, TreeId
from topomem.model.messages import reverted, tickets
from topomem.secrets.scan import redact
from topomem.store.reader import Reader

_EARLIEST, _LATEST = -62_135_596_800 + 86_400, 253_402_300_799 - 86_400
"""Seconds UTC that a calendar with years of four digits can show in any zone."""


@dataclass(frozen=True, slots=True)
class CommitAnswer:
    """A commit as it was stored; names of people are as configured.

    Dates are ISO 8601 with the zone of whoever wrote them; `` where there is none a calendar shows.
    `tickets` are those the message names; `reverts` the ids it says it takes back, in full where
    they are known.
    """

    id: CommitId
    tree: TreeId
    parents: tuple[CommitId, ...]
    author: str
    author_date: str
    committer_date: str
    message: str
    tickets: tuple[str, ...]
    reverts: tuple[str, ...]
    references: tuple[str, ...]  # those that lead to it now, by full name
    is_boundary: bool  # history is cut here: its parents are not in the clone
    notes: tuple[str, ...] = ()


def commit(opened: Opened, revision: str) -> CommitAnswer:
    """Return what is stored of a commit. Raises UnknownRevision, NotIndexed."""
    found = resolve(opened, revision)
    if found is None:
        raise UnknownRevision(revision, "there are no commits yet")
    with opened.store.read() as reader:
        stored = reader.commits([found])
        if not stored:
            raise not_indexed(opened, found) from NotIndexed(found)
        (one,) = stored
        reverts = [
            full[0] if len(full := reader.commits_like(taken_back)) == 1 else taken_back
            for taken_back in reverted(one.message)
        ]
        leading = _references(opened, reader, found)
        notes = (*one.notes, *lost_notes(opened, reader, found))
    return replace(_answer(one), reverts=tuple(reverts), references=leading, notes=notes)


def _references(opened: Opened, reader: Reader, commit: CommitId) -> tuple[str, ...]:
    """Return the references that lead to a stored commit; git is walked for those not stored."""
    at = reader.position(commit)
    found = []
    for name, tip in opened.repository.references().items():
        if reader.is_stored(tip):
            leads = reader.ancestors(tip).get(at.track, -1) >= at.seq
        else:
            leads = opened.repository.has(commit) and opened.repository.leads_to(tip, commit)
        if leads:
            found.append(redact(name))
    return tuple(found)


def _answer(one: Commit) -> CommitAnswer:
    name, address = one.author_name, one.author_email
    return CommitAnswer(
        id=one.id,
        tree=one.tree,
        parents=one.parents,
        author=f"{name} <{address}>" if address else name,
        author_date=shown_date(one.author_date, one.author_offset),
        committer_date=shown_date(one.committer_date, one.committer_offset),
        message=one.message,
        tickets=tickets(one.message),
        reverts=(),
        references=(),
        is_boundary=one.boundary,
    )


def shown_date(seconds: int, offset: int | None) -> str:
    """Return a moment (seconds UTC) in the zone `offset` minutes east; UTC where none is known."""
    if not _EARLIEST <= seconds <= _LATEST:
        return ""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return moment.astimezone(timezone(timedelta(minutes=offset or 0))).isoformat()
