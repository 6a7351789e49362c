"""The work tree against HEAD: what counts as changed, and the bytes that were read."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from pathlib import Path

import pygit2
from pygit2.enums import FileStatus

from topomem.git.text import path_bytes, spell_path
from topomem.model.history import Mode, TreeEntry
from topomem.model.ids import BlobId, FilePath


@dataclass(frozen=True, slots=True)
class WorktreeChange:
    """A path whose content on disk is not that of HEAD.

    `new` and `source` are None where the path is gone. The blob id is that of the bytes read,
    before any filter of git.
    """

    path: FilePath
    new: TreeEntry | None
    source: bytes | None


def worktree_changes(
    repository: pygit2.Repository,
    top: Path,
    at_head: Callable[[FilePath], TreeEntry | None],
    apart: str = "",
) -> list[WorktreeChange]:
    """Return staged, unstaged and untracked changes, ignored files left out, in order of path.

    What is on disk counts, whatever is staged. Each file is read once, so id and bytes belong
    together; what vanishes meanwhile is gone. Line ends that only attributes change are no change.
    What lies below the folder `apart` does not count.
    """
    changed = repository.status(untracked_files="all", ignored=False)
    skipped = FileStatus.IGNORED | FileStatus.CURRENT
    names = {
        spell_path(os.fsencode(name)): name
        for name, flags in changed.items()
        if flags & ~skipped and not name.endswith("/") and not _is_below(name, apart)
    }
    found = []
    for path in sorted(names):
        change, committed = read_path(top, path), at_head(path)
        filtered_id = partial(_filtered_id, repository, names[path])
        if not _is_same(change.new, committed, filtered_id):
            found.append(change)
    return found


def _is_below(name: str, folder: str) -> bool:
    return bool(folder) and name.startswith(f"{folder}/")


def _is_same(
    new: TreeEntry | None, committed: TreeEntry | None, filtered_id: Callable[[], str]
) -> bool:
    """Return whether disk and HEAD hold the same; submodules are not looked into."""
    if committed is None:
        return new is None
    if committed.mode == Mode.SUBMODULE:
        return True
    if new is None or new.mode != committed.mode:
        return False
    return new.blob == committed.blob or filtered_id() == committed.blob


def _filtered_id(repository: pygit2.Repository, name: str) -> str:
    """Return the id git would store the file under, filters applied; empty where that fails."""
    try:
        return str(repository.hashfile(name))
    except (pygit2.GitError, OSError, ValueError):
        return ""


def blob_id(source: bytes) -> BlobId:
    """Return the id git gives to a blob of these bytes."""
    digest = sha1(b"blob %d\0" % len(source), usedforsecurity=False)
    digest.update(source)
    return BlobId(digest.hexdigest())


def read_path(top: Path, path: FilePath) -> WorktreeChange:
    """Return what stands at a path on disk now; a folder or anything odd counts as gone."""
    place = os.path.join(os.fsencode(top), path_bytes(path))  # noqa: PTH118 - bytes, not text
    try:
        status = os.lstat(place)
        if stat.S_ISLNK(status.st_mode):
            return _present(path, Mode.LINK, os.readlink(place))  # noqa: PTH115 - bytes
        if not stat.S_ISREG(status.st_mode):
            return WorktreeChange(path, None, None)
        with open(place, "rb") as file:  # noqa: PTH123 - bytes
            source = file.read()
    except OSError:
        return WorktreeChange(path, None, None)
    mode = Mode.EXECUTABLE if status.st_mode & stat.S_IXUSR else Mode.FILE
    return _present(path, mode, source)


def _present(path: FilePath, mode: Mode, source: bytes) -> WorktreeChange:
    return WorktreeChange(path, TreeEntry(mode, blob_id(source)), source)
