"""Which stored commits a reference still leads to."""

from __future__ import annotations

from collections.abc import Iterable

from topomem.git.repository import Repository
from topomem.model.history import Commit
from topomem.model.ids import CommitId

TIPS = "tips"
"""Property: the commits that references and HEADs stood on when last looked at, as a JSON list."""

UNREACHABLE = "unreachable"
"""Property: whether stored commits were unreachable when last looked at, `yes` or `no`."""


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


def reachable(repository: Repository, tips: Iterable[CommitId]) -> set[CommitId]:
    """Return every commit that the tips lead to."""
    return {commit.id for commit in repository.walk(sorted(tips))}
