"""Links that were worked out before, found again by what they depend on.

History goes back and forth: a merge brings what a branch did, a branch begins where the main line
was. A region's links are a function of its text, its place and the answers to its questions, so
equal ones need no second look.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from topomem.link.questions import RULES, Probe, probe_of
from topomem.link.touching import Touched
from topomem.link.world import Question, World
from topomem.model.ids import FilePath, QualifiedName, RegionKey

if TYPE_CHECKING:
    from topomem.link.linker import LinkedRegion

_KEPT = 15_000
_KEPT_OF_ONE = 4


class AnswerBook:
    """Answers in the present snapshot as small numbers: equal numbers, equal digests.

    A number is the place of a digest among those the question ever had. What is kept of a digest is
    its hash.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._digests: dict[Question, list[bytes]] = {}
        self._same: dict[Question, Question] = {}
        self._numbers: dict[Question, int] = {}
        self._by_probe: dict[Probe, set[Question]] = {}

    def number(self, question: Question) -> int:
        """Return the number of the present answer to a question."""
        found = self._numbers.get(question)
        if found is None:
            found = self._numbers[question] = self._work_out(question)
            self._by_probe.setdefault(probe_of(question), set()).add(question)
        return found

    def same(self, question: Question) -> Question:
        """Return the one object that is kept for equal questions."""
        return self._same.setdefault(question, question)

    def forget(self, touched: Touched) -> None:
        """Forget the answers that may differ after a change."""
        for probe in self._by_probe.keys() & touched.probes:
            known = self._by_probe[probe]
            gone = {question for question in known if not touched.spares(question)}
            known -= gone
            for question in gone:
                del self._numbers[question]

    def _work_out(self, question: Question) -> int:
        digest = repr(RULES[question[0]](self._world, *question[1:])).encode("utf-8", "replace")
        known = self._digests.setdefault(question, [])
        hashed = blake2b(digest, digest_size=12).digest()
        if hashed not in known:
            known.append(hashed)
        return known.index(hashed)


class Standing(NamedTuple):
    """A region's text and where it stands: its path, its name, the names around and inside."""

    path: FilePath
    name: QualifiedName
    region: RegionKey
    around: tuple[str, ...]


class _Remembered(NamedTuple):
    numbers: tuple[int, ...]  # parallel to the questions of `linked`
    linked: LinkedRegion


class LinkMemory:
    """The last few links of each region that stood somewhere, by the answers they depend on."""

    def __init__(self, book: AnswerBook) -> None:
        self._book = book
        self._kept: OrderedDict[Standing, list[_Remembered]] = OrderedDict()

    def find(self, standing: Standing) -> LinkedRegion | None:
        """Return links that were made for the answers of the present snapshot."""
        number = self._book.number
        for one in self._kept.get(standing, ()):
            asked = zip(one.linked.questions, one.numbers, strict=True)
            if all(number(question) == known for question, known in asked):
                self._kept.move_to_end(standing)
                return one.linked
        return None

    def keep(self, standing: Standing, linked: LinkedRegion) -> None:
        """Remember links made in the present snapshot."""
        numbers = tuple([self._book.number(question) for question in linked.questions])
        kept = self._kept.setdefault(standing, [])
        kept.insert(0, _Remembered(numbers, linked))
        del kept[_KEPT_OF_ONE:]
        self._kept.move_to_end(standing)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
