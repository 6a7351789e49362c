"""The retrieval plane, reading side: words of one snapshot, before any ranking.

Everything is joined with the snapshot's `visible` table first, so counts and frequencies are those
of the files that are there. Answers are columns (arrays of equal length): ranking is arithmetic on
them. A *unit* is a placed region: the module's remainder, a class, a function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from topomem.model.code import SymbolKind
from topomem.model.ids import BlobId, FilePath, LanguageName, QualifiedName
from topomem.store.neighbours import Step, steps

Integers = NDArray[np.int64]

NAME, SIGNATURE, DOCSTRING, BODY, CONTAINER = 1, 2, 3, 4, 5
"""Fields of a unit: its own name, its header, documentation, body; names of what is around it."""

FILES = """
    SELECT visible.path_int, visible.path, visible.blob_id, visible.language, blob.byte_count
    FROM visible JOIN topology.blob AS blob USING (blob_int)
    ORDER BY visible.path
"""

MAKE_UNITS = """
    CREATE OR REPLACE TEMP TABLE unit AS
    SELECT row_number() OVER (ORDER BY visible.path, placement.ordinal) - 1 AS unit,
        visible.path_int, placement.ordinal, placement.parent, placement.name_int,
        placement.region_int, placement.start_line, placement.end_line, placement.name_line,
        region.size, region.kind
    FROM visible JOIN topology.placement AS placement USING (blob_int)
    JOIN topology.region AS region USING (region_int)
"""
UNITS = """
    SELECT path_int, ordinal, parent, start_line, end_line, name_line, size FROM unit ORDER BY unit
"""
NAMES = """
    SELECT unit.unit, name.name, unit.kind
    FROM unit JOIN topology.name AS name USING (name_int)
    WHERE unit.unit IN (SELECT unnest(?)) ORDER BY unit.unit
"""
VOCABULARY = """
    SELECT word_int, word, stem FROM retrieval.word
    WHERE stem IN (SELECT unnest(?)) ORDER BY word
"""
CONTAINING = """
    SELECT word_int, word, stem FROM retrieval.word
    WHERE contains(word, $word) AND word <> $word ORDER BY length(word), word LIMIT $most
"""
RESEMBLING = """
    SELECT word_int, word, stem, damerau_levenshtein(word, $word) AS distance FROM retrieval.word
    WHERE length(word) BETWEEN length($word) - $wrong AND length($word) + $wrong
        AND distance BETWEEN 1 AND $wrong
    ORDER BY distance, word LIMIT $most
"""
HITS = """
    SELECT unit.unit, posting.word_int, posting.field, sum(posting.count)::INTEGER AS count
    FROM retrieval.posting AS posting JOIN unit USING (region_int)
    WHERE posting.word_int IN (SELECT unnest(?))
    GROUP BY ALL ORDER BY ALL
"""
NAME_HITS = """
    SELECT unit.unit, name_word.word_int, {field} AS field, name_word.count
    FROM retrieval.name_word AS name_word JOIN unit USING (name_int)
    WHERE name_word.word_int IN (SELECT unnest(?)) ORDER BY ALL
"""
PATH_HITS = """
    SELECT path_word.path_int, path_word.word_int, path_word.count
    FROM retrieval.path_word AS path_word JOIN visible USING (path_int)
    WHERE path_word.word_int IN (SELECT unnest(?)) ORDER BY ALL
"""
NAMED = """
    SELECT unit.unit, name.name FROM unit JOIN topology.name AS name USING (name_int)
    WHERE trim(lower(split_part(name.name, '.', -1)), '_') IN (SELECT unnest(?)) ORDER BY unit.unit
"""
CANARY = """
    SELECT unit.unit, word.word_int, word.word, word.stem
    FROM unit JOIN retrieval.posting AS posting USING (region_int)
    JOIN retrieval.word AS word USING (word_int)
    ORDER BY unit.unit, word.word LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class File:
    """One file of the snapshot."""

    path: FilePath
    blob: BlobId
    language: LanguageName
    byte_count: int


@dataclass(frozen=True, slots=True)
class Units:
    """All units, in order of path and place. `parent` is the unit around it, -1 for a file."""

    file: Integers  # index in the files of the snapshot
    ordinal: Integers
    parent: Integers
    start_line: Integers
    end_line: Integers
    name_line: Integers
    size: Integers  # bytes of its own text, without nested units

    def __len__(self) -> int:
        return len(self.file)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the vocabulary."""

    number: int
    text: str
    stem: str


@dataclass(frozen=True, slots=True)
class Hits:
    """Where words stand: in `row` (a unit, or a file), how often, and in which field."""

    row: Integers
    word: Integers  # Word.number
    field: Integers
    count: Integers


class Search:
    """The words of one open snapshot."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        rows = connection.execute(FILES).fetchall()
        self.files = tuple(File(path, blob, *rest) for _, path, blob, *rest in rows)
        self._file_of = {row[0]: index for index, row in enumerate(rows)}
        connection.execute(MAKE_UNITS)
        self.units = self._load_units()

    def names(self, units: Sequence[int]) -> dict[int, tuple[QualifiedName, SymbolKind]]:
        """Return the qualified names and kinds of units."""
        rows = self._connection.execute(NAMES, [list(units)]).fetchall()
        return {unit: (QualifiedName(name), SymbolKind(kind)) for unit, name, kind in rows}

    def named(self, names: Sequence[str]) -> list[tuple[int, QualifiedName]]:
        """Return the units with one of these last names: lower case, no `_` at either end."""
        rows = self._connection.execute(NAMED, [list(names)]).fetchall()
        return [(unit, QualifiedName(name)) for unit, name in rows]

    def answers_canary(self) -> bool:
        """Return whether a word that is known to be there is found: the index answers at all."""
        row = self._connection.execute(CANARY).fetchone()
        if row is None:
            return False
        unit, *word = row
        return unit in self.hits([Word(*word)]).row

    def steps(self, units: Sequence[int]) -> list[Step]:
        """Return the edges of units with other units, both ways."""
        return steps(self._connection, units)

    def vocabulary(self, stems: Sequence[str]) -> list[Word]:
        """Return the words with these stems, seen at any commit."""
        rows = self._connection.execute(VOCABULARY, [list(stems)]).fetchall()
        return [Word(*row) for row in rows]

    def containing(self, text: str, most: int) -> list[Word]:
        """Return longer words that a text is part of, seen at any commit, the shortest first."""
        wanted = {"word": text, "most": most}
        return [Word(*row) for row in self._connection.execute(CONTAINING, wanted).fetchall()]

    def resembling(self, text: str, wrong: int, most: int) -> list[tuple[Word, int]]:
        """Return words, seen at any commit, and by how many letters they differ from a text.

        At most `wrong` letters are others, more, fewer, or changed places with a neighbour.
        """
        wanted = {"word": text, "wrong": wrong, "most": most}
        rows = self._connection.execute(RESEMBLING, wanted).fetchall()
        return [(Word(*row[:3]), row[3]) for row in rows]

    def hits(self, words: Sequence[Word]) -> Hits:
        """Return where words stand in units; a name's words are also those of what is around it."""
        numbers = [word.number for word in words]
        text = self._columns(HITS, numbers)
        names = self._columns(NAME_HITS.format(field=CONTAINER), numbers)
        columns = (np.concatenate(pair) for pair in zip(text, names, strict=True))
        return Hits(*columns)

    def path_hits(self, words: Sequence[Word]) -> Hits:
        """Return where words stand in paths; `row` is the file, `field` is 0."""
        paths, numbers, counts = self._columns(PATH_HITS, [word.number for word in words])
        return Hits(self._files(paths), numbers, np.zeros(len(paths), np.int64), counts)

    def _load_units(self) -> Units:
        paths, ordinal, parent, *rest = self._columns(UNITS)
        file = self._files(paths)
        # the units of a file stand together, in order of their ordinals
        first = np.searchsorted(file, file)
        around = np.where(parent < 0, -1, first + parent)
        return Units(file, ordinal, around, *rest)

    def _files(self, paths: Integers) -> Integers:
        return np.array([self._file_of[path] for path in paths.tolist()], np.int64)

    def _columns(self, query: str, *parameters: object) -> list[Integers]:
        answer = self._connection.execute(query, list(parameters)).fetchnumpy()
        return [np.asarray(column, np.int64) for column in answer.values()]
