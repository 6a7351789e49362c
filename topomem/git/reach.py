"""What is behind a commit, and which lines two texts differ in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pygit2
from pygit2.enums import SortMode

from topomem.model.ids import CommitId


def behind(
    repository: pygit2.Repository, tips: Iterable[CommitId], wanted: Iterable[str]
) -> set[CommitId]:
    """Return which of the wanted commits are these tips or behind them.

    Ids that name no commit here are behind nothing. The walk ends when all others were met.
    """
    left = {CommitId(one) for one in wanted if _is_commit(repository, one)}
    starts = [tip for tip in tips if _is_commit(repository, tip)]
    found: set[CommitId] = set()
    if not left or not starts:
        return found
    walk = repository.walk(pygit2.Oid(hex=starts[0]), SortMode.TIME)
    for tip in starts[1:]:
        walk.push(pygit2.Oid(hex=tip))
    for key in _walked(walk):
        if key in left:
            found.add(key)
            left.discard(key)
            if not left:
                break
    return found


def changed_lines(old: bytes, new: bytes) -> list[tuple[int, int]]:
    """Return the lines of the new text that are not in the old one, as first and last line.

    Where lines were only taken out, the line before them stands for them. Binary texts differ in
    no line.
    """
    patch = pygit2.Patch.create_from(old, new, context_lines=0)
    return [
        (max(1, hunk.new_start), max(1, hunk.new_start + max(hunk.new_lines, 1) - 1))
        for hunk in patch.hunks
    ]


def _walked(walk: Iterator[pygit2.Commit]) -> Iterator[CommitId]:
    """Yield ids as far as history is there: a damaged clone may lack parents."""
    while True:
        try:
            commit = next(walk)
        except (StopIteration, KeyError, pygit2.GitError):
            return
        yield CommitId(str(commit.id))


def _is_commit(repository: pygit2.Repository, text: str) -> bool:
    try:
        found = repository.get(pygit2.Oid(hex=text))
    except (ValueError, pygit2.GitError):
        return False
    return isinstance(found, pygit2.Commit)
