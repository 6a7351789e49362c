"""What a question names outright: files by path, units by name, a place in a stack trace."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from topomem.model.words import normal
from topomem.retrieve.question import Place, Question
from topomem.retrieve.stretches import extents
from topomem.store.search import Search

_MANY = 12
"""A name that more units have than this tells nothing by itself."""

_ALONE = 0.5
"""How strongly a bundle is about what is named and nothing else is said."""


@dataclass(slots=True)
class Seeds:
    """Units and files that the question names, with how much that says (0..1) and why."""

    units: dict[int, float] = field(default_factory=dict)
    files: dict[int, float] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)  # of units
    file_reasons: dict[int, str] = field(default_factory=dict)
    focus: dict[int, float] = field(default_factory=dict)  # of units the bundle is to be about

    def add_unit(self, unit: int, strength: float, reason: str) -> None:
        """Keep the strongest reason for a unit."""
        if strength > self.units.get(unit, 0.0):
            self.units[unit], self.reasons[unit] = strength, reason

    def add_focus(self, unit: int, strength: float, reason: str) -> None:
        """Let the bundle be about a unit; the strongest reason is kept, above any other."""
        if strength > self.focus.get(unit, 0.0):
            self.focus[unit], self.reasons[unit] = strength, reason
            self.units[unit] = max(1.0, self.units.get(unit, 0.0))

    def add_file(self, file: int, strength: float, reason: str) -> None:
        """Keep the strongest reason for a file."""
        if strength > self.files.get(file, 0.0):
            self.files[file], self.file_reasons[file] = strength, reason


def find_seeds(search: Search, question: Question, rarity: Mapping[str, float]) -> Seeds:
    """Return what the question names. `rarity` weighs its plain words (0..1), by normal form."""
    seeds = Seeds()
    _add_names(seeds, search, question, rarity)
    _add_places(seeds, search, question.places)
    _add_stems(seeds, search, question)
    return seeds


def _add_names(
    seeds: Seeds, search: Search, question: Question, rarity: Mapping[str, float]
) -> None:
    spelled = {_key(name): name for name in reversed(question.names)}
    plain = {form: form for term in question.terms for form in term.forms if len(form) > len("run")}
    found = search.named(sorted({*spelled, *plain} - {""}))
    count = Counter(_key(name) for _, name in found)
    asked = max(spelled, key=len, default="") if len(question.text.split()) == 1 else ""
    for unit, name in found:
        key = _key(name)
        strength = rarity.get(key, 0.5)
        if count[key] > _MANY:
            strength /= 2
        written = spelled.get(key)
        if written is not None:
            strength = max(strength, _likeness(written, name, count[key]))
        seeds.add_unit(unit, strength, f"named {key}")
        if key == asked:  # nothing else is asked for
            seeds.add_focus(unit, _ALONE * strength, f"named {key}")


def _likeness(written: str, name: str, rivals: int) -> float:
    """Return how sure `written` means the unit `name`, one of `rivals` with its last name."""
    wanted, given = written.split("."), name.split(".")
    agreeing = _agreeing([part.lower() for part in wanted], [part.lower() for part in given])
    if agreeing > 1:
        return 1.0
    return 1.0 if rivals == 1 else 0.8 if rivals <= _MANY else 0.4


def _key(name: str) -> str:
    return normal(re.sub(r"\+\d+$", "", name).rsplit(".", 1)[-1]).strip("_")


def _agreeing(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many parts agree, from the end."""
    count = 0
    for one, other in zip(reversed(left), reversed(right), strict=False):
        if one != other:
            break
        count += 1
    return count


def _add_places(seeds: Seeds, search: Search, places: Iterable[Place]) -> None:
    by_name: dict[str, list[int]] = defaultdict(list)
    for index, file in enumerate(search.files):
        by_name[file.path.rsplit("/", 1)[-1].lower()].append(index)
    for place in places:
        wanted = place.path.lower().split("/")
        candidates = by_name.get(wanted[-1], [])
        agreeing = {
            index: _agreeing(wanted, search.files[index].path.lower().split("/"))
            for index in candidates
        }
        best = max(agreeing.values(), default=0)
        files = [index for index, parts in agreeing.items() if parts == best]
        for index in files if len(files) <= _MANY else ():
            strength = 1.0 / len(files) ** 0.5
            seeds.add_file(index, strength, f"path {search.files[index].path.rsplit('/', 1)[-1]}")
            if place.line:
                _add_line(seeds, search, index, place.line, strength)


def _add_line(seeds: Seeds, search: Search, file: int, line: int, strength: float) -> None:
    """Add the innermost unit around a line."""
    around = [one.unit for one in extents(search, file) if one.start <= line <= one.end]
    if around:
        seeds.add_unit(around[-1], strength, f"line {line}")


def _add_stems(seeds: Seeds, search: Search, question: Question) -> None:
    """Add files whose name without ending is a word of the question."""
    said = {form for term in question.terms for form in term.forms}
    for index, file in enumerate(search.files):
        name = normal(file.path.rsplit("/", 1)[-1].split(".", 1)[0])
        if name in said:
            seeds.add_file(index, 0.5, f"path {name}")
