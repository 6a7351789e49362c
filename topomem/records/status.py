"""What a status text means: one of eight states, whether only a part was superseded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from topomem.model.decision import Status

WORDS: Mapping[Status, tuple[str, ...]] = {
    "superseded": (
        "superseded", "superceded", "superseeded", "replaced", "obsoleted", "invalidated",
        "reverted", "overridden", "overruled",
    ),
    "deprecated": ("deprecated", "obsolete", "outdated", "retired", "archived", "expired"),
    "rejected": ("rejected", "declined", "refused", "not accepted", "won't do", "wontfix"),
    "withdrawn": ("withdrawn", "abandoned", "cancelled", "canceled", "retracted", "dropped"),
    "implemented": ("implemented", "done", "completed", "complete", "shipped", "enacted"),
    "accepted": (
        "accepted", "approved", "active", "final", "finalized", "finalised", "adopted", "amended",
        "agreed", "decided", "ratified", "in force", "in effect", "current", "closed", "valid",
        "confirmed",
    ),
    "proposed": (
        "proposed", "proposal", "draft", "drafted", "in review", "under review", "review",
        "reviewing", "for review", "in revision", "pending", "on hold", "provisional", "deferred",
        "postponed", "incomplete", "in progress", "work in progress", "wip", "open",
        "under discussion", "in discussion", "under consideration", "rfc", "undecided", "tbd",
        "experimental", "unapproved", "planned", "idea", "new", "paused",
    ),
}  # fmt: skip
"""The spellings of each state seen in records; of a text the first word that is one counts."""

_STATE = {word: state for state, words in WORDS.items() for word in words}
_ANY = re.compile(
    r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(_STATE, key=len)[::-1])) + r")(?!\w)"
)
_NOT = re.compile(r"(?:\bnot(?: yet)?|\bnever|\bto be|\bwill be|\bn't|\bun)[ -]+$")
_SUPERSEDED_BY = re.compile(
    r"(?<!\w)(?:super[sc]ee?ded|replaced|obsoleted|invalidated|overridden)[\s-]*(?:by|in)?\b"
)
_PARTLY = re.compile(
    r"\b(?:part(?:ly|ially|s)?|in part|some(?: parts)?|sections?)\b[^.;\n]{0,60}?"
    r"(?:super[sc]ee?d|replaced|obsoleted)"
    r"|(?:super[sc]ee?ded|replaced)[ -]*(?:in part|partly|partially)\b"
)
_BRACES = re.compile(r"^\W*\{.*\}\W*$", re.DOTALL)
_CHOICE = re.compile(r"\s*[|/]\s*|\s+or\s+")
_TEMPLATE_STATES = 3
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Meaning:
    """The state a text names; `trouble` is a diagnostic's code where it names none."""

    status: Status
    partly_superseded: bool = False
    trouble: str = ""


def read_status(text: str) -> Meaning:
    """Return what a status text means; its own words come first, then words of later lines."""
    said = re.sub(r"[*_`~]+", "", text[:_LONGEST].casefold()).strip()
    said = re.sub(r"\]\([^)\s]*\)|<https?:[^>]*>|https?:\S+", "]", said)
    if not said:
        return Meaning("unknown", trouble="no_status")
    if is_template(said):
        return Meaning("unknown", trouble="template_status")
    found = [
        (match.start(), _STATE[match.group()])
        for match in _ANY.finditer(said)
        if not _NOT.search(said[: match.start()])
    ]
    partly = bool(_PARTLY.search(said))
    states = [state for _, state in found if not (partly and state == "superseded")]
    if partly:
        return Meaning(next(iter(states), "accepted"), partly_superseded=True)
    if any(state == "superseded" for state in states) and _SUPERSEDED_BY.search(said):
        return Meaning("superseded")
    if states:
        return Meaning(_latest(said) or states[0])
    return Meaning("unknown", trouble="unknown_status")


def is_template(said: str) -> bool:
    """Return whether a text is a choice still to be made, as templates have it."""
    if _BRACES.match(said):
        return True
    choices = [choice for choice in _CHOICE.split(said) if _ANY.search(choice)]
    return len(choices) >= _TEMPLATE_STATES and len({_first(choice) for choice in choices}) > 1


def _first(text: str) -> str:
    found = _ANY.search(text)
    return _STATE[found.group()] if found else ""


_DATED = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")


def _latest(said: str) -> Status | None:
    """Return the state of the newest entry where every line is a state with its date."""
    dated: list[tuple[str, int, Status]] = []
    lines = [line for line in said.split("\n") if line.strip()]
    for number, line in enumerate(lines):
        date, state = _DATED.search(line), _ANY.search(line)
        if date is None or state is None:
            return None
        dated.append((date[1], number, _STATE[state.group()]))
    return max(dated)[2] if len(dated) > 1 else None
