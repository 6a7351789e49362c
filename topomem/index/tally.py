"""Counts of a run, taken from its events on their way to whoever listens."""

from __future__ import annotations

from topomem.index.events import (
    BlobParsed,
    BlobSkipped,
    CommitIndexed,
    CommitTraced,
    Emit,
    Event,
    SecretsMasked,
    Warned,
)
from topomem.index.report import SkippedFile


class Tally:
    """Counts events on their way to whoever listens."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.commits = 0
        self.parsed = 0
        self.reused = 0
        self.aliases = 0
        self.masked = 0
        self.skipped: set[SkippedFile] = set()
        self.warnings: list[str] = []

    def __call__(self, event: Event) -> None:
        """Count an event and hand it on."""
        match event:
            case CommitIndexed():
                self.commits += 1
                self.reused += event.reused
            case BlobParsed():
                self.parsed += 1
            case BlobSkipped():
                self.skipped.add(SkippedFile(event.path, event.reason))
            case CommitTraced():
                self.aliases += event.aliases
            case SecretsMasked():
                self.masked += event.texts
            case Warned():
                self.warnings.append(event.message)
            case _:
                pass
        self._emit(event)
