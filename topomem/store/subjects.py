"""What a snapshot is known by: names of its symbols, its files, and what commits said of them.

Only commits behind the one that is asked about count: their places are given as {track: seq}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb

from topomem.model.ids import CommitId, FilePath, QualifiedName

_NAMES = """
    SELECT visible.path, symbol.qualified_name, symbol.kind, symbol.name_line
    FROM symbol JOIN visible ON visible.path_int = symbol.path_int
    WHERE symbol.is_first AND symbol.kind NOT IN ('module', 'parameter')
    ORDER BY visible.path, symbol.start_line, symbol.qualified_name
"""
_PATHS = "SELECT path FROM visible ORDER BY path"
_MAKE_BEHIND = "CREATE OR REPLACE TEMP TABLE behind (track INTEGER, upto INTEGER)"
_PUT_BEHIND = """
    INSERT INTO behind SELECT unnest(?::INTEGER[]), unnest(?::INTEGER[])
"""
_TICKETS = """
    SELECT said.ticket, count(*),
        max_by(
            {'id': commit.commit_id, 'title': split_part(commit.message, chr(10), 1)},
            commit.committer_date, 3
        )
    FROM retrieval.commit_ticket AS said
    JOIN behind ON behind.track = said.track AND said.seq <= behind.upto
    JOIN meta.commit AS commit ON commit.track = said.track AND commit.seq = said.seq
    GROUP BY said.ticket ORDER BY said.ticket
"""
_MENTIONS = """
    WITH wanted AS (
        SELECT word_int, word FROM retrieval.word WHERE word IN (SELECT unnest(?::VARCHAR[]))
    )
    SELECT wanted.word, count(*),
        max_by(
            {'id': commit.commit_id, 'title': split_part(commit.message, chr(10), 1)},
            commit.committer_date, 3
        )
    FROM retrieval.commit_word AS said
    JOIN wanted ON wanted.word_int = said.word_int
    JOIN behind ON behind.track = said.track AND said.seq <= behind.upto
    JOIN meta.commit AS commit ON commit.track = said.track AND commit.seq = said.seq
    GROUP BY wanted.word ORDER BY wanted.word
"""


@dataclass(frozen=True, slots=True)
class NameRow:
    """A symbol: where its name stands, and what it is."""

    path: FilePath
    name: QualifiedName
    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class SaidRow:
    """What commits say of one thing: how many, and the latest of them with their titles."""

    what: str
    count: int
    latest: tuple[tuple[CommitId, str], ...]


def symbol_names(connection: duckdb.DuckDBPyConnection) -> list[NameRow]:
    """Return all names of a snapshot; its `symbol` table must be there."""
    return [NameRow(*row) for row in connection.execute(_NAMES).fetchall()]


def file_paths(connection: duckdb.DuckDBPyConnection) -> list[FilePath]:
    """Return all paths of a snapshot."""
    return [path for (path,) in connection.execute(_PATHS).fetchall()]


def said(
    connection: duckdb.DuckDBPyConnection, behind: Mapping[int, int], names: list[str]
) -> tuple[list[SaidRow], list[SaidRow]]:
    """Return the tickets that commits name, and which of `names` (normal forms) they mention."""
    connection.execute(_MAKE_BEHIND)
    connection.execute(_PUT_BEHIND, [list(behind), list(behind.values())])
    tickets = connection.execute(_TICKETS).fetchall()
    mentions = connection.execute(_MENTIONS, [names]).fetchall()
    return [_said(*row) for row in tickets], [_said(*row) for row in mentions]


def _said(what: str, count: int, latest: list[dict[str, str]]) -> SaidRow:
    return SaidRow(what, count, tuple((CommitId(one["id"]), one["title"]) for one in latest))
