"""A patch as text: which lines of which files it would change. What cannot be read is skipped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from topomem.git.text import spell_path
from topomem.model.ids import FilePath

_HUNK = re.compile(r"^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_OCTAL = re.compile(rb"\\([0-7]{3})|\\(.)")
_PLAIN = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b'"': b'"', b"\\": b"\\"}

Lines = tuple[int, int]


def patched_lines(text: str) -> dict[FilePath, list[Lines]]:
    """Return the lines of the old files that a unified diff takes out, as first and last line.

    Where it only puts lines in, the line before them stands for them. A file that it makes or
    renames goes by its new name, one that it removes by its old one.
    """
    found: dict[FilePath, list[Lines]] = {}
    names = ["", ""]
    lines = iter(text.splitlines())
    for line in lines:
        for at, mark in enumerate(("--- ", "+++ ")):
            if line.startswith(mark):
                names[at] = line[len(mark) :]
        hunk = _HUNK.match(line)
        path = _path(names[1]) or _path(names[0])
        if hunk and path:
            counts = int(hunk[2] or 1), int(hunk[3] or 1)
            found.setdefault(path, []).extend(_of_hunk(lines, int(hunk[1]), counts))
        elif line.startswith("+++ ") and path:
            found.setdefault(path, [])
    return found


def _of_hunk(lines: Iterable[str], start: int, counts: tuple[int, int]) -> list[Lines]:
    """Return what a hunk changes, and read its lines up to its end."""
    old, new = counts
    at, changed = start, set()
    before = ""
    if old == 0:
        at += 1  # an empty range names the line before it
    for line in lines:
        mark = line[:1]
        if mark == "-":
            changed.add(at)
        elif mark == "+" and before not in ("-", "+"):
            changed.add(max(1, at - 1))
        if mark != "\\":
            before = mark
            at += mark != "+"
            old -= mark != "+"
            new -= mark != "-"
        if old <= 0 and new <= 0:
            break
    return [(line, line) for line in sorted(changed)]


def _path(name: str) -> FilePath | None:
    """Return the path that a header names; None for no file."""
    name = name.partition("\t")[0].rstrip()
    if name.startswith('"') and name.endswith('"') and len(name) > 1:
        raw = _OCTAL.sub(_unquoted, name[1:-1].encode("utf-8", "backslashreplace"))
    else:
        raw = name.encode("utf-8", "backslashreplace")
    if raw in (b"", b"/dev/null"):
        return None
    return spell_path(raw[2:] if raw[:2] in (b"a/", b"b/") else raw)


def _unquoted(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return bytes([int(match[1], 8) & 0xFF])
    return _PLAIN.get(match[2], match[2])
