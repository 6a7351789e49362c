"""A task as it was asked: its words, the names and places it spells out. Text is only ever data.

Nothing here looks at a repository: what is named may not exist there.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from topomem.model.words import normal, stem, words

LONGEST_TASK = 20_000
"""Characters of a task that are read; a longer one is a log, whose head and tail say what it is."""

FUNCTION_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being both but by can
    could did do does doing each either else ever for from get gets had has have he her here his
    how i if in instead into is it its just like may me might more most must my no not now of on
    only or other our out over same she should since so some still such than that the their them
    then there these they this those to too until up upon us very via was we were what when where
    whether which while who why will with within would yet you your
    """.split()  # noqa: SIM905  reads as prose
)
"""Words that only hold an English sentence together. In code they are rare, so their frequency
there does not tell; every other word is weighed by it."""

_PLACE = re.compile(
    r"""(?P<path>(?:[\w.@+~-]*[/\\])+[\w.@+-]+|[\w@+-]+(?:\.[\w@+-]+)+)
        (?:(?::|",\ line\ |,\ line\ |\#L|\()(?P<line>\d{1,7}))?""",
    re.VERBOSE,
)
_QUOTED = re.compile(r"`+([^`\n]{2,200})`+|\"([^\"\n]{2,200})\"|(?<!\w)'([^'\n]{2,200})'(?!\w)")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|\#)[^\W\d]\w*)*")
_PHRASE = 3
"""More names than this in quotes are a sentence."""
_SHAPED = re.compile(r"_|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|\.|::|\#")
"""What tells a name of code from a plain word."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the task: the forms it stands in, and how often."""

    stem: str
    forms: frozenset[str]
    count: int


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A path as written, perhaps with a wrong prefix, and a line (0: none)."""

    path: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """What a task says. `names` are spelled as in code (`Flask.url_for`), most telling first."""

    text: str
    terms: tuple[Term, ...]
    names: tuple[str, ...]
    places: tuple[Place, ...]


def read_question(task: str) -> Question:
    """Return what a task says. Never fails; an empty task says nothing."""
    text = _shortened(task.replace("\0", " "))
    return Question(text, _terms(text), _names(text), _places(text))


def _shortened(text: str) -> str:
    half = LONGEST_TASK // 2
    return text if len(text) <= LONGEST_TASK else text[:half] + "\n" + text[-half:]


def _terms(text: str) -> tuple[Term, ...]:
    forms: dict[str, Counter[str]] = {}
    for word in words(text):
        if word not in FUNCTION_WORDS:
            forms.setdefault(stem(word), Counter())[word] += 1
    return tuple(
        Term(root, frozenset(counts), counts.total()) for root, counts in sorted(forms.items())
    )


def _names(text: str) -> tuple[str, ...]:
    """Return names in quotes first, then those whose shape is that of code."""
    quoted = [next(filter(None, found.groups())) for found in _QUOTED.finditer(text)]
    few = [names for part in quoted if len(names := _NAME.findall(part)) <= _PHRASE]
    in_quotes = [name for names in few for name in names]
    called = [found.group() for found in re.finditer(rf"{_NAME.pattern}(?=\()", text)]
    shaped = [name for name in _NAME.findall(text) if _SHAPED.search(name.strip("_"))]
    found = [*in_quotes, *called, *shaped]
    spelled = (re.sub(r"::|#", ".", name) for name in found)
    kept = (name for name in spelled if len(name) > 1 and normal(name) not in FUNCTION_WORDS)
    return tuple(dict.fromkeys(kept))


def _places(text: str) -> tuple[Place, ...]:
    found = (
        Place(place["path"].replace("\\", "/").lstrip("./~"), int(place["line"] or 0))
        for place in _PLACE.finditer(text)
    )
    return tuple(dict.fromkeys(place for place in found if place.path))
