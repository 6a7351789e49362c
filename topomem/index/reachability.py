"""Which stored commits a reference still leads to."""

from __future__ import annotations

from collections.abc import Iterable

from topomem.git.repository import Repository
from topomem.model.history import Commit
from topomem.model.ids import CommitId

TIPS = "tips"
"""Property: the commits that references and HEADs stood on when last looked at, as a JSON list."""


def current_tips(repository: Repository) -> frozenset[CommitId]:
    """Return the commits that references and the HEADs of all worktrees stand on."""
    return frozenset((*repository.references().values(), *repository.heads()))


def only_grew(
    before: frozenset[CommitId], now: frozenset[CommitId], fresh: Iterable[Commit]
) -> bool:
    """Return whether all that was reachable surely still is, and all that is new is `fresh`.

    Every earlier tip is still one, or is a parent of a fresh commit; every later tip was one, or is
    fresh. False only means that history must be walked to know.
    """
    fresh_ids: set[CommitId] = set()
    covered: set[CommitId] = set(now)
    for commit in fresh:
        fresh_ids.add(commit.id)
        covered.update(commit.present_parents)
    return before <= covered and now <= before | fresh_ids


def reachable(repository: Repository, tips: Iterable[CommitId]) -> set[CommitId]:
    """Return every commit that the tips lead to."""
    return {commit.id for commit in repository.walk(sorted(tips))}
