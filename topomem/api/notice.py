"""What a message touches that is known here: read from the subject files alone, at every message.

No database and no library is loaded. Only what is shaped like a subject counts: names of code,
paths, tickets, what stands in quotes. A session is told each subject once.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from topomem.api.folders import FOLDER, SESSIONS, SUBJECTS
from topomem.git import place
from topomem.model.messages import tickets
from topomem.model.subjects import Subject, SubjectFile, merged, subject_key

MOST = 8
"""Most subjects that one message is answered with; the rest is counted."""

LONGEST_MESSAGE = 20_000
_MOST_TOLD = 4_000
_MOST_SESSIONS = 200
_MISSING = "!missing"
_OLD = "!old"

_QUOTED = re.compile(r"`+([^`\n]{2,120})`+|\"([^\"\n]{2,80})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)")
_PATH = re.compile(r"(?:[\w.@+~-]*[/\\])+[\w.@+-]+|[\w@+-]+\.[A-Za-z]\w{0,9}(?![\w(])")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*(\(?)")
_SHAPED = re.compile(r"[^\W_]_+[^\W_]|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]")
"""What tells the name of something in code from a word of prose."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What is known of what a message touches, as of the commit that was indexed last."""

    as_of: str | None
    subjects: tuple[Subject, ...] = ()
    left_out: int = 0
    notes: tuple[str, ...] = ()


def notice(text: str, session: str, repository: Path, store: Path | None = None) -> Notice:
    """Return what is new to this session of what the message touches; nothing where nothing is.

    An empty `session` remembers nothing. Never fails for what a message, or a file, holds.
    """
    git = place.git_dir(repository)
    if git is None and store is None:
        return Notice(None, notes=("not inside a git repository",))
    folder = store or (place.common_dir(git) / FOLDER if git else Path(FOLDER))
    told = _Told(folder, session)
    files = open_subjects(folder)
    derived = [file for file in files if file.head.get("commit")]
    notes = _notes(told, derived, place.head_commit(git) if git else None)
    fresh: dict[str, Subject] = {}
    for found in find_subjects(files, written_subjects(text[:LONGEST_MESSAGE])):
        key = subject_key(found.subject)
        known = any(found.best == other.best for other in fresh.values())
        if not known and told.is_new(key):
            fresh[key] = found
    told.keep()
    as_of = str(derived[0].head["commit"]) if derived else None
    shown = tuple(fresh.values())
    return Notice(as_of, shown[:MOST], max(0, len(shown) - MOST), tuple(notes))


def written_subjects(text: str) -> list[str]:
    """Return what a text writes that has the shape of a subject, the most telling first."""
    quoted = [next(filter(None, found.groups())) for found in _QUOTED.finditer(text)]
    shaped = [
        found.group().rstrip("(")
        for found in _NAME.finditer(_PATH.sub(" ", text))
        if found[1] or _SHAPED.search(found.group()) or _is_qualified(found.group())
    ]
    paths = [found.group().rstrip(".") for found in _PATH.finditer(text)]
    names = [part.strip().removesuffix("()") for part in quoted if len(part.split()) == 1]
    return list(dict.fromkeys([*tickets(text), *paths, *names, *shaped]))


def _is_qualified(name: str) -> bool:
    return any(mark in name for mark in (".", "::", "#"))


def open_subjects(folder: Path) -> list[SubjectFile]:
    """Return the subject files of a store that this version reads."""
    return [found for name in SUBJECTS if (found := _open(folder / name)) is not None]


def find_subjects(files: Sequence[SubjectFile], written: Iterable[str]) -> Iterator[Subject]:
    """Yield what is known of what was written, in that order; the same thing may come twice."""
    for text in written:
        found = _find(files, text)
        if found is not None:
            yield found


def _find(files: Sequence[SubjectFile], written: str) -> Subject | None:
    for form in _forms(written):
        found: Subject | None = None
        for file in files:
            found = merged(found, file.find(form))
        if found is not None:
            return found
    return None


def _forms(written: str) -> Iterator[str]:
    """Yield what a text may stand for: itself, and what is left of a path or name from the end."""
    yield written
    if "/" in written or "\\" in written:
        parts = written.replace("\\", "/").strip("./~").split("/")
        yield from ("/".join(parts[start:]) for start in range(len(parts)))
        return
    parts = re.split(r"\.|::|#", written)
    if len(parts) > 1:
        yield ".".join(parts[-2:])
        if _SHAPED.search(parts[-1]):
            yield parts[-1]


def _open(file: Path) -> SubjectFile | None:
    """Return a subject file; None where there is none that this version reads."""
    try:
        with file.open("rb") as stream:
            found = SubjectFile(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):
        return None
    return found if found.is_known else None


def _notes(told: _Told, derived: list[SubjectFile], head: str | None) -> list[str]:
    """Return what is to be known of the files, once in a session."""
    if not derived:
        return ["no subject file: run topomem index"] if told.is_new(_MISSING) else []
    commit = str(derived[0].head["commit"])
    if head is None or head == commit or not told.is_new(f"{_OLD} {head}"):
        return []
    return [f"what is known is as of {commit[:12]}, HEAD is {head[:12]}: run topomem reindex"]


class _Told:
    """What a session was told, in a small file of its own."""

    def __init__(self, folder: Path, session: str) -> None:
        self._file: Path | None = None
        self._known: set[str] = set()
        self._new: list[str] = []
        if session and folder.is_dir():
            name = sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            self._file = folder / SESSIONS / name
            with suppress(OSError):
                self._known = set(self._file.read_text("utf-8", "replace").splitlines())

    def is_new(self, key: str) -> bool:
        """Whether the session was not told of this yet; from now on it was."""
        key = " ".join(key.split())
        if key in self._known:
            return False
        self._known.add(key)
        self._new.append(key)
        return True

    def keep(self) -> None:
        """Write down what is new. A folder that cannot be written to is no error."""
        if self._file is None or not self._new or len(self._known) > _MOST_TOLD:
            return
        with suppress(OSError):
            fresh = not self._file.exists()
            self._file.parent.mkdir(exist_ok=True)
            lines = "".join(f"{key}\n" for key in self._new)
            with self._file.open("a", encoding="utf-8", errors="replace") as stream:
                stream.write(lines)
            if fresh:
                _prune(self._file.parent)


def _prune(folder: Path) -> None:
    """Remove the sessions that were quiet for longest, where there are too many."""
    files = [(entry.stat().st_mtime_ns, entry.path) for entry in os.scandir(folder)]
    for _, path in sorted(files)[:-_MOST_SESSIONS]:
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108  a path of its own scan
