"""Words of one region, by the field they stand in."""

from __future__ import annotations

import re
from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING

from topomem.model.words import parts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topomem.extract.lexing import Lexed

_RUN = re.compile(r"\w+")
_MOST_RUNS = 1 << 17
_SPACED = (
    bytes(byte if byte == ord("_") or chr(byte).isalnum() else ord(" ") for byte in range(128))
    + b" " * 128
)
"""For ASCII: all but words become spaces; splitting that is the fastest way to words."""


class _Parts(dict[str, tuple[str, ...]]):
    """The words of every run met so far: a lookup costs a third of a cached call."""

    def __missing__(self, run: str) -> tuple[str, ...]:
        if len(self) > _MOST_RUNS:
            self.clear()
        found = self[run] = parts(run)
        return found


_PARTS = _Parts()


def region_words(
    name: str, signature: str, docstring: str, lexed: Lexed, keywords: frozenset[str]
) -> tuple[tuple[str, str, int], ...]:
    """Return (field, word, count) in order of first use. Documentation is no part of `lexed`.

    The signature's words are not counted again as words of the body; keywords are no words.
    """
    body = _split(lexed.strings + b"\n" + lexed.comments)
    header = _count(_RUN.findall(signature))
    found = [("name", word, 1) for word in parts(name)]
    found += _field("signature", header, keywords)
    if docstring:
        found += _field("docstring", _count(_split(docstring.encode())), frozenset())
    runs = _count(_without_signs(lexed.words) + body)
    for run, count in header.items():
        if run in runs:
            runs[run] -= count
    found += _field("body", runs, keywords)
    return tuple(found)


def _split(text: bytes) -> list[str]:
    """Return the runs of word characters of a text."""
    if text.isascii():
        return text.translate(_SPACED).decode("ascii").split()
    return _RUN.findall(text.decode(errors="replace"))


def _without_signs(words: list[str]) -> list[str]:
    """Cut words of code at signs that identifiers of other scripts do not hold."""
    text = " ".join(words)
    return words if text.isascii() and "$" not in text else _RUN.findall(text)


def _count(runs: Iterable[str]) -> dict[str, int]:
    return dict(Counter(runs))


def _field(
    field: str, runs: dict[str, int], keywords: frozenset[str]
) -> Iterable[tuple[str, str, int]]:
    words: dict[str, int] = {}
    get, known = words.get, _PARTS
    for run, count in runs.items():
        if count > 0 and run not in keywords:
            for word in known[run]:
                words[word] = get(word, 0) + count
    return zip(repeat(field), words.keys(), words.values(), strict=False)
