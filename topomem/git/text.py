"""Bytes of git as text that every consumer can hold.

Git stores bytes: paths in any encoding, messages in the one their header names, or in another.
What leaves this package is text without surrogates, from which the bytes can be got back.
"""

from __future__ import annotations

import re

from topomem.model.ids import FilePath

_SURROGATE = re.compile("[\udc80-\udcff]")  # stands for a bad byte while decoding
_ESCAPE = re.compile(rb"\\(?:x([0-9A-F]{2})|(\\))")


def spell_path(raw: bytes) -> FilePath:
    r"""Return the one spelling of a path: bad bytes are `\xNN`, a backslash is `\\`."""
    if b"\\" not in raw:
        try:
            return FilePath(raw.decode("utf-8"))
        except UnicodeDecodeError:
            pass
    return FilePath(_escaped(raw))


def path_bytes(path: FilePath) -> bytes:
    """Return the bytes `spell_path` was given."""
    return _ESCAPE.sub(_unescaped, path.encode("utf-8")) if "\\" in path else path.encode("utf-8")


def decode_text(raw: bytes, encoding: str | None = None) -> tuple[str, bool]:
    r"""Return a commit's text, and whether it had to be escaped.

    The encoding of the commit's header counts if it is known and fits; else UTF-8. Text that is
    neither has its bad bytes as `\xNN` and each backslash doubled, so that its bytes can be got
    back; text that is fine is left alone, backslashes too.
    """
    if encoding:
        decoded = _decoded(raw, encoding)
        if decoded is not None:
            return decoded, False
    decoded = _decoded(raw, "utf-8")
    return (decoded, False) if decoded is not None else (_escaped(raw), True)


def _decoded(raw: bytes, encoding: str) -> str | None:
    try:
        text = raw.decode(encoding)
        text.encode("utf-8")  # some codecs give lone surrogates
    except (UnicodeError, LookupError, ValueError):
        return None
    return text


def _escaped(raw: bytes) -> str:
    doubled = raw.replace(b"\\", b"\\\\")
    return _SURROGATE.sub(_spelled, doubled.decode("utf-8", "surrogateescape"))


def _spelled(match: re.Match[str]) -> str:
    return f"\\x{ord(match[0]) - 0xDC00:02X}"


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)]) if match[1] else b"\\"
