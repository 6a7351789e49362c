"""Which stored commits a reference still leads to, and which have been without one for too long."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Protocol

from topomem.errors import UnknownRevision
from topomem.git.repository import Repository
from topomem.model.history import Commit, Position
from topomem.model.ids import CommitId
from topomem.store.reader import Reader
from topomem.store.writer import Writer

CUT = "cut"
"""Property: the commits at which history is cut, as a JSON list."""

TIPS = "tips"
"""Property: the commits that references and HEADs stood on when last looked at, as a JSON list."""

UNREACHABLE = "unreachable"
"""Property: since when (seconds UTC) a stored commit is unreachable; empty where all are not."""


class Places(Protocol):
    """Where stored commits stand, and what is behind them: a reading or a writing session."""

    def position(self, commit: CommitId) -> Position | None:
        """Return where a commit stands."""
        ...

    def behind(self, commits: Iterable[CommitId]) -> Mapping[int, int]:
        """Return {track: highest seq} of stored commits and everything behind them."""
        ...


def current_tips(repository: Repository) -> frozenset[CommitId]:
    """Return the commits that references and the HEADs of all worktrees stand on."""
    return frozenset((*repository.references().values(), *repository.heads()))


def all_covered(
    before: frozenset[CommitId], now: frozenset[CommitId], fresh: Iterable[Commit]
) -> bool:
    """Return whether all that was reachable surely still is.

    Every earlier tip is still one, or is a parent of a fresh commit. False only means that history
    must be walked to know.
    """
    covered: set[CommitId] = set(now)
    for commit in fresh:
        covered.update(commit.present_parents)
    return before <= covered


def entries(
    repository: Repository,
    tips: Iterable[CommitId],
    stored: AbstractSet[CommitId],
    cut: Iterable[CommitId],
    places: Places,
) -> set[CommitId]:
    """Return stored commits behind which everything stands that is stored and reachable.

    Git is walked only where commits are not stored: down to stored ones, from the tips and from
    where stored history is cut. The rest is known to the store.
    """
    found: set[CommitId] = set()
    waiting = set(tips)
    closed = set(cut)
    while waiting:
        found |= waiting & stored
        for commit in repository.walk(sorted(waiting - stored), stored):
            found.update(parent for parent in commit.present_parents if parent in stored)
        is_behind = _test(places.behind(found), places)
        opened = {commit for commit in closed if is_behind(commit)}
        closed -= opened
        waiting = _parents(repository, opened) - stored
    return found


def is_reachable(repository: Repository, reader: Reader, commit: CommitId) -> bool:
    """Return whether a reference leads to a stored commit now, whenever it was last looked at."""
    tips = current_tips(repository)
    if commit in tips:
        return True
    if tips == recorded_tips(reader):
        return reader.is_marked_reachable(commit)
    cut = json.loads(reader.property(CUT) or "[]")
    found = entries(repository, tips, reader.known_commits(), cut, reader)
    return _test(reader.behind(found), reader)(commit)


def recorded_tips(store: Reader | Writer) -> frozenset[CommitId]:
    """Return the tips that were looked at last."""
    return frozenset(json.loads(store.property(TIPS) or "[]"))


def _test(highest: Mapping[int, int], places: Places) -> Callable[[CommitId], bool]:
    def is_behind(commit: CommitId) -> bool:
        at = places.position(commit)
        return at is not None and at.seq <= highest.get(at.track, -1)

    return is_behind


def _parents(repository: Repository, commits: Iterable[CommitId]) -> set[CommitId]:
    """Return the parents of commits; git may have lost the commits."""
    found: set[CommitId] = set()
    for commit in commits:
        try:
            found.update(repository.commit(commit).present_parents)
        except UnknownRevision:
            continue
    return found
