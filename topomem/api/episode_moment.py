"""Which events are there as of a commit: those bound to it, or to what is behind it.

What is bound to a commit that was amended or rebased is there where what became of it is. What is
bound to one that no reference leads to any more, and that nothing became of, is told where the
present is asked about, and said to be so. Elsewhere it would tell of a future.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topomem.api.answers import AsOf
from topomem.api.view import NO_COMMITS, WORKTREE, View, open_view, resolve
from topomem.errors import NotIndexed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topomem.api.opening import Opened
    from topomem.model.ids import CommitId
    from topomem.store.reader import Reader

UNBOUND = ""
"""Stands for the commit of what was recorded before there was one."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The commits whose events are there.

    `stray` are those that nothing leads to; `rewritten` says what became of others.
    """

    commits: frozenset[str]
    stray: frozenset[str] = frozenset()
    rewritten: Mapping[str, CommitId] = field(default_factory=dict)
    absent: int = 0  # commits with events that are not in this repository

    def label(self, commit: str) -> str:
        """Return what is to be said of an event's commit, "" for nothing."""
        if commit in self.rewritten:
            return f"was rewritten as {self.rewritten[commit][:12]}"
        return "no reference leads to this commit any more" if commit in self.stray else ""


@contextmanager
def open_plain(opened: Opened, as_of: str | None) -> Iterator[View]:
    """Open a revision without its symbols: for what was recorded, it need not be indexed.

    Raises UnknownRevision, StoreBusy, StoreDamaged.
    """
    commit = resolve(opened, as_of)
    uncommitted = as_of == WORKTREE
    at = AsOf(None, commit, uncommitted=True) if uncommitted else AsOf(commit)
    with opened.store.read() as reader:
        yield View(at, reader, None, notes=() if commit else (NO_COMMITS,))


def open_best(opened: Opened, as_of: str | None) -> AbstractContextManager[View]:
    """Open a revision with its symbols where it is stored, else without. Raises as above."""
    commit = resolve(opened, as_of)
    with opened.store.read() as reader:
        is_stored = commit is not None and reader.is_stored(commit)
    return (open_view if is_stored else open_plain)(opened, as_of)


def moment_of(opened: Opened, view: View, reader: Reader) -> Moment:
    """Return the commits whose events are there as of an opened view."""
    as_of = view.as_of.commit or view.as_of.base_commit
    return moment_at(opened, reader, as_of)


def moment_at(opened: Opened, reader: Reader, as_of: CommitId | None) -> Moment:
    """Return the commits whose events are there as of a commit; None is before the first one."""
    wanted = [commit for commit in reader.event_commits() if commit]
    if as_of is None:
        return Moment(frozenset({UNBOUND}), frozenset())
    there = _behind(opened, reader, as_of, wanted)
    others = set(wanted) - there
    if not others:
        return Moment(frozenset({UNBOUND, *there}))
    present = {one for one in others if opened.repository.has_commit(one)}
    lost = _unreachable(opened, reader, present)
    rewritten = _rewritten(opened, reader, as_of, {*lost, *(others - present)})
    is_present = as_of == opened.repository.head()
    stray = frozenset(lost - rewritten.keys()) if is_present else frozenset()
    absent = len(others - present - rewritten.keys()) if is_present else 0
    return Moment(frozenset({UNBOUND, *there, *stray, *rewritten}), stray, rewritten, absent)


def _rewritten(
    opened: Opened, reader: Reader, as_of: CommitId, lost: set[str]
) -> dict[str, CommitId]:
    """Return which commits behind as_of came of lost ones: the only ones of their author date."""
    if not lost:
        return {}
    candidates = reader.rewritten(lost)
    there = _behind(opened, reader, as_of, {one for some in candidates.values() for one in some})
    found = {old: [one for one in some if one in there] for old, some in candidates.items()}
    return {old: some[0] for old, some in found.items() if len(some) == 1}


def _unreachable(opened: Opened, reader: Reader, commits: set[str]) -> frozenset[str]:
    """Return the commits that nothing leads to: as the index says where it knows, else as git."""
    stored = commits & reader.positions(commits).keys()
    lost = stored.intersection(reader.unreachable_commits()) if stored else set()
    unknown = commits - stored
    if unknown:
        lost |= unknown - opened.repository.reachable(unknown)
    return frozenset(lost)


def _behind(
    opened: Opened, reader: Reader, as_of: CommitId, wanted: Iterable[str]
) -> set[CommitId]:
    """Return which commits are as_of or behind it: by the index where it knows, else by git."""
    wanted = set(wanted)
    found: set[CommitId] = set()
    try:
        highest = reader.ancestors(as_of)
    except NotIndexed:
        return opened.repository.behind([as_of], wanted)
    known = reader.positions(wanted)
    found = {one for one, at in known.items() if at.seq <= highest.get(at.track, -1)}
    unknown = wanted - known.keys()
    return found | (opened.repository.behind([as_of], unknown) if unknown else set())
