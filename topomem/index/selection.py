"""Which files are indexed, and as what."""

from __future__ import annotations

from functools import lru_cache

import pathspec

from topomem.index.blobs import Blobs
from topomem.index.configuration import Configuration
from topomem.languages.load import Language, Languages
from topomem.model.history import Mode, TreeEntry
from topomem.model.ids import BlobId, FilePath, LanguageName

NO_LANGUAGE = LanguageName("")
"""The language of files that are listed but not read."""

_HEAD_BYTES = 128
_SCRIPT_BYTES = 1 << 20
_KEPT = 1 << 16


class Selection:
    """Says for a path and its entry whether it is indexed, and in which language.

    Blobs are looked into only for files whose name does not tell. `unavailable` collects languages
    whose parser is not installed: their files are listed, not read.
    """

    def __init__(self, languages: Languages, configuration: Configuration, blobs: Blobs) -> None:
        self._languages = languages
        self._blobs = blobs
        self._excluded = pathspec.GitIgnoreSpec.from_lines(configuration.exclude)
        self._is_excluded = lru_cache(_KEPT)(self._excluded.match_file)
        self._by_name = lru_cache(_KEPT)(self._language_by_name)
        self._by_head = lru_cache(_KEPT)(self._head)
        self.unavailable: dict[LanguageName, str] = {}

    def wants(self, path: FilePath) -> bool:
        """Return whether a path is indexed at all."""
        return not (self._excluded.patterns and self._is_excluded(path))

    def language(self, path: FilePath, entry: TreeEntry) -> LanguageName:
        """Return the language a file is read as; NO_LANGUAGE where it is only listed.

        Links are never followed and submodules never entered: both are only listed.
        """
        if entry.mode not in (Mode.FILE, Mode.EXECUTABLE):
            return NO_LANGUAGE
        found = self._by_name(path)
        if found is None and "." not in path.rpartition("/")[2]:
            found = self._languages.for_path(path, self._by_head(entry.blob))
        if found is None:
            return NO_LANGUAGE
        if not found.available:
            self.unavailable[found.name] = found.spec.parser.requires
            return NO_LANGUAGE
        return found.name

    def _language_by_name(self, path: FilePath) -> Language | None:
        return self._languages.for_path(path)

    def _head(self, blob: BlobId) -> bytes:
        size = self._blobs.size(blob)
        if size is None or size > _SCRIPT_BYTES:
            return b""
        return (self._blobs.read(blob) or b"")[:_HEAD_BYTES]
