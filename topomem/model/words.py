"""How text becomes words: one rule for what is indexed and for what is asked.

A word is in one normal form (NFKC, case-folded). An identifier gives itself and its parts, cut at
underscores, case changes and digits: `getHTTPResponse2` gives `gethttpresponse2`, `get`, `http`,
`response`. Scripts written without spaces give their character pairs. `stem` makes forms of one
word meet; it is applied to the vocabulary, never to the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import pairwise

LONGEST = 80
"""Longer runs are data (digests, encoded bytes), not words."""

_RUN = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")

_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgklmnprt])\1$")
_DERIVED = (
    ("isation", "iz"),
    ("ization", "iz"),
    ("isers", "iz"),
    ("izers", "iz"),
    ("iser", "iz"),
    ("izer", "iz"),
    ("ising", "iz"),
    ("ised", "iz"),
    ("ise", "iz"),
    ("ations", "at"),
    ("ation", "at"),
    ("ators", "at"),
    ("ator", "at"),
    ("tions", "t"),
    ("tion", "t"),
    ("ments", ""),
    ("ment", ""),
    ("ness", ""),
    ("able", ""),
    ("ible", ""),
    ("ally", ""),
    ("ly", ""),
    ("ers", ""),
    ("ors", ""),
    ("er", ""),
    ("or", ""),
)
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_CYRILLIC_ENDING = re.compile(
    r"(?:ываться|ывается|ивается|ывать|ивать|ывает|ивает|ывал[аио]?|ивал[аио]?|ованн\w{1,3}|ование|ования|ованию"
    r"|анн\w{1,3}|енн\w{1,3}|ировать|ирует|овать|иться|ается|ться|тся|ешь|ишь|ите|ете|ать|ять|ить"
    r"|еть|ала|ало|али|ила|ило|или|ана|ано|аны|ена|ено|ены|ние|ния|нию|нием|ний|ами|ями|ого|его"
    r"|ому|ему|ыми|ими|ает|яет|ует|ют|ут|ят|ат|ит|ет|ал|ил|ан|ен|ам|ям|ах|ях|ой|ей|ый|ий|ая|яя"
    r"|ое|ее|ые|ие|ых|их|ым|им|ом|ем|ою|ею|ую|юю|ов|ев|ия|ию|ии|ью|а|я|о|е|ы|и|у|ю|ь|й)$"
)


def normal(text: str) -> str:
    """Return the form in which text is compared."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


@lru_cache(maxsize=1 << 16)
def parts(run: str) -> tuple[str, ...]:
    """Return the words of one run of letters, digits and underscores, the whole first."""
    if not run.isascii():
        return _foreign_parts(unicodedata.normalize("NFKC", run))
    if len(run) > LONGEST:
        return ()
    whole = run.strip("_").lower()
    found = [part.lower() for part in _PART.findall(run)]
    kept = [part for part in found if len(part) > 1]
    if found == [whole]:
        return tuple(kept)
    return (whole, *kept) if len(whole) > 1 else ()


def words(text: str) -> list[str]:
    """Return all words of a text in order."""
    return [word for run in _RUN.findall(text) for word in parts(run)]


def count_runs(text: str) -> Counter[str]:
    """Return how often each run of letters, digits and underscores stands in a text."""
    return Counter(_RUN.findall(text))


def count_words(text: str) -> Counter[str]:
    """Return how often each word stands in a text."""
    counts: Counter[str] = Counter()
    for run, number in count_runs(text).items():
        for word in parts(run):
            counts[word] += number
    return counts


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what the forms of one word have in common; words of other scripts stay as they are."""
    if not word.isascii():
        return _cyrillic_stem(word) if _CYRILLIC.search(word) else word
    if not word.isalpha() or len(word) <= len("use"):
        return word[:-1] if word == "use" else word
    return _without_inflection(_singular(word))


def _foreign_parts(run: str) -> tuple[str, ...]:
    if len(run) > LONGEST and not _UNSPACED.search(run):
        return ()
    found: list[str] = []
    place = 0
    for unspaced in _UNSPACED.finditer(run):
        found += _cased_parts(run[place : unspaced.start()])
        characters = unspaced.group()
        pairs = ["".join(pair) for pair in pairwise(characters)]
        found += pairs or [characters]
        place = unspaced.end()
    found += _cased_parts(run[place:])
    return tuple(found)


def _cased_parts(run: str) -> list[str]:
    """Cut a run of any alphabet where its case or class changes; the whole comes first."""
    pieces: list[str] = []
    before = ""
    for character, following in pairwise([*run, ""]):
        if character == "_":
            before = ""
            continue
        starts = not before or character.isdigit() != before.isdigit()
        rises = character.isupper() and (not before.isupper() or following.islower())
        if starts or rises:
            pieces.append(character)
        else:
            pieces[-1] += character
        before = character
    folded = [normal(piece) for piece in pieces]
    whole = normal(run.strip("_"))
    kept = [piece for piece in folded if len(piece) > 1]
    if folded == [whole]:
        return kept
    return [whole, *kept] if len(whole) > 1 else []


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > len("ties"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_inflection(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and not word.endswith("eed") and _VOWEL.search(rest):
            word = _DOUBLED.sub(r"\1", rest) if len(rest) > len("add") else rest
            break
    for ending, replacement in _DERIVED:
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= len("load") - (replacement != ""):
            word = rest + replacement
            break
    return word.removesuffix("e") if len(word) > 2 else word  # noqa: PLR2004  two letters stay


def _cyrillic_stem(word: str) -> str:
    shortest = 4
    found = _CYRILLIC_ENDING.search(word, min(shortest, len(word)))
    return word[: found.start()] if found else word
