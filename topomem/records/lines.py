"""The lines of a text: what is prose, what is quoted or commented out, where sections begin.

Markdown, reStructuredText and AsciiDoc are read alike: their headings do not clash.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property

_FENCE = re.compile(r"^\s{0,3}(`{3,}(?!.*`)|~{3,})")
_HASHES = re.compile(r"^ {0,3}(#{1,6})[ \t]*([^#\s].*)$")
_EQUALS = re.compile(r"^(={1,6})[ \t]+(\S.*)$")
_UNDERLINE = re.compile(r"^([=\-~^\"'*+#.`:])\1{2,}[ \t]*$")
_BOLD_ALONE = re.compile(r"^\s{0,3}(?:\*\*|__)([^*_|]{2,60}?):?(?:\*\*|__):?[ \t]*$")
_NO_TITLE = re.compile(r"^\s*(?:[-*+>|#=]|\.\. |:)")
_LIST_ITEM = re.compile(r"^\s*\d+[.)]\s")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BOLD_LEVEL = 7
_LONGEST_LINE = 4_000
"""Characters of a line that are looked at."""
_MOST_HEADINGS = 1_000


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `line` 1-based. `body` is the first line behind it, `end` the last of its own."""

    level: int
    title: str
    line: int
    body: int
    end: int  # last line before the next heading of any level
    last: int  # last line before the next heading that is no deeper


class Lines:
    """A text by lines. `shown[n - 1]` is line n without comments; "" inside a code block."""

    def __init__(self, text: str, first: int = 1, bold: Container[str] = ()) -> None:
        """Take a text; lines before `first` are front matter and belong to nothing.

        A line in bold letters alone is a heading where it is one of `bold`.
        """
        self.first = first
        self._bold = bold
        self.raw = text.split("\n")
        bare = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text).split("\n")
        self.shown = _without_code(bare, first)

    def __len__(self) -> int:
        return len(self.raw)

    def line(self, number: int) -> str:
        """Return a line by its number."""
        return self.shown[number - 1]

    def is_quoted(self, number: int) -> bool:
        """Return whether a line is a block quote: somebody else's words."""
        return self.line(number).lstrip().startswith(">")

    @cached_property
    def headings(self) -> list[Heading]:
        """The headings in order, with their extents."""
        found = self._found_headings()
        starts = [line for _, _, line, _ in found]
        return [
            Heading(
                level,
                title,
                line,
                body,
                (starts[at + 1] - 1) if at + 1 < len(found) else len(self),
                next((other[2] - 1 for other in found[at + 1 :] if other[0] <= level), len(self)),
            )
            for at, (level, title, line, body) in enumerate(found)
        ]

    def heading_of(self, number: int) -> Heading | None:
        """Return the innermost heading a line stands under."""
        at = bisect_right([heading.line for heading in self.headings], number) - 1
        return self.headings[at] if at >= 0 else None

    @cached_property
    def preamble(self) -> range:
        """The lines before the first section: those with fields of the record."""
        titles = self.headings[:1]
        sections = [one for one in self.headings if one not in titles or one.level > 1]
        return range(self.first, sections[0].line if sections else len(self) + 1)

    def _found_headings(self) -> list[tuple[int, str, int, int]]:
        """Return (level, title, line, first line of the body)."""
        found: list[tuple[int, str, int, int]] = []
        marks: list[str] = []
        hashes = False
        for number in range(self.first, len(self) + 1):
            if len(found) >= _MOST_HEADINGS:
                break
            line = self.line(number)
            one = _HASHES.match(line) or _EQUALS.match(line)
            if one:
                hashes = hashes or line.lstrip().startswith("#")
                title = one[2].rstrip().rstrip("#").rstrip()
                found.append((len(one[1]), title, number, number + 1))
            elif under := self._underline(number):
                if under not in marks:
                    marks.append(under)
                level = (
                    "=-".index(under) + 1 if hashes and under in "=-" else marks.index(under) + 1
                )
                found.append((level, line.strip(), number, number + 2))
            elif (bold := _BOLD_ALONE.match(line)) and plain(bold[1]) in self._bold:
                found.append((_BOLD_LEVEL, bold[1], number, number + 1))
        return found

    def _underline(self, number: int) -> str:
        """Return the mark a title is underlined with; "" where the line is no title."""
        title = self.line(number)
        if number >= len(self) or not title.strip() or _NO_TITLE.match(title):
            return ""
        under = _UNDERLINE.match(self.line(number + 1))
        if under and _LIST_ITEM.match(title) and len(under.group().strip()) < len(title.strip()):
            return ""
        before = self.line(number - 1).strip() if number > self.first else ""
        if under is None or (before and not _UNDERLINE.match(before)):
            return ""
        return under[1]


def _without_code(lines: list[str], first: int) -> list[str]:
    shown: list[str] = []
    fence = ""
    for number, whole in enumerate(lines, 1):
        line = whole[:_LONGEST_LINE]
        mark = _FENCE.match(line)
        if number < first:
            shown.append("")
        elif fence:
            shown.append("")
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = ""
        elif mark and mark[1][0] in "`~":
            fence = mark[1]
            shown.append("")
        else:
            shown.append(line)
    return shown


def plain(text: str) -> str:
    """Return a title or key without emphasis, numbering and end marks, in lower case."""
    text = re.sub(r"[*_`]+", " ", text.casefold()).replace("(s)", "s")
    text = re.sub(r"^\W*(?:\d+(?:\.\d+)*[.):]?\s+)?", "", text)
    return re.sub(r"[\s\-]+", " ", text).strip(" \t:.#?")
