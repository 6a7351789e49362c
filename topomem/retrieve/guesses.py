"""Words that stand nowhere here: parts of longer ones, or misspelt.

Zero hits is a signal to look further, not an answer. What is asked for and not there is looked for
inside longer words, then among words that differ by a letter or two. Two words are alike by the
share of their letter triples; a guess must be alike enough by itself, and all together more so. The
answer says what was guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from topomem.model.words import parts, stem
from topomem.retrieve.question import Question, Term
from topomem.store.search import Search, Word

LEAST_ALIKE = 0.2
"""A guess less alike than this is none."""

LEAST_ALIKE_TOGETHER = 0.3
"""And guesses that are less alike than this on the whole are none, all of them."""

_MOST_GUESSES = 3
_LOOKED_AT = 40
_ONE_LETTER = 4
"""Letters from which on one may be wrong."""

_TWO_LETTERS = 8
_SURE_LETTERS = 7
"""A plain word among others must have so many letters to be taken for misspelt."""

_MOST_LOOKED_UP = 12


@dataclass(frozen=True, slots=True)
class Guess:
    """A word of the question, what is there instead, and how alike both are (0..1)."""

    written: str
    word: str
    likeness: float
    how: str  # `part` of a longer word, `typo`


def guess(search: Search, question: Question, missing: Collection[str]) -> tuple[Guess, ...]:
    """Return what words that stand nowhere may mean; `missing` are their stems."""
    if not missing:
        return ()
    found: list[Guess] = []
    alone = len(missing) == len(question.terms)
    for written, is_sure in _wanted(question, missing, alone=alone):
        found += _guesses(search, written, is_sure=is_sure)
        if len(found) >= _MOST_LOOKED_UP:
            break
    if not found:
        return ()
    best: dict[str, float] = {}
    for one in found:
        best[one.written] = max(best.get(one.written, 0.0), one.likeness)
    together = sum(best.values()) / len(best)
    return tuple(found) if together >= LEAST_ALIKE_TOGETHER else ()


def corrected(question: Question, guesses: Sequence[Guess]) -> Question:
    """Return the question with what was guessed in the place of what was written."""
    written = {one.written for one in guesses}
    terms = {term.stem: term for term in question.terms if not term.forms <= written}
    for one in guesses:
        root = stem(one.word)
        known = terms.get(root, Term(root, frozenset(), 1))
        terms[root] = replace(known, forms=known.forms | {one.word})
    names = [*question.names, *(one.word for one in guesses)]
    ordered = tuple(terms[root] for root in sorted(terms))
    return replace(question, terms=ordered, names=tuple(dict.fromkeys(names)))


def likeness(one: str, other: str) -> float:
    """Return the share of letter triples that two words have in common, their ends counted."""
    left, right = _triples(one), _triples(other)
    return len(left & right) / max(len(left | right), 1)


def _triples(word: str) -> set[str]:
    padded = f"  {word} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


def _wanted(
    question: Question, missing: Collection[str], *, alone: bool
) -> Iterator[tuple[str, bool]]:
    """Yield the words to guess for; what is spelled as in code, or stands alone, is surely meant.

    Of a name the whole comes first; its parts only count where the name itself has none.
    """
    named = [word for name in question.names for word in _words(name)]
    plain = [form for term in question.terms for form in sorted(term.forms)]
    seen: set[str] = set()
    for word in [*named, *sorted(plain, key=lambda form: -len(form))]:
        if word in seen or stem(word) not in missing:
            continue
        seen.add(word)
        if word in named or alone:
            yield word, True
        elif len(word) >= _SURE_LETTERS and word.isalpha():
            yield word, False


def _words(name: str) -> Iterable[str]:
    return (word for run in name.split(".") for word in parts(run))


def _guesses(search: Search, written: str, *, is_sure: bool) -> list[Guess]:
    """Return the best guesses for one word."""
    if is_sure:
        inside = _visible(search, search.containing(written, _LOOKED_AT))
        if inside:
            return [
                Guess(written, one.text, max(LEAST_ALIKE_TOGETHER, likeness(written, one.text)),
                      "part")
                for one in inside[:_MOST_GUESSES]
            ]  # fmt: skip
    wrong = _may_be_wrong(written, is_sure=is_sure)
    if not wrong:
        return []
    near = [
        (distance, -alike, one)
        for one, distance in search.resembling(written, wrong, _LOOKED_AT)
        if (alike := likeness(written, one.text)) >= LEAST_ALIKE
    ]
    kept = {one.number for one in _visible(search, [one for _, _, one in near])}
    best = sorted((row for row in near if row[2].number in kept), key=lambda row: row[:2])
    return [
        Guess(written, one.text, -alike, "typo")
        for distance, alike, one in best[:_MOST_GUESSES]
        if distance == best[0][0]
    ]


def _may_be_wrong(written: str, *, is_sure: bool) -> int:
    """Return how many letters may be wrong."""
    if not is_sure:
        return 1
    return 2 if len(written) >= _TWO_LETTERS else 1 if len(written) >= _ONE_LETTER else 0


def _visible(search: Search, found: Sequence[Word]) -> list[Word]:
    """Return the words that stand somewhere in the snapshot."""
    if not found:
        return []
    here = {*search.hits(found).word.tolist(), *search.path_hits(found).word.tolist()}
    return [word for word in found if word.number in here]
