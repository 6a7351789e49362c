"""From a revision text to an open snapshot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topomem.api.answers import AsOf, Empty, Reason
from topomem.api.lost import lost_notes, stored_commit
from topomem.errors import NotIndexed, UnknownRevision
from topomem.git.repository import Repository
from topomem.model.ids import BlobId, CommitId, FilePath
from topomem.secrets.scan import redact

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.index.near import Near
    from topomem.store.reader import Reader
    from topomem.store.snapshot import Snapshot

WORKTREE = "WORKTREE"
HEAD = "HEAD"
NO_COMMITS = "no commits yet"


@dataclass(frozen=True, slots=True)
class View:
    """One moment, opened for reading. `snapshot` is None before the first commit.

    `stored` is the stored commit that it is, or stands on.
    """

    as_of: AsOf
    reader: Reader | None
    snapshot: Snapshot | None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stored: CommitId | None = None

    def read_blob(self, opened: Opened, path: FilePath, blob: BlobId) -> bytes | None:
        """Return the bytes of a file of this moment; None where they are not to be had."""
        if self.as_of.uncommitted:
            return opened.repository.read_worktree(path, blob)
        return opened.repository.read(blob)

    def empty(self, reason: Reason = "no_match", detail: str = "") -> Empty:
        """Return why a list is empty, given that nothing matched for `reason`."""
        if self.snapshot is None:
            return Empty("not_indexed", None, NO_COMMITS)
        return Empty(reason, self.as_of.commit or self.as_of.base_commit, detail)


def no_commits_note(repository: Repository) -> str:
    """Return a sentence on a HEAD that stands on nothing, and on what there is instead."""
    branch = (repository.head_branch() or "HEAD").removeprefix("refs/heads/")
    others = [name.removeprefix("refs/heads/") for name in repository.references()]
    if not others:
        return NO_COMMITS
    shown = ", ".join(others[:5])
    return redact(f"HEAD names {branch!r}, which has no commits yet; there is: {shown}")


def resolve(opened: Opened, as_of: str | None) -> CommitId | None:
    """Return the commit a revision text names; None for HEAD (or WORKTREE) before any commit.

    A stored commit is found by its id even when git has forgotten it. Raises UnknownRevision.
    """
    if as_of in (None, "", WORKTREE):
        return opened.repository.head()
    try:
        return opened.repository.resolve(_plain(as_of or ""))
    except UnknownRevision as error:
        return stored_commit(opened, error)


def _plain(revision: str) -> str:
    """Return the revision as typed, less a leading `@` of a citation's `@COMMIT`."""
    return revision[1:] if re.fullmatch(r"@[0-9a-f]{7,64}", revision) else revision


@contextmanager
def open_view(opened: Opened, as_of: str | None) -> Iterator[View]:
    """Open the snapshot of a revision for the length of a block.

    A commit that is not indexed is answered where an indexed ancestor is near, and so is what is on
    disk; both in memory. Raises UnknownRevision, NotIndexed, StoreBusy, StoreDamaged.
    """
    commit = resolve(opened, as_of)
    if commit is None and as_of != WORKTREE:
        yield View(AsOf(None), None, None, notes=(no_commits_note(opened.repository),))
        return
    with opened.store.read() as reader:
        yield _open(opened, reader, as_of, commit)


@contextmanager
def open_views(opened: Opened, base: str, head: str) -> Iterator[tuple[View, View]]:
    """Open two moments in one session. Raises as `open_view` does."""
    unborn = ("HEAD", "@") if opened.repository.head() is None else ()
    commits = [None if one in unborn else resolve(opened, one) for one in (base, head)]
    with opened.store.read() as reader:
        yield (
            _open(opened, reader, base, commits[0]),
            _open(opened, reader, head, commits[1]),
        )


def _open(opened: Opened, reader: Reader, as_of: str | None, commit: CommitId | None) -> View:
    if as_of == WORKTREE:
        return _open_worktree(opened, reader, commit)
    if commit is None:
        return View(AsOf(None), reader, None, notes=(no_commits_note(opened.repository),))
    return _open_commit(opened, reader, commit, is_named=as_of not in (None, "", HEAD))


def _open_commit(opened: Opened, reader: Reader, commit: CommitId, *, is_named: bool) -> View:
    try:
        reader.position(commit)
    except NotIndexed:
        return _open_near(opened, reader, commit)
    notes = lost_notes(opened, reader, commit) if is_named else ()
    return View(AsOf(commit), reader, reader.open_snapshot(commit), notes=notes, stored=commit)


def _open_near(opened: Opened, reader: Reader, commit: CommitId) -> View:
    from topomem.index.near import Overlay

    try:
        near = Overlay(opened.repository, reader, opened.configuration).commit(commit)
    except NotIndexed as error:
        raise not_indexed(opened, commit) from error
    return View(AsOf(commit), reader, near.snapshot, notes=_on_top(near), stored=near.base)


def _open_worktree(opened: Opened, reader: Reader, head: CommitId | None) -> View:
    from topomem.index.near import Overlay

    try:
        near = Overlay(opened.repository, reader, opened.configuration).worktree()
    except NotIndexed as error:
        if head is None:
            raise
        raise not_indexed(opened, head) from error
    as_of = AsOf(None, head, uncommitted=True)
    return View(as_of, reader, near.snapshot, notes=_on_top(near), stored=near.base)


def _on_top(near: Near) -> tuple[str, ...]:
    """Return a remark on an answer that was worked out from an indexed commit, if it was."""
    if near.base is None or not near.changed:
        return ()
    files = "1 file" if near.changed == 1 else f"{near.changed} files"
    return (f"{files} read now, on top of commit {near.base[:12]}",)


def not_indexed(opened: Opened, commit: CommitId) -> NotIndexed:
    """Return the refusal for a commit the store has no snapshot of."""
    if not opened.repository.has_files(opened.repository.commit(commit)):
        return NotIndexed(
            f"the files of commit {commit[:12]} are not in this clone (a partial one)",
            "fetch them, then run: topomem index",
        )
    head = opened.repository.head()
    if commit == head:
        command = "topomem index --head-only"
    elif head is not None and opened.repository.leads_to(head, commit):
        command = "topomem index"
    else:
        command = f"topomem reindex {commit}"
    return NotIndexed(f"commit {commit[:12]} is not indexed", f"run: {command}")
