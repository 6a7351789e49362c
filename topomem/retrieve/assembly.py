"""Making the bundle of what was found: choices that fit a budget, checked on what is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from topomem.errors import BudgetTooSmall
from topomem.model.bundle import Bundle, LeftOut, Passage
from topomem.model.ids import CommitId, FilePath, QualifiedName
from topomem.retrieve.beside import SHARE, Aside, fit_beside, placed_beside
from topomem.retrieve.budget import Budget
from topomem.retrieve.fit import Choice, Fitted, fit
from topomem.retrieve.items import BEST, COMMITS, SECOND, SYMBOLS, Found, Maker
from topomem.retrieve.near import fit_names, fit_near

Touched = Callable[
    [Sequence[tuple[FilePath, QualifiedName]]],
    Mapping[tuple[FilePath, QualifiedName], tuple[CommitId, ...]],
]
"""Tells which commits last changed symbols, latest first."""

_BEST_SHOWN = 5
"""Names of what was left out that are shown."""
_TRIES = 5
"""How often a bundle is made smaller because what is printed beside its items does not fit."""
_SLACK = 4
"""Tokens by which item and document may differ when a count is not a sum."""
_LEAST_ITEM = 40
"""About what the shortest item takes."""


class Assembly:
    """Fits choices into the budget, and then makes sure of it on what is really printed."""

    def __init__(
        self,
        found: Found,
        budget: Budget,
        touched: Touched | None,
        empty: Bundle,
        aside: Aside,
    ) -> None:
        self._aside = aside
        self._candidates = found.ranking.candidates
        self._near = found.near
        self._hints = found.hints.candidates
        reserved = COMMITS if touched else 0
        self._maker = Maker(found, budget, empty, reserved)
        self._budget, self._empty = budget, empty
        self._price = budget.prices(empty)
        self._touched = touched
        self._touches: dict[tuple[FilePath, QualifiedName], tuple[CommitId, ...]] = {}

    def bundle(self) -> Bundle:
        """Return the bundle. Raises BudgetTooSmall."""
        frame = self._budget.document(self._empty)
        if frame > self._budget.tokens or self._budget.tokens <= 0:
            raise self._too_small(frame)
        room = self._budget.tokens - frame
        made = self._filled(room)
        for turn in range(_TRIES):
            over = made.used_tokens - self._budget.tokens
            if over <= 0:
                break
            room -= (over + _SLACK) << turn  # in larger and larger steps
            made = self._filled(room)
        made = self._shortened(made)
        if made.used_tokens > self._budget.tokens or (self._candidates and not made.items):
            raise self._too_small(frame)
        return made

    def _shortened(self, made: Bundle) -> Bundle:
        """Return the bundle without its last items, as far as it is still over the budget."""
        while made.used_tokens > self._budget.tokens and made.items:
            made = self._counted(replace(made, items=made.items[:-1]))
        return made

    def _too_small(self, frame: int) -> BudgetTooSmall:
        least = frame + _LEAST_ITEM
        return BudgetTooSmall(
            f"a budget of {self._budget.tokens} tokens is too small for any item",
            f"at least about {least} tokens, counted as {self._budget.count.name}",
        )

    def _filled(self, room: int) -> Bundle:
        """Return the bundle whose items take about `room` tokens."""
        share = SHARE if self._candidates else 1.0
        beside, spent = fit_beside(self._aside, self._cost, int(room * share))
        room -= spent
        fitted = fit(self._candidates, room, self._maker)
        left = room - fitted.price
        near = fit_near(self._near.candidates, fitted.units, left, self._maker)
        left -= sum(choice.price for choice in near)
        shown = fitted.units | {choice.members[0].stretch.unit for choice in near}
        hints = fit_names(self._hints, shown, left, self._maker)
        return self._made(fitted, near, hints, beside)

    def _cost(self, passage: Passage) -> int:
        return self._price(passage)

    def _made(
        self,
        fitted: Fitted,
        near: Sequence[Choice],
        hints: Sequence[Choice],
        beside: Sequence[Passage],
    ) -> Bundle:
        """Return the bundle of what was chosen, with as many names of what was not as fit."""
        items = [self._maker.passage(choice) for choice in fitted.choices]
        least = min((item.score for item in items), default=1.0)
        passages = [self._maker.passage(choice) for choice in (*near, *hints)]
        items += [replace(item, score=min(item.score, least)) for item in passages]
        symbols = [self._maker.symbols(choice) for choice in (*fitted.choices, *near, *hints)]
        told = self._with_commits(items, symbols)
        full = replace(self._empty, items=placed_beside(told, beside))
        if any(member.said_by for choice in fitted.choices for member in choice.members):
            full = replace(full, mode=f"{full.mode}, history")
        if near:
            full = replace(full, mode=f"{full.mode}, edges")
        if hints:
            full = replace(full, mode=f"{full.mode}, hints")
        shown_units = fitted.units | {choice.members[0].stretch.unit for choice in near}
        others = (*self._near.left_out(shown_units), *self._aside.left_out(beside))
        left = [self._maker.label(candidate) for candidate in fitted.left]
        for shown in range(_BEST_SHOWN, -1, -1):
            made = self._counted(replace(full, left_out=(*_left(left, shown), *others)))
            if made.used_tokens <= self._budget.tokens:
                break
        return made

    def _with_commits(
        self, items: Sequence[Passage], symbols: Sequence[Sequence[tuple[FilePath, QualifiedName]]]
    ) -> list[Passage]:
        """Return items with the commits that last changed the symbols in each."""
        if self._touched is None:
            return list(items)
        fresh = [key for keys in symbols for key in keys if key not in self._touches]
        if fresh:
            self._touches.update(self._touched(list(dict.fromkeys(fresh))))
        return [
            replace(item, commits=self._commits(keys, SECOND if place < BEST else COMMITS))
            for place, (item, keys) in enumerate(zip(items, symbols, strict=True))
        ]

    def _commits(
        self, keys: Sequence[tuple[FilePath, QualifiedName]], each: int
    ) -> tuple[CommitId, ...]:
        """Return the latest commits of each symbol, then those before: no more than of one item."""
        told = [self._touches.get(key, ()) for key in keys]
        turns = (commits[turn] for turn in range(each) for commits in told if turn < len(commits))
        return tuple(dict.fromkeys(turns))[:SYMBOLS]

    def _counted(self, made: Bundle) -> Bundle:
        """Return the bundle with the tokens that it takes when it says so."""
        for _ in range(_TRIES):
            used = self._budget.document(made)
            if used == made.used_tokens:
                break
            made = replace(made, used_tokens=used)
        return made


def _left(labels: Sequence[str], shown: int) -> tuple[LeftOut, ...]:
    names = list(dict.fromkeys(labels))
    return (LeftOut("symbol", len(names), tuple(names[:shown])),) if names else ()
