"""The retrieval plane: which words stand in which region, name, path and commit message.

Rows are written when a region, name, path or commit is stored for the first time. Numbers of
regions, names and paths are those of the topology plane, and so are the places of commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import duckdb

from topomem.model.code import RegionFacts
from topomem.model.history import Position
from topomem.model.messages import message_words, tickets
from topomem.model.words import count_words, stem
from topomem.store.bulk import Buffer, Table
from topomem.store.interning import Counters, Interned, Interner

FIELDS = {"name": 1, "signature": 2, "docstring": 3, "body": 4}
"""Numbers of the fields of a region's words."""

_WORD = Table.of("retrieval.word", "word_int:int word:text stem:text")
_POSTING = Table.of("retrieval.posting", "word_int:int region_int:int field:int count:int")
_PATH_WORD = Table.of("retrieval.path_word", "word_int:int path_int:int count:int")
_NAME_WORD = Table.of("retrieval.name_word", "word_int:int name_int:int count:int")

_COMMIT_WORD = Table.of("retrieval.commit_word", "word_int:int track:int seq:int count:int")
_COMMIT_TICKET = Table.of("retrieval.commit_ticket", "ticket:text track:int seq:int")

_WORDS = Interned("word", "SELECT word, word_int FROM retrieval.word", "word")


class WordWriter:
    """Puts postings into a buffer; words get their numbers here."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, counters: Counters, buffer: Buffer
    ) -> None:
        self._buffer = buffer
        self._words = Interner(connection, counters, _WORDS)

    def put_regions(self, regions: Sequence[tuple[int, RegionFacts]]) -> None:
        """Add the words of regions that were not stored before."""
        self._intern(word for _, facts in regions for _, word, _ in facts.words)
        numbers = self._words.numbers
        self._buffer.add(
            _POSTING,
            [
                (numbers[word], region, FIELDS[field], count)
                for region, facts in regions
                for field, word, count in facts.words
            ],
        )

    def put_paths(self, paths: Mapping[int, str]) -> None:
        """Add the words of paths that were not stored before."""
        self._put_texts(_PATH_WORD, paths)

    def put_names(self, names: Mapping[int, str]) -> None:
        """Add the words of names that were not stored before."""
        self._put_texts(_NAME_WORD, names)

    def put_message(self, position: Position, message: str) -> None:
        """Add the words of a commit's message, and the tickets that it names."""
        counts = message_words(message)
        self._intern(counts)
        place = position.track, position.seq
        numbers = self._words.numbers
        self._buffer.add(
            _COMMIT_WORD, [(numbers[word], *place, count) for word, count in counts.items()]
        )
        self._buffer.add(_COMMIT_TICKET, [(ticket, *place) for ticket in tickets(message)])

    def _put_texts(self, table: Table, texts: Mapping[int, str]) -> None:
        counted: dict[int, Counter[str]] = {
            number: count_words(text) for number, text in texts.items()
        }
        self._intern(word for counts in counted.values() for word in counts)
        numbers = self._words.numbers
        self._buffer.add(
            table,
            [
                (numbers[word], number, count)
                for number, counts in counted.items()
                for word, count in counts.items()
            ],
        )

    def _intern(self, words: Iterable[str]) -> None:
        fresh = self._words.fresh(dict.fromkeys(words))
        self._buffer.add(
            _WORD, [(number, word, stem(word)) for number, word in self._words.give(fresh)]
        )
