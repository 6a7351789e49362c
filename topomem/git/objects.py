"""Git objects from their bytes.

They are read here rather than by the library, because one odd field (a nonsense time zone, a name
in Latin-1) must not hide the others.
"""

from __future__ import annotations

import re
import stat
from typing import NamedTuple

from topomem.git.text import decode_text
from topomem.model.history import Commit, Mode
from topomem.model.ids import CommitId, TreeId

TREE_MODE = 0o040000

_ENTRY = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL)
_SIGNATURE = re.compile(
    rb"(?P<name>.*?) ?<(?P<email>[^>]*)>? ?(?P<date>-?\d+)?(?: (?P<zone>\S*))?.*", re.DOTALL
)
_ZONE = re.compile(rb"([+-])(\d{2})(\d{2})")
_LAST_MINUTE = 59
_WIDEST_ZONE = 14 * 60
_LARGEST_DATE = 2**62


class Signature(NamedTuple):
    """Author or committer: seconds UTC, minutes east of it or None where the zone is nonsense."""

    name: str
    email: str
    date: int
    offset: int | None
    notes: tuple[str, ...]


def tree_entries(data: bytes) -> dict[bytes, tuple[int, bytes]]:
    """Return name -> (mode, raw id) of one tree object. Modes are git's canonical ones."""
    modes = _MODES
    return {
        name: (modes.get(mode) or canonical_mode(mode), raw_id)
        for mode, name, raw_id in _ENTRY.findall(data)
    }


def canonical_mode(text: bytes) -> int:
    """Return the mode git shows for a written one; old tools wrote 100664 and the like."""
    mode = int(text, 8)
    if stat.S_ISREG(mode):
        return Mode.EXECUTABLE if mode & stat.S_IXUSR else Mode.FILE
    if stat.S_ISLNK(mode):
        return Mode.LINK
    return TREE_MODE if stat.S_ISDIR(mode) else Mode.SUBMODULE


_MODES = {
    b"100644": int(Mode.FILE),
    b"100755": int(Mode.EXECUTABLE),
    b"120000": int(Mode.LINK),
    b"160000": int(Mode.SUBMODULE),
    b"40000": TREE_MODE,
}


def parse_commit(commit: CommitId, data: bytes, *, boundary: bool) -> Commit:
    """Return the commit with this id and these bytes. Never raises for odd content."""
    head, _, message = data.partition(b"\n\n")
    headers: dict[bytes, bytes] = {}
    parents: list[CommitId] = []
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"parent":
            parents.append(CommitId(value.decode("ascii", "replace")))
        elif key:  # an empty key continues a signature or a tag
            headers.setdefault(key, value)
    encoding = headers.get(b"encoding", b"").decode("ascii", "replace").strip() or None
    author = parse_signature("author", headers.get(b"author", b""), encoding)
    committer = parse_signature("committer", headers.get(b"committer", b""), encoding)
    text, escaped = decode_text(message, encoding)
    notes = (*author.notes, *committer.notes, *(("message: bytes escaped",) if escaped else ()))
    return Commit(
        id=commit,
        tree=TreeId(headers.get(b"tree", b"").decode("ascii", "replace")),
        parents=tuple(parents),
        author_name=author.name,
        author_email=author.email,
        author_date=author.date,
        author_offset=author.offset,
        committer_date=committer.date,
        committer_offset=committer.offset,
        message=text,
        boundary=boundary,
        notes=notes,
    )


def parse_signature(role: str, value: bytes, encoding: str | None) -> Signature:
    """Return who and when. A missing date is 0, a nonsense zone None; both leave a note."""
    match = _SIGNATURE.fullmatch(value)
    raw_name, raw_email, raw_date, raw_zone = (
        match.group("name", "email", "date", "zone") if match else (value, b"", None, None)
    )
    notes = []
    name, name_escaped = decode_text(raw_name, encoding)
    email, email_escaped = decode_text(raw_email, encoding)
    if name_escaped or email_escaped:
        notes.append(f"{role}: bytes escaped")
    date = int(raw_date) if raw_date else 0
    if not raw_date or abs(date) > _LARGEST_DATE:
        date = 0
        notes.append(f"{role}: date unknown")
    offset = parse_zone(raw_zone or b"")
    if offset is None:
        notes.append(f"{role}: time zone unknown")
    return Signature(name, email, date, offset, tuple(notes))


def parse_zone(text: bytes) -> int | None:
    """Return minutes east of UTC, or None where no clock on earth shows that."""
    match = _ZONE.fullmatch(text)
    if not match:
        return None
    hours, minutes = int(match[2]), int(match[3])
    offset = hours * 60 + minutes
    if minutes > _LAST_MINUTE or offset > _WIDEST_ZONE:
        return None
    return -offset if match[1] == b"-" else offset
