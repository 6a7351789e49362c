"""Why a list is empty: reasons that a program can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topomem.api.answers import Empty
from topomem.api.opening import Opened
from topomem.api.view import View
from topomem.model.ids import FilePath

if TYPE_CHECKING:
    from topomem.store.snapshot import FileRow

UNREADABLE = frozenset({"too_large", "binary", "minified", "time", "missing", "lfs_pointer"})


def why_empty(opened: Opened, view: View, path_glob: str = "") -> Empty:
    """Return the reason, given that nothing matched among the files that `path_glob` names."""
    if view.snapshot is None:
        return view.empty()
    if opened.principal is not None:
        return view.empty("no_access_or_no_match")
    rows = view.snapshot.files(path_glob) if path_glob else []
    return _why_not_read(view, rows) or view.empty("no_match", "the index is current here")


def why_without_symbols(opened: Opened, view: View, path: FilePath) -> Empty | None:
    """Return why the index has no symbols of a file; None where it has, or no such file."""
    if view.snapshot is None or opened.principal is not None:
        return None
    return _why_not_read(view, [row for row in view.snapshot.files() if row.path == path])


def _why_not_read(view: View, rows: Sequence[FileRow]) -> Empty | None:
    """Return why not one of some files was read, None if one was, or there are none."""
    if not rows:
        return None
    if not any(row.language for row in rows):
        return view.empty("unsupported_language", f"{rows[0].path} is of no supported language")
    troubles = [
        (row.path, found)
        for row in rows
        if (found := next((d for d in row.diagnostics if d.code in UNREADABLE), None))
    ]
    if len(troubles) < sum(1 for row in rows if row.language):
        return None
    path, trouble = troubles[0]
    return view.empty("unreadable", f"{path}: {trouble.code} {trouble.message}".rstrip())
