"""All the names a symbol or a file had up to a moment: what events were linked to under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.api.find import find
from topomem.api.verdicts import verdicts_of
from topomem.lineage.calibration import calibration
from topomem.lineage.choosing import followed
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.api.view import View
    from topomem.model.history import Position
    from topomem.store.past import Key

_MOST_NAMES = 50


def symbol_key(view: View, text: str) -> Key:
    """Return the key that a text names; `path#name` may name what is gone.

    Raises UnknownSymbol, AmbiguousSymbol.
    """
    path, mark, name = text.removeprefix("./").rpartition("#")
    if mark and path:
        return FilePath(path), QualifiedName(name)
    symbol = find(view, text)
    return symbol.path, symbol.qualified_name


def names_of(view: View, key: tuple[str, str]) -> list[str]:
    """Return what a symbol (or a file: its name is "") goes by in links: now, and before."""
    path, name = FilePath(key[0]), QualifiedName(key[1])
    keys = [(path, name), *_earlier(view, (path, name))]
    return [f"{one}#{called}" if called else str(one) for one, called in keys]


def _earlier(view: View, key: Key) -> list[Key]:
    """Return the keys that aliases lead back to, as far as these are behind the moment."""
    reader, commit = view.reader, view.as_of.commit or view.as_of.base_commit
    if reader is None or commit is None or not reader.is_stored(commit):
        return []
    highest = reader.ancestors(commit)
    verdicts = verdicts_of(reader)
    threshold = calibration().threshold

    def is_behind(position: Position) -> bool:
        return position.seq <= highest.get(position.track, -1)

    found: dict[Key, None] = {}
    waiting = [key]
    while waiting and len(found) < _MOST_NAMES:
        here = waiting.pop()
        for (position, _), rows in reader.past.aliases_to(here).items():
            best = followed(rows, verdicts, threshold) if is_behind(position) else None
            if best is not None:
                old = best[0].old.path, best[0].old.name
                if old != key and old not in found:
                    found[old] = None
                    waiting.append(old)
    return list(found)
