"""Commits on tracks: where each stands, and what is behind it.

A track is a path along first parents; it hangs off a commit of another track. Tracks are never
renumbered, and no answer depends on how commits were assigned to them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from topomem.model.history import Commit, Position
from topomem.model.ids import CommitId, TreeId
from topomem.store.bulk import Table

DEEPEST = 16
"""A track that would have more bases behind it starts with a full snapshot."""

TRACK = Table.of("meta.track", "track:int base_track:int? base_seq:int? depth:int")
COMMIT = Table.of(
    "meta.commit",
    "track:int seq:int commit_id:text tree_id:text author_name:text author_email:text "
    "author_date:big author_offset:int? committer_date:big committer_offset:int? message:text "
    "boundary:flag reachable:flag notes:text",
)
PARENT = Table.of("meta.parent", "track:int seq:int ordinal:int parent_id:text")

_POSITIONS = "SELECT commit_id, track, seq FROM meta.commit ORDER BY track, seq"
_POSITIONS_OF = """
    SELECT commit_id, track, seq FROM meta.commit
    WHERE commit_id IN (SELECT unnest(?::VARCHAR[])) ORDER BY track, seq
"""
_TRACKS = """
    SELECT track.track, base_track, base_seq, depth, tip.seq
    FROM meta.track AS track
    JOIN (SELECT track, max(seq) AS seq FROM meta.commit GROUP BY track) AS tip
        ON tip.track = track.track
    ORDER BY track.track
"""
_PARENTS = """
    SELECT child.track, child.seq, child.ordinal, parent.track, parent.seq
    FROM meta.parent AS child
    JOIN meta.commit AS self ON self.track = child.track AND self.seq = child.seq
    JOIN meta.commit AS parent ON parent.commit_id = child.parent_id
    WHERE NOT self.boundary
    ORDER BY child.track, child.seq DESC, child.ordinal
"""
_COMMITS = """
    SELECT commit.track, commit.seq, commit.commit_id, tree_id, author_name, author_email,
        author_date, author_offset, committer_date, committer_offset, message, boundary, notes,
        before.commit_id AS first, extra.ids AS others
    FROM meta.commit AS commit
    LEFT JOIN (SELECT track, seq, commit_id FROM meta.commit) AS before
        ON before.track = commit.track AND before.seq = commit.seq - 1
    LEFT JOIN (
        SELECT track, seq, list(parent_id ORDER BY ordinal) AS ids
        FROM meta.parent GROUP BY track, seq
    ) AS extra ON extra.track = commit.track AND extra.seq = commit.seq
    ORDER BY commit.track, commit.seq
"""


@dataclass(slots=True)
class Track:
    """One track: what it hangs off, how deep, and its last commit."""

    base: Position | None
    depth: int
    tip: int


def load_tracks(connection: duckdb.DuckDBPyConnection) -> dict[int, Track]:
    """Return all tracks by number."""
    return {
        track: Track(None if base is None else Position(base, seq), depth, tip)
        for track, base, seq, depth, tip in connection.execute(_TRACKS).fetchall()
    }


def load_positions(
    connection: duckdb.DuckDBPyConnection, commits: Sequence[CommitId] | None = None
) -> dict[CommitId, Position]:
    """Return the positions of these commits (all by default), as far as they are stored."""
    if commits is None:
        rows = connection.execute(_POSITIONS).fetchall()
    else:
        rows = connection.execute(_POSITIONS_OF, [list(commits)]).fetchall()
    return {commit: Position(track, seq) for commit, track, seq in rows}


def load_parents(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, int, int, int, int]]:
    """Return (track, seq, ordinal, parent's track, parent's seq), less what follows from tracks.

    By track, highest seq first. Only parents that are stored, and not those beyond a boundary.
    """
    return connection.execute(_PARENTS).fetchall()


def load_commits(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[Position, Commit]]:
    """Yield every commit by position, with the parents its object names."""
    for row in connection.execute(_COMMITS).fetchall():
        first, others = row[13], row[14] or []
        parents = others if first is None else [first, *others]
        yield (
            Position(row[0], row[1]),
            Commit(
                id=row[2], tree=TreeId(row[3]), parents=tuple(parents), author_name=row[4],
                author_email=row[5], author_date=row[6], author_offset=row[7],
                committer_date=row[8], committer_offset=row[9], message=row[10],
                boundary=row[11], notes=tuple(json.loads(row[12])) if row[12] else (),
            ),
        )  # fmt: skip


def commit_row(commit: Commit, position: Position) -> tuple[Any, ...]:
    """Return the row of a commit; it counts as reachable until told otherwise."""
    notes = json.dumps(list(commit.notes), ensure_ascii=False) if commit.notes else ""
    return (
        position.track, position.seq, commit.id, commit.tree, commit.author_name,
        commit.author_email, commit.author_date, commit.author_offset, commit.committer_date,
        commit.committer_offset, commit.message, commit.boundary, True, notes,
    )  # fmt: skip


def parent_rows(commit: Commit, position: Position) -> list[tuple[int, int, int, str]]:
    """Return the parents that do not follow from the track."""
    skipped = 1 if position.seq else 0
    return [
        (position.track, position.seq, ordinal, parent)
        for ordinal, parent in enumerate(commit.parents)
        if ordinal >= skipped
    ]


class Ancestry:
    """What is behind a commit, by walking only merges and the starts of tracks."""

    def __init__(self, rows: Iterable[tuple[int, int, int, int, int]]) -> None:
        """Take (track, seq, ordinal, parent's track, parent's seq) rows, highest seq first."""
        self._joins: dict[int, list[tuple[int, Position]]] = {}
        self._known: dict[Position, dict[int, int]] = {}
        for track, seq, _, parent_track, parent_seq in rows:
            parent = Position(parent_track, parent_seq)
            self._joins.setdefault(track, []).append((seq, parent))

    @classmethod
    def load(cls, connection: duckdb.DuckDBPyConnection) -> Ancestry:
        """Read the merges and starts of tracks; parents that are not stored are not followed."""
        return cls(load_parents(connection))

    def ancestors(self, position: Position) -> dict[int, int]:
        """Return {track: highest seq}: the commit itself and everything behind it."""
        return self.behind([position])

    def behind(self, positions: Iterable[Position]) -> dict[int, int]:
        """Return {track: highest seq}: these commits and everything behind them."""
        highest: dict[int, int] = {}
        waiting = list(positions)
        while waiting:
            at = waiting.pop()
            seen = highest.get(at.track, -1)
            if at.seq <= seen:
                continue
            highest[at.track] = at.seq
            waiting += [
                parent for seq, parent in self._joins.get(at.track, ()) if seen < seq <= at.seq
            ]
        return highest

    def before(self, highest: Mapping[int, int]) -> dict[int, int]:
        """Return {track: highest seq} of those up to `highest` that stand on no commit above it."""
        found = dict(highest)
        joins = [
            (parent, Position(track, seq))
            for track, rows in self._joins.items()
            for seq, parent in rows
        ]
        is_done = False
        while not is_done:
            is_done = True
            for parent, child in joins:
                gone = parent.seq > found.get(parent.track, -1)
                if gone and child.seq <= found.get(child.track, -1):
                    found[child.track] = child.seq - 1
                    is_done = False
        return found


def place(
    parent: Position | None, tracks: dict[int, Track], take: Callable[[], int], *, leaves: bool
) -> tuple[Position, Track, bool]:
    """Return where a commit after `parent` goes, its track, and whether it needs a full snapshot.

    It extends its parent's track when it is the first to follow there and does not leave it; else
    it starts a track.
    """
    if parent is not None and not leaves and tracks[parent.track].tip == parent.seq:
        track = tracks[parent.track]
        track.tip += 1
        return Position(parent.track, track.tip), track, False
    number = take()
    depth = 0 if parent is None else tracks[parent.track].depth + 1
    full = depth > DEEPEST
    base = None if full else parent
    tracks[number] = Track(base, 0 if full else depth, 0)
    return Position(number, 0), tracks[number], full
