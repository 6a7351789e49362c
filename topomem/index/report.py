"""What an index run did."""

from __future__ import annotations

from dataclasses import dataclass

from topomem.model.ids import FilePath


@dataclass(frozen=True, slots=True, order=True)
class SkippedFile:
    """A file of this run that gave no facts, or only some; `reason` is a diagnostic's code."""

    path: FilePath
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """Counts of one run. `symbols` and `edges` are those at HEAD, in all.

    `commits_indexed` and `blobs_parsed` are what this run did; `blobs_reused` counts files it met
    whose blob had been read before.
    """

    commits_indexed: int
    commits_total: int
    blobs_parsed: int
    blobs_reused: int
    skipped: tuple[SkippedFile, ...]
    symbols: int
    edges: int
    seconds: float
    store_bytes: int
    warnings: tuple[str, ...]
    aliases: int = 0
