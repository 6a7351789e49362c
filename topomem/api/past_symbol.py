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
    from topomem.store.outline import Outline
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
        outline = reader.outline(commit, key[0])
        symbol = outline.symbol(key[1]) if outline else None
        if symbol is not None or reader.past.ever_stood(key):
            return key, symbol
    match = _AT_LINE.match(text)
    if match is not None:
        outline = reader.outline(commit, FilePath(match["path"]))
        found = _at_line(outline, int(match["line"])) if outline else None
        if found is not None:
            return (found.path, found.qualified_name), found
    symbol = find(View(AsOf(commit), reader, reader.open_snapshot(commit)), text)
    return (symbol.path, symbol.qualified_name), symbol


def _at_line(outline: Outline, line: int) -> Symbol | None:
    """Return the symbol at a line; of a class or a file the variable or field that stands there."""
    from topomem.api.show import HOLDERS

    found = outline.at_line(line)
    if found is None or found.kind not in HOLDERS:
        return found
    there = [
        one
        for one in outline.symbols
        if one.start_line <= line <= one.end_line
        and one.qualified_name
        and one.qualified_name.rpartition(".")[0] == found.qualified_name
    ]
    return min(
        there, key=lambda one: (one.end_line - one.start_line, one.start_line), default=found
    )


def open_files(reader: Reader, commit: CommitId, paths: list[FilePath]) -> Snapshot:
    """Open a snapshot in which only some files are to be seen."""
    return reader.open_files(commit, paths)
