"""Where names occur in a snapshot: which files may hold a definition or a use of a name.

Answers are *supersets*: whoever asks looks at the files themselves. That lets a store that already
has such an index serve it, and lets the one in memory be kept up by file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from topomem.link.files import FileFacts
from topomem.link.views import Trees
from topomem.model.ids import FilePath


class Mentions(Protocol):
    """Finds files by the texts in them."""

    def files_with(self, name: str) -> Iterable[FilePath]:
        """Return the files whose reduced trees or definitions may hold `name`."""
        ...

    def put(self, facts: FileFacts) -> None:
        """Take in a file, or its new content."""
        ...

    def drop(self, path: FilePath) -> None:
        """Forget a file."""
        ...


class NameIndex:
    """The index in memory. Regions are read at the first question, not before."""

    def __init__(self, trees: Trees) -> None:
        self._trees = trees
        self._paths: dict[str, set[FilePath]] = {}
        self._texts: dict[FilePath, set[str]] = {}
        self._waiting: dict[FilePath, FileFacts] = {}

    def files_with(self, name: str) -> Iterable[FilePath]:
        """Return the files that hold the text `name`."""
        for path, facts in self._waiting.items():
            texts = set().union(*[self._trees.names(region) for region in facts.regions])
            before = self._texts.get(path, set())
            self._texts[path] = texts
            for text in before - texts:
                self._paths[text].discard(path)
            for text in texts - before:
                self._paths.setdefault(text, set()).add(path)
        self._waiting.clear()
        return self._paths.get(name, ())

    def put(self, facts: FileFacts) -> None:
        """Take in a file, or its new content."""
        self._waiting[facts.path] = facts

    def drop(self, path: FilePath) -> None:
        """Forget a file."""
        self._waiting.pop(path, None)
        for text in self._texts.pop(path, ()):
            self._paths[text].discard(path)
