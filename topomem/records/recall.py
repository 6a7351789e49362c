"""Which records a task should know of: those that govern what it is about, those that speak of it.

Only records that hold are recalled as current. What the task meets that was rejected or superseded
is told by name, with what took its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import log

from topomem.model.decision import ACTIVE, CLOSED
from topomem.model.ids import FilePath, Moniker
from topomem.model.words import stem, words
from topomem.records.board import Board, Entry
from topomem.records.governs import Governed

LEAST_GOVERNING = 0.45
"""Least confidence, weakened by rank, at which a record is recalled for what it governs."""

LEAST_COVERED = 0.5
"""Least share of a task's weight that a record's words must cover to be recalled by them alone."""

_FEWEST_WORDS = 2
_RANK_STEP = 0.08
_TITLE_BONUS = 0.25


@dataclass(frozen=True, slots=True)
class Recalled:
    """A record and why it is recalled; the score goes from 0 to 1."""

    entry: Entry
    score: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """Records that hold, best first; and those the task meets that do not hold (any more)."""

    current: tuple[Recalled, ...] = ()
    passed: tuple[Recalled, ...] = field(default=())


GovernedBy = Callable[[Entry], Sequence[Governed]]


def recall(
    records: Board, governed_by: GovernedBy, stems: Collection[str], targets: Sequence[Moniker]
) -> Recall:
    """Return the records for a task: its stems, and the symbols that answer it, best first."""
    if not records.entries:
        return Recall()
    weights = _weights(records, stems)
    current: dict[FilePath, Recalled] = {}
    passed: list[Recalled] = []
    for path, entry in records.entries.items():
        spoken, said = _spoken(entry, weights)
        if entry.status in CLOSED:
            if spoken >= LEAST_COVERED:
                passed.append(Recalled(entry, spoken, said))
            continue
        if entry.status not in ACTIVE:
            continue
        ruling, why = _governing(governed_by(entry), targets)
        if ruling >= LEAST_GOVERNING or spoken >= LEAST_COVERED:
            current[path] = Recalled(entry, max(ruling, spoken), (*why, *said))
    for one in passed:
        for successor in _successors(records, one.entry):
            reason = f"took the place of {one.entry.placed.path}"
            known = current.get(successor.placed.path)
            score = max(one.score, known.score if known else 0.0)
            why = (*(known.why if known else ()), reason)
            current[successor.placed.path] = Recalled(successor, score, why)
    return Recall(_best_first(current.values()), _best_first(passed))


def governing(
    records: Board, governed_by: GovernedBy, target: Moniker
) -> list[tuple[Entry, Governed]]:
    """Return the records that hold and govern a symbol, itself or through what holds it."""
    found = []
    for entry in records.entries.values():
        if entry.status in ACTIVE:
            covering = [one for one in governed_by(entry) if one.covers_symbol(target)]
            if covering:
                found.append((entry, max(covering, key=lambda one: one.confidence)))
    return sorted(found, key=lambda pair: (-pair[1].confidence, pair[0].placed.path))


def _weights(records: Board, stems: Collection[str]) -> dict[str, float]:
    """Return how much each stem of the task tells: the rarer among records, the more."""
    known = [frozenset(entry.placed.decision.words) for entry in records.entries.values()]
    total = len(known)
    return {one: log(1 + total / (0.5 + sum(one in said for said in known))) for one in stems}


def _spoken(entry: Entry, weights: dict[str, float]) -> tuple[float, tuple[str, ...]]:
    """Return the share of the task's weight that a record's words cover, and those words."""
    whole = sum(weights.values())
    said = frozenset(entry.placed.decision.words)
    met = [one for one in weights if one in said]
    if not whole or len(met) < min(_FEWEST_WORDS, len(weights)):
        return 0.0, ()
    title = {stem(word) for word in words(entry.placed.title)}
    share = sum(weights[one] for one in met) / whole
    in_title = sum(weights[one] for one in met if one in title) / whole
    score = min(1.0, share * (1 - _TITLE_BONUS) + in_title * _TITLE_BONUS)
    best = sorted(met, key=lambda one: (-weights[one], one))
    return score, ("speaks of " + ", ".join(best[:5]),)


def _governing(
    governs: Sequence[Governed], targets: Sequence[Moniker]
) -> tuple[float, tuple[str, ...]]:
    """Return how surely a record governs the best targets, and which."""
    best, why = 0.0, ""
    for rank, target in enumerate(targets):
        for one in governs:
            sure = one.confidence * (1 - _RANK_STEP * rank)
            if sure > best and one.covers_symbol(target):
                best, why = sure, f"governs {one.kind} {one.target}"
    return best, (why,) if why else ()


def _successors(records: Board, entry: Entry) -> list[Entry]:
    """Return the records that hold at the end of a chain of supersession."""
    found: list[Entry] = []
    seen = {entry.placed.path}
    waiting = [entry]
    while waiting:
        for link in waiting.pop().linked("superseded_by"):
            if link.path is None or link.path in seen:
                continue
            seen.add(link.path)
            following = records.entries[link.path]
            if following.status in ACTIVE:
                found.append(following)
            else:
                waiting.append(following)
    return found


def _best_first(recalled: Collection[Recalled]) -> tuple[Recalled, ...]:
    return tuple(sorted(recalled, key=lambda one: (-one.score, one.entry.placed.path)))
