"""Commits that no reference leads to any more: named, never taken for current."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topomem.errors import UnknownRevision

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.model.ids import CommitId
    from topomem.store.reader import Reader

_ID = re.compile(r"[0-9a-f]{7,40}")
_HINT = "git has no such commit, or has it no more, and the index neither"


def stored_commit(opened: Opened, error: UnknownRevision) -> CommitId:
    """Return the stored commit whose id begins with a text that git does not know.

    Git forgets commits before the index does. Raises UnknownRevision where there is none, or more.
    """
    revision = error.revision
    if not _ID.fullmatch(revision):
        raise error
    if opened.store.exists():
        with opened.store.read() as reader:
            found = reader.commits_like(revision)
        if len(found) == 1:
            return found[0]
    raise UnknownRevision(revision, error.hint or _HINT) from error


def lost_notes(opened: Opened, reader: Reader, commit: CommitId) -> tuple[str, ...]:
    """Return a remark where no reference leads to a stored commit; git is asked now."""
    from topomem.index.reachability import is_reachable

    if is_reachable(opened.repository, reader, commit):
        return ()
    where = "" if opened.repository.has(commit) else ", and git has it no more"
    return (f"no reference leads to commit {commit[:12]} any more{where}",)
