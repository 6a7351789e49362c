"""Sharing authored rows through `refs/notes/topomem`: the union of what everyone has.

A note is a set of lines, so two of them are merged by their union, in any order, any number of
times. Nothing that others wrote is taken away, whether it can be read here or not; only what was
deleted here is left out.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topomem.errors import TransportFailed
from topomem.git.notes import EMPTY_TREE
from topomem.share.lines import Asked, Lines, Trouble, commit_of, id_of, line_of, read_lines, shared

if TYPE_CHECKING:
    from topomem.git.repository import Repository
    from topomem.git.transport import Transport
    from topomem.model.ids import CommitId
    from topomem.store.journal import Record
    from topomem.store.store import Store

REFERENCE = "refs/notes/topomem"
MOST_TRIES = 10
"""How often a push is tried again when others pushed meanwhile."""

TOLERANCE_SECONDS = 86_400
"""So far may the clocks of others go before ours."""

_PAUSE_SECONDS = 0.05
MOST_LINES = 2_000_000

Notes = dict[str, set[str]]
"""Lines by the id of the object they stand beside."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What a push or a pull did: rows that are new at the other end, and lines not read."""

    rows: int
    remote_rows: int
    tip: CommitId | None
    tries: int = 1
    troubles: tuple[Trouble, ...] = ()


def pull(repository: Repository, store: Store, transport: Transport, when: int) -> Shared:
    """Take over the rows of a remote. `when` is in seconds UTC. Raises TransportFailed, StoreFull.

    The local notes then hold both; doing it again changes nothing.
    """
    theirs = transport.fetch(REFERENCE)
    if theirs is None:
        return Shared(0, 0, repository.note_tip(REFERENCE))
    notes, unread = read(repository, theirs)
    known = frozenset(record.id for record in store.authored())
    latest = (when + TOLERANCE_SECONDS) * 1000
    lines = rows_of(notes, Asked(f"share {transport.remote}", latest, known))
    new = store.bring(lines.records)
    if not unread:
        _merge_here(repository, theirs, when)
    tip = repository.note_tip(REFERENCE)
    return Shared(new, len(lines.records) + lines.known, tip, troubles=(*unread, *lines.troubles))


def push(repository: Repository, store: Store, transport: Transport, when: int) -> Shared:
    """Hand the rows of this store to a remote, beside what it has. `when` is in seconds UTC.

    Where others push at the same time it is done again on top of theirs. Raises TransportFailed.
    """
    ours = list(shared(store.authored()))
    gone = store.deleted_items()
    for tried in range(1, MOST_TRIES + 1):
        theirs = transport.fetch(REFERENCE)
        known = _whole(repository, theirs, transport.remote)
        here = repository.note_tip(REFERENCE)
        wanted = union(known, _whole(repository, here, "the local notes"), of_records(ours))
        wanted = without(wanted, gone)
        new = _count(wanted) - _count(known)
        if wanted == known:
            if theirs:
                _merge_here(repository, theirs, when)
            return Shared(0, _count(known), theirs, tried)
        parents = _tips(repository, [one for one in (here, theirs) if one])
        made = repository.write_notes(encoded(wanted), parents, "topomem: share", when)
        if transport.push(made, REFERENCE):
            repository.move_note(REFERENCE, made)
            return Shared(max(new, 0), _count(known), made, tried)
        time.sleep(_PAUSE_SECONDS * tried)
    raise TransportFailed(f"{transport.remote}: others kept pushing", "nothing was lost; try again")


def read(repository: Repository, commit: CommitId) -> tuple[Notes, tuple[Trouble, ...]]:
    """Return the notes of a commit, and what is too much to be read.

    A text that is no UTF-8 has its bad bytes replaced.
    """
    found: Notes = {}
    troubles: list[Trouble] = []
    left = MOST_LINES
    for name, data in repository.read_notes(commit):
        lines = [] if data is None else data.decode("utf-8", "replace").split("\n")
        if data is None or len(lines) > left:
            troubles.append(Trouble(0, f"the note of {name[:12] or 'more objects'} is too much"))
            continue
        found[name] = {line for line in lines if line.strip()}
        left -= len(lines)
    return found, tuple(troubles)


def _whole(repository: Repository, commit: CommitId | None, where: str) -> Notes:
    """Return all notes of a commit. Raises TransportFailed where they are too many to be joined."""
    if commit is None:
        return {}
    found, troubles = read(repository, commit)
    if troubles:
        raise TransportFailed(f"{where}: {troubles[0].why}", "nothing was changed")
    return found


def rows_of(notes: Mapping[str, Iterable[str]], asked: Asked) -> Lines:
    """Return the rows of notes."""
    return read_lines((line for name in sorted(notes) for line in sorted(notes[name])), asked)


def of_records(records: Iterable[Record]) -> Notes:
    """Return rows as notes, each beside the commit it is bound to."""
    found: Notes = {}
    for record in records:
        found.setdefault(commit_of(record) or EMPTY_TREE, set()).add(line_of(record))
    return found


def union(*some: Mapping[str, Iterable[str]]) -> Notes:
    """Return all lines of several notes; of lines with one content that which sorts first."""
    found: dict[str, dict[str, str]] = {}
    for notes in some:
        for name, lines in notes.items():
            mine = found.setdefault(name, {})
            for line in lines:
                key = id_of(line) or line
                mine[key] = min(line, mine.get(key, line))
    return {name: set(lines.values()) for name, lines in found.items() if lines}


def without(notes: Mapping[str, Iterable[str]], gone: frozenset[str]) -> Notes:
    """Return notes without the rows that were deleted, and without what belongs to them."""
    if not gone:
        return {name: set(lines) for name, lines in notes.items()}
    found: Notes = {}
    for name, lines in notes.items():
        kept = {line for line in lines if not any(key in line for key in gone)}
        if kept:
            found[name] = kept
    return found


def encoded(notes: Mapping[str, Iterable[str]]) -> dict[str, bytes]:
    """Return notes as bytes: lines in order, so that equal notes are equal blobs."""
    return {
        name: "".join(f"{line}\n" for line in sorted(lines)).encode("utf-8", "replace")
        for name, lines in notes.items()
    }


def _merge_here(repository: Repository, theirs: CommitId, when: int) -> None:
    """Let the local notes hold what another commit of notes holds, too."""
    here = repository.note_tip(REFERENCE)
    tips = _tips(repository, [one for one in (here, theirs) if one])
    if len(tips) == 1:
        if tips[0] != here:
            repository.move_note(REFERENCE, tips[0])
        return
    both = union(*(_whole(repository, one, "the notes") for one in tips))
    made = repository.write_notes(encoded(both), tips, "topomem: merge", when)
    repository.move_note(REFERENCE, made)


def _tips(repository: Repository, commits: Sequence[CommitId]) -> list[CommitId]:
    """Return the commits that are not behind another one of them."""
    distinct = list(dict.fromkeys(commits))
    return [
        one
        for one in distinct
        if not any(one != other and repository.note_is_behind(one, other) for other in distinct)
    ]


def _count(notes: Mapping[str, Collection[str]]) -> int:
    return sum(map(len, notes.values()))
