"""Questions as small numbers: sets of them are cheap to unite, compare and look through."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from topomem.link.probes import Probe, probe_of

Question = tuple[str, ...]

SILENT = frozenset({"text", "file", "first"})
"""Kinds that nobody asks for: what was read because an answer led there.

A remembered result hangs on the very text it read, positions included; links do not.
"""

FREE = frozenset(
    {
        "attribute", "bound", "config", "config_field", "config_statements", "configs_named",
        "configs_saying", "declares", "defined", "exists", "files", "folder", "has_config",
        "header", "heirs", "kind", "named", "package", "stars", "uses",
    }
)  # fmt: skip
"""Kinds whose answers hold no positions, or such as can be compared (`PLACED`).

A remembered result outlives a touched question of these kinds whose digest stays the same, and
whose positions do.
"""

PLACED = frozenset({"attribute", "bound", "stars", "uses"})
"""Kinds whose answers hold positions, which their digests leave out."""


class Numbering:
    """Numbers for questions, in order of first sight; never taken back."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.silent: set[int] = set()
        self.free: set[int] = set()
        self.placed: set[int] = set()
        self._numbers: dict[Question, int] = {}
        self._by_probe: dict[Probe, list[int]] = {}

    def number(self, question: Question) -> int:
        """Return the number of a question."""
        found = self._numbers.get(question)
        if found is None:
            found = self._numbers[question] = len(self.questions)
            self.questions.append(question)
            self._by_probe.setdefault(probe_of(question), []).append(found)
            if question[0] in SILENT:
                self.silent.add(found)
            elif question[0] in FREE:
                self.free.add(found)
                if question[0] in PLACED:
                    self.placed.add(found)
        return found

    def hanging_on(self, probes: Collection[Probe]) -> list[int]:
        """Return the questions whose answers may differ when these probes are touched."""
        by_probe = self._by_probe
        return [number for probe in by_probe.keys() & probes for number in by_probe[probe]]

    def in_order(self, numbers: Iterable[int]) -> tuple[Question, ...]:
        """Return the questions with these numbers, sorted."""
        return tuple(sorted(map(self.questions.__getitem__, numbers)))
