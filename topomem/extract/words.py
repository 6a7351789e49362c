"""Words of one region, by the field they stand in."""

from __future__ import annotations

import re
from collections import Counter
from itertools import repeat
from typing import TYPE_CHECKING

from topomem.model.words import parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_RUN = re.compile(r"\w+")


def region_words(
    name: str, signature: str, docstring: str, body: str, keywords: frozenset[str]
) -> tuple[tuple[str, str, int], ...]:
    """Return (field, word, count) in order of first use. `body` is the text without documentation.

    The signature's words are not counted again as words of the body; keywords are no words.
    """
    runs = Counter(_RUN.findall(body))
    header = Counter(_RUN.findall(signature))
    for run, count in header.items():
        runs[run] -= count
    found = [("name", word, 1) for word in parts(name)]
    found += _field("signature", header, keywords)
    if docstring:
        found += _field("docstring", Counter(_RUN.findall(docstring)), frozenset())
    found += _field("body", runs, keywords)
    return tuple(found)


def _field(
    field: str, runs: Mapping[str, int], keywords: frozenset[str]
) -> Iterable[tuple[str, str, int]]:
    words: dict[str, int] = {}
    for run, count in runs.items():
        if count > 0 and run not in keywords:
            for word in parts(run):
                words[word] = words.get(word, 0) + count
    return zip(repeat(field), words.keys(), words.values(), strict=False)
