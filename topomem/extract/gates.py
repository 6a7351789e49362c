"""What a blob's bytes are, before anything is parsed: readable code, or the reason why not.

Positions refer to the bytes that `Reading.text` holds. Those are the blob's own bytes wherever it
is UTF-8 (a byte-order mark included); text in another encoding is read as UTF-8 and positions are
those of the UTF-8 text, which the diagnostic `encoding` says. Lines end at LF, as git counts them;
a CR before it belongs to the line. In a blob without any LF, each CR reads as a line break for the
parser, but it stays one line.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from topomem.model.code import Diagnostic

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_LFS = b"version https://git-lfs.github.com/spec/"
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LARGEST_BLOB = 1 << 22
"""No limit is above this, so that text in UTF-8 is always within what positions can say."""

_HEAD_BYTES = 4096
_SMALL_BYTES = 16 << 10
"""Shorter text is never called minified."""
_LONG_LINE = 1000
_MEAN_LINE = 300


@dataclass(frozen=True, slots=True)
class Limits:
    """What is too much. `max_blob_bytes`: larger blobs are not read."""

    max_blob_bytes: int = 1 << 20


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Reading:
    """UTF-8 text of a blob, or None with the diagnostic that says why not."""

    text: bytes | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read(
    source: bytes | None, limits: Limits, generated: tuple[str, ...] = (), *, cookie: bool = False
) -> Reading:
    """Return the text to parse. `cookie`: the first two lines may name the encoding."""
    if source is None:
        return _refused("missing", "the blob is not in the repository (partial clone)")
    most = min(limits.max_blob_bytes, LARGEST_BLOB)
    if len(source) > most:
        return _refused("too_large", f"{len(source)} bytes, more than {most}")
    if source.startswith(_LFS):
        return _refused("lfs_pointer", "a pointer to a file kept by Git LFS")
    text, diagnostics = _decode(source, cookie=cookie)
    return _no_code(text, generated) or Reading(text, diagnostics)


def _no_code(text: bytes, generated: tuple[str, ...]) -> Reading | None:
    """Return why a text is not what people write and read, if so."""
    if b"\0" in text:
        return _refused("binary", "holds NUL bytes")
    if _is_minified(text):
        return _refused("minified", "very long lines: written by a program, not by people")
    marker = _generated_marker(text, generated)
    return _refused("generated", f"marked as generated: {marker!r}") if marker else None


def _refused(code: str, message: str) -> Reading:
    return Reading(None, (Diagnostic(code, message),))


def _decode(source: bytes, *, cookie: bool) -> tuple[bytes, tuple[Diagnostic, ...]]:
    if source.isascii() and not (cookie and b"coding" in source[:400]):
        return source, ()
    for mark, encoding in _BOMS:
        if source.startswith(mark):
            return _transcode(source, encoding)
    named = _cookie(source) if cookie else None
    if named is not None and not source.startswith(codecs.BOM_UTF8):
        return _transcode(source, named)
    try:
        source.decode()
    except UnicodeDecodeError:
        return _transcode(source, "latin-1", "neither UTF-8 nor marked: ")
    return source, ()


def _transcode(
    source: bytes, encoding: str, reason: str = ""
) -> tuple[bytes, tuple[Diagnostic, ...]]:
    try:
        text = source.decode(encoding).encode("utf-8")
    except (UnicodeError, LookupError):
        reason = f"not valid {encoding}: "
        encoding = "latin-1"
        text = source.decode(encoding).encode("utf-8")
    if text == source:
        return source, ()
    message = f"{reason}read as {encoding}; byte offsets are those of the text in UTF-8"
    return text, (Diagnostic("encoding", message),)


def _cookie(source: bytes) -> str | None:
    """Return the encoding named in the first two lines, if it is not UTF-8 and known."""
    for line in source[:400].split(b"\n", 2)[:2]:
        match = _COOKIE.match(line)
        if match:
            try:
                name = codecs.lookup(match[1].decode("ascii", "replace")).name
            except LookupError:
                return None
            return None if name in ("utf-8", "utf-8-sig", "ascii") else name
    return None


def _is_minified(text: bytes) -> bool:
    """Whether most of a text stands in very long lines. Short texts and prose never do."""
    size = len(text)
    if size < _SMALL_BYTES:
        return False
    lines = text.count(b"\n") + 1
    if size // lines < _MEAN_LINE:
        return False
    long_bytes = sum(len(line) for line in text.split(b"\n") if len(line) > _LONG_LINE)
    return long_bytes * 10 > size * 9


def _generated_marker(text: bytes, markers: tuple[str, ...]) -> str:
    head = text[:_HEAD_BYTES]
    for marker in markers:
        if marker.encode() in head:
            return marker
    return ""
