"""What commits say and what they changed, in units of one snapshot: how words lead to code.

Only commits behind the one that is asked about count; their places are given as {track: seq}, so
that the answer is that of a store which ends there. What a merge took over from a parent was
changed by others. A symbol that goes by another name by now is found through aliases.

The temporary tables `unit` (of `topomem.store.search`) and `visible` must be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from topomem.model.history import IDENTITY, Position
from topomem.model.ids import CommitId

Integers = NDArray[np.int64]
Place = tuple[int, int]

MOST_FILES = 30
"""A commit that changes more files than this tells little of each."""

_MOST_LINKS = 2
"""So many renames and moves are followed."""

_MAKE_BEHIND = "CREATE OR REPLACE TEMP TABLE behind (track INTEGER, upto INTEGER)"
_PUT_BEHIND = "INSERT INTO behind SELECT unnest(?::INTEGER[]), unnest(?::INTEGER[])"
_MESSAGES = """
    SELECT commit.track, commit.seq, said.word_int, said.count, commit.committer_date AS date,
        length(commit.message) AS length
    FROM retrieval.commit_word AS said
    JOIN behind ON behind.track = said.track AND said.seq <= behind.upto
    JOIN meta.commit AS commit ON commit.track = said.track AND commit.seq = said.seq
    WHERE said.word_int IN (SELECT unnest(?::INTEGER[]))
    ORDER BY commit.track, commit.seq, said.word_int
"""
_TICKETS = """
    SELECT DISTINCT said.track, said.seq
    FROM retrieval.commit_ticket AS said
    JOIN behind ON behind.track = said.track AND said.seq <= behind.upto
    WHERE said.ticket IN (SELECT unnest(?::VARCHAR[]))
    ORDER BY said.track, said.seq
"""
_COMMITS = """
    SELECT track, seq, commit.commit_id, commit.committer_date
    FROM meta.commit AS commit
    JOIN (SELECT unnest(?::INTEGER[]) AS track, unnest(?::INTEGER[]) AS seq) AS wanted
        USING (track, seq)
    ORDER BY track, seq
"""
_PARENTS = """
    SELECT child.track, child.seq, parent.track, parent.seq
    FROM meta.parent AS child
    JOIN (SELECT unnest(?::INTEGER[]) AS track, unnest(?::INTEGER[]) AS seq) AS wanted
        ON wanted.track = child.track AND wanted.seq = child.seq
    JOIN meta.commit AS parent ON parent.commit_id = child.parent_id
    ORDER BY child.track, child.seq, child.ordinal
"""
_TRACKS = "SELECT track, base_track, base_seq FROM meta.track ORDER BY track"
_CHANGED = """
    SELECT span.track, span.from_seq, span.path_int, span.blob_int
    FROM topology.span AS span
    JOIN (SELECT unnest(?::INTEGER[]) AS track, unnest(?::INTEGER[]) AS seq) AS wanted
        ON wanted.track = span.track AND wanted.seq = span.from_seq
    WHERE span.blob_int IS NOT NULL
    ORDER BY span.track, span.from_seq, span.path_int
"""
_STOOD = """
    WITH chain AS (
        SELECT unnest($place::INTEGER[]) AS place, unnest($level::INTEGER[]) AS level,
            unnest($track::INTEGER[]) AS track, unnest($seq::INTEGER[]) AS seq
    ),
    asked AS (
        SELECT unnest($row::INTEGER[]) AS row, unnest($path::INTEGER[]) AS path_int,
            unnest($at::INTEGER[]) AS place
    )
    SELECT asked.row, arg_min({'blob': span.blob_int}, chain.level)
    FROM asked JOIN chain USING (place)
    JOIN topology.span AS span ON span.path_int = asked.path_int AND span.track = chain.track
    WHERE span.from_seq <= chain.seq AND (span.to_seq IS NULL OR span.to_seq > chain.seq)
    GROUP BY asked.row ORDER BY asked.row
"""
_TOUCHED = """
    WITH change AS (
        SELECT unnest($row::INTEGER[]) AS row, unnest($path::INTEGER[]) AS path_int,
            unnest($blob::INTEGER[]) AS blob_int
    ),
    before AS (SELECT unnest($of::INTEGER[]) AS row, unnest($old::INTEGER[]) AS blob_int),
    had AS (
        SELECT before.row, placement.name_int, placement.region_int
        FROM before JOIN topology.placement AS placement USING (blob_int)
    )
    SELECT DISTINCT change.row, change.path_int, placement.name_int
    FROM change JOIN topology.placement AS placement USING (blob_int)
    ANTI JOIN had ON had.row = change.row AND had.name_int = placement.name_int
        AND had.region_int = placement.region_int
    ORDER BY ALL
"""
_HERE = """
    WITH wanted AS (
        SELECT unnest(?::INTEGER[]) AS path_int, unnest(?::INTEGER[]) AS name_int
    )
    SELECT DISTINCT unit.path_int, unit.name_int, unit.unit
    FROM wanted JOIN unit USING (path_int, name_int)
    ORDER BY ALL
"""
_LATER = """
    WITH wanted AS (
        SELECT unnest($paths::INTEGER[]) AS old_path, unnest($names::INTEGER[]) AS old_name
    )
    SELECT alias.old_path, alias.old_name,
        arg_max({'path': alias.new_path, 'name': alias.new_name}, alias.confidence)
    FROM wanted JOIN topology.alias AS alias USING (old_path, old_name)
    JOIN behind ON behind.track = alias.track AND alias.seq <= behind.upto
    WHERE alias.kind IN (SELECT unnest($kinds::VARCHAR[])) AND alias.confidence >= 0.5
    GROUP BY ALL ORDER BY ALL
"""


@dataclass(frozen=True, slots=True)
class Messages:
    """Where words stand in messages: parallel columns, one row for each word of each commit."""

    track: Integers
    seq: Integers
    word: Integers  # Word.number
    count: Integers
    date: Integers  # seconds UTC, of the commit
    length: Integers  # characters of the whole message

    @property
    def places(self) -> list[Place]:
        """The place of each row."""
        return list(zip(self.track.tolist(), self.seq.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Change:
    """What one commit changed of what is there: units of the snapshot, in order."""

    commit: CommitId
    files: int
    units: tuple[int, ...]


class Changes:
    """The messages and changes of everything behind one commit."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, behind: Mapping[int, int]) -> None:
        self._connection = connection
        self.total = sum(upto + 1 for upto in behind.values())
        """How many commits are behind, the one itself included."""
        connection.execute(_MAKE_BEHIND)
        connection.execute(_PUT_BEHIND, [list(behind), list(behind.values())])

    def messages(self, words: Sequence[int]) -> Messages:
        """Return where words stand in messages."""
        answer = self._connection.execute(_MESSAGES, [list(words)]).fetchnumpy()
        return Messages(*(np.asarray(column, np.int64) for column in answer.values()))

    def naming(self, tickets: Sequence[str]) -> list[Place]:
        """Return the commits whose message names one of these tickets."""
        return self._connection.execute(_TICKETS, [list(tickets)]).fetchall() if tickets else []

    def of(self, places: Sequence[Place]) -> dict[Place, Change]:
        """Return what commits changed; those that changed too much, or nothing here, are left out.

        A file counts where it differs from that of every parent, a symbol where its own text does.
        """
        real = self._real_changes(places)
        touched = self._touched(real)
        here = self._units({key for keys in touched.values() for key in keys})
        rows = self._connection.execute(_COMMITS, _columns(list(touched))).fetchall()
        ids = {(track, seq): CommitId(commit) for track, seq, commit, _ in rows}
        found = {}
        for place, keys in touched.items():
            units = sorted({here[key] for key in keys if key in here})
            if units:
                files = sum(1 for at, *_ in real if at == place)
                found[place] = Change(ids[place], files, tuple(units))
        return found

    def _real_changes(
        self, places: Sequence[Place]
    ) -> list[tuple[Place, int, int, tuple[int, ...]]]:
        """Return (commit, path, blob, blobs of the parents) where the file is that of no parent."""
        rows = self._connection.execute(_CHANGED, _columns(places)).fetchall()
        parents = self._parents(places)
        asked = {
            (path, parent)
            for track, seq, path, _ in rows
            for parent in parents.get((track, seq), ())
        }
        blobs = self._blobs(sorted(asked))
        found: dict[Place, list[tuple[Place, int, int, tuple[int, ...]]]] = {}
        for track, seq, path, blob in rows:
            place = track, seq
            before = [blobs.get((path, parent)) for parent in parents.get(place, ())]
            if blob not in before:
                old = tuple(one for one in before if one is not None)
                found.setdefault(place, []).append((place, path, blob, old))
        return [one for changes in found.values() if len(changes) <= MOST_FILES for one in changes]

    def _parents(self, places: Sequence[Place]) -> dict[Place, list[Position]]:
        found = {(track, seq): [Position(track, seq - 1)] for track, seq in places if seq}
        for row in self._connection.execute(_PARENTS, _columns(places)).fetchall():
            found.setdefault(row[:2], []).append(Position(*row[2:]))
        return found

    def _blobs(
        self, asked: Sequence[tuple[int, Position]]
    ) -> dict[tuple[int, Position], int | None]:
        """Return the blob of each path at a place: that of the nearest track that has a say."""
        bases = {
            track: None if base is None else Position(base, seq)
            for track, base, seq in self._connection.execute(_TRACKS).fetchall()
        }
        places = sorted({place for _, place in asked})
        chains = [
            (number, level, at.track, at.seq)
            for number, place in enumerate(places)
            for level, at in enumerate(_chain(place, bases))
        ]
        numbers = {place: number for number, place in enumerate(places)}
        columns: dict[str, list[int]] = {
            "row": list(range(len(asked))),
            "path": [path for path, _ in asked],
            "at": [numbers[place] for _, place in asked],
        }
        for index, name in enumerate(("place", "level", "track", "seq")):
            columns[name] = [link[index] for link in chains]
        rows = self._connection.execute(_STOOD, columns).fetchall()
        return {asked[row]: entry["blob"] for row, entry in rows}

    def _touched(
        self, changes: Sequence[tuple[Place, int, int, tuple[int, ...]]]
    ) -> dict[Place, list[Place]]:
        """Return the keys (path, name) whose text each commit changed."""
        parameters: dict[str, list[int]] = {
            "row": list(range(len(changes))),
            "path": [path for _, path, _, _ in changes],
            "blob": [blob for _, _, blob, _ in changes],
            "of": [row for row, change in enumerate(changes) for _ in change[3]],
            "old": [old for change in changes for old in change[3]],
        }
        found: dict[Place, list[Place]] = {}
        for row, path, name in self._connection.execute(_TOUCHED, parameters).fetchall():
            found.setdefault(changes[row][0], []).append((path, name))
        return found

    def _units(self, keys: Iterable[Place]) -> dict[Place, int]:
        """Return the units that keys stand for here and now, through renames and moves."""
        found: dict[Place, int] = {}
        heads = {key: [key] for key in sorted(keys)}  # where keys got to -> where they came from
        for link in range(_MOST_LINKS + 1):
            if not heads:
                break
            here = self._connection.execute(_HERE, _columns(list(heads))).fetchall()
            for path, name, unit in here:
                for key in heads.pop((path, name), ()):
                    found[key] = unit
            later: dict[Place, list[Place]] = {}
            if link == _MOST_LINKS:
                break
            for path, name, new in self._later(list(heads)):
                later.setdefault((new["path"], new["name"]), []).extend(heads[path, name])
            heads = later
        return found

    def _later(self, keys: Sequence[Place]) -> list[tuple[int, int, dict[str, int]]]:
        if not keys:
            return []
        paths, names = _columns(keys)
        wanted = {"paths": paths, "names": names, "kinds": list(IDENTITY)}
        return self._connection.execute(_LATER, wanted).fetchall()


def _chain(place: Position, bases: Mapping[int, Position | None]) -> list[Position]:
    """Return a place and those at which the tracks behind it hang off each other."""
    found = [place]
    while (base := bases.get(found[-1].track)) is not None:
        found.append(base)
    return found


def _columns(places: Sequence[Place]) -> list[list[int]]:
    return [[first for first, _ in places], [second for _, second in places]]
