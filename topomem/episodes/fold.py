"""From events to episodes. What an episode is follows from the events that are given, and no more.

Whoever leaves out the events of later commits gets the episode as it was at an earlier one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from topomem.model.episode import (
    ARCHIVE,
    FINISH,
    OUTCOMES,
    PROSE,
    RELEVANCES,
    START,
    SUPERSEDE,
    Episode,
    Event,
    Links,
    Outcome,
    Relevance,
    SymbolLink,
)
from topomem.model.ids import CommitId, FilePath, Moniker

_Name = TypeVar("_Name")

LONGEST_TITLE = 120
"""Characters of a title that is made of a text."""


def fold(events: Iterable[Event]) -> list[Episode]:
    """Return the episodes that events tell, by when they began; the order of events is no matter.

    Events whose episode did not begin among them tell nothing.
    """
    by_root: dict[str, list[Event]] = defaultdict(list)
    for event in sorted(events, key=_order):
        by_root[event.root].append(event)
    found = []
    for root, members in by_root.items():
        first = next((one for one in members if one.id == root), None)
        if first is not None:
            rest = [one for one in members if one.id != root]
            found.append(_episode(first, rest))
    return sorted(found, key=lambda one: (*_order(one.first), one.id))


def title_of(event: Event) -> str:
    """Return what an event that begins an episode is called."""
    written = str(event.body.get("title") or "")
    if written:
        return written
    line = event.text.strip().partition("\n")[0]
    return line[:LONGEST_TITLE] or event.kind.replace("_", " ")


def outcome_of(event: Event) -> Outcome | None:
    """Return the outcome that an event states, None where it states none."""
    stated = event.body.get("outcome") or ("rolled_back" if event.kind == "rollback" else "")
    return next((one for one in OUTCOMES if one == stated), None)


def rival_text(kind: str, note: str, other: str) -> str:
    """Return the sentence that tells of two notes that contradict, given by their ids."""
    return f"{kind} {note} and {other} say nearly the same, but differ in what matters"


def _order(event: Event) -> tuple[int, int, str]:
    return event.recorded_at, event.number, event.id


def _episode(first: Event, rest: Sequence[Event]) -> Episode:
    events = (first, *rest)
    finishes = [one for one in events if outcome_of(one) is not None]
    last = finishes[-1] if finishes else None
    finished_as: Outcome = (outcome_of(last) if last else None) or "open"
    successors = tuple(
        dict.fromkeys(str(one.body.get("by") or "") for one in rest if one.kind == SUPERSEDE)
    )
    replaced = _replaced(events)
    return Episode(
        id=first.id,
        kind="episode" if first.kind == START else first.kind,
        title=title_of(first),
        outcome="superseded" if successors else finished_as,
        finished_as=finished_as,
        relevance=_relevance(events),
        events=events,
        conclusion=_conclusion(events, replaced),
        superseded_by=tuple(one for one in successors if one),
        archived=any(one.kind == ARCHIVE for one in rest),
        links=_links(events),
        replaced=replaced,
        conflicts=(*_rival_outcomes(finishes), *_rival_notes(events, replaced)),
    )


def _relevance(events: Sequence[Event]) -> Relevance:
    """Return the tag that was given last."""
    given = [event.body.get("relevance") for event in events if event.body.get("relevance")]
    last = given[-1] if given else "normal"
    return next((one for one in RELEVANCES if one == last), "normal")


def _conclusion(events: Sequence[Event], replaced: frozenset[str]) -> str:
    """Return what was concluded last."""
    texts = [
        event.text
        for event in events
        if event.kind in (FINISH, "conclusion") and event.text and event.id not in replaced
    ]
    return texts[-1] if texts else ""


def _replaced(events: Sequence[Event]) -> frozenset[str]:
    known = {event.id: event for event in events}
    return frozenset(
        old
        for event in events
        if event.kind in PROSE
        for old in event.names("replace")
        if old in known and known[old].kind in PROSE and old != event.id
    )


def _links(events: Sequence[Event]) -> Links:
    symbols = dict.fromkeys(
        SymbolLink(Moniker(name), CommitId(event.commit_id) if event.commit_id else None)
        for event in events
        for name in event.names("symbol")
    )
    return Links(
        symbols=tuple(symbols),
        paths=_each(events, "path", FilePath),
        issues=_each(events, "issue", str),
        decisions=_each(events, "decision", str),
        episodes=_each(events, "episode", str),
    )


def _each(events: Sequence[Event], kind: str, made: Callable[[str], _Name]) -> tuple[_Name, ...]:
    names = dict.fromkeys(name for event in events for name in event.names(kind))
    return tuple(made(name) for name in names)


def _rival_outcomes(finishes: Sequence[Event]) -> list[str]:
    """Return a sentence where one state of the code has two outcomes."""
    stated: dict[tuple[str, str], list[str]] = defaultdict(list)
    for event in finishes:
        if event.kind == "rollback":
            continue  # it may have worked before
        stated[event.commit_id, event.dirty].append(str(event.body["outcome"]))
    return [
        f"outcomes differ at one state of the code: {', '.join(dict.fromkeys(outcomes))}"
        for outcomes in stated.values()
        if len(set(outcomes)) > 1
    ]


def _rival_notes(events: Sequence[Event], replaced: frozenset[str]) -> list[str]:
    return [
        rival_text(event.kind, event.id, other)
        for event in events
        if event.id not in replaced
        for other in event.names("rival")
        if other not in replaced
    ]
