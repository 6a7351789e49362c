"""Owners of files, as CODEOWNERS says: the last pattern that matches a path wins.

Where the file has sections (`[Name]`, `^[Name][2] @default`), the last match of each section
counts, and a rule without owners takes those of its section. Without sections a rule without owners
says that nobody owns what it matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pathspec

from topomem.model.ids import FilePath
from topomem.model.structure import Ownership

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where the file may stand, the one that counts first."""

DEFAULT_PLACE = FilePath(PLACES[0])

LARGEST = 3_000_000
"""Bytes past which the file is ignored, as where it is in use."""

_WORD = re.compile(r"(?:\\.|[^\s\\])+")
_SECTION = re.compile(
    r"^\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?(?P<owners>(?:\s+[^\s#]\S*)*)\s*(?:#.*)?$"
)
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OWNER = re.compile(r"@+[\w.-]+(?:/[\w.-]+)*|[^@\s]+@[^@\s]+")


@dataclass(frozen=True, slots=True)
class _Rule:
    """One line. `direct`: only what stands in the folder itself. `excludes`: nobody owns it."""

    spec: pathspec.GitIgnoreSpec
    owners: tuple[str, ...]
    line: int
    direct: bool
    excludes: bool

    def matches(self, path: FilePath) -> bool:
        if not self.spec.match_file(path):
            return False
        return not (self.direct and self.spec.match_file(path.rpartition("/")[0]))


@dataclass(slots=True)
class _Section:
    name: str
    owners: tuple[str, ...] = ()
    rules: list[_Rule] = field(default_factory=list)


class Owners:
    """The rules of one file; `source` is where it stands."""

    def __init__(self, text: str, source: FilePath = DEFAULT_PLACE) -> None:
        self._source = source
        self._current = _Section("")
        self._sections = [self._current]
        for number, line in enumerate(text.splitlines(), 1):
            head = _SECTION.match(line)
            if head is not None:
                self._open(head)
            else:
                self._add(_COMMENT.sub("", line), number)

    def of(self, path: FilePath) -> tuple[str, ...]:
        """Return who owns a path; none where no rule matches, or the last one names nobody."""
        return tuple(dict.fromkeys(one.owner for one in self.owning(path)))

    def of_all(self, paths: Sequence[FilePath]) -> tuple[str, ...]:
        """Return the owners of any of these paths, each once."""
        return tuple(dict.fromkeys(owner for path in paths for owner in self.of(path)))

    def owning(self, path: FilePath) -> Iterator[Ownership]:
        """Yield each owner of a path with the line that says so."""
        for section in self._sections:
            rule = next((one for one in reversed(section.rules) if one.matches(path)), None)
            if rule is None or rule.excludes:
                continue
            for owner in rule.owners or section.owners:
                yield Ownership(owner, path, self._source, rule.line, section.name)

    def _open(self, head: re.Match[str]) -> None:
        """Go on in a section; those of one name, whatever its case, are one."""
        name, owners = head["name"].strip(), _owners(head["owners"].split())
        known = next((one for one in self._sections if one.name.lower() == name.lower()), None)
        if known is None:
            known = _Section(name)
            self._sections.append(known)
        known.owners = owners or known.owners
        self._current = known

    def _add(self, line: str, number: int) -> None:
        words = _WORD.findall(line)
        if not words:
            return
        excludes = words[0].startswith("!")
        if excludes and len(self._sections) == 1:
            return  # no such rule where there are no sections
        pattern = words[0].removeprefix("!").replace("\\ ", " ")
        if pattern.startswith("#"):
            pattern = f"\\{pattern}"
        try:
            spec = pathspec.GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            return
        direct = pattern.endswith("/*")
        rule = _Rule(spec, _owners(words[1:]), number, direct, excludes)
        self._current.rules.append(rule)


def _owners(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if _OWNER.fullmatch(word))
