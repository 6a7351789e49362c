"""What came before: commits and their parents, and where one file and one symbol stood when.

Everything is read per path or per name, a query each, and looked up in memory from then on: a walk
through thousands of commits touches only those at which the path changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import duckdb

from topomem.model.code import RegionFacts
from topomem.model.history import Position
from topomem.model.ids import CommitId, FilePath, QualifiedName
from topomem.store import lineage
from topomem.store.facts import CLASS_LIKE
from topomem.store.lineage import StoredAlias

_TRACKS = "SELECT track, base_track, base_seq FROM meta.track ORDER BY track"
_PARENTS = """
    SELECT child.track, child.seq, child.ordinal, parent.track, parent.seq
    FROM meta.parent AS child
    JOIN meta.commit AS self ON self.track = child.track AND self.seq = child.seq
    JOIN meta.commit AS parent ON parent.commit_id = child.parent_id
    WHERE NOT self.boundary
    ORDER BY child.track, child.seq, child.ordinal
"""
_ABSENT = """
    SELECT DISTINCT child.track, child.seq
    FROM meta.parent AS child
    ANTI JOIN meta.commit AS parent ON parent.commit_id = child.parent_id
"""
_BOUNDARIES = "SELECT track, seq FROM meta.commit WHERE boundary"
_SPANS = """
    SELECT span.track, span.from_seq, span.to_seq, span.blob_int
    FROM topology.span AS span
    WHERE span.path_int = (SELECT path_int FROM topology.path WHERE path = ?)
    ORDER BY span.track, span.from_seq
"""
_REGIONS = """
    SELECT placement.blob_int, placement.region_int, name.name, placement.start_line,
        placement.end_line, region.kind
    FROM topology.placement AS placement
    JOIN topology.region AS region ON region.region_int = placement.region_int
    JOIN (
        SELECT name_int, name FROM topology.name WHERE name = $name OR starts_with(name, $inner)
    ) AS name ON name.name_int = placement.name_int
    JOIN (SELECT unnest($blobs::INTEGER[]) AS blob_int) AS version
        ON version.blob_int = placement.blob_int
    ORDER BY placement.blob_int, placement.ordinal
"""
_LIGHT = """
    SELECT placement.blob_int, placement.region_int, definition.ordinal, definition.body_hash,
        placement.start_line + definition.start_row + coalesce(before.hidden_rows, 0),
        placement.start_line + definition.end_row + coalesce(before.hidden_rows, 0)
    FROM topology.placement AS placement
    JOIN topology.definition AS definition ON definition.region_int = placement.region_int
    LEFT JOIN topology.placement AS before ON before.blob_int = placement.blob_int
        AND before.parent = placement.ordinal AND before.child = definition.start_nested - 1
    WHERE placement.blob_int IN (SELECT unnest($blobs::INTEGER[]))
        AND definition.ordinal > 0 AND definition.name = $last
        AND CASE WHEN definition.through_receiver THEN placement.owner_int
            ELSE placement.name_int END
            = (SELECT name_int FROM topology.name WHERE name = $above)
    ORDER BY placement.blob_int, definition.through_receiver, 5, definition.ordinal
"""
_FACTS = """
    SELECT region_int, facts FROM topology.region
    WHERE region_int IN (SELECT unnest(?::INTEGER[])) ORDER BY region_int
"""
_BODIES = """
    SELECT region_int, body_hash FROM topology.definition
    WHERE ordinal = 0 AND region_int IN (SELECT unnest(?::INTEGER[])) ORDER BY region_int
"""
_COMMITS = """
    SELECT track, seq, commit_id, author_date, committer_date
    FROM meta.commit AS commit
    JOIN (SELECT unnest(?::INTEGER[]) AS track, unnest(?::INTEGER[]) AS seq) AS wanted
        USING (track, seq)
    ORDER BY track, seq
"""

Key = tuple[FilePath, QualifiedName]


@dataclass(frozen=True, slots=True)
class Standing:
    """A symbol in one blob: what tells its text, and its lines.

    What is nested in a function is part of it; the members of a class are symbols of their own.
    """

    content: tuple[object, ...]
    regions: tuple[int, ...]
    ordinal: int  # of a light definition; 0 for a region's own
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class CommitRow:
    """What an event tells of its commit."""

    id: CommitId
    author_date: int
    committer_date: int


class Past:
    """Reads history for walks; one for each reading session."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, unpack: Callable[[bytes], RegionFacts]
    ) -> None:
        self._connection = connection
        self._unpack = unpack
        self._files: dict[FilePath, _File] = {}
        self._standings: dict[Key, dict[int, Standing]] = {}
        self._aliases: dict[tuple[Key, bool], list[StoredAlias]] = {}

    def parents(self, position: Position) -> list[tuple[int, Position]]:
        """Return (ordinal, place) of the parents that are stored."""
        track, seq = position.track, position.seq
        found = [(0, Position(track, seq - 1))] if seq else []
        return found + self._parents.get(position, [])

    def is_cut(self, position: Position) -> bool:
        """Whether parents of a commit are not stored: history is cut off there."""
        return position in self._cut

    def last_change(self, path: FilePath, position: Position) -> Position:
        """Return the commit on the same track at which the path last changed, else its start."""
        bounds = self._file(path).bounds.get(position.track, ())
        at = bisect_right(bounds, position.seq) - 1
        return Position(position.track, bounds[at] if at >= 0 else 0)

    def standing(self, key: Key, position: Position) -> Standing | None:
        """Return how a symbol stands at a commit; None where it does not."""
        blob = self.blob(key[0], position)
        if blob is None:
            return None
        return self._all_standings(key).get(blob)

    def ever_stood(self, key: Key) -> bool:
        """Whether a symbol stands in any stored version of its file."""
        return bool(self._all_standings(key))

    def aliases_to(self, key: Key) -> dict[tuple[Position, int], list[StoredAlias]]:
        """Return the aliases whose new end has this key, by commit and parent."""
        return self._by_place(key, newer=True)

    def aliases_from(self, key: Key) -> dict[tuple[Position, int], list[StoredAlias]]:
        """Return the aliases whose old end has this key, by commit and parent."""
        return self._by_place(key, newer=False)

    def facts(self, regions: Iterable[int]) -> dict[int, RegionFacts]:
        """Return what regions say, by number."""
        wanted = sorted(set(regions))
        rows = self._connection.execute(_FACTS, [wanted]).fetchall()
        return {number: self._unpack(data) for number, data in rows}

    def bodies(self, regions: Iterable[int]) -> dict[int, str]:
        """Return the digests of the text of regions, by number."""
        return dict(self._connection.execute(_BODIES, [sorted(set(regions))]).fetchall())

    def commits(self, positions: Sequence[Position]) -> dict[Position, CommitRow]:
        """Return what is told of commits."""
        tracks, seqs = [one.track for one in positions], [one.seq for one in positions]
        rows = self._connection.execute(_COMMITS, [tracks, seqs]).fetchall()
        return {Position(row[0], row[1]): CommitRow(*row[2:]) for row in rows}

    def _by_place(self, key: Key, *, newer: bool) -> dict[tuple[Position, int], list[StoredAlias]]:
        if (key, newer) not in self._aliases:
            self._aliases[key, newer] = lineage.aliases_of(self._connection, *key, newer=newer)
        found: dict[tuple[Position, int], list[StoredAlias]] = {}
        for alias in self._aliases[key, newer]:
            found.setdefault((alias.position, alias.ordinal), []).append(alias)
        return found

    @cached_property
    def _parents(self) -> dict[Position, list[tuple[int, Position]]]:
        found: dict[Position, list[tuple[int, Position]]] = {}
        for track, seq, ordinal, above, at in self._connection.execute(_PARENTS).fetchall():
            found.setdefault(Position(track, seq), []).append((ordinal, Position(above, at)))
        return found

    @cached_property
    def _cut(self) -> frozenset[Position]:
        rows = self._connection.execute(_ABSENT).fetchall()
        rows += self._connection.execute(_BOUNDARIES).fetchall()
        return frozenset(Position(track, seq) for track, seq in rows)

    @cached_property
    def _bases(self) -> dict[int, Position | None]:
        return {
            track: None if base is None else Position(base, seq)
            for track, base, seq in self._connection.execute(_TRACKS).fetchall()
        }

    def _file(self, path: FilePath) -> _File:
        found = self._files.get(path)
        if found is None:
            found = self._files[path] = _File(self._connection.execute(_SPANS, [path]).fetchall())
        return found

    def blob(self, path: FilePath, position: Position) -> int | None:
        """Return the blob of a path at a commit: that of the nearest track that has a say."""
        spans = self._file(path).spans
        at: Position | None = position
        while at is not None:
            for start, end, blob in spans.get(at.track, ()):
                if start <= at.seq and (end is None or at.seq < end):
                    return blob
            at = self._bases.get(at.track)
        return None

    def _all_standings(self, key: Key) -> dict[int, Standing]:
        if key not in self._standings:
            self._standings[key] = self._load_standings(key)
        return self._standings[key]

    def _load_standings(self, key: Key) -> dict[int, Standing]:
        """Return how a symbol stands in every version of its file, by blob."""
        path, name = key
        blobs = sorted(self._file(path).blobs)
        wanted = {"name": name, "inner": f"{name}." if name else "\0", "blobs": blobs}
        found: dict[int, list[Any]] = {}
        for blob, region, called, start, end, kind in self._connection.execute(
            _REGIONS, wanted
        ).fetchall():
            if called == name:
                found[blob] = [[region], start, end, kind not in CLASS_LIKE]
            elif blob in found and found[blob][3]:
                found[blob][0].append(region)
        standings = {
            blob: Standing((*regions,), tuple(regions), 0, start, end)
            for blob, (regions, start, end, _) in found.items()
        }
        above, _, last = name.rpartition(".")
        light = {"last": last, "above": above, "blobs": blobs}
        for blob, region, ordinal, body, start, end in self._connection.execute(
            _LIGHT, light
        ).fetchall():
            standings.setdefault(blob, Standing((body,), (region,), ordinal, start, end))
        return standings


class _File:
    """The versions of one path."""

    def __init__(self, rows: Iterable[tuple[int, int, int | None, int | None]]) -> None:
        self.spans: dict[int, list[tuple[int, int | None, int | None]]] = {}
        bounds: dict[int, set[int]] = {}
        self.blobs: set[int] = set()
        for track, start, end, blob in rows:
            self.spans.setdefault(track, []).append((start, end, blob))
            bounds.setdefault(track, set()).update({start} if end is None else {start, end})
            if blob is not None:
                self.blobs.add(blob)
        self.bounds = {track: sorted(every) for track, every in bounds.items()}
