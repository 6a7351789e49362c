"""When what may have changed last: for results that outlive a snapshot.

A result remembers the moment at which it was last known to hold. It still holds when nothing that
it read has changed since: the regions whose texts it looked into, the files whose definitions it
walked, the questions it asked. Here every change counts, also one that only moves text: results
hold positions.
"""

from __future__ import annotations

from topomem.link.marks import Mark
from topomem.link.questions import Probe, probe_of
from topomem.link.touching import OF_A_REGION, OF_ALL_INSIDE, OF_THE_MODULE, PRESENCE, Touched
from topomem.link.world import Question


class Changes:
    """The last moment of change of everything that can be read; moments are counted from 1."""

    def __init__(self) -> None:
        self.now = 1
        self._probes: dict[Probe, int] = {}
        self._presence: dict[Probe, int] = {}
        self._files: dict[str, int] = {}
        self._structures: dict[str, int] = {}
        self._regions: dict[tuple[str, str], int] = {}
        self._insides: dict[tuple[str, str], int] = {}

    def note(self, touched: Touched) -> None:
        """Begin a new moment, with a change that touches this."""
        self.now += 1
        now = self.now
        self._probes.update(dict.fromkeys(touched.probes, now))
        self._presence.update(dict.fromkeys(touched.presence, now))
        self._files.update(dict.fromkeys(touched.replaced, now))
        self._structures.update(dict.fromkeys(touched.restructured, now))
        for path, names in touched.differing.items():
            for name in names:
                self._regions[path, name] = now
                around = name
                while around:
                    self._insides[path, around] = now
                    around = around.rpartition(".")[0]

    def of_mark(self, mark: Mark) -> int:
        """Return when a region (or the tree of definitions of a file) may have changed last."""
        file = self._files.get(mark.path, 0)
        if mark.scope is None:
            return max(file, self._structures.get(mark.path, 0))
        return max(file, self._regions.get((mark.path, mark.scope), 0))

    def of_question(self, question: Question) -> int:
        """Return when the answer to a question may have changed last."""
        kind, path = question[0], question[1]
        if kind in OF_A_REGION:
            return max(self._files.get(path, 0), self._regions.get((path, question[2]), 0))
        if kind in OF_THE_MODULE:
            return max(self._files.get(path, 0), self._regions.get((path, ""), 0))
        if kind in OF_ALL_INSIDE and question[2]:
            return max(self._files.get(path, 0), self._insides.get((path, question[2]), 0))
        if kind in PRESENCE:
            return self._presence.get(probe_of(question), 0)
        return self._probes.get(probe_of(question), 0)
