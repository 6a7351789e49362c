"""Bytes of a report as text that its reader accepts, whatever its producer did to it."""

from __future__ import annotations

import codecs
import re
import sys

from topomem.model.code import Diagnostic

LARGEST = 64 << 20
"""Bytes of a report; a larger one is not read."""
LONGEST_NAME = 1_000
"""Characters of a name, an address, a version."""
LONGEST_MESSAGE = 4_000
"""Characters of a message that are kept."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:\-]{1,40})[\"']")
_ZERO_EVERY_SECOND = re.compile(rb"\A(?:<\0.\0|\0<\0.)", re.DOTALL)
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCE = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|(\d{1,9}));")
_VERBATIM = re.compile(r"(<!\[CDATA\[.*?\]\]>|<!--.*?-->)", re.DOTALL)
_VALUE = re.compile(r"""(\s[\w:.-]{1,80}\s{0,9}=\s{0,9})("[^"]*"|'[^']*')""")
_AMPERSAND = re.compile(r"&(?!(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][\w.-]{0,40});)")
_REPLACEMENT = "\ufffd"


def decode(data: bytes) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return the text of a report, and what is odd about its encoding.

    A byte order mark counts first, then the encoding that is declared, then UTF-8. Bytes that are
    in none of them are read as Windows-1252, which is what they are most often. Never raises.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff"), ()
    declared = _DECLARED.match(data[:400])
    names = [declared[1].decode("ascii")] if declared else []
    if _ZERO_EVERY_SECOND.match(data):
        names = ["utf-16-le" if data.startswith(b"<") else "utf-16-be"]
    for name in (*names, "utf-8"):
        text = _decoded(data, name)
        if text is not None:
            wrong = bool(names) and name != names[0]
            odd = Diagnostic("encoding", f"not in {names[0]}; read as {name}") if wrong else None
            return text, (odd,) if odd else ()
    odd = Diagnostic("encoding", f"not in {(names or ['utf-8'])[0]}; read as windows-1252")
    return data.decode("cp1252", "replace"), (odd,)


def without_forbidden(text: str) -> tuple[str, bool]:
    """Return a text with characters that XML does not know replaced, and whether there were any."""
    clean, direct = _FORBIDDEN.subn(_REPLACEMENT, text)
    found = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal found
        code = int(match[1], 16) if match[1] else int(match[2])
        if code <= sys.maxunicode and not _FORBIDDEN.match(chr(code)):
            return match.group()
        found = True
        return _REPLACEMENT

    return _REFERENCE.sub(replaced, clean), bool(direct) or found


def escape_bare_signs(text: str) -> str:
    """Return XML with `<` in values of attributes and `&` before no name escaped.

    Some producers paste texts in as they are; nothing else is mended.
    """
    pieces = _VERBATIM.split(text)
    pieces[::2] = [_VALUE.sub(_escaped_value, _AMPERSAND.sub("&amp;", one)) for one in pieces[::2]]
    return "".join(pieces)


def _escaped_value(found: re.Match[str]) -> str:
    return found[1] + found[2].replace("<", "&lt;")


def shorten(text: str, most: int = LONGEST_MESSAGE) -> str:
    """Return at most so many characters of a text, in one piece."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _decoded(data: bytes, encoding: str) -> str | None:
    """Return the text, or None where it is not in this encoding, or that is no text encoding."""
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError, ValueError, TypeError, AssertionError):
        return None
