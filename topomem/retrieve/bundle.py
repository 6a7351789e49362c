"""From a question to a cited bundle within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from topomem.errors import BudgetTooSmall
from topomem.model.bundle import Bundle, LeftOut, Passage, Provenance
from topomem.model.ids import CommitId, QualifiedName
from topomem.retrieve.fit import Choice, Fitted, fit
from topomem.retrieve.lexical import Bm25, Matches, match
from topomem.retrieve.question import read_question
from topomem.retrieve.rank import Candidate, Ranking, Weights, explain, rank
from topomem.retrieve.render import markdown, printed_item
from topomem.retrieve.seeds import Seeds, find_seeds
from topomem.retrieve.source import ReadBlob, cite
from topomem.retrieve.tokens import TokenCount, estimate
from topomem.store.search import Search

COMMIT_TOKENS = 3
"""Tokens of one abbreviated commit id in an item's list."""

_BEST_SHOWN = 5
_HEADER_LINES = 8
_WHOLE = 0.95
"""Share of the question's weight from which on a file has all its words."""
_FRAME_TOKENS = 24
"""About what an item's fence, place and numbers take beside its heading and text."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The commit an answer is as of; None for uncommitted text, which stands on `base`."""

    commit: CommitId | None
    base: CommitId | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be printed, counted how.

    `printed` makes the document whose tokens are bounded, wrapping included. None bounds the sum of
    the items as `printed_item` gives them and of what is said beside them: for comparisons with
    searches that print no document.
    """

    tokens: int
    count: TokenCount = field(default_factory=lambda: TokenCount("estimate", estimate))
    printed: Callable[[Bundle], str] | None = markdown


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, and how long the answer may be."""

    task: str
    budget: Budget


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that was fitted."""

    words: Bm25 = field(default_factory=Bm25)
    weights: Weights = field(default_factory=Weights)


def bundle(
    search: Search, moment: Moment, read: ReadBlob, request: Request, model: Model | None = None
) -> Bundle:
    """Return the best cited answer to a task that fits the budget.

    Raises BudgetTooSmall when not even an empty answer fits, or no item where there are some.
    """
    model = model or Model()
    question = read_question(request.task)
    matches = match(search, question.terms, model.words)
    seeds = find_seeds(search, question, matches.rarity())
    ranking = rank(search, matches, seeds, read, model.weights)
    empty = Bundle(
        as_of=moment.commit,
        task=request.task,
        budget_tokens=request.budget.tokens,
        used_tokens=0,
        evidence=evidence(matches, seeds),
        items=(),
        left_out=(),
        mode=_mode(matches, seeds, ranking),
        base_commit=moment.base,
        notes=_notes(search, matches, ranking),
    )
    maker = _Maker(search, moment, matches, seeds, ranking)
    return _Assembly(maker, request.budget, empty).bundle()


def evidence(matches: Matches, seeds: Seeds) -> float:
    """Return how strongly anything here answers the question, 0 to 1."""
    named = max([*seeds.units.values(), *seeds.files.values()], default=0.0)
    unit = max(matches.unit_covered.tolist(), default=0.0)
    file = max(matches.covered.tolist(), default=0.0)
    return min(1.0, 0.6 * unit + 0.4 * file) * (0.8 + 0.2 * named)


def _mode(matches: Matches, seeds: Seeds, ranking: Ranking) -> str:
    """Return which ways of searching gave the answer."""
    if not ranking.candidates:
        return "nothing"
    exact = max([*seeds.units.values(), *seeds.files.values()], default=0.0) >= 1.0
    whole = max(matches.covered.tolist(), default=0.0) > _WHOLE
    lexical = "lexical" if whole else "lexical (some words only)"
    return f"exact, {lexical}" if exact else lexical


def _notes(search: Search, matches: Matches, ranking: Ranking) -> tuple[str, ...]:
    notes = [f"cannot be read: {path}" for path in ranking.unreadable]
    if not ranking.candidates:
        notes.append(_why_nothing(search, matches))
    return tuple(notes)


def _why_nothing(search: Search, matches: Matches) -> str:
    if not search.files:
        return "nothing: no file of a supported language is here"
    if not search.answers_canary():
        return "nothing, but the index did not find its canary: run topomem doctor"
    if not matches.weights:
        return "nothing: the question has no words to search for; the index answered its canary"
    return "nothing, and the index answered its canary"


class _Maker:
    """Makes passages of choices."""

    def __init__(
        self, search: Search, moment: Moment, matches: Matches, seeds: Seeds, ranking: Ranking
    ) -> None:
        self._search, self._moment = search, moment
        self._matches, self._seeds = matches, seeds
        self.ranking = ranking

    def passage(self, choice: Choice) -> Passage:
        """Return the item that shows a choice."""
        lines, file = self.ranking.texts[choice.file], self._search.files[choice.file]
        text = "" if choice.detail == "name" else lines.text(choice.start, choice.end)
        best = max(choice.members, key=lambda member: member.score)
        name = self._name(choice)
        span = choice.start, choice.end
        return Passage(
            kind="symbol" if name else "file",
            path=file.path,
            qualified_name=name,
            start_line=choice.start,
            end_line=choice.end,
            detail=choice.detail,
            text=text,
            score=choice.score,
            why=explain(self._matches, self._seeds, best, text),
            citation=cite(lines, (file.path, file.blob), span, self._moment.commit),
            provenance=Provenance("parsed", file.language, 1.0),
        )

    def header(self, candidate: Candidate) -> tuple[int, int] | None:
        """Return the lines of the header of a candidate's unit; None for a file."""
        unit = candidate.stretch.unit
        if self._search.units.parent[unit] < 0:
            return None
        lines = self.ranking.texts[candidate.file]
        start = end = int(self._search.units.name_line[unit])
        last = min(len(lines), int(self._search.units.end_line[unit]), start + _HEADER_LINES - 1)
        while end < last and not _is_balanced(lines.text(start, end)):
            end += 1
        return start, end

    def label(self, candidate: Candidate) -> str:
        """Return the symbol id of a candidate."""
        name = self.ranking.names[candidate.stretch.unit][0]
        return f"{self._search.files[candidate.file].path}#{name}"

    def _name(self, choice: Choice) -> QualifiedName:
        """Return the name of the smallest symbol that has all lines of a choice in it."""
        names = {self.ranking.names[member.stretch.unit][0] for member in choice.members}
        if len(names) == 1:
            return names.pop()
        parts = [name.split(".") for name in names]
        return QualifiedName(".".join(_common(parts)))


def _common(names: Sequence[Sequence[str]]) -> list[str]:
    """Return the parts that all names begin with."""
    common = []
    for parts in zip(*names, strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return common


def _is_balanced(text: str) -> bool:
    return sum(text.count(mark) for mark in "([") <= sum(text.count(mark) for mark in ")]")


class _Assembly:
    """Fits choices into the budget, and then makes sure of it on what is really printed."""

    def __init__(self, maker: _Maker, budget: Budget, empty: Bundle) -> None:
        self._maker, self._budget, self._empty = maker, budget, empty

    def bundle(self) -> Bundle:
        """Return the bundle. Raises BudgetTooSmall."""
        frame = self._tokens(self._empty)
        if frame > self._budget.tokens or self._budget.tokens <= 0:
            raise self._too_small(frame)
        ranking = self._maker.ranking
        room = self._budget.tokens - frame
        fitted = fit(
            ranking.candidates, ranking.texts.__getitem__, room, self._cost, self._maker.header
        )
        made = self._trimmed(fitted)
        if ranking.candidates and not made.items:
            raise self._too_small(frame)
        return made

    def _too_small(self, frame: int) -> BudgetTooSmall:
        least = frame + _FRAME_TOKENS + 1
        return BudgetTooSmall(
            f"a budget of {self._budget.tokens} tokens is too small for any item",
            f"at least about {least} tokens, counted as {self._budget.count.name}",
        )

    def _trimmed(self, fitted: Fitted) -> Bundle:
        """Return the fullest bundle that is really within the budget."""
        items = [self._maker.passage(choice) for choice in fitted.choices]
        left = [self._maker.label(candidate) for candidate in fitted.left]
        shown = _BEST_SHOWN
        while True:
            made = self._counted(
                replace(self._empty, items=tuple(items), left_out=_left(left, shown))
            )
            if made.used_tokens <= self._budget.tokens or not (shown or items):
                return made
            if shown:
                shown -= 1
            else:
                left.insert(0, f"{items[-1].path}#{items[-1].qualified_name}")
                items.pop()

    def _counted(self, made: Bundle) -> Bundle:
        """Return the bundle with the tokens that it takes when it says so."""
        for _ in range(4):
            used = self._tokens(made)
            if used == made.used_tokens:
                break
            made = replace(made, used_tokens=used)
        return made

    def _tokens(self, made: Bundle) -> int:
        count = self._budget.count.count
        if self._budget.printed is not None:
            return count(self._budget.printed(made))
        beside = [*(f"{left.count} {left.kind} {left.best}" for left in made.left_out), *made.notes]
        return sum(map(self._item_tokens, made.items)) + count("\n".join(beside))

    def _item_tokens(self, passage: Passage) -> int:
        return self._budget.count.count(printed_item(passage)) + COMMIT_TOKENS * len(
            passage.commits
        )

    def _cost(self, choice: Choice) -> int:
        frame = _FRAME_TOKENS if self._budget.printed is not None else 0
        return self._item_tokens(self._maker.passage(choice)) + frame


def _left(labels: Sequence[str], shown: int) -> tuple[LeftOut, ...]:
    names = list(dict.fromkeys(labels))
    return (LeftOut("symbol", len(names), tuple(names[:shown])),) if names else ()
