"""Why a list is empty: five reasons that a program can tell apart."""

from __future__ import annotations

from topomem.api.answers import Empty
from topomem.api.opening import Opened
from topomem.api.view import View
from topomem.model.ids import FilePath

UNREADABLE = frozenset({"too_large", "binary", "minified", "time", "missing", "lfs_pointer"})


def why_empty(opened: Opened, view: View, path_glob: str = "") -> Empty:
    """Return the reason, given that nothing matched among the files that `path_glob` names."""
    if view.snapshot is None:
        return view.empty()
    if opened.principal is not None:
        return view.empty("no_access_or_no_match")
    if path_glob:
        return _why_no_file(opened, view, path_glob)
    return view.empty("no_match", "the index is current at this commit")


def _why_no_file(opened: Opened, view: View, path_glob: str) -> Empty:
    assert view.snapshot is not None  # noqa: S101 - the caller has looked
    rows = view.snapshot.files(path_glob)
    unread = [row for row in rows if any(d.code in UNREADABLE for d in row.diagnostics)]
    if unread and len(unread) == len(rows):
        first = unread[0]
        return view.empty("unreadable", f"{first.path}: {first.diagnostics[0].message}")
    if not rows and in_tree(opened, view, FilePath(path_glob)):
        return view.empty("unsupported_language", f"{path_glob} is of no supported language")
    return view.empty("no_match", "the index is current at this commit")


def in_tree(opened: Opened, view: View, path: FilePath) -> bool:
    """Return whether git has a file of exactly this path at the moment of the view."""
    commit = view.as_of.commit or view.as_of.base_commit
    return commit is not None and path in opened.repository.tree(opened.repository.commit(commit))
