"""Documentation: the comment that stands right before a definition, or a string inside it."""

from __future__ import annotations

import inspect
import re

_BLOCK_END = b"*/"
_BLOCK_START = b"/*"
_LINE_MARKS = (b"//", b"#")
_STRING = re.compile(r"""^[A-Za-z]*(\"{3}|'{3}|"|'|`)(.*)\1$""", re.DOTALL)
_LEADING = re.compile(r"^[ \t]*(?:/\*+!?|\*(?!/)|//[/!]?|#+)?[ \t]?", re.MULTILINE)


def comment_before(source: bytes, start: int) -> tuple[int, int] | None:
    """Return the byte range of the comments right before `start`; only layout is between."""
    end = len(source[:start].rstrip()) if start < 1 << 12 else _before_layout(source, start)
    if source.count(b"\n", end, start) > 1:
        return None
    if source.endswith(_BLOCK_END, 0, end):
        begin = source.rfind(_BLOCK_START, 0, end)
        return (begin, end) if begin >= 0 else None
    begin = end
    place = end
    while place > 0:
        line_start = source.rfind(b"\n", 0, place) + 1
        if not source[line_start:place].lstrip().startswith(_LINE_MARKS):
            break
        begin = line_start + len(source[line_start:place]) - len(source[line_start:place].lstrip())
        place = max(line_start - 1, 0)
        if source.endswith(b"\r", 0, place):
            place -= 1
    return (begin, end) if begin < end else None


def _before_layout(source: bytes, start: int) -> int:
    window = max(0, start - 256)
    rest = source[window:start].rstrip()
    return window + len(rest) if rest else len(source[:start].rstrip())


def clean_comment(text: str) -> str:
    """Return the words of a documentation comment without its marks."""
    text = text.strip().removesuffix("*/")
    return inspect.cleandoc(_LEADING.sub("", text)).strip()


def clean_string(text: str) -> str:
    """Return the content of a documentation string: no quotes, no common indentation."""
    match = _STRING.match(text.strip())
    return inspect.cleandoc(match[2]).strip() if match else text.strip()
