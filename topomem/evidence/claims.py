"""What the message of one commit claims of other commits and of issues, as it is written.

Lines that quote another message are not its own. A message may claim several things, or lie.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from topomem.evidence.issues import closed_issues
from topomem.evidence.texts import shorten
from topomem.model.evidence import HistoryKind

_LONGEST = 64_000
"""Characters of a message that are looked at."""
_MOST = 200
_LONGEST_TEXT = 200

_ID = r"(?:https?://[^\s<>]{1,200}/commit/)?\b(?P<id>[0-9a-f]{7,64})\b(?![-.][\w])"
_IDS = r"(?P<ids>(?:[0-9a-f]{7,64}\b(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*\n\s*)?){1,100})"
_GIT_ID = re.compile(r"[0-9a-f]{7,64}")
_NOT = re.compile(
    r"\b(?:not|n't|never|without|instead of|rather than|don't)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE
)

_REVERT_TITLE = re.compile(
    r"^(?:\[[^\]\n]{1,40}\]\s*|\w[\w./-]{0,40}(?:\([^)\n]{1,40}\))?!?:\s+|\*\s+)?"
    r"(?P<word>reverts?|reverted|back(?:ed)? ?out|rollback|roll back|re-?apply"
    r"|re-?land(?:ed|ing)?|un-?revert)"
    r"(?::|\s+of)?\s+[\"\u201c'](?P<title>.+)[\"\u201d'](?:\s*[.(#].{0,60})?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_PLAIN_REVERT = re.compile(
    r"\A(?:revert|rollback|roll back|back out)(?::|\s+of)?:?\s+(?P<title>[^\"“'\n]{8,200})$",
    re.IGNORECASE | re.MULTILINE,
)
_AGAIN = re.compile(r"re-?apply|re-?land|un-?revert", re.IGNORECASE)

_OBJECT = (
    r"(?: (?:a |the )?(?:bug|regression|breakage|issue|error|mistake|problem|typo|build|tests?))?"
)
_OF_WHAT = r"(?:(?:of|the|part of|changes? (?:in|from)) ){0,4}(?:commits? |changeset )?"
_KERNEL_TITLE = r"(?:\s*\(\"(?P<title>.{1,300}?)\"\))?"
_CAUSES = r"(?:introduced|broken|caused|regressed|regression|added|missed|forgotten)"
_PATTERNS: tuple[tuple[HistoryKind, str, float, str], ...] = (
    # taken back, and brought back
    ("reverts", "message", 1.0, rf"\bThis (?P<part>partially )?reverts commits? {_IDS}"),
    ("reverts", "message", 1.0, rf"^Reverts?(?: commits?)?:? {_IDS}"),
    (
        "reverts",
        "message",
        0.9,
        rf"\b(?P<part>partial(?:ly)? )?revert(?:s|ed|ing)? {_OF_WHAT}{_ID}",
    ),
    ("reverts", "message", 1.0, rf"\bBack(?:ed)? ?out (?:changesets? |commits? )?{_IDS}"),
    ("reverts", "message", 0.9, rf"\broll(?:s|ed)?[- ]?back (?:of )?(?:commits? )?{_ID}"),
    (
        "relands",
        "message",
        1.0,
        rf"\bre-?(?:land|appl)(?:y|ies|ied|ed|ing)?(?: of)?(?: commits?)? {_ID}",
    ),
    # repaired
    (
        "fixes",
        "trailer",
        1.0,
        rf"^Fixes:\s*(?:commit )?{_ID}(?:\s*\(\"(?P<title>.{{1,300}}?)\"\))?",
    ),
    (
        "fixes",
        "message",
        0.9,
        rf"\bfix(?:es|ed|ing)?(?: up)?{_OBJECT}(?: (?:in|from|of|with|after))? (?:commit )?{_ID}",
    ),
    (
        "fixes",
        "message",
        0.9,
        rf"\b{_CAUSES}(?: (?:in|by|from|since|with|after)){{1,3}} (?:commit )?{_ID}",
    ),
    (
        "follows_up",
        "message",
        0.9,
        rf"\bfollow(?:s|ing)?[- ]?up(?: (?:to|of|on|for|from|fix)){{0,3}}:? (?:commit )?{_ID}",
    ),
    ("amends", "message", 0.9, rf"\bAmends?:? (?:commit )?{_ID}"),
    # copied
    ("picks", "trailer", 1.0, rf"\(?cherry[- ]picked from (?:commit )?{_ID}"),
    ("picks", "trailer", 1.0, rf"^\s*\[ *Upstream commit {_ID} *\]"),
    ("picks", "trailer", 1.0, rf"^\s*commit {_ID} upstream\b"),
    ("picks", "message", 0.9, rf"\bback-?port(?:s|ed)?(?: (?:of|from)){{0,2}}:? (?:commit )?{_ID}"),
)
_COMPILED = tuple(
    (kind, source, confidence, re.compile(pattern, re.IGNORECASE | re.MULTILINE))
    for kind, source, confidence, pattern in _PATTERNS
)
_ANY = re.compile(
    r"revert|back|roll|land|appl|fix|introduc|broke|caused|regress|added|missed|forgotten|follow|amend"
    r"|cherry|upstream"
)
"""What every pattern has one of; most messages have none."""
_AUTOSQUASH = re.compile(r"\A(?P<word>fixup|squash|amend)! (?P<title>.{1,300})$", re.MULTILINE)
_REVERTED_REQUEST = re.compile(
    r"^Reverts (?P<issue>[\w.-]{1,60}/[\w./-]{1,80}[#!]\d{1,9})\b", re.MULTILINE
)
_QUOTING = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_PARTIAL = 0.7


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: of a commit by id, by title or by both, or of an issue."""

    kind: HistoryKind
    text: str
    method: Literal["parsed", "inferred"]
    source: str
    confidence: float
    id: str = ""
    title: str = ""
    issue: str = ""


def claims_of(message: str) -> list[Claim]:
    """Return what a message claims, in the order of kinds and then of the message."""
    text = _QUOTING.sub("", message[:_LONGEST])
    claims = [*_by_title(text), *_by_id(text), *_of_issues(text)]
    return _joined(claims)[:_MOST]


def title_of(message: str) -> str:
    """Return the first line of a message that is not empty."""
    return message.lstrip().partition("\n")[0].strip()


def _by_title(text: str) -> Iterator[Claim]:
    squashed = _AUTOSQUASH.match(text)
    if squashed:
        title = squashed["title"].strip()
        while inner := _AUTOSQUASH.match(title):  # `fixup! fixup! x` is one more for x
            title = inner["title"].strip()
        found = _GIT_ID.fullmatch(title)
        yield Claim(
            "amends", _told(squashed), "parsed", "title", 1.0,
            id=title if found else "", title="" if found else title,
        )  # fmt: skip
    for found in _REVERT_TITLE.finditer(text):
        kind: HistoryKind = "relands" if _AGAIN.match(found["word"]) else "reverts"
        title = found["title"].strip()
        if not _GIT_ID.fullmatch(title):
            yield Claim(kind, _told(found), "inferred", "title", 1.0, title=title)
    plain = _PLAIN_REVERT.match(text)
    if plain and not _GIT_ID.search(plain["title"]):
        yield Claim("reverts", _told(plain), "inferred", "title", 0.5, title=plain["title"].strip())


def _by_id(text: str) -> Iterator[Claim]:
    if not _GIT_ID.search(text) or not _ANY.search(text.lower()):
        return
    for kind, source, confidence, pattern in _COMPILED:
        for found in pattern.finditer(text):
            line_start = text.rfind("\n", 0, found.start()) + 1
            if _NOT.search(text[line_start : found.start()]):
                continue
            groups = found.groupdict()
            sure = confidence * (_PARTIAL if groups.get("part") else 1.0)
            method: Literal["parsed", "inferred"] = "parsed" if confidence == 1.0 else "inferred"
            for one in _GIT_ID.findall((groups.get("ids") or groups["id"] or "").lower()):
                yield Claim(
                    kind, _told(found), method, source, sure, id=one,
                    title=(groups.get("title") or "").strip(),
                )  # fmt: skip


def _of_issues(text: str) -> Iterator[Claim]:
    for closed in closed_issues(text):
        sure = 1.0 if closed.is_field else 0.95
        yield Claim(
            "closes", shorten(closed.text, _LONGEST_TEXT), "parsed", "message", sure,
            issue=closed.issue,
        )  # fmt: skip
    for found in _REVERTED_REQUEST.finditer(text):
        yield Claim("reverts", _told(found), "parsed", "message", 1.0, issue=found["issue"])


def _joined(claims: list[Claim]) -> list[Claim]:
    """Return claims without those said twice; one title and one id of a revert are one claim."""
    titles = [one for one in claims if one.kind == "reverts" and one.title and not one.id]
    ids = [one for one in claims if one.kind == "reverts" and one.id]
    distinct = {one.id for one in ids}
    if len(titles) == 1 and len(distinct) == 1:
        first = ids[0]
        both = Claim(
            "reverts", first.text, first.method, first.source, first.confidence, first.id,
            titles[0].title,
        )  # fmt: skip
        claims = [both, *(one for one in claims if one not in titles and one not in ids)]
    kept: dict[tuple[str, str, str, str], Claim] = {}
    for one in claims:
        key = (one.kind, one.id, "" if one.id else one.title, one.issue)
        before = kept.get(key)
        if before is None or one.confidence > before.confidence:
            kept[key] = one
    told = {one.id for one in kept.values() if one.kind in ("reverts", "picks") and one.id}
    return [one for one in kept.values() if one.kind != "fixes" or one.id not in told]


def _told(found: re.Match[str]) -> str:
    return shorten(" ".join(found.group().split()), _LONGEST_TEXT)
