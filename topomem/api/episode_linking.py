"""What an event is said to be about: the names people use, made those it is found by again."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from topomem.api.decisions import show_decision
from topomem.api.find import find, split_commit
from topomem.api.past_symbol import locate
from topomem.api.view import WORKTREE, open_view
from topomem.errors import AmbiguousSymbol, NotIndexed, UnknownItem, UnknownSymbol, UsageError
from topomem.model.ids import CommitId, moniker

if TYPE_CHECKING:
    from topomem.api.episode_writing import Linked
    from topomem.api.opening import Opened
    from topomem.store.past import Key


def resolved(opened: Opened, links: Linked, commit: str | None) -> tuple[Linked, tuple[str, ...]]:
    """Return links by ids: of symbols, of decision records, of files; and what is to be said.

    Symbols are looked for at the commit an event is about, then among what is not committed. Where
    nothing is indexed the texts stay as they are. Raises UsageError (a path outside the
    repository), UnknownSymbol, AmbiguousSymbol, UnknownItem, UnknownRevision.
    """
    paths = [inside(opened, path) for path in links.paths]
    symbols: list[str] = []
    decisions: tuple[str, ...] = links.decisions
    kept: list[str] = []
    for text in links.symbols:
        try:
            path, name = _symbol(opened, text.strip(), commit)
        except NotIndexed:
            symbols.append(text)
            kept.append(text)
            continue
        if name:
            symbols.append(moniker(path, name))
        else:
            paths.append(path)
    try:
        decisions = tuple(_decision(opened, text) for text in links.decisions)
    except NotIndexed:
        kept += links.decisions
    notes = (f"not indexed, so linked as written: {', '.join(kept)}",) if kept else ()
    found = replace(links, symbols=tuple(symbols), paths=tuple(paths), decisions=decisions)
    return found, notes


def inside(opened: Opened, path: str) -> str:
    """Return a path as git has it: from the top. Raises UsageError for one that leads out."""
    text = path.strip()
    top = opened.repository.top
    if top is not None and posixpath.isabs(text) and Path(text).is_relative_to(top):
        text = Path(text).relative_to(top).as_posix()
    found = posixpath.normpath(text)
    if not text or posixpath.isabs(found) or found == ".." or found.startswith("../"):
        raise UsageError(f"{path!r} is outside the repository", "a path from its top")
    return found


def _symbol(opened: Opened, text: str, commit: str | None) -> Key:
    name, at = split_commit(text, None)
    try:
        with open_view(opened, at or commit) as view:
            if view.reader is not None and view.stored is not None:
                stored = CommitId(view.stored)
                if stored == view.as_of.commit:
                    return locate(view.reader, stored, name)[0]
            symbol = find(view, name)
            return symbol.path, symbol.qualified_name
    except AmbiguousSymbol:
        raise
    except UnknownSymbol:
        if at or commit or opened.repository.top is None:
            raise
        with open_view(opened, WORKTREE) as view:
            symbol = find(view, name)
        return symbol.path, symbol.qualified_name


def _decision(opened: Opened, text: str) -> str:
    try:
        found = show_decision(opened, text, None)
    except UnknownItem as error:
        if opened.repository.top is None or "several" in str(error):
            raise
        found = show_decision(opened, text, WORKTREE)
    return found.decision.entry.placed.id
