"""What is known by name, in a file that is read without a database: subjects, counts, where.

The first line is a JSON object: `version`, and what the file is as of. Every other line is a key,
a tab, and a JSON list; lines are in order of the bytes of their keys: one is found by halving.
A key is the normal form of what people write: a name, a path, a ticket.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from topomem.model.words import normal

VERSION = 1
BEST = 3
"""So many things are told of a subject."""

_WITHIN = re.compile(r"[^\s_](?:.*[^\s_])?", re.DOTALL)
"""A text without what is blank at its ends; in time that grows with the text alone."""
_UNFIT = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Known:
    """One thing that is known of a subject.

    `kind`: decision, episode, symbol, file or commit. `where` is `path:line`, a path, or a commit.
    `why` says what it has to do with the subject: its name, `governs`, `mentions`, `says`.
    """

    kind: str
    name: str
    where: str
    why: str = "name"
    state: str = ""  # a decision's status, an episode's outcome

    @property
    def is_named(self) -> bool:
        """Whether the subject is what this is about, rather than something it speaks of."""
        return self.why != "mentions"


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject as it was written, how much is known of it, and the best of that."""

    subject: str
    total: int
    best: tuple[Known, ...]


def subject_key(text: str) -> str:
    """Return what a subject is found by."""
    found = _WITHIN.search(normal(text))
    return found[0] if found else ""


def encode(head: Mapping[str, Any], subjects: Mapping[str, tuple[int, Iterable[Known]]]) -> bytes:
    """Return the bytes of a subject file; `subjects` gives totals and the best things by key."""
    lines = [json.dumps({"version": VERSION, **head}, sort_keys=True).encode()]
    rows = (
        (key.encode("utf-8", "backslashreplace"), total, best)
        for key, (total, best) in subjects.items()
        if key and not _UNFIT.search(key)
    )
    for key, total, best in sorted(rows, key=lambda row: row[0]):
        told = [[one.kind, one.name, one.where, one.why, one.state] for one in best]
        text = json.dumps([total, *told[:BEST]], separators=(",", ":"))
        lines.append(key + b"\t" + text.encode())
    return b"\n".join(lines) + b"\n"


class SubjectFile:
    """A subject file, as its bytes (or a map of them). Never fails for what they are."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        self._data = data
        self._start = data.find(b"\n") + 1
        try:
            head = json.loads(bytes(data[: self._start]))
        except ValueError:
            head = {}
        self.head: Mapping[str, Any] = head if isinstance(head, dict) else {}

    @property
    def is_known(self) -> bool:
        """Whether the file is of this version."""
        return self.head.get("version") == VERSION

    def find(self, text: str) -> Subject | None:
        """Return what is known of a subject; None where nothing is."""
        wanted = subject_key(text).encode("utf-8", "backslashreplace")
        data, low, high = self._data, self._start, len(self._data)
        while low < high:
            middle = (low + high) // 2
            start = max(data.rfind(b"\n", self._start - 1, middle) + 1, self._start)
            end = data.find(b"\n", middle)
            end = len(data) if end < 0 else end
            key, _, body = bytes(data[start:end]).partition(b"\t")
            if key == wanted:
                return _read(text, body)
            low, high = (end + 1, high) if key < wanted else (low, start)
        return None


def _read(text: str, body: bytes) -> Subject | None:
    try:
        total, *best = json.loads(body)
        return Subject(text, int(total), tuple(Known(*map(str, one)) for one in best))
    except (ValueError, TypeError):
        return None


def merged(one: Subject | None, other: Subject | None) -> Subject | None:
    """Return what two files know of a subject: what is named before what mentions it.

    Among these, what people wrote down comes first.
    """
    if one is None or other is None:
        return one or other
    authored = ("decision", "episode")
    best = sorted(
        [*one.best, *other.best],
        key=lambda known: (not known.is_named, known.kind not in authored),
    )
    return Subject(one.subject, one.total + other.total, tuple(best[:BEST]))
