"""From a symbol text to its key at one commit, without opening the whole snapshot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topomem.api.answers import AsOf
from topomem.api.find import find
from topomem.api.view import View
from topomem.model.ids import CommitId, FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.model.answer import Symbol
    from topomem.store.past import Key
    from topomem.store.reader import Reader
    from topomem.store.snapshot import Snapshot

_AT_LINE = re.compile(r"^(?P<path>.+):L?(?P<line>\d{1,9})$")


def locate(reader: Reader, commit: CommitId, text: str) -> tuple[Key, Symbol | None]:
    """Return the key that a text names, and the symbol where it stands at the commit.

    Only `path#name` may name what is not there. Raises UnknownSymbol, AmbiguousSymbol.
    """
    text = text.removeprefix("./")
    path, mark, name = text.rpartition("#")
    if mark:
        key = FilePath(path), QualifiedName(name)
        symbol = open_files(reader, commit, [key[0]]).symbol(*key)
        if symbol is not None or _was_there(reader, key):
            return key, symbol
    match = _AT_LINE.match(text)
    if match is not None:
        snapshot = open_files(reader, commit, [FilePath(match["path"])])
        if snapshot.files():
            found = find(View(AsOf(commit), reader, snapshot), text)
            found = _member_at(snapshot, found, int(match["line"])) or found
            return (found.path, found.qualified_name), found
    symbol = find(View(AsOf(commit), reader, reader.open_snapshot(commit)), text)
    return (symbol.path, symbol.qualified_name), symbol


def _member_at(snapshot: Snapshot, holder: Symbol, line: int) -> Symbol | None:
    """Return the variable or field at a line of a class or a file, that of the fewest lines."""
    from topomem.api.show import HOLDERS
    from topomem.store.snapshot import SymbolFilter

    if holder.kind not in HOLDERS:
        return None
    there = [
        symbol
        for symbol in snapshot.symbols(SymbolFilter(paths=(holder.path,)))
        if symbol.start_line <= line <= symbol.end_line
        and symbol.qualified_name.rpartition(".")[0] == holder.qualified_name
    ]
    return min(there, key=lambda one: (one.end_line - one.start_line, one.start_line), default=None)


def open_files(reader: Reader, commit: CommitId, paths: list[FilePath]) -> Snapshot:
    """Open a snapshot in which only some files are to be seen."""
    return reader.open_files(commit, paths)


def _was_there(reader: Reader, key: Key) -> bool:
    return reader.past.ever_stood(key)
