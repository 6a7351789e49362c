"""What hooks did, in a file of bounded size in the folder of the store."""

from __future__ import annotations

import time
from pathlib import Path

MOST_BYTES = 64 << 10
"""A longer log loses its older half."""

_LOG = "hook.log"
_ERRORS = "hook.err"


def write(store: Path, hook: str, words: str) -> None:
    """Add a line: when (UTC), which hook, what came of it."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = f"{when} {hook}: {' '.join(words.split())}\n"
    with (store / _LOG).open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(line)
        size = file.tell()
    if size > MOST_BYTES:
        _shorten(store / _LOG)


def last_lines(store: Path, count: int) -> list[str]:
    """Return the latest lines, oldest first."""
    try:
        return (store / _LOG).read_text("utf-8", "replace").splitlines()[-count:]
    except OSError:
        return []


def last_errors(store: Path) -> str:
    """Return what the latest hook said that could not write to the log."""
    try:
        return (store / _ERRORS).read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _shorten(file: Path) -> None:
    kept = file.read_bytes()[-MOST_BYTES // 2 :].partition(b"\n")[2]
    new = file.with_name(f"{file.name}.new")
    new.write_bytes(kept)
    new.replace(file)
