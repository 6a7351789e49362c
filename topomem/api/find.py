"""From a symbol text to one symbol."""

from __future__ import annotations

import re
from difflib import get_close_matches

from topomem.api.view import View
from topomem.errors import AmbiguousSymbol, UnknownSymbol, UsageError
from topomem.model.answer import Symbol
from topomem.model.ids import FilePath, QualifiedName
from topomem.store.snapshot import SymbolFilter

_AT_COMMIT = re.compile(r"^(?P<symbol>.+)@(?P<commit>[0-9a-f]{7,64})$")
_AT_LINE = re.compile(r"^(?P<path>.+):L?(?P<line>\d{1,9})$")
MOST_CHOICES = 20
LONGEST_NAME = 200


def split_commit(text: str, as_of: str | None) -> tuple[str, str | None]:
    """Return the symbol text and the revision: that of an id's `@COMMIT`, else `as_of`.

    Raises UsageError where both are there and differ.
    """
    match = _AT_COMMIT.match(text)
    if match is None:
        return text, as_of
    if as_of is not None and not as_of.startswith(match["commit"]):
        raise UsageError(f"{text!r} names another commit than {as_of!r}", "leave one of them out")
    return match["symbol"], match["commit"]


def find(view: View, text: str) -> Symbol:
    """Return the symbol that `text` names: an id, a name that is unique, a file, or `path:line`.

    Raises UnknownSymbol, AmbiguousSymbol.
    """
    if view.snapshot is None:
        raise UnknownSymbol(f"no symbol {text!r}: no commits yet")
    text = text.removeprefix("./")
    found = _by_id(view, text) or _by_line(view, text) or _by_file(view, text)
    return found or _by_name(view, text)


def _by_id(view: View, text: str) -> Symbol | None:
    path, mark, name = text.rpartition("#")
    if not mark or view.snapshot is None:
        return None
    return view.snapshot.symbol(FilePath(path), QualifiedName(name))


def _by_line(view: View, text: str) -> Symbol | None:
    match = _AT_LINE.match(text)
    if match is None or view.snapshot is None:
        return None
    return view.snapshot.symbol_at(FilePath(match["path"]), int(match["line"]))


def _by_file(view: View, text: str) -> Symbol | None:
    if view.snapshot is None:
        return None
    return view.snapshot.symbol(FilePath(text), QualifiedName(""))


def _by_name(view: View, text: str) -> Symbol:
    assert view.snapshot is not None  # noqa: S101 - `find` has looked
    path, mark, name = text.rpartition("#")
    wanted = SymbolFilter(name=name.rpartition(".")[2], paths=(FilePath(path),) if mark else ())
    ends = [
        symbol
        for symbol in view.snapshot.symbols(wanted)
        if f".{symbol.qualified_name}".endswith(f".{name}")
    ]
    whole = [symbol for symbol in ends if symbol.qualified_name == name]
    choices = whole or ends
    if not choices:
        raise UnknownSymbol(f"no symbol {text!r}", _near(view, name))
    if len(choices) > 1:
        raise AmbiguousSymbol(text, tuple(symbol.id for symbol in choices[:MOST_CHOICES]))
    return choices[0]


def _near(view: View, name: str) -> str:
    """Return a hint with names that look alike, equal ones first; `` where none does."""
    assert view.snapshot is not None  # noqa: S101 - `find` has looked
    last = name.rpartition(".")[2][:LONGEST_NAME]
    names: dict[str, str] = {}
    for symbol in sorted(view.snapshot.symbols(), key=lambda symbol: len(symbol.qualified_name)):
        names.setdefault(symbol.qualified_name.rpartition(".")[2], symbol.id)
    near = get_close_matches(last, names, n=3, cutoff=0.75)
    return "similar: " + ", ".join(names[word] for word in near) if near else ""
