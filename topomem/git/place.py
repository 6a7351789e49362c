"""Where a repository keeps its things, and what HEAD stands on, told by its files alone.

For what must answer at once: nothing is loaded, no object is read. Where the files do not tell
(another storage of references), the answer is None, never wrong.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LINKS = 5


def git_dir(path: Path) -> Path | None:
    """Return the git folder of the repository that `path` is, or is inside of."""
    start = Path(os.path.abspath(path))  # noqa: PTH100  links stay as they were written
    for folder in (start, *start.parents):
        found = _as_git_dir(folder / ".git") or _as_git_dir(folder)
        if found is not None:
            return found
    return None


def common_dir(folder: Path) -> Path:
    """Return the folder that all worktrees of a git folder share."""
    text = _text(folder / "commondir")
    return Path(os.path.normpath(folder / text)) if text else folder


def head_commit(folder: Path) -> str | None:
    """Return the id of the commit that HEAD of a git folder stands on, None where none is told."""
    text = _text(folder / "HEAD")
    for _ in range(_LINKS):
        if not text.startswith("ref: "):
            return text if _ID.fullmatch(text) else None
        name = text.removeprefix("ref: ").strip()
        shared = common_dir(folder)
        text = _text(folder / name) or _text(shared / name) or _packed(shared, name)
    return None


def _as_git_dir(place: Path) -> Path | None:
    if (place / "HEAD").is_file() and ((place / "objects").is_dir() or _text(place / "commondir")):
        return place
    link = _text(place) if place.is_file() else ""
    if link.startswith("gitdir: "):
        target = Path(os.path.normpath(place.parent / link.removeprefix("gitdir: ")))
        return target if (target / "HEAD").is_file() else None
    return None


def _packed(folder: Path, name: str) -> str:
    for line in _text(folder / "packed-refs").splitlines():
        commit, _, reference = line.partition(" ")
        if reference == name:
            return commit
    return ""


def _text(file: Path) -> str:
    try:
        return os.fsdecode(file.read_bytes()).strip()
    except OSError:
        return ""
