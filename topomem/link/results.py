"""Results that are remembered from one snapshot to the next, by what they were worked out from.

A result hangs on the questions that its rule asked of the world itself, and on the values of the
results it used. It is good in a later snapshot if none of those questions was touched and every
result it used is good too, or comes out the same when it is worked out again: what changed below
and gave the same is not felt above.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from topomem.link.numbering import Numbering

MOST_RESULTS = 30_000
"""Results of one kind that are kept; above that the half that was not used for longest goes."""

_GONE = -1
_NEVER = -1

Use = tuple["Entry", int, tuple[object, ...]]
"""A result that was used, with how many steps left, and what its rule was given then."""


class Asker(Protocol):
    """What works results out."""

    def ask_again(self, entry: Entry, k: int, args: tuple[object, ...]) -> Entry | None:
        """Return the result of the present snapshot for one of before, None where it has none."""


class Entry:
    """A remembered result: its value, the steps it took, and what was asked for it.

    `cut`: it ran out of steps. `checked` is the last snapshot in which it was known to be good,
    `moved` the last one in which the questions below it became others.
    """

    __slots__ = (
        "asked", "by", "checked", "cut", "empty", "flat", "flat_at", "height", "key", "moved",
        "own", "pending", "rule", "step", "used", "value",
    )  # fmt: skip

    def __init__(
        self, by: Asker, key: object, rule: object, value: object, asked: list[object], now: int
    ) -> None:
        self.by = by
        self.key = key
        self.rule = rule
        self.value = value
        self.asked: list[object] | None = asked
        self.checked = now
        self.moved = now
        self.empty: object = None
        self.step = 0
        self.height = 0
        self.cut = False
        self.pending = False
        self.own: tuple[int, ...] = ()
        self.used: list[Use] = []
        self.flat: frozenset[int] = frozenset()
        self.flat_at = _NEVER


class Results:
    """Remembered results, and what was touched in which snapshot."""

    def __init__(self, numbering: Numbering) -> None:
        self.numbering = numbering
        self.snapshot = 0  # number of the present one
        self.exact: dict[object, Entry] = {}
        self.cut_short: dict[object, Entry] = {}
        self._tables: list[dict[object, Entry]] = [self.exact, self.cut_short]
        self._stale: dict[int, int] = {}  # by question: in which snapshot it was so last
        self._changed: dict[int, int] = {}

    def table(self) -> dict[object, Entry]:
        """Return a further table of results, kept as small as the others."""
        self._tables.append({})
        return self._tables[-1]

    def move(self, stale: Iterable[int], changed: Iterable[int]) -> None:
        """Go to the next snapshot.

        Results that asked `stale` questions themselves are no longer good, and links of regions
        that asked `changed` ones themselves.
        """
        self.snapshot += 1
        self._stale.update(dict.fromkeys(stale, self.snapshot))
        self._changed.update(dict.fromkeys(changed, self.snapshot))
        for table in self._tables:
            if len(table) > MOST_RESULTS:
                since = sorted([entry.checked for entry in table.values()])[len(table) // 2]
                for key in [key for key, entry in table.items() if entry.checked <= since]:
                    del table[key]

    def changed_since(self, snapshot: int, questions: Iterable[int]) -> bool:
        """Tell whether one of some questions changed after a snapshot."""
        changed = self._changed
        return any(changed.get(question, 0) > snapshot for question in questions)

    def stands(self, entry: Entry) -> bool:
        """Tell whether a result of a snapshot before is one of the present snapshot.

        Works out again what it used and may differ. A result that is looked at again meanwhile
        leads back to itself: then it does not stand.
        """
        checked = entry.checked
        if checked == self.snapshot:
            return True
        if checked == _GONE or entry.pending:
            entry.checked = _GONE
            return False
        self._settle(entry)
        stale = self._stale
        for question in entry.own:
            if stale.get(question, 0) > checked:
                entry.checked = _GONE
                return False
        entry.pending = True
        entry.checked = self.snapshot if self._uses_stand(entry) else _GONE
        entry.pending = False
        return entry.checked != _GONE

    def _uses_stand(self, entry: Entry) -> bool:
        """Tell whether all that a result used has the value it had; lets it use what is there."""
        used, moved, now = entry.used, entry.moved, self.snapshot
        for at, (below, k, args) in enumerate(used):
            if below.checked != now and not self.stands(below):
                again = below.by.ask_again(below, k, args)
                if again is None or not _same(again, below) or entry.checked == _GONE:
                    return False
                used[at] = (again, k, args)
                moved = now
            elif below.moved > moved:
                moved = below.moved
        entry.moved = moved
        return True

    def questions(self, entry: Entry) -> frozenset[int]:
        """Return all questions below a result of the present snapshot, silent ones too."""
        if entry.flat_at < entry.moved:
            self._settle(entry)
            entry.flat = self.flat(entry.own, entry.used)
            entry.flat_at = self.snapshot
        return entry.flat

    def flat(self, own: Iterable[int], used: Iterable[Use]) -> frozenset[int]:
        """Return some questions and all below some results. Depth is bounded by that of rules."""
        found = set(own)
        largest: frozenset[int] = frozenset()
        for below, _, _ in used:
            flat = self.questions(below)
            found |= flat
            if len(flat) > len(largest):
                largest = flat
        return largest if len(found) == len(largest) else frozenset(found)

    def sorted_out(self, asked: Iterable[object]) -> tuple[tuple[int, ...], list[Use]]:
        """Return the questions in a list of questions and uses of results, and the uses."""
        own: dict[int, None] = {}
        used: dict[tuple[Entry, int], Use] = {}
        number = self.numbering.number
        for one in asked:
            if type(one[0]) is Entry:  # type: ignore[index]  # both are tuples
                used.setdefault(one[:2], one)  # type: ignore[index, arg-type]
            else:
                own[number(one)] = None  # type: ignore[arg-type]  # a question
        return tuple(own), list(used.values())

    def _settle(self, entry: Entry) -> None:
        """Take what was asked for a result apart, once."""
        if entry.asked is not None:
            entry.own, entry.used = self.sorted_out(entry.asked)
            entry.asked = None


def _same(one: Entry, other: Entry) -> bool:
    """Tell whether who used one result may as well have used the other."""
    return (
        one.value == other.value
        and one.cut == other.cut
        and (one.cut or one.height == other.height)
    )
