"""What commits tell: words of their messages lead to the code that they changed.

A message speaks the language of people, the change that of the code: this bridge between both is
the repository's own. A commit counts by how much of the question's weight its message has, and the
more the younger it is and the less it changed; each unit it changed gets a share.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from topomem.model.ids import CommitId
from topomem.retrieve.lexical import Floats
from topomem.retrieve.question import Term
from topomem.store.changes import Changes, Messages, Place
from topomem.store.search import Search, Word

_DAY = 86_400
_USUAL = 200
"""Characters of a message that is neither short nor long."""


@dataclass(frozen=True, slots=True)
class LoreModel:
    """Constants of what commits tell; `model.json` gives and explains them."""

    commits: int
    days: float
    saturation: float
    length: float
    power: float
    spread: float
    ticket: float


@dataclass(frozen=True, slots=True)
class Lore:
    """How much commits speak for each unit and file (0..1), and which do so most for a unit."""

    unit: Floats
    file: Floats
    commits: Mapping[int, tuple[CommitId, ...]] = field(default_factory=dict)


def no_lore(search: Search) -> Lore:
    """Return what is told where there is no history."""
    return Lore(np.zeros(len(search.units)), np.zeros(len(search.files)))


def find_lore(
    search: Search,
    changes: Changes,
    terms: Sequence[Term],
    tickets: Sequence[str],
    model: LoreModel,
) -> Lore:
    """Return what the commits behind a snapshot tell of a question."""
    words = search.vocabulary([term.stem for term in terms])
    scores = _scores(changes, terms, words, model)
    top = max(scores.values(), default=1.0)
    for place in changes.naming(tickets):
        scores[place] = scores.get(place, 0.0) + model.ticket * top
    best = sorted(scores, key=lambda place: (-scores[place], place))[: model.commits]
    return _spread(search, changes, {place: scores[place] for place in best}, model)


def _scores(
    changes: Changes, terms: Sequence[Term], words: Sequence[Word], model: LoreModel
) -> dict[Place, float]:
    """Return how much each commit's message answers, the younger the more."""
    messages = changes.messages([word.number for word in words])
    if not len(messages.word):
        return {}
    stems = {word.number: word.stem for word in words}
    found: dict[Place, set[str]] = defaultdict(set)
    for place, number in zip(messages.places, messages.word.tolist(), strict=True):
        found[place].add(stems[number])
    rarity = _rarity(terms, found, changes.total)
    lengths = dict(zip(messages.places, messages.length.tolist(), strict=True))
    ages = _ages(messages)
    scores = {}
    for place, roots in found.items():
        norm = model.saturation * (1 - model.length + model.length * lengths[place] / _USUAL)
        weight = sum(rarity[root] for root in sorted(roots)) / (1 + norm)
        scores[place] = weight**model.power * math.exp(-ages[place] / model.days)
    return scores


def _rarity(terms: Sequence[Term], found: Mapping[Place, set[str]], total: int) -> dict[str, float]:
    counts: dict[str, int] = defaultdict(int)
    for roots in found.values():
        for root in roots:
            counts[root] += 1
    return {
        term.stem: math.log1p((total - counts[term.stem] + 0.5) / (counts[term.stem] + 0.5))
        for term in terms
    }


def _ages(messages: Messages) -> dict[Place, float]:
    """Return how many days each commit is older than the youngest that says something."""
    latest = int(messages.date.max())
    days = ((latest - messages.date) / _DAY).tolist()
    return dict(zip(messages.places, days, strict=True))


def _spread(
    search: Search, changes: Changes, scores: Mapping[Place, float], model: LoreModel
) -> Lore:
    """Give each unit and file its share of the commits that changed it."""
    unit, file = np.zeros(len(search.units)), np.zeros(len(search.files))
    reasons: dict[int, list[tuple[float, CommitId]]] = defaultdict(list)
    for place, change in changes.of(list(scores)).items():
        share = scores[place] / len(change.units) ** model.spread
        files = {int(search.units.file[one]) for one in change.units}
        for one in change.units:
            unit[one] += share
            reasons[one].append((share, change.commit))
        for one in files:
            file[one] += scores[place] / change.files**model.spread
    return Lore(
        unit / max(float(unit.max(initial=0.0)), 1e-9),
        file / max(float(file.max(initial=0.0)), 1e-9),
        {one: tuple(commit for _, commit in sorted(told, reverse=True))
         for one, told in reasons.items()},
    )  # fmt: skip
