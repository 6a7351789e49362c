"""From the bytes of one file to the decision it records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from topomem.model.code import Diagnostic
from topomem.model.decision import Decision, Part
from topomem.model.words import stem, words
from topomem.records.dates import Date, months_first, read_date
from topomem.records.fields import (
    DATE_KEYS,
    OWNER_KEYS,
    REVIEW_KEYS,
    STATUS_KEYS,
    Field,
    first,
    front_fields,
    head_fields,
    paragraphs,
    people,
    sections,
)
from topomem.records.front_matter import FrontMatter, read_front_matter
from topomem.records.lines import Heading, Lines, plain
from topomem.records.mentions import COMPONENT_TITLES, INVARIANT_TITLES, invariants, mentions
from topomem.records.relations import relations
from topomem.records.status import read_status

VERSION = 6
"""Changes with what `parse` says of a text."""

PARTS: dict[str, tuple[str, ...]] = {
    "context": (
        "context", "context and problem statement", "problem statement", "problem", "background",
        "motivation", "issue", "intro", "introduction", "abstract", "summary", "why",
        "context and problem", "problem description",
    ),
    "decision": (
        "decision", "decision outcome", "decisions", "solution", "proposal", "resolution",
        "outcome", "proposed solution", "proposed decision", "detailed design", "what",
        "chosen option", "our decision", "the decision",
    ),
    "alternatives": (
        "alternatives", "considered options", "options", "options considered",
        "alternative approaches", "alternatives considered", "considered alternatives",
        "pros and cons of the options", "rejected alternatives", "rejected options",
        "alternative solutions", "other options",
    ),
    "consequences": (
        "consequences", "implications", "impact", "results", "result", "trade offs", "tradeoffs",
        "risks", "positive consequences", "negative consequences",
    ),
    "constraints": (
        "constraints", "decision drivers", "drivers", "requirements", "assumptions", "forces",
        "goals", "non goals", "desired properties", "quality attributes",
    ),
    "invariants": INVARIANT_TITLES,
    "components": COMPONENT_TITLES,
    "links": (
        "links", "references", "related", "related decisions", "see also", "more information",
        "related adrs", "notes", "further reading",
    ),
    "changelog": ("changelog", "change log", "history", "revision history", "log"),
    "owners": OWNER_KEYS,
    "date": DATE_KEYS,
    "status": STATUS_KEYS,
}  # fmt: skip
_PART_OF = {title: name for name, titles in PARTS.items() for title in titles}
_NUMBERED = re.compile(
    r"^\W*(?:(?:ADR|MADR|LADR|RFC|Decision(?: record)?|Architecture decision record)[\s\-_#:]*"
    r"0*(\d{1,5})(?![\d.]*\d)|0*(\d{1,5})(?=[.):\s–—-]+\s))\s*[\s.:)\-–—]*",
    re.IGNORECASE,
)
_STATE_LINE = re.compile(
    r"^\W*(?:(?:partly|partially|in part)\W+)?(?:super[sc]ee?de[ds]|replace[ds]|obsolete[ds]"
    r"|amend(?:s|ed)|deprecated|rejected|withdrawn|reverted|invalidated|implemented|accepted"
    r"|approved|proposed)\b",
    re.IGNORECASE,
)
_LONGEST_STATUS = 500
_LONGEST_TITLE = 300


def parse(source: bytes) -> Decision:
    """Return what a text records. Never raises for what is in it."""
    text = source.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _Parsing(text).decision()


def has_status(decision: Decision) -> bool:
    """Return whether a text says a status at all, so that it is a record wherever it stands."""
    return bool(decision.status_text)


class _Parsing:
    """One text with its fields."""

    def __init__(self, text: str) -> None:
        self._front: FrontMatter = read_front_matter(text)
        self._lines = Lines(text, self._front.end + 1, _PART_OF)
        self._fields: list[Field] = [*front_fields(self._front), *head_fields(self._lines)]
        self._troubles: list[Diagnostic] = list(self._front.diagnostics)
        self._months_first = months_first(text)

    def decision(self) -> Decision:
        title, number = self._title()
        state = self._status_field()
        meaning = read_status(state.text if state else "")
        if meaning.trouble:
            line = state.start_line if state else 0
            self._trouble(
                meaning.trouble, state.text[:80] if state else "no status was found", line
            )
        date = self._date()
        dated = self._read_date(date)
        review = first(self._fields, *REVIEW_KEYS)
        reviewed = read_date(review.text, month_first=self._months_first) if review else None
        state_lines = range(state.start_line, state.end_line + 1) if state else range(0)
        related = relations(self._lines, self._front, state_lines)
        partly = meaning.partly_superseded or (
            meaning.status in ("accepted", "implemented")
            and any(one.kind == "superseded_by" for one in related)
        )
        return Decision(
            title=title,
            number=number,
            status=meaning.status,
            status_text=state.text if state else "",
            partly_superseded=partly,
            date=dated.iso if dated else "",
            date_text=date.text if date else "",
            owners=self._owners(),
            review_date=reviewed.iso if reviewed else "",
            parts=tuple(self._parts(state, date, review)),
            relations=tuple(related),
            mentions=tuple(mentions(self._lines, self._front)),
            invariants=tuple(invariants(self._lines, self._front)),
            diagnostics=tuple(self._troubles),
            words=self._words(),
            line_count=len(self._lines),
        )

    def _words(self) -> tuple[str, ...]:
        """Return the stems of what is said outside code blocks and comments."""
        said = "\n".join([*self._lines.shown, *(value.text for value in self._front.values)])
        return tuple(sorted({stem(word) for word in words(said)}))

    def _trouble(self, code: str, message: str, line: int = 0) -> None:
        self._troubles.append(Diagnostic(code, message, line, line))

    def _title(self) -> tuple[str, int | None]:
        said = first(self._fields[: len(self._front.values)], "title")
        headings = self._lines.headings
        known = [one for one in headings if plain(one.title) not in _PART_OF]
        best = min(known[:1] or [], key=lambda one: one.level, default=None)
        text = said.text if said else best.title if best else ""
        if not text:
            self._trouble("no_title", "no title was found")
        found = _NUMBERED.match(text)
        number = next((int(group) for group in found.groups() if group), None) if found else None
        rest = text[found.end() :] if found else re.sub(r"^M?ADR\s*[:–—-]\s*", "", text)
        return re.sub(r"[*_`]+", "", rest or text).strip()[:_LONGEST_TITLE], number

    def _status_field(self) -> Field | None:
        front = self._fields[: len(self._front.values)]
        if said := first(front, *STATUS_KEYS):
            return said
        for heading in self._titled("status"):
            if found := self._status_section(heading):
                return found
        return first(self._fields, *STATUS_KEYS)

    def _titled(self, name: str) -> Iterator[Heading]:
        """Yield the sections of a part, and those whose title goes on behind a colon."""
        yield from sections(self._lines, *PARTS[name])
        for heading in self._lines.headings:
            key, colon, _ = heading.title.partition(":")
            if colon and plain(key) in PARTS[name] and plain(heading.title) not in PARTS[name]:
                yield heading

    def _status_section(self, heading: Heading) -> Field | None:
        """Return a status section's first paragraph, and later ones that begin with a state."""
        _, colon, behind = heading.title.partition(":")
        if colon and behind.strip(" *_"):
            return Field("status", behind.strip(" *_"), heading.line, heading.line)
        found = list(paragraphs(self._lines, heading.body, heading.end))
        found = [one for one in found if not one[2].startswith("[//]:")]
        if not found:
            return None
        wanted = [found[0], *(one for one in found[1:] if _STATE_LINE.match(_bare(one[2])))]
        text = "\n".join(_state_lines(text) for _, _, text in wanted)
        return Field("status", text[:_LONGEST_STATUS], wanted[0][0], wanted[-1][1])

    def _date(self) -> Field | None:
        if said := first(self._fields, *DATE_KEYS):
            return said
        for name in ("date", "status", "changelog"):
            for heading in self._titled(name):
                dated = [
                    Field("date", text, start, start)
                    for number in range(heading.body, heading.end + 1)
                    for start, text in [(number, self._lines.line(number).strip())]
                    if read_date(text)
                ]
                if dated:
                    return max(dated, key=lambda one: (self._iso(one.text), one.start_line))
        return None

    def _read_date(self, date: Field | None) -> Date | None:
        found = read_date(date.text, month_first=self._months_first) if date else None
        if date is None:
            self._trouble("no_date", "no date was found")
        elif found is None:
            self._trouble("unknown_date", date.text[:80], date.start_line)
        elif found.ambiguous:
            words = f"{date.text[:80]} is read as {found.iso}"
            self._trouble("ambiguous_date", words, date.start_line)
        return found

    def _iso(self, text: str) -> str:
        found = read_date(text, month_first=self._months_first)
        return found.iso if found else ""

    def _owners(self) -> tuple[str, ...]:
        said = [field.text for field in self._fields if field.key in OWNER_KEYS]
        for heading in self._titled("owners"):
            said += [text for _, _, text in paragraphs(self._lines, heading.body, heading.end)]
        return people(said)

    def _parts(self, *fields: Field | None) -> Iterator[Part]:
        for name, field in zip(("status", "date", "review_date"), fields, strict=True):
            if field is not None:
                yield Part(name, field.key, field.start_line, field.end_line)
        seen = {name for name, field in zip(("status", "date"), fields, strict=False) if field}
        for field in self._fields:
            if field.key in OWNER_KEYS:
                yield Part("owners", field.key, field.start_line, field.end_line)
        for heading in self._lines.headings:
            name = _PART_OF.get(plain(heading.title), "")
            if name and name not in seen and heading.last >= heading.body:
                yield Part(name, heading.title, heading.body, _last_text(self._lines, heading))


def _bare(text: str) -> str:
    return re.sub(r"^\W+", "", text)


def _state_lines(text: str) -> str:
    """Return the lines of a paragraph that say the status: not the list that may follow it."""
    lines = text.split("\n")
    kept = [lines[0]]
    for line in lines[1:]:
        is_item = bool(re.match(r"[-*+]\s", line))
        if is_item and not _STATE_LINE.match(_bare(line)):
            break
        kept.append(line)
    return "\n".join(kept)


def _last_text(lines: Lines, heading: Heading) -> int:
    """Return the last line of a section that is not blank."""
    return next(
        (at for at in range(heading.last, heading.body, -1) if lines.raw[at - 1].strip()),
        heading.body,
    )
