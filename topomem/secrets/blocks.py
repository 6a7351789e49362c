"""Private keys as text: over many lines, on one line with escapes, inside comments, or cut off."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator

from topomem.secrets.formats import Span

_LONGEST = 32_768
"""Characters from the first line of a key to its last."""
_BEGIN = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|PuTTY-User-Key-File-\d:"
)
_END = re.compile(r"----[- ]END [A-Z0-9 ]{1,60}-{4,5}|Private-MAC: *[0-9a-f]+")
_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}")
_BREAK = re.compile(r"\n|\\n|\Z")
_AROUND = " \t\r>#*+|\"'`,;/\\-"
"""What stands around a line of a key in comments, quotes and patches."""
_LINE = re.compile(r"[A-Za-z0-9+/=]{16,}r?|[A-Za-z][\w-]{1,40}: [^\n]{1,100}|")
_LEAST = 32
"""So many characters of a key make it one: a text may name the first line of a key."""
_ENCODED = "LS0tLS1CRUdJTi"
"""`-----BEGIN` in base64, whatever follows."""
_ENCODED_BODY = re.compile(r"[A-Za-z0-9+/]{100,}={0,2}")


def find_private_keys(text: str) -> Iterator[Span]:
    """Yield where private keys stand, first and last line included."""
    if "PRIVATE KEY" in text or "PuTTY-User-Key-File-" in text:
        at = 0
        while begin := _BEGIN.search(text, at):
            at = begin.end()
            end = _end(text, begin.end())
            if sum(len(run) for run in _BODY.findall(text, begin.end(), end)) >= _LEAST:
                yield begin.start(), end
                at = end


def find_encoded_keys(text: str) -> Iterator[Span]:
    """Yield where private keys stand that were encoded once more."""
    at = text.find(_ENCODED)
    while at >= 0:
        found = _ENCODED_BODY.match(text, at, at + _LONGEST)
        if found and "PRIVATE KEY" in _decoded(found.group()[:80]):
            yield found.span()
        at = text.find(_ENCODED, found.end() if found else at + 1)


def _end(text: str, start: int) -> int:
    """Return where a key ends: behind its last line, or where its lines stop looking like one."""
    limit = min(len(text), start + _LONGEST)
    following = _BEGIN.search(text, start, limit)
    limit = following.start() if following else limit
    end = _END.search(text, start, limit)
    if end:
        return end.end()
    at = start
    while at < limit:
        stop = _BREAK.search(text, at, limit)
        line_end = stop.start() if stop else limit
        line = text[at:line_end].strip(_AROUND)
        if not _LINE.fullmatch(line) or (not line and at > start and text[start:at].strip()):
            break
        at = max(line_end, at + 1) if line_end >= limit or stop is None else stop.end()
    return _without_layout(text, start, min(at, limit))


def _without_layout(text: str, start: int, end: int) -> int:
    """Return the end of a range without the blanks, quotes and breaks it ends in."""
    kept = text[start:end].rstrip(" \t\r\n\"'`,;")
    return start + len(kept)


def _decoded(text: str) -> str:
    try:
        return b64decode(text[: len(text) // 4 * 4]).decode("ascii", "replace")
    except (Error, ValueError):
        return ""
