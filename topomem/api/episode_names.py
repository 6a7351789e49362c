"""All the names a symbol or a file had up to a moment: what events were linked to under them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from topomem.api.find import find
from topomem.api.verdicts import verdicts_of
from topomem.lineage.calibration import calibration
from topomem.lineage.choosing import followed
from topomem.model.ids import FilePath, QualifiedName

if TYPE_CHECKING:
    from topomem.api.view import View
    from topomem.lineage.choosing import Verdicts
    from topomem.model.history import Position
    from topomem.store.past import Key
    from topomem.store.reader import Reader

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


class Names:
    """Follows names back along aliases, as far as these are behind the moment of a view."""

    def __init__(self, view: View) -> None:
        self._reader = view.reader
        self._commit = view.as_of.commit or view.as_of.base_commit

    def of(self, path: str, name: str) -> list[str]:
        """Return what a symbol (or a file: its name is "") goes by in links: now, and before."""
        key = FilePath(path), QualifiedName(name)
        keys = [key, *(self._earlier(self._reader, key) if self._reader else [])]
        return [f"{one}#{called}" if called else str(one) for one, called in keys]

    def _earlier(self, reader: Reader, key: Key) -> list[Key]:
        found: dict[Key, None] = {}
        waiting = [key]
        while waiting and self._ancestors and len(found) < _MOST_NAMES:
            for (position, _), rows in reader.past.aliases_to(waiting.pop()).items():
                best = None
                if self._is_behind(position):
                    best = followed(rows, self._verdicts, self._threshold)
                if best is not None:
                    old = best[0].old.path, best[0].old.name
                    if old != key and old not in found:
                        found[old] = None
                        waiting.append(old)
        return list(found)

    def _is_behind(self, position: Position) -> bool:
        return position.seq <= self._ancestors.get(position.track, -1)

    @cached_property
    def _ancestors(self) -> dict[int, int]:
        if self._reader is None or self._commit is None or not self._reader.is_stored(self._commit):
            return {}
        return self._reader.ancestors(self._commit)

    @cached_property
    def _verdicts(self) -> Verdicts:
        return verdicts_of(self._reader) if self._reader else {}

    @cached_property
    def _threshold(self) -> float:
        return calibration().threshold
