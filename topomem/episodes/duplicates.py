"""Notes that say the same in other words, and notes that only seem to.

Two texts are nearly the same when their character trigrams are. "is 5" and "is not 5" are that,
too; so what differs is looked at: a number, a negation, a path, an identifier or an outcome among
the differing words makes them rivals, never one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from topomem.model.words import normal

NEAR = 0.9
"""Share of common trigrams from which on two texts are nearly the same."""

_LEAST_OF_LENGTH, _SHORT = 0.8, 200
"""Texts whose lengths differ by more share too few trigrams; short ones are looked at anyway."""

MOST_COMPARED = 40
"""So many notes on one subject are compared when they are told."""

Likeness = Literal["same", "rival", "different"]

NEGATIONS = frozenset(
    """
    no not none never nor neither without cannot can't don't doesn't didn't isn't aren't wasn't
    weren't won't wouldn't shouldn't couldn't hasn't haven't hadn't unable lacks missing except
    unless disable disabled forbid forbidden deny denied must may should only always
    не нет ни без нельзя никогда никто ничего кроме запрещено можно нужно только всегда
    """.split()  # noqa: SIM905  reads as prose
)
"""Words that turn a sentence around, or change how strictly it holds."""

_OUTCOMES = re.compile(
    r"^(?:succe|fail|pass|broke|break|work|fix|revert|roll|abandon|supersed|error|ok$|green|red$"
    r"|crash|regress|improv|worse|better|faster|slower|more$|less$|higher|lower|increas|decreas"
    r"|enabl|disabl|open|clos|true$|false$|yes$"
    r"|успе|пада|упа|прош|работа|слома|исправ|отка|ошиб|быстр|медлен|больш|меньш|лучш|хуж)"
)
"""Beginnings of words that say how something ended, or which way it went."""

_TOKEN = re.compile(r"[^\s,;!?()\[\]{}\"“”«»]+")
_EDGE = ".:'`*"
_CODE = re.compile(r"[/\\_#@=<>]|::|\w\.\w|[a-z0-9][A-Z]|[A-Z]{2,}|\w\(\)|`")


def trigrams(text: str) -> frozenset[str]:
    """Return the runs of three characters of a text, spaces made equal, with its ends marked."""
    plain = f"  {' '.join(normal(text).split())} "
    return frozenset(plain[at : at + 3] for at in range(len(plain) - 2))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of what two sets have in common, 0 to 1."""
    every = len(one | other)
    return len(one & other) / every if every else 1.0


def likeness(old: str, new: str) -> Likeness:
    """Return whether a new text says what an old one says, seems to, or something else."""
    if " ".join(old.split()) == " ".join(new.split()):
        return "same"
    lengths = sorted((len(old), len(new)))
    if lengths[0] < _LEAST_OF_LENGTH * lengths[1] and lengths[1] > _SHORT:
        return "different"
    if jaccard(trigrams(old), trigrams(new)) < NEAR and not _differs_little(old, new):
        return "different"
    return "rival" if any(map(_matters, _differing(old, new))) else "same"


def rivals(notes: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs of notes, given as (id, text), that contradict; the last few are compared.

    Whoever writes compares with what is there; those who write apart cannot, so it is done again.
    """
    few = notes[-MOST_COMPARED:]
    return [
        (old, new)
        for at, (old, before) in enumerate(few)
        for new, after in few[at + 1 :]
        if likeness(before, after) == "rival"
    ]


def _differs_little(old: str, new: str) -> bool:
    """Whether short texts differ by one telling word: too short for trigrams to show it."""
    before, after = _tokens(old), _tokens(new)
    shortest = 4
    if min(len(before), len(after)) < shortest or abs(len(before) - len(after)) > 1:
        return False
    differing = _differing(old, new)
    return len(differing) in (1, 2) and all(map(_matters, differing))


def _differing(old: str, new: str) -> list[str]:
    """Return the words that stand in one text more often, or in another place, than in the other.

    Words in another order are all of those between the first and the last that differ.
    """
    before, after = _tokens(old), _tokens(new)
    left = _without(before, after) + _without(after, before)
    if left:
        return left
    moved = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    return [word for pair in moved for word in pair]


def _without(words: list[str], others: list[str]) -> list[str]:
    left = list(others)
    rest = []
    for word in words:
        if word in left:
            left.remove(word)
        else:
            rest.append(word)
    return rest


def _tokens(text: str) -> list[str]:
    found = (word.strip(_EDGE) for word in _TOKEN.findall(text.replace("’", "'")))
    return [word for word in found if word]


def _matters(word: str) -> bool:
    """Whether a word is a number, a negation, a path, an identifier or an outcome."""
    plain = normal(word)
    return bool(
        any(character.isdigit() for character in word)
        or plain in NEGATIONS
        or _CODE.search(word)
        or _OUTCOMES.match(plain)
    )
