"""Fitting what was found into a budget of tokens: which items, and how much of each.

Candidates come best first. Each is shown whole when it fits; parts of one definition that follow
each other become one item, which saves a heading. A strong candidate that is too large for what is
left is shown by its header, then by its name alone. Nothing is added that would exceed the budget,
the first item included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from topomem.model.bundle import Detail
from topomem.retrieve.rank import Candidate

STRONG = 0.6
"""Share of the best score from which on a candidate is worth showing by its header alone."""

_MISSES = 40
"""So many candidates in a row that do not fit end the search."""


@dataclass(slots=True)
class Choice:
    """Lines of one file that will be one item; `members` are the candidates in it."""

    file: int
    start: int
    end: int
    detail: Detail
    members: list[Candidate] = field(default_factory=list)
    price: int = 0  # tokens, once it is chosen

    @property
    def score(self) -> float:
        """Return the best score of a member."""
        return max(member.score for member in self.members)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was chosen, best first, and the candidates that were not."""

    choices: tuple[Choice, ...]
    left: tuple[Candidate, ...]

    @property
    def price(self) -> int:
        """Return the tokens of what was chosen."""
        return sum(choice.price for choice in self.choices)

    @property
    def units(self) -> set[int]:
        """Return the units that are shown, in whole or in part."""
        return {member.stretch.unit for choice in self.choices for member in choice.members}


class Printer(Protocol):
    """What fitting has to know of the text that choices are made of."""

    def cost(self, choice: Choice) -> int:
        """Return the tokens that a choice takes when it is printed."""

    def header(self, candidate: Candidate) -> tuple[int, int] | None:
        """Return the lines of the header of a candidate's unit; None where it has none."""

    def adjoin(self, first: Choice, second: Choice) -> bool:
        """Return whether two bodies of one file, in order, can be read as one passage."""


class _Plan:
    """The choices so far and what they cost."""

    def __init__(self, budget: int, printer: Printer) -> None:
        self._budget, self._printer = budget, printer
        self._used = 0
        self.choices: list[Choice] = []

    def add(self, choice: Choice) -> bool:
        """Add a choice, joined with its neighbours, if the budget allows."""
        near = [other for other in self.choices if self._adjoin(choice, other)]
        joined = _join(choice, near) if near else choice
        joined.price = self._printer.cost(joined)
        used = self._used + joined.price - sum(other.price for other in near)
        if used > self._budget:
            return False
        self._used = used
        place = min((self.choices.index(other) for other in near), default=len(self.choices))
        self.choices = [other for other in self.choices if other not in near]
        self.choices.insert(place, joined)
        return True

    def _adjoin(self, one: Choice, other: Choice) -> bool:
        if one.file != other.file or (one.detail, other.detail) != ("body", "body"):
            return False
        return self._printer.adjoin(*sorted((one, other), key=lambda choice: choice.start))


def fit(candidates: Sequence[Candidate], budget: int, printer: Printer) -> Fitted:
    """Return what fits into `budget` tokens, greedily in the order of the candidates."""
    plan = _Plan(budget, printer)
    left: list[Candidate] = []
    best = candidates[0].score if candidates else 0.0
    misses = 0
    shown: set[int] = set()
    for place, candidate in enumerate(candidates):
        strong = candidate.score >= STRONG * best and candidate.stretch.unit not in shown
        forms = _forms(candidate, printer if strong else None)
        if any(plan.add(choice) for choice in forms):
            shown.add(candidate.stretch.unit)
            misses = 0
            continue
        left.append(candidate)
        misses += 1
        if misses > _MISSES:
            left += candidates[place + 1 :]
            break
    return Fitted(tuple(plan.choices), tuple(left))


def _forms(candidate: Candidate, printer: Printer | None) -> list[Choice]:
    """Return the ways to show a candidate, fullest first."""
    stretch = candidate.stretch
    forms = [Choice(candidate.file, stretch.start, stretch.end, "body", [candidate])]
    lines = printer.header(candidate) if printer else None
    if lines is not None:
        forms.append(Choice(candidate.file, *lines, "signature", [candidate]))
        forms.append(Choice(candidate.file, lines[0], lines[0], "name", [candidate]))
    return forms


def _join(choice: Choice, near: Sequence[Choice]) -> Choice:
    every = [choice, *near]
    members = [member for one in every for member in one.members]
    members.sort(key=lambda member: member.stretch)
    start, end = min(one.start for one in every), max(one.end for one in every)
    return Choice(choice.file, start, end, "body", members)
