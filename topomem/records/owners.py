"""Owners of files, as CODEOWNERS says: the last pattern that matches a path wins."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pathspec

from topomem.model.ids import FilePath

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where the file may stand, the one that counts first."""

_WORD = re.compile(r"(?:\\.|[^\s\\])+")
_SECTION = re.compile(r"^\^?\[[^\]]+\]")


class Owners:
    """The rules of one file."""

    def __init__(self, text: str) -> None:
        self._rules: list[tuple[pathspec.GitIgnoreSpec, tuple[str, ...]]] = []
        for line in text.splitlines():
            words = _WORD.findall(re.sub(r"(?:^|\s)#.*$", "", line))
            if words and not _SECTION.match(line) and not words[0].startswith("!"):
                spec = pathspec.GitIgnoreSpec.from_lines([words[0].replace("\\ ", " ")])
                self._rules.append((spec, tuple(words[1:])))

    def of(self, path: FilePath) -> tuple[str, ...]:
        """Return who owns a path; none where no rule matches, or the last one names nobody."""
        for spec, owners in reversed(self._rules):
            if spec.match_file(path):
                return owners
        return ()

    def of_all(self, paths: Sequence[FilePath]) -> tuple[str, ...]:
        """Return the owners of any of these paths, each once."""
        return tuple(dict.fromkeys(owner for path in paths for owner in self.of(path)))
