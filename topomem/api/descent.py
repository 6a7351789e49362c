"""Down the history of one symbol: which commits touched it, and what it was called before."""

from __future__ import annotations

from dataclasses import dataclass, field

from topomem.lineage.choosing import Verdicts, followed, is_moved, is_reused
from topomem.model.history import DERIVED, Position
from topomem.model.ids import FilePath, QualifiedName
from topomem.store.lineage import StoredAlias
from topomem.store.past import Key, Past, Standing


@dataclass(slots=True)
class Passed:
    """One commit that touched the symbol. `before`: what it was in the parents it came from.

    `told` says what changed against each of these, None where that has to be worked out; `renames`
    what it was renamed by, None where it kept its name.
    `confidence` is that of the chain up to the newer end, `step` that of this link alone.
    `earlier` are the numbers of the steps it leads to.
    """

    position: Position
    key: Key
    standing: Standing
    before: list[Standing] = field(default_factory=list)
    told: list[tuple[str, ...] | None] = field(default_factory=list)
    renames: list[StoredAlias | None] = field(default_factory=list)
    derived: tuple[str, ...] = ()
    sources: tuple[tuple[str, FilePath, QualifiedName], ...] = ()
    confidence: float = 1.0
    step: float = 1.0
    removed: bool = False
    cut: bool = False
    earlier: list[int] = field(default_factory=list)

    @property
    def alias(self) -> StoredAlias | None:
        """Return what it was renamed by; a merge renames only what no parent calls so."""
        return self.renames[0] if self.renames and all(self.renames) else None


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a symbol came from, along one parent."""

    position: Position
    key: Key
    standing: Standing
    alias: StoredAlias | None
    confidence: float
    told: tuple[str, ...] | None


class Descent:
    """Walks from a commit to its ancestors."""

    def __init__(self, past: Past, verdicts: Verdicts, threshold: float) -> None:
        self._past = past
        self._verdicts = verdicts
        self._threshold = threshold
        self.cut = False
        self._steps: list[Passed] = []
        self._numbers: dict[tuple[Position, Key], int] = {}

    def walk(self, key: Key, start: Position) -> list[Passed]:
        """Return the commits that touched a symbol, from `start` back to where it began."""
        pending: list[tuple[Position, Key, float, int]] = [(start, key, 1.0, -1)]
        seen: set[tuple[Position, Key]] = set()
        while pending:
            position, key, confidence, newer = pending.pop()
            position = self._past.last_change(key[0], position)
            place = position, key
            if place in self._numbers and newer >= 0:
                self._link(newer, self._numbers[place])
            mark = (position, key) if newer < 0 else place
            if mark in seen:
                continue
            seen.add(mark)
            pending += self._pass(position, key, confidence, newer)
        return self._steps

    def _pass(
        self, position: Position, key: Key, confidence: float, newer: int
    ) -> list[tuple[Position, Key, float, int]]:
        """Look at one commit at which the file changed; return where to go on."""
        here = self._past.standing(key, position)
        parents = self._past.parents(position)
        if here is None:
            return self._absent(position, key, parents, newer)
        for ordinal, parent in parents:
            there = self._past.standing(key, parent)
            same = there is not None and there.content == here.content
            rows = self._rows(position, ordinal, key)
            told = is_reused(rows, self._verdicts) or is_moved(rows, self._verdicts)
            if same and not told:
                return [(parent, key, confidence, newer)]
        origins = [
            origin
            for ordinal, parent in parents
            if (origin := self._origin(position, ordinal, parent, key)) is not None
        ]
        step = Passed(position, key, here, confidence=confidence)
        number = self._add(step, newer)
        if not origins:
            step.cut = not parents and self._past.is_cut(position)
            self.cut |= step.cut
            rows = [row for ordinal, _ in parents for row in self._rows(position, ordinal, key)]
            derived = [row for row in rows if row.kind in DERIVED]
            step.derived = tuple(dict.fromkeys(row.kind for row in derived))
            step.sources = tuple((row.kind, row.old.path, row.old.name) for row in derived)
            return []
        step.before = [origin.standing for origin in origins]
        step.told = [origin.told for origin in origins]
        best = max(origins, key=lambda origin: origin.confidence)
        step.renames = [origin.alias for origin in origins]
        step.step = best.confidence
        step.confidence = confidence * best.confidence
        return [(one.position, one.key, confidence * one.confidence, number) for one in origins]

    def _absent(
        self, position: Position, key: Key, parents: list[tuple[int, Position]], newer: int
    ) -> list[tuple[Position, Key, float, int]]:
        """Go on down to where a symbol that is gone was removed."""
        following = []
        for _, parent in parents:
            there = self._past.standing(key, parent)
            if there is None:
                following.append((parent, key, 1.0, newer))
                continue
            step = Passed(position, key, there, removed=True)
            following.append((parent, key, 1.0, self._add(step, newer)))
        return following

    def _origin(
        self, position: Position, ordinal: int, parent: Position, key: Key
    ) -> _Origin | None:
        """Return what the symbol was in one parent; None where it was not there."""
        rows = self._rows(position, ordinal, key)
        best = followed(rows, self._verdicts, self._threshold)
        if best is not None:
            alias, sure = best
            old = alias.old.path, alias.old.name
            there = self._past.standing(old, parent)
            if there is not None:
                return _Origin(parent, old, there, alias, sure.confidence, alias.changes)
        there = self._past.standing(key, parent)
        if there is None:
            return self._renamed_elsewhere(position, parent, key)
        if is_reused(rows, self._verdicts):
            return None
        told = self._past.changes_of(key).get((position, ordinal))
        return _Origin(parent, key, there, None, 1.0, told)

    def _renamed_elsewhere(self, position: Position, parent: Position, key: Key) -> _Origin | None:
        """Return what the symbol of a merge was in a parent where it was not renamed yet."""
        if len(self._past.parents(position)) == 1:
            return None
        for alias, sure in self._past.names_in(key, position, parent, self._follow):
            old = alias.old.path, alias.old.name
            there = self._past.standing(old, parent)
            if there is not None:
                return _Origin(parent, old, there, alias, sure, None)
        return None

    def _follow(self, rows: list[StoredAlias]) -> tuple[StoredAlias, float] | None:
        best = followed(rows, self._verdicts, self._threshold)
        return (best[0], best[1].confidence) if best else None

    def _rows(self, position: Position, ordinal: int, key: Key) -> list[StoredAlias]:
        return self._past.aliases_to(key).get((position, ordinal), [])

    def _add(self, step: Passed, newer: int) -> int:
        place = step.position, step.key
        number = self._numbers.get(place, -1)
        if number < 0:
            number = self._numbers[place] = len(self._steps)
            self._steps.append(step)
        self._link(newer, number)
        return number

    def _link(self, newer: int, older: int) -> None:
        if newer >= 0 and newer != older and older not in self._steps[newer].earlier:
            self._steps[newer].earlier.append(older)
