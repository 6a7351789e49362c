"""One score for each stretch of lines, from everything that speaks for it.

The model is a sum of a few terms, each at most about 1, so that it can be read: how well the words
of the unit match, how well its file matches as a whole, whether the question names the unit or the
file, and what commits tell of both. What is no product code weighs less. The weights are fitted by
benchmarks/retrieval.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from topomem.model.code import SymbolKind
from topomem.model.ids import CommitId, FilePath, QualifiedName
from topomem.retrieve.lexical import Floats, Matches
from topomem.retrieve.lore import Lore
from topomem.retrieve.roles import Role, role_of
from topomem.retrieve.seeds import Seeds
from topomem.retrieve.source import ReadBlob, SourceLines
from topomem.retrieve.stretches import Stretch, cut, extents
from topomem.store.search import Search


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the sum; `model.json` gives and explains them."""

    file: float
    named: float
    named_role: float
    named_file: float
    test: float
    beside: float
    focus: float
    lore: float
    lore_file: float
    lore_power: float
    length: float
    units: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for units and files: words, what is named, what commits tell."""

    matches: Matches
    seeds: Seeds
    lore: Lore


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines of a file that may be shown, and how much speaks for them.

    `edge` says which edge leads there, and how sure it is, where words do not.
    """

    file: int
    stretch: Stretch
    score: float
    edge: tuple[str, ...] = ()
    confidence: float = 1.0
    said_by: CommitId | None = None  # the commit that speaks for it, where words say less
    hinted_by: str = ""  # the embedder that finds it like the task, and nothing else does


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates, best first, with the texts and units they are of."""

    candidates: tuple[Candidate, ...]
    texts: Mapping[int, SourceLines]
    names: Mapping[int, tuple[QualifiedName, SymbolKind]]
    unreadable: tuple[FilePath, ...]


def rank(search: Search, found: Evidence, read: ReadBlob, weights: Weights) -> Ranking:
    """Return what could be shown for a question, best first; ties by path, then line."""
    ranker = _Ranker(search, found, weights)
    chosen = ranker.chosen()
    texts, unreadable = _read(search, chosen, read)
    names = search.names(sorted(chosen))
    candidates = [
        candidate
        for file, lines in texts.items()
        for candidate in ranker.candidates(file, lines, names)
    ]
    candidates.sort(key=lambda one: (-one.score, one.file, one.stretch))
    return Ranking(tuple(candidates), texts, names, unreadable)


class _Ranker:
    """Scores of units: what their own words say, and the rest, both weighed by the file's role."""

    def __init__(self, search: Search, found: Evidence, weights: Weights) -> None:
        matches, seeds, lore = found.matches, found.seeds, found.lore
        self._search, self._matches, self._weights = search, matches, weights
        by_role = {Role.SOURCE: 1.0, Role.TEST: weights.test, Role.BESIDE: weights.beside}
        roles = np.array([by_role[role_of(file.path)] for file in search.files], np.float64)
        file = weights.file * matches.file / _best(matches.file * roles)
        file += weights.named_file * _column(seeds.files, len(search.files))
        file += weights.lore_file * lore.file**weights.lore_power
        self._role = roles[search.units.file]
        self._told = weights.lore * lore.unit**weights.lore_power
        self._commits = lore.commits
        self._rest = file[search.units.file]
        named = weights.named * _column(seeds.units, len(search.units))
        self._named = named * self._role**weights.named_role
        self._named += weights.focus * _column(seeds.focus, len(search.units))
        self._rest += self._told
        self._best = _best(matches.unit * self._role)

    def chosen(self) -> set[int]:
        """Return the units worth looking at: the best ones, if anything at all speaks for them."""
        total = (self._matches.unit / self._best + self._rest) * self._role + self._named
        order = np.lexsort((np.arange(len(total)), -total))[: self._weights.units]
        self._wanted = {unit for unit in order.tolist() if total[unit] > 0}
        return self._wanted

    def candidates(
        self, file: int, lines: SourceLines, names: Mapping[int, tuple[QualifiedName, SymbolKind]]
    ) -> Iterable[Candidate]:
        """Return the stretches of the wanted units of a file; long units score part by part."""
        by_unit: dict[int, list[Stretch]] = {}
        for stretch in cut(lines, extents(self._search, file)):
            if stretch.unit in self._wanted:
                by_unit.setdefault(stretch.unit, []).append(stretch)
        path = self._search.files[file].path
        for unit, parts in by_unit.items():
            for stretch in parts:
                text = lines.written(stretch.start, stretch.end)
                own = self._matches.unit[unit]
                if len(parts) > 1:
                    own = self._matches.scorer.score(f"{path}\n{names[unit][0]}\n{text}")
                score = (own / self._best + self._rest[unit]) * self._role[unit]
                score += self._named[unit]
                score -= self._weights.length * math.log(max(len(text), _SHORT) / _USUAL)
                said_by = self._said_by(unit, own / self._best)
                yield Candidate(file, stretch, float(score), said_by=said_by)

    def _said_by(self, unit: int, words: float) -> CommitId | None:
        """Return the commit to name for a unit, where commits speak for it more than its words."""
        commits = self._commits.get(unit, ())
        return commits[0] if commits and self._told[unit] > max(words, _LEAST_TOLD) else None


def explain(matches: Matches, seeds: Seeds, candidate: Candidate, text: str) -> tuple[str, ...]:
    """Return why a candidate is here, shortest first: named, or the words that weigh most in it."""
    reason = seeds.reasons.get(candidate.stretch.unit)
    if reason is not None and seeds.units[candidate.stretch.unit] > _SURE:
        return (reason,)
    roots = matches.scorer.stems(text)
    best = sorted(roots, key=lambda root: (-matches.weights[root], root))[:_WORDS_SHOWN]
    reasons = ("words " + " ".join(best),) if best else ()
    if candidate.said_by:
        return (*reasons, f"commit {candidate.said_by[:12]}")
    return reasons or (seeds.file_reasons.get(candidate.file, "file matches"),)


_USUAL = 400
"""Characters of a passage that is neither short nor long."""
_SHORT = 200
"""Characters below which a passage is not shorter: its heading is as long."""
_SURE = 0.5
_WORDS_SHOWN = 2
_LEAST_TOLD = 0.05


def _column(values: Mapping[int, float], size: int) -> Floats:
    column = np.zeros(size)
    for index, value in values.items():
        column[index] = value
    return column


def _best(values: Floats) -> float:
    return max(float(values.max()), 1e-9) if len(values) else 1.0


def _read(
    search: Search, chosen: set[int], read: ReadBlob
) -> tuple[dict[int, SourceLines], tuple[FilePath, ...]]:
    texts: dict[int, SourceLines] = {}
    unreadable: list[FilePath] = []
    for index in sorted({int(search.units.file[unit]) for unit in chosen}):
        file = search.files[index]
        data = read(file.path, file.blob)
        if data is None:
            unreadable.append(file.path)
        else:
            texts[index] = SourceLines(data)
    return texts, tuple(unreadable)
