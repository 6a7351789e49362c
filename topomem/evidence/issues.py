"""Issues that a text says are dealt with: `Fixes #12`, `closes owner/repo#3`, `Resolves: ABC-7`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ADDRESS = r"https?://[^\s<>()\"'`]{1,200}?/(?:issues|-/issues|pull|pulls|merge_requests|browse)/[\w-]{1,40}"
_NUMBER = r"(?:[\w.-]{1,60}/[\w./-]{1,80})?[#!]\d{1,9}\b|\bGH-\d{1,9}\b"
_KEY = r"\b[A-Z][A-Z0-9]{1,15}-\d{1,9}\b"
_ISSUE = rf"(?:{_ADDRESS}|{_NUMBER}|{_KEY})"
_CLOSING = re.compile(
    rf"\b(?P<word>clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)"
    rf"(?P<sign>\s*:)?\s+(?:(?:issues?|bugs?|tickets?|ticket)\s+)?"
    rf"(?P<issues>{_ISSUE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s+)"
    rf"(?:(?:clos|fix|resolv)\w{{0,4}}:?\s+)?{_ISSUE}){{0,30}})",
    re.IGNORECASE,
)
_ONE = re.compile(_ISSUE)
_IN_ADDRESS = re.compile(
    r"https?://[^/]+/(?P<owner>[\w./-]+?)/(?:-/)?(?:issues|pulls?|merge_requests)/(?P<number>\d+)\Z"
)


@dataclass(frozen=True, slots=True)
class Closed:
    """An issue a text says is dealt with. `is_field`: as a field of its own, with a colon."""

    issue: str
    text: str
    is_field: bool


def closed_issues(text: str) -> Iterator[Closed]:
    """Yield the issues that a text closes, in order, each once."""
    seen: set[str] = set()
    for found in _CLOSING.finditer(text):
        for one in _ONE.finditer(found["issues"]):
            issue = issue_id(one.group())
            if issue not in seen:
                seen.add(issue)
                yield Closed(issue, f"{found['word']} {one.group()}", bool(found["sign"]))


def issue_id(text: str) -> str:
    """Return the short form of an issue: `#12`, `owner/repo#12`, `ABC-7`."""
    address = _IN_ADDRESS.match(text)
    if address:
        return f"{address['owner']}#{address['number']}"
    if text.upper().startswith("GH-"):
        return f"#{text[3:]}"
    return text.rpartition("/")[2] if text.startswith("http") else text
