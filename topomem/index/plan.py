"""Which commits are to be indexed, in which order."""

from __future__ import annotations

from collections.abc import Container, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from topomem.errors import UnknownRevision
from topomem.git import walk
from topomem.git.repository import Repository
from topomem.model.history import Commit
from topomem.model.ids import CommitId


@dataclass(frozen=True, slots=True)
class Scope:
    """How much of history is wanted. `since` is a revision, or a date such as 2024-05-31."""

    all_refs: bool = False
    head_only: bool = False
    since: str = ""
    max_commits: int | None = None
    refs: tuple[str, ...] = ()  # further revisions to start from
    forward: bool = False  # not behind commits at which stored history is cut


@dataclass(frozen=True, slots=True)
class Known:
    """The commits of the store. Those in `cut` have parents that are not stored."""

    commits: frozenset[CommitId] = frozenset()
    cut: frozenset[CommitId] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """Commits that are not known yet, parents first; `tips` are where the walk began.

    `continues` are those that go on the line of their first parent; others leave it. `cut` and
    `boundaries` are, once all is stored, the commits some (all) of whose parents are not stored.
    `unreadable` are left out: a partial clone lacks their trees.
    """

    commits: tuple[Commit, ...]
    tips: tuple[CommitId, ...]
    continues: frozenset[CommitId]
    cut: frozenset[CommitId]
    boundaries: frozenset[CommitId]
    unreadable: frozenset[CommitId] = frozenset()


def plan(repository: Repository, scope: Scope, known: Known) -> Plan:
    """Return what is to be done. Raises UnknownRevision.

    A commit none of whose parents is known or planned is marked as a boundary: history is cut there
    by a shallow clone, by the scope, or because objects are missing.
    """
    tips = starting_points(repository, scope)
    if scope.forward:
        return _planned(repository, tips, _forward(repository, tips, scope, known), known)
    if scope.head_only:
        return _planned(repository, tips, {tip: repository.commit(tip) for tip in tips}, known)
    if not scope.since and scope.max_commits is None:
        walked = repository.walk(tips, () if known.cut else known.commits)
        return _planned(repository, tips, {commit.id: commit for commit in walked}, known)
    cut = _cut(repository, scope)
    commits = {commit.id: commit for commit in repository.walk(tips, cut)}
    if scope.since and not cut:
        wanted = walk.since(commits.values(), _date(scope.since))
        commits = {commit: commits[commit] for commit in commits if commit in wanted}
    if scope.max_commits is not None:
        wanted = walk.newest(tips, commits, scope.max_commits)
        commits = {commit: commits[commit] for commit in commits if commit in wanted}
    return _planned(repository, tips, commits, known)


def _forward(
    repository: Repository, tips: list[CommitId], scope: Scope, known: Known
) -> dict[CommitId, Commit]:
    """Return what came after the stored commits; where nothing connects, what the scope says."""
    cut_off = still_there(repository, known.cut)
    cut = [parent for one in cut_off for parent in one.present_parents]
    behind = {commit.id for commit in repository.walk(cut)}
    walked = repository.walk(tips, known.commits | behind)
    connected = any(p in known.commits for commit in walked for p in commit.present_parents)
    if scope.head_only and not connected:
        return {tip: repository.commit(tip) for tip in tips}
    return {commit.id: commit for commit in walked}


def _is_cut(commit: Commit, stored: Container[CommitId]) -> bool:
    """Whether a parent is not stored, or is by another way, and cannot be followed to as yet."""
    return commit.parents != commit.present_parents or any(
        parent not in stored for parent in commit.parents
    )


def still_there(repository: Repository, commits: Iterable[CommitId]) -> list[Commit]:
    """Return the commits that git still has: it forgets those that no reference leads to."""
    found = []
    for commit in sorted(commits):
        with suppress(UnknownRevision):
            found.append(repository.commit(commit))
    return found


def starting_points(repository: Repository, scope: Scope) -> list[CommitId]:
    """Return the commits to start from, HEAD first, each once."""
    head = repository.head()
    found = [head] if head else []
    found.extend(repository.resolve(revision) for revision in scope.refs)
    if scope.all_refs:
        found.extend(repository.references().values())
    return list(dict.fromkeys(found))


def _cut(repository: Repository, scope: Scope) -> set[CommitId]:
    """Return the commits behind `since`, where it names a revision: that one is still wanted."""
    if not scope.since:
        return set()
    try:
        since = repository.commit(repository.resolve(scope.since))
    except UnknownRevision:
        _date(scope.since)
        return set()
    return {commit.id for commit in repository.walk(since.present_parents)}


def _date(text: str) -> int:
    try:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise UnknownRevision(text, "give a revision or a date such as 2024-05-31") from None


def _planned(
    repository: Repository, tips: list[CommitId], commits: dict[CommitId, Commit], known: Known
) -> Plan:
    fresh = {commit.id: commit for commit in commits.values() if commit.id not in known.commits}
    unreadable = frozenset(one.id for one in fresh.values() if not repository.has_files(one))
    fresh = {commit: fresh[commit] for commit in fresh if commit not in unreadable}
    stored = fresh.keys() | known.commits
    lines = walk.main_lines(tips, commits)
    ordered = walk.in_order(tips, fresh)
    open_ended = [*ordered, *still_there(repository, known.cut)]
    boundaries = frozenset(
        commit.id
        for commit in open_ended
        if commit.parents and stored.isdisjoint(commit.present_parents)
    )
    return Plan(
        commits=tuple(
            replace(commit, boundary=True) if commit.id in boundaries else commit
            for commit in ordered
        ),
        tips=tuple(tips),
        continues=frozenset(
            commit.id
            for commit in ordered
            if commit.present_parents and lines.get(commit.present_parents[0]) == commit.id
        ),
        cut=frozenset(c.id for c in open_ended if _is_cut(c, stored)),
        boundaries=boundaries,
        unreadable=unreadable,
    )
