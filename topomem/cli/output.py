"""What leaves the process: one JSON document, or plain text that no terminal can be fooled by."""

from __future__ import annotations

import json
import os
import sys
from typing import IO

CONTROL = [*range(0x09), 0x0B, 0x0C, *range(0x0D, 0x20), *range(0x7F, 0xA0)]
DIRECTION = [0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
ESCAPED = {code: f"\\x{code:02x}" for code in CONTROL} | {
    code: f"\\u{code:04x}" for code in DIRECTION
}
"""Characters that move the cursor, colour, ring, reorder text or end a line for some; shown by
their number instead."""

JSON_ESCAPED = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), *DIRECTION)}
"""Legal in JSON, yet not safe on a terminal. They can only stand inside strings."""


def printable(text: str) -> str:
    """Return `text` with control characters (but tab and line feed) spelled out."""
    return text.translate(ESCAPED)


def one_line(text: str) -> str:
    """Return `text` as `printable` does, on one line: a name in it cannot begin another."""
    return printable(text).replace("\n", "\\x0a")


def unsurrogated(text: str) -> str:
    r"""Return `text` with bytes that were no UTF-8 spelled `\\xNN`, as everywhere else."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def json_text(document: object) -> str:
    """Return `document` as one line of JSON; UTF-8 can encode it whatever it holds."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode("utf-8").translate(JSON_ESCAPED)


def write(text: str) -> None:
    """Write `text` and a line feed to standard output, in UTF-8 whatever the locale."""
    _write(sys.stdout, text)


def say(text: str) -> None:
    """Write a line for people to standard error."""
    _write(sys.stderr, printable(text))


def _write(stream: IO[str], text: str) -> None:
    data = (text if text.endswith("\n") else text + "\n").encode("utf-8", "backslashreplace")
    binary = getattr(stream, "buffer", None)
    if binary is None:  # a test's or an embedder's own stream
        stream.write(data.decode("utf-8"))
    else:
        stream.flush()
        binary.write(data)
    stream.flush()


def abandon_stdout() -> None:
    """Let nothing more be written: the reader has gone, and the interpreter must not complain."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
