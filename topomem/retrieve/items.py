"""Items of a bundle: what a choice of lines says, cites and costs."""

from __future__ import annotations

from dataclasses import dataclass, field

from topomem.model.bundle import Bundle, Passage, Provenance
from topomem.model.ids import CommitId, FilePath, LanguageName, QualifiedName
from topomem.retrieve.budget import Budget
from topomem.retrieve.fit import Choice
from topomem.retrieve.lexical import Matches
from topomem.retrieve.near import Near
from topomem.retrieve.rank import Candidate, Ranking, explain
from topomem.retrieve.seeds import Seeds
from topomem.retrieve.source import cite, masking_told
from topomem.store.search import Search

_HEADER_LINES = 8
"""Most lines of a header that is shown alone."""


COMMITS = 1
"""So many of the commits that last changed a symbol are told of it."""

BEST = 3
SECOND = 2
"""The first items tell of so many each."""

SYMBOLS = 3
"""Of so many of the symbols in an item that is told, and so many commits of an item at most."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The commit an answer is as of; None for uncommitted text, which stands on `base`."""

    commit: CommitId | None
    base: CommitId | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a question, and where."""

    search: Search
    moment: Moment
    matches: Matches
    seeds: Seeds
    ranking: Ranking
    near: Near = field(default_factory=Near)
    hints: Near = field(default_factory=Near)


class Maker:
    """Makes items of choices, and tells what they cost."""

    def __init__(self, found: Found, budget: Budget, empty: Bundle, reserved: int = 0) -> None:
        """Take what was found. Room for `reserved` commits is kept in every item."""
        commit = found.moment.commit
        self._reserved = (commit,) * reserved if commit else ()  # of each symbol
        self._found = found
        self._price = budget.prices(empty)
        self._texts = {**found.hints.texts, **found.near.texts, **found.ranking.texts}
        self._names = {**found.hints.names, **found.near.names, **found.ranking.names}
        self._prices: dict[tuple[int, int, int, str, Candidate], int] = {}
        self._units = found.search.units

    def cost(self, choice: Choice) -> int:
        """Return the tokens that a choice takes when it is printed."""
        best = max(choice.members, key=lambda member: member.score)
        key = choice.file, choice.start, choice.end, choice.detail, best
        price = self._prices.get(key)
        if price is None:
            price = self._prices[key] = self._price(self.passage(choice))
        return price

    def passage(self, choice: Choice) -> Passage:
        """Return the item that shows a choice; it is named after its best part."""
        found = self._found
        lines, file = self._texts[choice.file], found.search.files[choice.file]
        text = "" if choice.detail == "name" else lines.text(choice.start, choice.end)
        best = max(choice.members, key=lambda member: member.score)
        name = self._names[best.stretch.unit][0]
        span = choice.start, choice.end
        return Passage(
            kind="hint" if best.hinted_by else "symbol" if name else "file",
            path=file.path,
            qualified_name=name,
            start_line=choice.start,
            end_line=choice.end,
            detail=choice.detail,
            text=text,
            score=choice.score,
            why=(
                *(best.edge or explain(found.matches, found.seeds, best, text)),
                *masking_told(text),
            ),
            citation=cite(lines, (file.path, file.blob), span, found.moment.commit),
            provenance=_provenance(best, file.language),
            commits=self._reserved * len(self.symbols(choice)),
        )

    def symbols(self, choice: Choice) -> list[tuple[FilePath, QualifiedName]]:
        """Return the symbols in a choice, the best first, as many as commits are told of."""
        path = self._found.search.files[choice.file].path
        members = sorted(choice.members, key=lambda one: (-one.score, one.stretch))
        units = dict.fromkeys(member.stretch.unit for member in members)
        return [(path, self._names[unit][0]) for unit in units][:SYMBOLS]

    def header(self, candidate: Candidate) -> tuple[int, int] | None:
        """Return the lines of the header of a candidate's unit; None for a file."""
        unit = candidate.stretch.unit
        if self._units.parent[unit] < 0:
            return None
        lines = self._texts[candidate.file]
        start = end = int(self._units.name_line[unit])
        last = min(len(lines), int(self._units.end_line[unit]), start + _HEADER_LINES - 1)
        while end < last and not _is_balanced(lines.written(start, end)):
            end += 1
        return start, end

    def adjoin(self, first: Choice, second: Choice) -> bool:
        """Return whether only blank lines part two neighbours: parts of a unit, or siblings."""
        lines = self._texts[first.file]
        if not all(lines.is_blank(line) for line in range(first.end + 1, second.start)):
            return False
        one, other = first.members[-1].stretch.unit, second.members[0].stretch.unit
        parent = self._units.parent
        return one in (other, int(parent[other])) or bool(parent[one] == parent[other])

    def label(self, candidate: Candidate) -> str:
        """Return the symbol id of a candidate."""
        name = self._found.ranking.names[candidate.stretch.unit][0]
        return f"{self._found.search.files[candidate.file].path}#{name}"


def _provenance(candidate: Candidate, language: LanguageName) -> Provenance:
    if candidate.hinted_by:
        return Provenance("inferred", candidate.hinted_by, candidate.confidence)
    if candidate.edge:
        return Provenance("inferred", "edges", candidate.confidence)
    return Provenance("parsed", language, 1.0)


def _is_balanced(text: str) -> bool:
    return sum(text.count(mark) for mark in "([") <= sum(text.count(mark) for mark in ")]")
