"""Words of one region, by the field they stand in."""

from __future__ import annotations

import re
from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING

from topomem.model.words import parts

if TYPE_CHECKING:
    from collections.abc import Iterable

_RUN = re.compile(r"\w+")
_SPACED = bytes(
    byte if byte == ord("_") or chr(byte).isalnum() else ord(" ") for byte in range(128)
) + b" " * 128
"""ASCII text with everything but words replaced by spaces: splitting it is the fastest way to words."""


def region_words(
    name: str, signature: str, docstring: str, body: bytes, keywords: frozenset[str]
) -> tuple[tuple[str, str, int], ...]:
    """Return (field, word, count) in order of first use. `body` is the text without documentation.

    The signature's words are not counted again as words of the body; keywords are no words.
    """
    runs: dict[str, int]
    if body.isascii():
        runs = Counter(body.translate(_SPACED).decode("ascii").split())
    else:
        runs = Counter(_RUN.findall(body.decode(errors="replace")))
    header: dict[str, int] = {}
    for run in _RUN.findall(signature):
        header[run] = header.get(run, 0) + 1
        runs[run] -= 1
    found = [("name", word, 1) for word in parts(name)]
    found += _field("signature", header, keywords)
    if docstring:
        found += _field("docstring", Counter(_RUN.findall(docstring)), frozenset())
    found += _field("body", runs, keywords)
    return tuple(found)


def _field(
    field: str, runs: dict[str, int], keywords: frozenset[str]
) -> Iterable[tuple[str, str, int]]:
    for keyword in keywords & runs.keys():
        del runs[keyword]
    words: dict[str, int] = {}
    get = words.get
    for run, count in runs.items():
        if count > 0:
            for word in parts(run):
                words[word] = get(word, 0) + count
    return zip(repeat(field), words.keys(), words.values(), strict=False)
