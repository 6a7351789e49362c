"""Does the memory help? Bundles for questions whose answers are known, against plain searches.

Every question is asked as of the parent of the commit that answers it, while the index holds all
history. `ours` is what `topomem bundle` gives; `tree` the same without history and records; the
others are plain searches. No model ranks or judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from topomem.api.bundle import beside_code, changes_behind, touched_by
from topomem.api.decisions import is_active, read_records
from topomem.api.figures import Difference, area, difference, mean
from topomem.api.opening import Opened, open_all
from topomem.api.replay import Case, cases, question_of
from topomem.api.view import View, open_view
from topomem.errors import UsageError
from topomem.model.bundle import Bundle, Passage
from topomem.model.ids import CommitId, FilePath
from topomem.retrieve.beside import nothing_beside
from topomem.retrieve.budget import Budget
from topomem.retrieve.bundle import Request, answer
from topomem.retrieve.fitted import Model, fitted
from topomem.retrieve.items import Moment
from topomem.retrieve.plain import Shown, bm25_files, bm25_functions, lines_with_words, within
from topomem.retrieve.roles import Role, role_of
from topomem.retrieve.source import ReadBlob
from topomem.retrieve.stretches import extents
from topomem.retrieve.tokens import token_count
from topomem.retrieve.verify import Quote, verify
from topomem.store.search import Search

BUDGETS = (2_000, 4_000, 8_000)
MAIN_BUDGET = 4_000
_RANKS = (1, 5, 10)
_RANKED_AT = 16_000
_COUNT = token_count("chars4")
OURS, TREE = "ours", "tree"
PLAIN = {
    "bm25-files": bm25_files,
    "bm25-functions": bm25_functions,
    "words": lines_with_words,
}
"""Plain searches by name."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many questions, of which seed; `foreign`: a repository whose questions are not ours."""

    cases: int = 50
    seed: int = 7
    foreign: str = ""
    told: Callable[[int, int], None] = lambda _done, _all: None


@dataclass(frozen=True, slots=True)
class Channel:
    """A way of finding, left out: what recall it brings, and the tokens of what it alone shows."""

    name: str
    recall: Difference
    tokens: float

    @property
    def is_idle(self) -> bool:
        """Whether it takes tokens without bringing lines."""
        return self.tokens > 0 and self.recall.mean <= 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured. `figures`: means by way and name; `against`: ours less each other way."""

    cases: int
    seed: int
    figures: Mapping[str, Mapping[str, float]]
    against: Mapping[str, Difference]
    channels: tuple[Channel, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Sheet:
    """Figures of each question, by way and name."""

    rows: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    evidence: list[float] = field(default_factory=list)
    foreign: list[float] = field(default_factory=list)

    def put(self, way: str, figures: Mapping[str, float]) -> None:
        """Add what one question gives."""
        for name, value in figures.items():
            self.rows.setdefault(way, {}).setdefault(name, []).append(value)

    def of(self, way: str, name: str) -> list[float]:
        """Return a figure of all questions."""
        return self.rows.get(way, {}).get(name, [])


def evaluate(opened: Opened, wanted: Wanted) -> Evaluation:
    """Ask the questions of this repository's history; return what bundles and others answer.

    Raises UsageError where history makes no question.
    """
    chosen = _cases(opened, wanted)
    if not chosen:
        raise UsageError("no commit here makes a question", "index history first: topomem index")
    foreign = _foreign(wanted, len(chosen))
    sheet = _Sheet()
    for done, case in enumerate(chosen):
        wanted.told(done, len(chosen))
        with open_view(opened, case.parent) as view:
            _Asker(opened, view, case, sheet).ask(foreign[done : done + 1])
    return _evaluation(sheet, wanted, len(chosen), opened.store.repository)


def _cases(opened: Opened, wanted: Wanted) -> list[Case]:
    with opened.store.read() as reader:
        commits = reader.commits()
    stored = frozenset(commit.id for commit in commits)
    return list(islice(cases(opened, commits, stored, wanted.seed), wanted.cases))


def _foreign(wanted: Wanted, count: int) -> list[str]:
    """Return questions of another repository, read from git alone."""
    if not wanted.foreign:
        return []
    other = open_all(wanted.foreign, None, None, None).repository
    head = other.head()
    commits = other.walk([head]) if head else []
    asked = (question_of(commit.message) for commit in reversed(commits))
    return list(islice((text for text in asked if len(text.split()) > 2), count))  # noqa: PLR2004


class _Asker:
    """Asks one question in every way."""

    def __init__(self, opened: Opened, view: View, case: Case, sheet: _Sheet) -> None:
        assert view.snapshot is not None  # noqa: S101 - the commit is stored
        self._view, self._case, self._sheet = view, case, sheet
        self._opened = opened
        self._search = Search(view.snapshot.connection)
        self._read: ReadBlob = partial(view.read_blob, opened)
        self._moment = Moment(CommitId(case.parent))
        self._owners: dict[FilePath, dict[int, int]] = {}
        self._whole = Request(
            case.query,
            Budget(MAIN_BUDGET, _COUNT, None),
            partial(beside_code, opened, view),
            touched_by(view),
            changes_behind(view),
        )

    def ask(self, foreign: Iterable[str]) -> None:
        """Put the figures of the question into the sheet."""
        whole = self._whole
        ours = self._bundles(whole, fitted(), (*BUDGETS, _RANKED_AT))
        self._put(OURS, ours)
        self._sheet.evidence.append(ours[MAIN_BUDGET].evidence)
        for name, request, model in self._without():
            budgets = (*BUDGETS, _RANKED_AT) if name == TREE else (MAIN_BUDGET,)
            self._put(name, self._bundles(request, model, budgets))
        for name, search in PLAIN.items():
            found = list(islice(search(self._search, self._read, whole.task, _COUNT.count), 400))
            self._sheet.put(name, self._figures({b: within(found, b) for b in BUDGETS}, found))
        for text in foreign:
            made = self._bundles(replace(whole, task=text), fitted(), (MAIN_BUDGET,))
            self._sheet.foreign.append(made[MAIN_BUDGET].evidence)

    def _without(self) -> list[tuple[str, Request, Model]]:
        """Return the ways with one channel left out each, and the tree without all memory."""
        whole, silent = self._whole, replace(self._whole, changes=None)
        model = fitted()
        nameless = replace(model.weights, named=0.0, named_file=0.0)
        alone = replace(silent, beside=nothing_beside, touched=None)
        return [
            (TREE, alone, model),
            ("without history", silent, model),
            ("without records", replace(whole, beside=nothing_beside), model),
            ("without edges", whole, replace(model, edges=False)),
            ("without guesses", whole, replace(model, guesses=False)),
            ("without names", whole, replace(model, weights=nameless)),
        ]

    def _bundles(self, request: Request, model: Model, budgets: Sequence[int]) -> dict[int, Bundle]:
        found = answer(self._search, self._moment, self._read, request, model)
        return {tokens: found.fitted(Budget(tokens, _COUNT, None)) for tokens in budgets}

    def _put(self, way: str, made: Mapping[int, Bundle]) -> None:
        budget = Budget(0, _COUNT, None)
        shown = {
            tokens: [_shown(item, budget.item(item, bundle)) for item in bundle.items]
            for tokens, bundle in made.items()
        }
        main = made[MAIN_BUDGET]
        figures = self._figures(shown, shown[max(shown)])
        figures |= self._trust(main)
        figures["tokens of edges"] = _spent(main, budget, "edges")
        figures["tokens of records"] = _spent(main, budget, "decision", "episode")
        figures["tokens of history"] = _spent(main, budget, "commit ")
        self._sheet.put(way, figures)

    def _trust(self, made: Bundle) -> dict[str, float]:
        """Return what is told that does not hold, and what is known and told."""
        quotes = [
            Quote(item.citation, item.text, item.detail) for item in made.items if item.citation
        ]
        broken = len(verify(quotes, self._read))
        figures = {"unsupported citations": broken / max(len(quotes), 1)}
        records = read_records(self._opened, self._view)
        states = {path: is_active(entry) for path, entry in records.board.entries.items()}
        told = [item.path for item in made.items if item.kind == "decision"]
        figures["stale claims"] = mean([float(not states.get(path, False)) for path in told])
        governing = [
            entry.placed.path
            for entry in records.board.entries.values()
            if is_active(entry)
            and any(
                one.covers(path) for one in records.governed(entry) for path in self._case.lines
            )
        ]
        if governing:
            figures["decisions told"] = mean([float(path in told) for path in governing])
        return figures

    def _figures(
        self, shown: Mapping[int, Sequence[Shown]], ranked: Sequence[Shown]
    ) -> dict[str, float]:
        right = self._case.lines
        files = [path for path in dict.fromkeys(one.path for one in ranked) if _is_source(path)]
        found: dict[str, float] = {}
        for k in _RANKS:
            found[f"files@{k}"] = len(set(files[:k]) & right.keys()) / len(right)
        units, wanted = self._units(ranked), self._right_units()
        for k in _RANKS if wanted else ():
            found[f"symbols@{k}"] = len(set(units[:k]) & wanted) / len(wanted)
        for tokens in (one for one in shown if one in BUDGETS):
            kept = shown[tokens]
            lines = {(one.path, n) for one in kept for n in range(one.start, one.end + 1)}
            hit = sum((path, n) in lines for path, spans in right.items() for n in _each(spans))
            inside = sum(one.tokens for one in kept if one.path in right)
            found[f"lines {tokens}"] = hit / max(self._case.wanted, 1)
            found[f"share {tokens}"] = inside / max(sum(one.tokens for one in kept), 1)
        return found

    def _units(self, ranked: Sequence[Shown]) -> list[int]:
        """Return the symbols that lines were shown of, in order."""
        found: dict[int, None] = {}
        for one in ranked:
            for line in range(one.start, one.end + 1):
                unit = self._unit_at(one.path, line)
                if unit is not None:
                    found.setdefault(unit)
        return list(found)

    def _right_units(self) -> set[int]:
        lines = self._case.lines
        found = {self._unit_at(path, n) for path, spans in lines.items() for n in _each(spans)}
        return {unit for unit in found if unit is not None}

    def _unit_at(self, path: FilePath, line: int) -> int | None:
        """Return the innermost symbol around a line; None outside of all."""
        if path not in self._owners:
            self._owners[path] = self._owners_of(path)
        return self._owners[path].get(line)

    def _owners_of(self, path: FilePath) -> dict[int, int]:
        places = {file.path: index for index, file in enumerate(self._search.files)}
        around = extents(self._search, places[path]) if path in places else []
        return {
            line: one.unit
            for one in around
            if one.parent >= 0
            for line in range(one.start, one.end + 1)
        }


def _each(spans: Iterable[tuple[int, int]]) -> Iterable[int]:
    return (line for first, last in spans for line in range(first, last + 1))


def _shown(item: Passage, tokens: int) -> Shown:
    """Return the lines an item shows: a name or header alone shows none of its body."""
    end = item.end_line if item.detail == "body" else item.start_line - 1
    return Shown(item.path, item.start_line, end, tokens)


def _spent(made: Bundle, budget: Budget, *words: str) -> float:
    """Return the tokens of items that stand in a bundle for one reason alone."""
    return float(
        sum(
            budget.item(item, made)
            for item in made.items
            if item.kind in words
            or item.provenance.source in words
            or any(reason.startswith(words) for reason in item.why)
        )
    )


def _is_source(path: FilePath) -> bool:
    return role_of(path) is Role.SOURCE


def _evaluation(sheet: _Sheet, wanted: Wanted, count: int, repository: str) -> Evaluation:
    main = f"lines {MAIN_BUDGET}"
    ours = sheet.of(OURS, main)
    ways = [TREE, *PLAIN]
    figures = {
        way: {name: mean(values) for name, values in sheet.rows[way].items()}
        for way in (OURS, *ways)
    }
    told = area(sheet.evidence, sheet.foreign)
    if told is not None:
        figures[OURS] = {**figures[OURS], "foreign told apart": told}
    channels = [
        Channel(
            name,
            difference(ours, sheet.of(f"without {name}", main), wanted.seed),
            mean(sheet.of(OURS, f"tokens of {name}")),
        )
        for name in ("history", "records", "edges", "guesses", "names")
    ]
    return Evaluation(
        cases=count,
        seed=wanted.seed,
        figures=figures,
        against={way: difference(ours, sheet.of(way, main), wanted.seed) for way in ways},
        channels=tuple(channels),
        notes=_notes(figures, repository),
    )


def _notes(figures: Mapping[str, Mapping[str, float]], repository: str) -> tuple[str, ...]:
    found = []
    if repository.lower() in fitted().fitted_on:
        found.append("the weights were fitted on this repository: these figures are too good")
    if "decisions told" not in figures[OURS]:
        found.append("no decision governs what these commits changed: its recall is not measured")
    if "foreign told apart" not in figures[OURS]:
        found.append("questions of another repository were not asked: name one with --foreign")
    return tuple(found)
