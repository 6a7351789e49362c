"""Plain searches to be compared with: BM25 over files and over functions, and lines with the words.

They know no name, no edge and no history; only files that are source count. What they show is
bounded as a bundle's items are: a heading, and the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from topomem.model.ids import FilePath
from topomem.model.words import words
from topomem.retrieve.lexical import Bm25, Floats, match
from topomem.retrieve.question import read_question
from topomem.retrieve.roles import Role, role_of
from topomem.retrieve.source import ReadBlob, SourceLines
from topomem.retrieve.stretches import LONGEST, extents
from topomem.store.search import Search

PLAIN = Bm25(
    saturation=1.2, length=0.75, file_length=0.75, other_form=0.0, most=3, name=1.0, signature=1.0,
    docstring=1.0, body=1.0, container=0.0, path=0.0, around=0.0,
)  # fmt: skip
_AROUND = 3
"""Lines shown before and behind one with a word."""
_MOST = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines of a file that a search shows (1-based, inclusive), and what that costs in tokens."""

    path: FilePath
    start: int
    end: int
    tokens: int


Count = Callable[[str], int]


def bm25_files(search: Search, read: ReadBlob, task: str, count: Count) -> Iterator[Shown]:
    """Yield whole files, best first."""
    matches = match(search, read_question(task).terms, PLAIN)
    for file in _best(matches.file):
        lines = _lines(search, file, read)
        if lines is not None:
            yield _shown(search.files[file].path, lines, 1, len(lines), count)


def bm25_functions(search: Search, read: ReadBlob, task: str, count: Count) -> Iterator[Shown]:
    """Yield functions, classes and what is left of files, best first; long ones in parts."""
    matches = match(search, read_question(task).terms, PLAIN)
    for unit in _best(matches.unit):
        file = int(search.units.file[unit])
        lines = _lines(search, file, read)
        for start, end in _own_lines(search, file, unit) if lines is not None else ():
            for first in range(start, end + 1, 2 * LONGEST):
                last = min(first + 2 * LONGEST - 1, end, len(lines or ()))
                if lines is not None and first <= last:
                    yield _shown(search.files[file].path, lines, first, last, count)


def lines_with_words(search: Search, read: ReadBlob, task: str, count: Count) -> Iterator[Shown]:
    """Yield lines with words of the task and those around them, files with most words first."""
    asked = {form for term in read_question(task).terms for form in term.forms}
    found: list[tuple[int, int, SourceLines, list[int]]] = []
    for file, one in enumerate(search.files):
        lines = _lines(search, file, read) if role_of(one.path) is Role.SOURCE else None
        if lines is None or not one.language:
            continue
        per_line = [asked.intersection(words(line)) for line in lines.lines]
        hits = [number for number, said in enumerate(per_line, 1) if said]
        if hits:
            found.append((len(set().union(*per_line)), file, lines, hits))
    for _, file, lines, hits in sorted(found, key=lambda row: (-row[0], row[1])):
        for start, end in _joined(hits, len(lines)):
            yield _shown(search.files[file].path, lines, start, end, count)


def within(found: Iterable[Shown], tokens: int) -> list[Shown]:
    """Return what fits, in order; what does not fit is left out, and smaller ones go on."""
    kept: list[Shown] = []
    used = 0
    for place, one in enumerate(found):
        if used + one.tokens <= tokens:
            used += one.tokens
            kept.append(one)
        if place >= _MOST:
            break
    return kept


def _best(scores: Floats) -> Sequence[int]:
    order = np.lexsort((np.arange(len(scores)), -scores))
    return [one for one in order.tolist()[: 4 * _MOST] if scores[one] > 0]


def _lines(search: Search, file: int, read: ReadBlob) -> SourceLines | None:
    one = search.files[file]
    if role_of(one.path) is not Role.SOURCE:
        return None
    data = read(one.path, one.blob)
    return None if data is None else SourceLines(data)


def _own_lines(search: Search, file: int, unit: int) -> list[tuple[int, int]]:
    """Return the lines of a unit without those of the units inside it."""
    around = {one.unit: one for one in extents(search, file)}
    inside = sorted((one.start, one.end) for one in around.values() if one.parent == unit)
    place, end = around[unit].start, around[unit].end
    found = []
    for start, last in inside:
        if place < start:
            found.append((place, start - 1))
        place = max(place, last + 1)
    return [*found, (place, end)] if place <= end else found


def _joined(hits: Sequence[int], last: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for hit in hits:
        start, end = max(1, hit - _AROUND), min(last, hit + _AROUND)
        if found and start <= found[-1][1] + 1:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _shown(path: FilePath, lines: SourceLines, start: int, end: int, count: Count) -> Shown:
    text = f"{path}:{start}-{end}\n{lines.written(start, end)}"
    return Shown(path, start, end, count(text))
