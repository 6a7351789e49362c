"""What edges lead to, as candidates that stand behind those found by words.

They never take the place of a passage that words found. In what is left of the budget they are
shown by their name, as many as fit; then, best first, by their header, or whole. Keeping 2 or 3 %
of the budget for their names was tried and lost right lines (benchmarks/retrieval.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from topomem.model.bundle import LeftOut
from topomem.model.code import SymbolKind
from topomem.model.ids import QualifiedName
from topomem.retrieve.expand import SEEDS, Reached, expand
from topomem.retrieve.fit import Choice, Printer
from topomem.retrieve.rank import Candidate, Ranking
from topomem.retrieve.source import ReadBlob, SourceLines
from topomem.retrieve.stretches import LONGEST, Stretch
from topomem.store.search import Search

MOST = 12
"""Most items that edges alone lead to."""

_LOOKED_AT = 24
"""So many of what edges lead to are read."""

Names = Mapping[int, tuple[QualifiedName, SymbolKind]]


@dataclass(frozen=True, slots=True)
class Near:
    """Candidates that edges lead to, best first, and all neighbours of the best by relation."""

    candidates: tuple[Candidate, ...] = ()
    neighbours: Mapping[str, frozenset[int]] = field(default_factory=dict)
    texts: Mapping[int, SourceLines] = field(default_factory=dict)
    names: Names = field(default_factory=dict)

    def left_out(self, shown: Collection[int]) -> tuple[LeftOut, ...]:
        """Return how many neighbours of the best symbols are not among the units shown."""
        counts = {name: len(units.difference(shown)) for name, units in self.neighbours.items()}
        return tuple(LeftOut(name, count) for name, count in counts.items() if count)


def find_near(search: Search, ranking: Ranking, read: ReadBlob) -> Near:
    """Return what edges lead to from the best candidates."""
    expansion = expand(search, _seeds(search, ranking))
    reached = expansion.reached[:_LOOKED_AT]
    units = {one.unit for one in reached} | {one.way.step.seed for one in reached}
    names = {**search.names(sorted(units)), **ranking.names}
    texts = dict(ranking.texts)
    found = [
        candidate
        for one in reached
        if (candidate := _candidate(search, one, names, _lines(search, one.unit, texts, read)))
    ]
    return Near(tuple(found), expansion.neighbours, texts, names)


def _seeds(search: Search, ranking: Ranking) -> dict[int, float]:
    """Return the best units that are no whole files, with how much speaks for them (0..1)."""
    best = ranking.candidates[0].score if ranking.candidates else 0.0
    seeds: dict[int, float] = {}
    for candidate in ranking.candidates:
        unit = candidate.stretch.unit
        if len(seeds) == SEEDS or candidate.score <= 0:
            break
        if search.units.parent[unit] >= 0:
            seeds.setdefault(unit, candidate.score / best)
    return seeds


def _lines(
    search: Search, unit: int, texts: dict[int, SourceLines], read: ReadBlob
) -> SourceLines | None:
    index = int(search.units.file[unit])
    if index not in texts:
        file = search.files[index]
        data = read(file.path, file.blob)
        if data is None:
            return None
        texts[index] = SourceLines(data)
    return texts[index]


def _candidate(
    search: Search, reached: Reached, names: Names, lines: SourceLines | None
) -> Candidate | None:
    units, unit = search.units, reached.unit
    start, end = int(units.start_line[unit]), int(units.end_line[unit])
    if lines is None or end > len(lines):
        return None
    return Candidate(
        int(units.file[unit]),
        Stretch(start, end, unit),
        reached.weight,
        _why(reached, names),
        reached.way.step.confidence,
    )


def _why(reached: Reached, names: Names) -> tuple[str, ...]:
    """Return what the unit is to which other, and the edge that says so."""
    way = reached.way
    step = way.step
    direction = "in" if step.inward else "out"
    steps = "" if way.distance == 1 else f", {way.distance} steps away"
    edge = f"{step.kind.value} {direction} {step.confidence:.2f}"
    return (f"{way.relation} of {names[step.seed][0]}: {edge}{steps}",)


def fit_near(
    near: Sequence[Candidate], shown: Collection[int], budget: int, printer: Printer
) -> list[Choice]:
    """Return what fits of candidates whose unit is not shown: names first, then what is left."""
    chosen = fit_names(near, shown, budget, printer)
    left = budget - sum(choice.price for choice in chosen)
    for place, choice in enumerate(chosen):
        fuller = _fuller(choice, printer, left)
        if fuller is not None:
            left -= fuller.price - choice.price
            chosen[place] = fuller
    return chosen


def fit_names(
    near: Sequence[Candidate], shown: Collection[int], budget: int, printer: Printer
) -> list[Choice]:
    """Return the names that fit of candidates whose unit is not shown."""
    chosen: list[Choice] = []
    left = budget
    for candidate in near:
        if len(chosen) == MOST:
            break
        form = _name(candidate, printer) if candidate.stretch.unit not in shown else None
        if form is not None and form.price <= left:
            chosen.append(form)
            left -= form.price
    return chosen


def _name(candidate: Candidate, printer: Printer) -> Choice | None:
    lines = printer.header(candidate)
    if lines is None:
        return None
    choice = Choice(candidate.file, lines[0], lines[0], "name", [candidate])
    choice.price = printer.cost(choice)
    return choice


def _fuller(choice: Choice, printer: Printer, left: int) -> Choice | None:
    """Return the fullest form of a choice that takes at most `left` tokens more; None: as it is."""
    candidate = choice.members[0]
    stretch = candidate.stretch
    forms: list[Choice] = []
    if stretch.end - stretch.start < LONGEST:
        forms.append(Choice(candidate.file, stretch.start, stretch.end, "body", [candidate]))
    lines = printer.header(candidate)
    if lines is not None:
        forms.append(Choice(candidate.file, *lines, "signature", [candidate]))
    for fuller in forms:
        fuller.price = printer.cost(fuller)
        if fuller.price - choice.price <= left:
            return fuller
    return None
