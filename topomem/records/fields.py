"""Fields of a record's head: `Status: x`, a list item, a table row, a bold key, front matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from topomem.records.front_matter import FrontMatter
from topomem.records.lines import Heading, Lines, plain

STATUS_KEYS = ("status", "state", "adr status", "decision status", "current status")
DATE_KEYS = (
    "date", "decision date", "decided on", "decided", "last updated", "updated", "created",
    "date decided", "accepted date", "last modified",
)  # fmt: skip
OWNER_KEYS = (
    "owner", "owners", "deciders", "decider", "decision makers", "decision maker", "decided by",
    "author", "authors", "decision owner", "decision owners", "responsible", "approvers",
    "maintainers",
)  # fmt: skip
REVIEW_KEYS = (
    "review date", "review by", "review on", "next review", "revisit", "revisit by", "revisit on",
    "reviewdate", "expires", "valid until", "review",
)  # fmt: skip
ALL_KEYS = frozenset((*STATUS_KEYS, *DATE_KEYS, *OWNER_KEYS, *REVIEW_KEYS))

_FIELD = re.compile(
    r"^\s{0,6}(?:[-*+]\s+|\|\s*)?:?[*_`]*(?P<key>[A-Za-z][\w \-/]{0,40}?)[*_`]*\s*:[*_`]*"
    r"(?:\s+|(?=\S)(?!//))(?P<value>\S.*?)\s*\|?\s*$"
)
_SPACED = re.compile(r"^(?:[-*+]\s+)?(?P<key>Date|Status|Author)\s+(?P<value>\S.*?)\s*$")
_ROW = re.compile(r"^\s*\|(.+?)\|?\s*$")
_RULE = re.compile(r"^[\s|:\-]+$")
_HEAD_LINES = 60
_LONGEST_PLACEHOLDER = 300
_PLACEHOLDER = re.compile(r"^\W*[\[{<][^\](}>]*[\]}>]\W*$")


@dataclass(frozen=True, slots=True)
class Field:
    """A value found under a key; `key` as `plain` gives it."""

    key: str
    text: str
    start_line: int
    end_line: int


def front_fields(front: FrontMatter) -> list[Field]:
    """Return the values of front matter as fields."""
    return [
        Field(value.key.replace("-", " "), value.text, value.line, value.line)
        for value in front.values
        if not value.kind
    ]


def head_fields(lines: Lines) -> list[Field]:
    """Return the fields written in the head of a text, in order; quotes and code do not count."""
    found: list[Field] = []
    header: list[str] = []
    for number in _head(lines):
        line = lines.line(number)
        if lines.is_quoted(number) or not line.strip():
            header = []
            continue
        row = _ROW.match(line)
        if row is None:
            header = []
            found += _written(line, number)
            continue
        cells = [cell.strip() for cell in row[1].split("|")]
        found += _cells(cells, header, number)
        if not _RULE.match(line):
            header = header or [plain(cell) for cell in cells]
    return found


def _head(lines: Lines) -> Iterable[int]:
    """Return the lines that may hold fields: before the first section, else the first ones."""
    preamble = lines.preamble
    last = min(len(lines), lines.first + _HEAD_LINES)
    titles = {heading.line for heading in lines.headings}
    early = [number for number in preamble if number not in titles]
    rest = range(preamble.stop, last + 1)
    return [*early, *(number for number in rest if number not in titles)]


def _written(line: str, number: int) -> Iterator[Field]:
    found = _FIELD.match(line) or _SPACED.match(line)
    if found:
        value = re.sub(r"^[*_`\s]+|[*_`\s]+$", "", found["value"])
        if value:
            yield Field(plain(found["key"]), value, number, number)


def _cells(cells: Sequence[str], header: Sequence[str], number: int) -> Iterator[Field]:
    """Yield a row's fields: key and value beside each other, or keys in the row above."""
    if _RULE.match("|".join(cells)):
        return
    if len(cells) == 2 and cells[1] and plain(cells[1]) not in ALL_KEYS:  # noqa: PLR2004 - key, value
        yield Field(plain(cells[0]), cells[1], number, number)
    if header:
        for key, cell in zip(header, cells, strict=False):
            if cell and key != plain(cell):
                yield Field(key, cell, number, number)


def first(fields: Iterable[Field], *keys: str) -> Field | None:
    """Return the first field under any of the keys that says something."""
    wanted = set(keys)
    return next((f for f in fields if f.key in wanted and not is_placeholder(f.text)), None)


def is_placeholder(text: str) -> bool:
    """Return whether a text is what a template left to be filled in."""
    if len(text) > _LONGEST_PLACEHOLDER:
        return False
    return bool(_PLACEHOLDER.match(text)) and "](" not in text and " by " not in text


def sections(lines: Lines, *keys: str) -> list[Heading]:
    """Return the sections with one of these titles, the highest level first."""
    wanted = set(keys)
    found = [heading for heading in lines.headings if plain(heading.title) in wanted]
    return sorted(found, key=lambda heading: (heading.level, heading.line))


def paragraphs(lines: Lines, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, text) of what stands between two lines; quotes are left out."""
    held: list[str] = []
    begun = 0
    for number in range(start, min(end, len(lines)) + 1):
        line = "" if lines.is_quoted(number) else lines.line(number).strip()
        if line:
            begun = begun or number
            held.append(line)
        elif held:
            yield begun, number - 1, "\n".join(held)
            held, begun = [], 0
    if held:
        yield begun, min(end, len(lines)), "\n".join(held)


_BETWEEN = re.compile(r"\s*(?:[,;\n]|\s+and\s+|\s&\s)\s*")


def people(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names in texts, each once; placeholders are no names."""
    found: dict[str, None] = {}
    for text in texts:
        if is_placeholder(text) or text.casefold().startswith(("[list", "{list", "list everyone")):
            continue
        for name in _BETWEEN.split(text):
            bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", name)
            bare = re.sub(r"^[-*+]\s+", "", bare).strip(" *_`[]\"'.")
            if bare and not is_placeholder(name):
                found[bare] = None
    return tuple(found)
