"""Which blobs are read as decision records, and what they say."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pathspec

from topomem.git.repository import Repository
from topomem.index.steps import FileStep
from topomem.model.decision import Decision, decision_body
from topomem.model.history import Mode
from topomem.model.ids import BlobId, FilePath
from topomem.records.parse import parse
from topomem.records.places import Place, is_prose, may_have_front_matter, may_hold_record, place
from topomem.records.texts import tells_a_decision
from topomem.secrets.scan import redact
from topomem.store.decision import RecordOrigin, RecordRow

LARGEST = 1 << 20
_LARGEST_ELSEWHERE = 1 << 16
"""Texts outside the folders of records are looked into up to so many bytes."""


class RecordPlaces:
    """The places of records: those of convention, and those that are configured."""

    def __init__(self, configured: Iterable[str]) -> None:
        self._spec = pathspec.GitIgnoreSpec.from_lines(configured)

    def at(self, path: FilePath, folders: tuple[str, ...] = ()) -> Place:
        """Return what a path promises; `folders` are named by the snapshot itself."""
        chosen = bool(self._spec.patterns) and self._spec.match_file(path)
        return place(path, folders, is_chosen=bool(chosen))

    def may_be(self, path: FilePath) -> bool:
        """Return whether a path may be that of a record in some snapshot."""
        return bool(may_hold_record(path)) or self.at(path) in ("record", "maybe")


def record_text(source: bytes) -> bytes:
    """Return the text of a decision record without secrets; its lines are the same."""
    text = source.decode("utf-8", "surrogateescape")
    clean = redact(text)
    return source if clean == text else clean.encode("utf-8", "surrogateescape")


class RecordReader:
    """Reads blobs as records, each once; `known` are those that are stored."""

    def __init__(
        self, repository: Repository, places: RecordPlaces, known: set[BlobId], max_bytes: int
    ) -> None:
        self._repository = repository
        self._places = places
        self._known = known
        self._max_bytes = min(LARGEST, max_bytes)

    def rows(self, files: Iterable[tuple[FileStep, bool]]) -> list[RecordRow]:
        """Return what is to be stored of files; the flag says that a blob was seen before."""
        return [row for file, seen in files if (row := self._row(file, was_seen=seen))]

    def _row(self, file: FileStep, *, was_seen: bool) -> RecordRow | None:
        entry = file.entry
        if entry is None or entry.mode not in (Mode.FILE, Mode.EXECUTABLE):
            return None
        if not is_prose(file.path) or entry.blob in self._known:
            return None
        origin: RecordOrigin = "place" if self._places.may_be(file.path) else "front_matter"
        if origin == "front_matter" and (was_seen or not may_have_front_matter(file.path)):
            return None
        limit = self._max_bytes if origin == "place" else _LARGEST_ELSEWHERE
        size = self._repository.size(entry.blob)
        source = self._repository.read(entry.blob) if (size or 0) <= limit else None
        if source is None or (origin == "front_matter" and not tells_a_decision(source)):
            return None
        self._known.add(entry.blob)
        return RecordRow(entry.blob, file.language, origin, record_body(read_record(source)))


def read_record(source: bytes) -> Decision:
    """Return what the text of a record says, without secrets."""
    return parse(record_text(source))


def record_body(decision: Decision) -> str:
    """Return a decision as the text that is stored."""
    return json.dumps(decision_body(decision), ensure_ascii=False, separators=(",", ":"))
