"""The two sides of a comparison: one moment each, with what may be compared of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from topomem.lineage.changes import Version
from topomem.lineage.symbols import FileVersion
from topomem.model.code import SymbolKind
from topomem.model.ids import FilePath
from topomem.model.structure import Key
from topomem.store import structure
from topomem.store.snapshot import SymbolFilter

if TYPE_CHECKING:
    from topomem.api.view import View
    from topomem.model.answer import Symbol
    from topomem.model.structure import CodeFile

_WITH_NESTED = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY}
)
"""Kinds of which what is nested in them is a part."""


class Side:
    """One moment; `paths` are the files of which symbols are looked at."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.paths: list[FilePath] = []

    @cached_property
    def files(self) -> Mapping[FilePath, structure.FileVersion]:
        """All files; none before the first commit."""
        return {} if self.view.snapshot is None else structure.versions(self.view.snapshot)

    @cached_property
    def symbols(self) -> dict[Key, Symbol]:
        """The symbols of `paths`, files included."""
        if self.view.snapshot is None or not self.paths:
            return {}
        wanted = SymbolFilter(paths=tuple(self.paths), with_modules=True)
        return {(one.path, one.qualified_name): one for one in self.view.snapshot.symbols(wanted)}

    @cached_property
    def code(self) -> dict[FilePath, CodeFile]:
        """The regions of `paths`."""
        if self.view.snapshot is None or self.view.reader is None or not self.paths:
            return {}
        found = structure.code_files(self.view.snapshot, self.view.reader.unpack, self.paths)
        return {file.path: file for file in found}

    def version(self, key: Key) -> Version:
        """Return what is compared of a symbol of `paths`."""
        placement, ordinal = self._places[key]
        regions = self.code[key[0]].regions
        own = regions[placement]
        nested: list[str] = []
        if not ordinal and own.kind in _WITH_NESTED:
            prefix = f"{own.name}."
            inside = takewhile(lambda one: one.name.startswith(prefix), regions[placement + 1 :])
            nested = [one.facts.declarations[0].body_hash for one in inside]
        return Version(own.facts, ordinal, nested)

    def compared(self, paths: Iterable[FilePath]) -> dict[FilePath, FileVersion]:
        """Return files as lineage compares them."""
        if self.view.snapshot is None:
            return {}
        code = {path: self.code[path] for path in paths if path in self.code}
        keys = {path: (self.files[path].blob, self.files[path].language) for path in code}
        blobs = structure.blob_facts(self.view.snapshot, keys.values())
        return {
            path: FileVersion(path, blobs[keys[path]], [one.facts for one in file.regions])
            for path, file in code.items()
            if keys[path] in blobs and blobs[keys[path]].placements
        }

    @cached_property
    def _places(self) -> dict[Key, tuple[int, int]]:
        assert self.view.snapshot is not None  # noqa: S101 - it has symbols
        return structure.definitions(self.view.snapshot, self.paths)
