"""Matching by words: BM25 over units and files, as arithmetic on columns.

The visible snapshot is the collection: its frequencies and lengths, nothing else's. A unit's fields
are added with weights before saturation (BM25F), so that a word in a name counts like several in a
body. The same formula, with the same weights of words, scores a stretch of text (`TextScorer`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topomem.model.words import count_runs, parts, stem
from topomem.retrieve.question import Term
from topomem.store.search import BODY, CONTAINER, DOCSTRING, NAME, SIGNATURE, Hits, Search, Word

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bm25:
    """Constants of the formula; `model.json` gives and explains them."""

    saturation: float
    length: float
    file_length: float
    other_form: float
    most: int
    name: float
    signature: float
    docstring: float
    body: float
    container: float
    path: float
    around: float


@dataclass(frozen=True, slots=True)
class Matches:
    """How well each unit and file matches, by words alone (0 where nothing does).

    `missing` are the stems that stand nowhere in the snapshot. `weights` gives every stem its
    weight, that of a missing one included: what it would weigh if it stood in one unit.
    """

    unit: Floats
    file: Floats
    covered: Floats  # per file: share of the question's weight that stands in it
    unit_covered: Floats
    weights: Mapping[str, float]
    missing: tuple[str, ...]
    scorer: TextScorer
    forms: Mapping[str, str]  # word of the question -> its stem

    def rarity(self) -> dict[str, float]:
        """Return the weight of each word of the question, as a share of the greatest."""
        top = max(self.weights.values(), default=0.0) or 1.0
        return {form: self.weights[root] / top for form, root in self.forms.items()}


class TextScorer:
    """Scores a stretch of text as if it were a unit."""

    def __init__(
        self, forms: Mapping[str, float], weights: Mapping[str, float], mean: float, model: Bm25
    ) -> None:
        self._forms = forms  # word of a text -> how far it counts for its stem
        self._weights = weights
        self._mean = max(mean, 1.0)
        self._model = model
        self._known: dict[str, tuple[tuple[str, float], ...]] = {}

    def score(self, text: str) -> float:
        """Return the score of a text, on the scale of `Matches.unit`."""
        counts: dict[str, float] = {}
        for run, number in count_runs(text).items():
            for root, factor in self._meaning(run):
                counts[root] = counts.get(root, 0.0) + factor * number
        model = self._model
        norm = model.saturation * (1 - model.length + model.length * len(text) / self._mean)
        return sum(
            self._weights[root] * count * (model.saturation + 1) / (count + norm)
            for root, count in sorted(counts.items())
        )

    def stems(self, text: str) -> set[str]:
        """Return the stems of the question that stand in a text."""
        return {root for run in count_runs(text) for root, _ in self._meaning(run)}

    def _meaning(self, run: str) -> tuple[tuple[str, float], ...]:
        """Return what a run of letters adds to which stems; the same runs come again and again."""
        known = self._known.get(run)
        if known is None:
            found = [word for word in parts(run) if word in self._forms]
            known = self._known[run] = tuple((stem(word), self._forms[word]) for word in found)
        return known


class _Vocabulary:
    """The words of the store that meet the question, as columns."""

    def __init__(self, terms: Sequence[Term], words: Sequence[Word], model: Bm25) -> None:
        self.words = words
        self.stems = [term.stem for term in terms]
        place = {term.stem: index for index, term in enumerate(terms)}
        forms = {term.stem: term.forms for term in terms}
        self.numbers = np.array([word.number for word in words], np.int64)
        order = np.argsort(self.numbers)
        self._sorted = self.numbers[order]
        factor = [1.0 if word.text in forms[word.stem] else model.other_form for word in words]
        self._factor = np.array(factor, np.float64)[order]
        self._term = np.array([place[word.stem] for word in words], np.int64)[order]
        self.forms = {word.text: value for word, value in zip(words, factor, strict=True)}

    def terms_of(self, hits: Hits) -> tuple[NDArray[np.int64], Floats]:
        """Return the term that each hit is of, and how far it counts."""
        at = np.searchsorted(self._sorted, hits.word)
        return self._term[at], self._factor[at]


def match(search: Search, terms: Sequence[Term], model: Bm25) -> Matches:
    """Return how well units and files of a snapshot match the terms."""
    vocabulary = _Vocabulary(terms, search.vocabulary([term.stem for term in terms]), model)
    asked = np.array([min(term.count, model.most) for term in terms], np.float64)
    size = search.units.size.astype(np.float64)
    unit_counts = _unit_counts(search, vocabulary, model)
    path_counts = _path_counts(search, vocabulary)
    file_counts = _file_counts(search, unit_counts) + model.path * path_counts
    unit_counts += model.around * path_counts[search.units.file]
    rarity = _rarity((unit_counts > 0).sum(axis=0), len(size))
    file_size = np.zeros(len(search.files))
    np.add.at(file_size, search.units.file, size)
    file_rarity = _rarity((file_counts > 0).sum(axis=0), len(search.files))
    weights = rarity * asked
    present = (file_counts > 0).sum(axis=0)
    total = max(float(weights.sum()), 1e-9)
    by_stem = dict(zip(vocabulary.stems, weights.tolist(), strict=True))
    return Matches(
        unit=_saturated(unit_counts, size, model.length, model) @ weights,
        file=_saturated(file_counts, file_size, model.file_length, model) @ (file_rarity * asked),
        covered=((file_counts > 0) @ weights) / total,
        unit_covered=((unit_counts > 0) @ weights) / total,
        weights=by_stem,
        missing=tuple(s for s, seen in zip(vocabulary.stems, present, strict=True) if not seen),
        scorer=TextScorer(vocabulary.forms, by_stem, _mean(size), model),
        forms={form: term.stem for term in terms for form in term.forms},
    )


def _unit_counts(search: Search, vocabulary: _Vocabulary, model: Bm25) -> Floats:
    """Return weighted counts, a row per unit and a column per term."""
    hits = search.hits(vocabulary.words)
    weight = np.zeros(CONTAINER + 1)
    weight[[NAME, SIGNATURE, DOCSTRING, BODY, CONTAINER]] = (
        model.name, model.signature, model.docstring, model.body, model.container,
    )  # fmt: skip
    term, factor = vocabulary.terms_of(hits)
    return _table(hits.row, term, factor * hits.count * weight[hits.field],
                  (len(search.units), len(vocabulary.stems)))  # fmt: skip


def _path_counts(search: Search, vocabulary: _Vocabulary) -> Floats:
    """Return weighted counts in paths, a row per file and a column per term."""
    hits = search.path_hits(vocabulary.words)
    term, factor = vocabulary.terms_of(hits)
    shape = len(search.files), len(vocabulary.stems)
    return _table(hits.row, term, factor * hits.count, shape)


def _file_counts(search: Search, unit_counts: Floats) -> Floats:
    """Return the counts of the units of each file."""
    rows, columns = np.nonzero(unit_counts)
    shape = len(search.files), unit_counts.shape[1]
    return _table(search.units.file[rows], columns, unit_counts[rows, columns], shape)


def _table(
    rows: NDArray[np.int64], columns: NDArray[np.int64], values: Floats, shape: tuple[int, int]
) -> Floats:
    flat = np.bincount(rows * shape[1] + columns, weights=values, minlength=shape[0] * shape[1])
    return flat.reshape(shape).astype(np.float64)


def _rarity(found: NDArray[np.int64], total: int) -> Floats:
    rarity: Floats = np.log1p((total - found + 0.5) / (found + 0.5))
    return rarity


def _saturated(counts: Floats, size: Floats, length: float, model: Bm25) -> Floats:
    norm = model.saturation * (1 - length + length * size / _mean(size))
    saturated: Floats = counts * (model.saturation + 1) / (counts + norm[:, None])
    return saturated


def _mean(size: Floats) -> float:
    return max(float(size.mean()), 1.0) if len(size) else 1.0
