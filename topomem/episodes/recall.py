"""Which episodes speak of something: by their words, their relevance and how recent they are.

A question whose words are mostly not there is not answered: nothing is better than something else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from topomem.episodes.duplicates import jaccard, trigrams
from topomem.model.episode import WEIGHTS, Episode
from topomem.model.words import stem, words

TEXT, TAG, RECENT = 0.6, 0.25, 0.15
"""Shares of the score: the words that match, the relevance tag, and time."""

FADING_MS = 30 * 86_400_000
"""In so many milliseconds what is recent fades to a third."""

LEAST_COVERED = 0.4
"""Least share of a question's weight that an episode must cover to be an answer."""

FEWEST_WORDS = 2
"""So many words of a question must match, where it has as many."""

LEAST_LIKE = 0.2
LEAST_LIKE_ON_AVERAGE = 0.3
"""How much a word must look like one that is known, and all such words on average."""

_SHORTEST_TYPO = 4
_LONG = 8
_MOST_SLIPS = 2

FILLERS = frozenset(
    """
    а без был была были было быть в во вы где да для до его ее её если есть же за и из или им их к
    как ко когда который ли мы на над не него нее но о об он она они оно от по под после почему при
    про с со так там то только у уже что чтобы это этот я
    """.split()  # noqa: SIM905  reads as prose
)
"""Words of Russian that only hold a sentence together."""


@dataclass(frozen=True, slots=True)
class Match:
    """How much of a question an episode answers, 0 to 1, and by which stems."""

    share: float
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The stems of a question. `guessed` says which was read as another one, known here."""

    stems: tuple[str, ...]
    guessed: Mapping[str, str]

    @property
    def read(self) -> tuple[str, ...]:
        """The stems to look for."""
        return tuple(dict.fromkeys(self.guessed.get(one, one) for one in self.stems))


def ask(text: str, fillers: Collection[str] = ()) -> Asked:
    """Return the stems of a text, without words that only hold it together."""
    told = (word for word in words(text) if word not in fillers and word not in FILLERS)
    return Asked(tuple(dict.fromkeys(stem(word) for word in told)), {})


def with_guesses(
    asked: Asked, known: Collection[str], vocabulary: Callable[[int, int], Iterable[str]]
) -> Asked:
    """Return the question with words that are not known read as ones that look like them.

    `vocabulary` gives the stems that are known, of so many letters.
    """
    unknown = [
        one
        for one in asked.stems
        if one not in known and len(one) >= _SHORTEST_TYPO and one.isalpha()
    ]
    if not unknown:
        return asked
    lengths = [len(one) for one in unknown]
    every = list(vocabulary(min(lengths) - _MOST_SLIPS, max(lengths) + _MOST_SLIPS))
    guessed: dict[str, str] = {}
    likeness: list[float] = []
    for word in unknown:
        best = max(((_like(word, one), one) for one in every), default=(0.0, ""))
        if best[0] >= LEAST_LIKE:
            guessed[word] = best[1]
            likeness.append(best[0])
    if not likeness or sum(likeness) / len(likeness) < LEAST_LIKE_ON_AVERAGE:
        return asked
    return Asked(asked.stems, guessed)


def match(
    hits: Iterable[tuple[str, str]], stems: Sequence[str], total: int, least: float = LEAST_COVERED
) -> dict[str, Match]:
    """Return the episodes that answer a question, by id.

    `hits` are (episode, stem); the rarer a stem among all `total` episodes, the more it tells.
    """
    met: dict[str, list[str]] = defaultdict(list)
    spread: dict[str, int] = defaultdict(int)
    for root, one in hits:
        met[root].append(one)
        spread[one] += 1
    weights = {one: log(1 + total / (0.5 + spread[one])) for one in stems}
    whole = sum(weights.values())
    found = {}
    for root, mine in met.items():
        share = sum(weights.get(one, 0.0) for one in mine) / whole if whole else 0.0
        if share >= least and len(mine) >= min(FEWEST_WORDS, len(stems)):
            best = sorted(mine, key=lambda one: (-weights.get(one, 0.0), one))
            found[root] = Match(min(1.0, share), tuple(best))
    return found


def best(found: Mapping[str, Match], most: int) -> dict[str, Match]:
    """Return the matches that answer most of a question, at most so many."""
    if len(found) <= most:
        return dict(found)
    ranked = sorted(found.items(), key=lambda pair: (-pair[1].share, pair[0]))
    return dict(ranked[:most])


def score(episode: Episode, share: float, now: int) -> float:
    """Return how much speaks for an episode, 0 to 1; `now` is in milliseconds."""
    age = max(0, now - episode.last.recorded_at)
    recent = exp(-age / FADING_MS)
    return TEXT * share + TAG * WEIGHTS[episode.relevance] + RECENT * recent


def _like(word: str, other: str) -> float:
    """Return how alike two words are; 0 where more than a slip or two parts them."""
    slips = 1 if min(len(word), len(other)) < _LONG else _MOST_SLIPS
    if abs(len(word) - len(other)) > slips or len(set(word) ^ set(other)) > 2 * slips:
        return 0.0
    distance = _distance(word, other)
    if distance > slips:
        return 0.0
    return max(1 - distance / len(word), jaccard(trigrams(word), trigrams(other)))


def _distance(one: str, other: str) -> int:
    """Return how many letters to insert, drop, replace or swap make one word of the other."""
    rows = [list(range(len(other) + 1))]
    for at, letter in enumerate(one, 1):
        row = [at]
        for place, wanted in enumerate(other, 1):
            cost = min(rows[-1][place] + 1, row[-1] + 1, rows[-1][place - 1] + (letter != wanted))
            swapped = at > 1 and place > 1 and one[at - 2] == wanted and letter == other[place - 2]
            row.append(min(cost, rows[-2][place - 2] + 1) if swapped else cost)
        rows.append(row)
    return rows[-1][-1]
