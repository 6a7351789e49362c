"""Texts of records, made and changed: a new one, a successor's mark, a new status.

A change keeps everything else as it stands, line ends too, and is checked by reading the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topomem.errors import UsageError
from topomem.model.decision import Decision
from topomem.records.lines import plain
from topomem.records.parse import parse
from topomem.records.places import is_date

_NAME = re.compile(r"^(?P<before>(?:[A-Za-z]+[-_])?)(?P<digits>\d+)(?P<mark>[-_])")
_WIDTH = 4
_LONGEST_SLUG = 60
_FRONT_STATUS = re.compile(r"^(\s*[\"']?(?:status|state)[\"']?\s*:\s*)(.*?)(\s*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a new record begins with."""

    title: str
    status: str = "proposed"
    date: str = ""
    owners: tuple[str, ...] = ()
    governs: tuple[str, ...] = ()
    supersedes: tuple[
        tuple[str, str], ...
    ] = ()  # (title, address) of records it takes the place of
    related: tuple[tuple[str, str], ...] = ()


def new_record(draft: Draft) -> str:
    """Return the text of a new record in the form of MADR 4."""
    front = [f"status: {draft.status}"]
    front += [f"date: {draft.date}"] if draft.date else []
    front += _list("decision-makers", draft.owners) + _list("governs", draft.governs)
    links = [f"* Supersedes [{title}]({address})" for title, address in draft.supersedes]
    links += [f"* Related: [{title}]({address})" for title, address in draft.related]
    parts = [
        "---\n" + "\n".join(front) + "\n---",
        f"# {draft.title}",
        "## Context and Problem Statement",
        "## Decision Drivers",
        "## Considered Options",
        "## Decision Outcome",
        "### Consequences",
        "### Confirmation",
        "## More Information",
        *(["\n".join(links)] if links else []),
    ]
    return "\n\n".join(parts) + "\n"


def next_name(names: Iterable[str], title: str, today: str) -> str:
    """Return the name of a new record's file, after the manner of those that are there."""
    found = [match for name in sorted(names) if (match := _NAME.match(name))]
    slug = re.sub(r"[^\w]+", "-", plain(title)).strip("-")[:_LONGEST_SLUG].strip("-") or "decision"
    if not found:
        return f"{1:0{_WIDTH}}-{slug}.md"
    last = found[-1]
    if sum(is_date(match["digits"]) for match in found) * 2 > len(found):
        return f"{last['before']}{today.replace('-', '')}{last['mark']}{slug}.md"
    numbers = [match for match in found if not is_date(match["digits"])]
    last = max(numbers, key=lambda match: int(match["digits"]))
    number = int(last["digits"]) + 1
    return f"{last['before']}{number:0{len(last['digits'])}}{last['mark']}{slug}.md"


def with_status(text: str, status: str) -> str:
    """Return a record with another status, in place of the one it has.

    Raises UsageError where the text has no status, or would not be read that way afterwards.
    """
    decision = parse(text.encode())
    place = decision.part("status")
    if place is None:
        raise UsageError("it has no status to change")
    end, lines = _lines(text)
    at, last = place.start_line - 1, place.end_line - 1
    written = decision.status_text.split("\n")[0]
    if lines[0] == "---" and (front := _FRONT_STATUS.match(lines[at])):
        lines[at] = f'{front[1]}"{_escaped(status)}"{front[3]}'
    elif at == last and lines[at].strip() != written:
        before, found, after = lines[at].rpartition(written)
        if not found:
            raise UsageError("its status is not written in one place")
        lines[at] = before + status + after
    else:
        lines[at : last + 1] = [status]
    changed = end.join(lines)
    if status not in parse(changed.encode()).status_text:
        raise UsageError("its status would not be read that way")
    return changed


def with_line(text: str, line: str) -> str:
    """Return a record that says one more thing of other records: under its status, or its links."""
    decision = parse(text.encode())
    end, lines = _lines(text)
    status, links = decision.part("status"), decision.part("links")
    if links is not None:
        bullet = "*" if any(one.startswith("* ") for one in lines) else "-"
        at = min(links.end_line, len(lines))
        added = [f"{bullet} {line}"]
        if lines[at - 1].strip() and not re.match(r"\s*[-*+] ", lines[at - 1]):
            added = ["", *added]
        lines[at:at] = added
    elif status is not None and _is_section(decision, lines):
        lines[status.end_line : status.end_line] = ["", line]
    else:
        while lines and not lines[-1].strip():
            lines.pop()
        lines += ["", "## Links", "", f"* {line}", ""]
    return end.join(lines)


def _is_section(decision: Decision, lines: Sequence[str]) -> bool:
    status = decision.part("status")
    return (
        status is not None
        and lines[status.start_line - 1].strip() == (decision.status_text.split("\n")[0])
    )


def _lines(text: str) -> tuple[str, list[str]]:
    end = "\r\n" if "\r\n" in text else "\n"
    return end, text.replace("\r\n", "\n").split("\n")


def _list(key: str, values: Sequence[str]) -> list[str]:
    if not values:
        return []
    return [f"{key}:", *(f'  - "{_escaped(value)}"' for value in values)]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
