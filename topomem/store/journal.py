"""The journal: the truth of authored rows, append-only, one file per writer at a time.

A line is a check sum and a JSON list. It is durable before `append` returns. A line that a crash
tore is not there: nobody was told that it was written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from topomem.store.locks import try_lock

_SUFFIX = ".jsonl"
_PIECE = 1 << 16
_MARKED = 4096
"""So many bytes before a position tell whether it is that of this file."""

ITEM = "item"
"""Kind of the tombstones that name a recorded item."""


@dataclass(frozen=True, slots=True)
class Record:
    """One authored row: its table, when it was recorded (milliseconds UTC), its content.

    `number` orders rows that were recorded together, `origin` says where a row was brought from
    ("" for what was recorded here); like the time they are no part of the content.
    """

    table: str
    recorded_at: int
    body: Mapping[str, Any]
    number: int = 0
    origin: str = ""

    @property
    def id(self) -> str:
        """The first 16 hex digits of a digest of table and content: equal content, equal id."""
        return sha256(_canonical([self.table, self.body]).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal holds behind the positions it was asked from."""

    records: tuple[Record, ...]
    positions: Mapping[str, int]  # file name -> bytes read so far
    damaged: tuple[str, ...]  # `file:offset` of lines that cannot be read


class Journal:
    """The journal files of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def append(self, records: Sequence[Record]) -> None:
        """Write records and wait until they are on the disk. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._own_file() as descriptor:
            end = os.lseek(descriptor, 0, os.SEEK_END)
            torn = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
            text = ("\n" if torn else "") + "".join(_line(record) for record in records)
            _write_all(descriptor, text.encode())
            os.fsync(descriptor)

    def read(self, positions: Mapping[str, int]) -> Reading:
        """Return the records behind `positions`, file by file; a torn end is left for later."""
        records: list[Record] = []
        damaged: list[str] = []
        reached = dict(positions)
        for file in self._files():
            start = positions.get(file.name, 0)
            with file.open("rb") as lines:
                lines.seek(start)
                data = lines.read()
            complete = data[: data.rfind(b"\n") + 1]
            reached[file.name] = start + len(complete)
            for offset, line in _lines(complete, start):
                record = _parse(line)
                if record is not None:
                    records.append(record)
                elif line:
                    damaged.append(f"{file.name}:{offset}")
        return Reading(tuple(records), reached, tuple(damaged))

    def has_more(self, positions: Mapping[str, int]) -> bool:
        """Whether whole lines stand behind `positions`; a torn end is none."""
        for file in self._files():
            start = positions.get(file.name, 0)
            if file.stat().st_size > start:
                with file.open("rb") as lines:
                    lines.seek(start)
                    if any(b"\n" in piece for piece in iter(partial(lines.read, _PIECE), b"")):
                        return True
        return False

    def sizes(self) -> dict[str, int]:
        """Return the size of every file in bytes."""
        return {file.name: file.stat().st_size for file in self._files()}

    def marks(self, positions: Mapping[str, int]) -> dict[str, str]:
        """Return a digest of what stands before each position; none where a file is too short."""
        found = {}
        for file in self._files():
            end = positions.get(file.name, 0)
            start = max(0, end - _MARKED)
            with file.open("rb") as lines:
                lines.seek(start)
                data = lines.read(end - start)
            if len(data) == end - start:
                found[file.name] = sha256(data).hexdigest()[:16]
        return found

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob(f"*{_SUFFIX}"))

    @contextmanager
    def _own_file(self) -> Iterator[int]:
        """Open the first file that no other writer holds; make one more when all are held."""
        number = 1
        while True:
            file = self._folder / f"{number:04}{_SUFFIX}"
            is_new = not file.exists()
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            try:
                if try_lock(descriptor):
                    if is_new:
                        sync_folder(self._folder)
                    yield descriptor
                    return
            finally:
                os.close(descriptor)
            number += 1


def deleted(records: Iterable[Record]) -> frozenset[str]:
    """Return the ids of the items that tombstones among the records name."""
    return frozenset(
        str(record.body.get("subject_id"))
        for record in records
        if record.table == "review.tombstone" and record.body.get("kind") == ITEM
    )


def is_deleted(record: Record, gone: frozenset[str]) -> bool:
    """Whether a record, or the episode it belongs to, is among the deleted items."""
    return record.id in gone or record.body.get("episode_id") in gone


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _check(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


def _line(record: Record) -> str:
    row = [record.table, record.recorded_at, record.number, record.body]
    text = _canonical([*row, record.origin] if record.origin else row)
    return f"{_check(text)} {text}\n"


def _lines(data: bytes, start: int) -> Iterator[tuple[int, bytes]]:
    for line in data.split(b"\n")[:-1]:
        yield start, line
        start += len(line) + 1


def _parse(line: bytes) -> Record | None:
    """Return the record of a line, None when it is not whole."""
    check, _, text = line.decode("ascii", "replace").partition(" ")
    if not text or check != _check(text):
        return None
    table, recorded_at, number, body, *origin = json.loads(text)
    return Record(table, recorded_at, body, number, *origin[:1])
