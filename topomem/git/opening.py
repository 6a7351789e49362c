"""Opening a repository: what can go wrong there, each said in one line.

Only the path that was given counts: variables such as GIT_DIR, which hooks set, are not read. The
user's git configuration is read for `safe.directory` and ignore rules, and never written.
"""

from __future__ import annotations

from pathlib import Path

import pygit2

from topomem.errors import NotARepository

pygit2.settings.set_extensions(["partialclone", "relativeworktrees"])


def open_library_repository(path: Path) -> pygit2.Repository:
    """Return the repository that `path` is, or is inside of.

    Raises NotARepository: there is none, its owner is not trusted, or its format is not known.
    """
    if not path.exists():
        raise NotARepository(f"{path}: no such file or directory")
    try:
        return pygit2.Repository(str(path))
    except (pygit2.GitError, KeyError, OSError, ValueError) as error:
        raise _refusal(path, str(error)) from error


def _refusal(path: Path, reason: str) -> NotARepository:
    lowered = reason.lower()
    if "not owned" in lowered:
        return NotARepository(
            f"{path}: the repository is owned by another user",
            f"if you trust it: git config --global --add safe.directory {path}",
        )
    if "object format" in lowered:
        return NotARepository(
            f"{path}: {reason.rpartition(': ')[2]}; only sha1 repositories can be read"
        )
    if "unsupported extension" in lowered or "unsupported repository version" in lowered:
        return NotARepository(f"{path}: {reason.rpartition(': ')[2]}")
    if "not found" in lowered:
        below = _repositories_below(path)
        hint = f"it holds the repositories {', '.join(below)}: name one of them" if below else ""
        return NotARepository(f"{path}: not inside a git repository", hint)
    return NotARepository(f"{path}: {reason}")


def _repositories_below(path: Path, limit: int = 5) -> list[str]:
    """Return the names of folders directly inside that look like repositories."""
    if not path.is_dir():
        return []
    try:
        found = sorted(entry.name for entry in path.iterdir() if (entry / ".git").exists())
    except OSError:
        return []
    return found[:limit]
