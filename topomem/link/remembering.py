"""Links that were worked out before, found again by what they depend on.

History goes back and forth: a merge brings what a branch did, a branch begins where the main line
was. A region's links are a function of its text, its place and the answers to its questions, so
equal ones need no second look.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from topomem.link.numbering import Numbering, Question
from topomem.link.questions import RULES, Digest
from topomem.link.results import Use
from topomem.link.world import World
from topomem.model.code import LinkedEdge
from topomem.model.ids import FilePath, QualifiedName, RegionKey

_KEPT = 4_000
_KEPT_OF_ONE = 4
_UNKNOWN = -1


class How(NamedTuple):
    """How a region's links were worked out: what it asked itself, questions and results.

    The questions with the silent ones, without those about its own text; `snapshot` is when.
    """

    snapshot: int
    questions: frozenset[int]
    used: tuple[Use, ...]


class Linked:
    """One region's links, for which text they were made, and the questions they depend on."""

    __slots__ = ("_questions", "asked", "edges", "how", "region")

    def __init__(
        self,
        region: RegionKey,
        edges: tuple[LinkedEdge, ...],
        asked: frozenset[int],
        how: How | None = None,
    ) -> None:
        self.region = region
        self.edges = edges
        self.asked = asked
        self.how = how
        self._questions: tuple[Question, ...] | None = None

    def questions(self, numbering: Numbering) -> tuple[Question, ...]:
        """Return the questions, sorted; always the same object."""
        if self._questions is None:
            self._questions = numbering.in_order(self.asked)
        return self._questions

    def moved_to(self, region: RegionKey) -> Linked:
        """Return the links for a region that says the same."""
        moved = Linked(region, self.edges, self.asked, self.how)
        moved._questions = self._questions
        return moved


class AnswerBook:
    """Answers in the present snapshot as small numbers: equal numbers, equal digests.

    A number is the place of a digest among those the question ever had.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._numbering = world.numbering
        self._digests: dict[int, dict[Digest, int]] = {}
        self._numbers: list[int] = []  # by question

    def number(self, question: int) -> int:
        """Return the number of the present answer to a question."""
        numbers = self._numbers
        if question >= len(numbers):
            missing = len(self._numbering.questions) - len(numbers)
            numbers.extend([_UNKNOWN] * missing)
        found = numbers[question]
        if found == _UNKNOWN:
            found = numbers[question] = self._work_out(question)
        return found

    def numbers(self, questions: Iterable[int]) -> tuple[int, ...]:
        """Return the numbers of the present answers to questions, in their order."""
        known = self._numbers
        try:
            found = tuple([known[question] for question in questions])
        except IndexError:
            return tuple([self.number(question) for question in questions])
        if _UNKNOWN in found:
            return tuple([self.number(question) for question in questions])
        return found

    def forget(self, questions: Iterable[int]) -> None:
        """Forget the answers to questions, which may differ after a change."""
        numbers = self._numbers
        count = len(numbers)
        for question in questions:
            if question < count:
                numbers[question] = _UNKNOWN

    def _work_out(self, number: int) -> int:
        question = self._numbering.questions[number]
        digest = RULES[question[0]](self._world, *question[1:])
        known = self._digests.setdefault(number, {})
        return known.setdefault(digest, len(known))


class Standing(NamedTuple):
    """A region's text and where it stands: its path, its name, the names around and inside."""

    path: FilePath
    name: QualifiedName
    region: RegionKey
    around: tuple[str, ...]


class _Remembered(NamedTuple):
    questions: tuple[int, ...]
    numbers: tuple[int, ...]
    linked: Linked


class LinkMemory:
    """The last few links of each region that stood somewhere, by the answers they depend on."""

    def __init__(self, book: AnswerBook) -> None:
        self._book = book
        self._kept: OrderedDict[Standing, list[_Remembered]] = OrderedDict()

    def find(self, standing: Standing) -> Linked | None:
        """Return links that were made for the answers of the present snapshot."""
        for one in self._kept.get(standing, ()):
            if self._book.numbers(one.questions) == one.numbers:
                self._kept.move_to_end(standing)
                return one.linked
        return None

    def keep(self, standing: Standing, linked: Linked) -> None:
        """Remember links made in the present snapshot."""
        questions = tuple(linked.asked)
        kept = self._kept.setdefault(standing, [])
        kept.insert(0, _Remembered(questions, self._book.numbers(questions), linked))
        del kept[_KEPT_OF_ONE:]
        self._kept.move_to_end(standing)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
