"""Progress of an index run: a bar on a terminal, nothing elsewhere; always on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from topomem.cli.output import say
from topomem.index.events import (
    BatchStored,
    BlobParsed,
    CommitIndexed,
    Emit,
    Event,
    FileLinked,
    Planned,
    Warned,
)

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def shown_progress() -> Iterator[Emit]:
    """Give a receiver of events for the length of a block."""
    if not sys.stderr.isatty():
        yield _tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[doing]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Bar(progress)


def _tell(event: Event) -> None:
    if isinstance(event, Warned):
        say(f"topomem: {event.message}")


class _Bar:
    """Commits on a bar, blobs and files counted beside it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("commits", total=None, doing="")
        self._parsed = 0
        self._linked = 0

    def __call__(self, event: Event) -> None:
        """Move the bar."""
        match event:
            case Planned():
                self._progress.update(self._task, total=event.pending)
            case BlobParsed():
                self._parsed += 1
                self._count()
            case FileLinked():
                self._linked += 1
                self._count()
            case CommitIndexed():
                self._progress.advance(self._task)
            case BatchStored():
                self._progress.update(self._task, completed=event.done)
            case Warned():
                self._progress.console.print(f"topomem: {event.message}", markup=False)
            case _:
                pass

    def _count(self) -> None:
        self._progress.update(
            self._task, doing=f"{self._parsed} blobs parsed, {self._linked} files linked"
        )
