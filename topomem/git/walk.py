"""The order in which history is read.

Parents always come before children, whatever the dates say. Among the commits that are ready, side
branches come right after the commit they leave from and before the main line goes on, so that what
is built along the way has the shortest way back.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from heapq import heappop, heappush

from topomem.model.history import Commit
from topomem.model.ids import CommitId


def collect(
    tips: Iterable[CommitId],
    known: Container[CommitId],
    read: Callable[[CommitId], Commit | None],
) -> dict[CommitId, Commit]:
    """Return every commit reachable from `tips` without passing a known one.

    A parent that is not there (a damaged clone, or one that was cut) is left out.
    """
    found: dict[CommitId, Commit] = {}
    absent: set[CommitId] = set()
    pending = [tip for tip in tips if tip not in known]
    while pending:
        commit_id = pending.pop()
        if commit_id in found or commit_id in absent:
            continue
        commit = read(commit_id)
        if commit is None:
            absent.add(commit_id)
            continue
        found[commit_id] = commit
        pending.extend(parent for parent in commit.present_parents if parent not in known)
    return found


def main_lines(
    tips: Iterable[CommitId], commits: dict[CommitId, Commit]
) -> dict[CommitId, CommitId]:
    """Return, for each commit, the child that continues its line along first parents.

    Lines are claimed in the order of `tips`, then of the further parents met on the way, so the
    line of the first tip is the longest possible one.
    """
    continued: dict[CommitId, CommitId] = {}
    claimed: set[CommitId] = set()
    pending = list(tips)[::-1]
    while pending:
        line: list[Commit] = []
        commit = commits.get(pending.pop())
        while commit is not None and commit.id not in claimed:
            claimed.add(commit.id)
            line.append(commit)
            first = commit.present_parents[0] if commit.present_parents else None
            if first is None or first in claimed:
                break
            continued[first] = commit.id
            commit = commits.get(first)
        pending.extend(parent for commit in line for parent in commit.present_parents[:0:-1])
    return continued


def in_order(tips: Iterable[CommitId], commits: dict[CommitId, Commit]) -> list[Commit]:
    """Return the commits parents first, side branches before the line they leave goes on."""
    tips = list(tips)
    continued = main_lines(tips, commits)
    children: dict[CommitId, list[CommitId]] = {}
    waiting: dict[CommitId, int] = {}
    for commit in commits.values():
        parents = {parent for parent in commit.present_parents if parent in commits}
        waiting[commit.id] = len(parents)
        for parent in parents:
            children.setdefault(parent, []).append(commit.id)
    ready = sorted((commit for commit, count in waiting.items() if not count), reverse=True)
    ordered: list[Commit] = []
    while ready:
        commit_id = ready.pop()
        ordered.append(commits[commit_id])
        freed: list[CommitId] = []
        for child in children.get(commit_id, ()):
            waiting[child] -= 1
            if not waiting[child]:
                freed.append(child)
        line = continued.get(commit_id)
        freed.sort(key=lambda child: (child != line, child))
        ready.extend(freed)
    return ordered


def newest(tips: Iterable[CommitId], commits: dict[CommitId, Commit], limit: int) -> set[CommitId]:
    """Return `limit` commits, latest committer dates first, each reached through the others."""
    heap = sorted({(-commits[tip].committer_date, tip) for tip in tips if tip in commits})
    seen = {commit_id for _, commit_id in heap}
    taken: set[CommitId] = set()
    while heap and len(taken) < limit:
        _, commit_id = heappop(heap)
        taken.add(commit_id)
        for parent in commits[commit_id].present_parents:
            if parent in commits and parent not in seen:
                seen.add(parent)
                heappush(heap, (-commits[parent].committer_date, parent))
    return taken


def since(commits: Iterable[Commit], date: int) -> set[CommitId]:
    """Return the commits of `date` (seconds UTC) or later and all that stand on them.

    `commits` come parents first. An old date in the middle of newer ones hides nothing.
    """
    taken: set[CommitId] = set()
    for commit in commits:
        if commit.committer_date >= date or any(p in taken for p in commit.present_parents):
            taken.add(commit.id)
    return taken
