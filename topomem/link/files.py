"""What the linker is given: the files of a snapshot and their changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.ids import FilePath


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file of a snapshot. `regions` is parallel to `blob.placements`.

    It may be any sequence, also one that loads regions when they are asked for.
    """

    path: FilePath
    mode: int
    blob: BlobFacts
    regions: Sequence[RegionFacts]


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file that is no code but decides how names resolve; `text` is its whole text."""

    path: FilePath
    text: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A path and what stands there now; None when nothing does."""

    path: FilePath
    facts: FileFacts | ConfigFile | None
