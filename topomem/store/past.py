"""What came before: commits and their parents, and where one file and one symbol stood when.

Everything is read per path or per name, a query each, and looked up in memory from then on: a walk
through thousands of commits touches only those at which the path changes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import duckdb

from topomem.model.code import RegionFacts
from topomem.model.history import Position
from topomem.model.ids import CommitId, FilePath, QualifiedName
from topomem.store import lineage
from topomem.store.lineage import StoredAlias

_TRACKS = "SELECT track, base_track, base_seq FROM meta.track ORDER BY track"
_ABSENT = """
    SELECT DISTINCT child.track, child.seq
    FROM meta.parent AS child
    ANTI JOIN meta.commit AS parent ON parent.commit_id = child.parent_id
"""
_BOUNDARIES = "SELECT track, seq FROM meta.commit WHERE boundary"
_PATH = "SELECT path_int FROM topology.path WHERE path = ?"
_NAME = "SELECT name_int FROM topology.name WHERE name = ?"
_MANY_SPANS = """
    SELECT path.path, span.track, span.from_seq, span.to_seq, span.blob_int
    FROM topology.span AS span JOIN topology.path AS path ON path.path_int = span.path_int
    WHERE path.path IN (SELECT unnest(?::VARCHAR[]))
    ORDER BY path.path, span.track, span.from_seq
"""
_SPANS = """
    SELECT span.track, span.from_seq, span.to_seq, span.blob_int
    FROM topology.span AS span WHERE span.path_int = ? ORDER BY span.track, span.from_seq
"""
_REGIONS = """
    WITH version AS (SELECT unnest($blobs::INTEGER[]) AS blob_int),
    own AS (
        SELECT blob_int, ordinal, start_byte, end_byte,
            ordinal = 0 OR owner_int IS NOT DISTINCT FROM name_int AS holds
        FROM topology.placement
        WHERE name_int = $name AND blob_int IN (SELECT blob_int FROM version)
    )
    SELECT placement.blob_int, placement.region_int, placement.ordinal = own.ordinal,
        placement.start_line, placement.end_line
    FROM own
    JOIN topology.placement AS placement ON placement.blob_int = own.blob_int
        AND (placement.ordinal = own.ordinal
            OR (NOT own.holds AND placement.ordinal > own.ordinal
                AND placement.start_byte >= own.start_byte
                AND placement.end_byte <= own.end_byte))
    ORDER BY placement.blob_int, placement.ordinal
"""
_LIGHT = """
    WITH around AS (
        SELECT * FROM topology.placement
        WHERE blob_int IN (SELECT unnest($blobs::INTEGER[]))
            AND (name_int = $above OR owner_int = $above)
    )
    SELECT around.blob_int, around.region_int, definition.ordinal, definition.body_hash,
        around.start_line + definition.start_row + coalesce(before.hidden_rows, 0),
        around.start_line + definition.end_row + coalesce(behind.hidden_rows, 0)
    FROM around
    JOIN topology.definition AS definition ON definition.region_int = around.region_int
        AND definition.ordinal > 0 AND definition.name = $last
        AND CASE WHEN definition.through_receiver THEN around.owner_int
            ELSE around.name_int END = $above
    LEFT JOIN topology.placement AS before ON before.blob_int = around.blob_int
        AND before.parent = around.ordinal AND before.child = definition.start_nested - 1
    LEFT JOIN topology.placement AS behind ON behind.blob_int = around.blob_int
        AND behind.parent = around.ordinal AND behind.child = definition.end_nested - 1
    ORDER BY around.blob_int, definition.through_receiver, 5, definition.ordinal
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

_MOST_NAMES = 50
"""So many names of one symbol are looked for in another parent of a merge."""

_NUMBER = re.compile(r"\+\d+$")
"""What a definition is called beyond its name where that is taken."""

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
        self,
        connection: duckdb.DuckDBPyConnection,
        unpack: Callable[[bytes], RegionFacts],
        parents: Callable[[], Iterable[tuple[int, int, int, int, int]]],
    ) -> None:
        """Take what reads facts, and what gives the rows of `tracks.load_parents`."""
        self._connection = connection
        self._unpack = unpack
        self._load_parents = parents
        self._files: dict[FilePath, _File] = {}
        self._regions: dict[Key, dict[int, Standing]] = {}
        self._light: dict[Key, dict[int, Standing]] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._aliases: dict[tuple[Key, bool], dict[tuple[Position, int], list[StoredAlias]]] = {}
        self._texts = lineage.Texts()
        self._changes: dict[Key, dict[tuple[Position, int], tuple[str, ...]]] = {}

    def parents(self, position: Position) -> list[tuple[int, Position]]:
        """Return (ordinal, place) of the parents that are stored."""
        track, seq = position.track, position.seq
        found = [(0, Position(track, seq - 1))] if seq else []
        return found + [
            (ordinal, Position(above, at))
            for ordinal, above, at in self._parents.get((track, seq), ())
        ]

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
        return self._as_region(key).get(blob) or self._as_light(key).get(blob)

    def ever_stood(self, key: Key) -> bool:
        """Whether a symbol stands in any stored version of its file."""
        return bool(self._as_region(key) or self._as_light(key))

    def contents(self, key: Key) -> dict[int, object]:
        """Return what tells the text of a symbol in every version of its file, by blob."""
        found = self._as_light(key) | self._as_region(key)
        return {blob: one.content for blob, one in found.items()}

    def aliases_to(self, key: Key) -> dict[tuple[Position, int], list[StoredAlias]]:
        """Return the aliases whose new end has this key, by commit and parent."""
        return self._by_place(key, newer=True)

    def aliases_from(self, key: Key) -> dict[tuple[Position, int], list[StoredAlias]]:
        """Return the aliases whose old end has this key, by commit and parent."""
        return self._by_place(key, newer=False)

    def names_in(
        self,
        key: Key,
        position: Position,
        parent: Position,
        follow: Callable[[list[StoredAlias]], tuple[StoredAlias, float] | None],
    ) -> list[tuple[StoredAlias, float]]:
        """Return what a symbol of a merge may be called in a parent that lacks its name.

        Where it was renamed on the other side of the merge, an alias of a commit on that side leads
        to the name it still has on this one. Nearest names first, each with its confidence;
        `follow` chooses among the aliases of one commit, the merge last. A name that the merge has
        too is that of another thing.
        """
        found: list[tuple[StoredAlias, float]] = []
        seen, pending = {key}, [(key, 1.0)]
        while pending and len(seen) <= _MOST_NAMES:
            newer, sure = pending.pop(0)
            places = self.aliases_to(newer)
            for place in sorted(places, key=lambda one: one[0] == position):
                best = follow(places[place])
                old = (best[0].old.path, best[0].old.name) if best else key
                if best is None or old in seen or self.standing(old, position) is not None:
                    continue
                seen.add(old)
                pending.append((old, sure * best[1]))
                if self.standing(old, parent) is not None:
                    found.append((best[0], sure * best[1]))
        return found

    def changes_of(self, key: Key) -> dict[tuple[Position, int], tuple[str, ...]]:
        """Return what changed of a symbol that kept its key, by commit and number of the parent."""
        if key not in self._changes:
            self._changes[key] = lineage.changes_of(self._connection, *self._numbered(key))
        return self._changes[key]

    def facts(self, regions: Iterable[int]) -> dict[int, RegionFacts]:
        """Return what regions say, by number."""
        wanted = sorted(set(regions))
        if not wanted:
            return {}
        rows = self._connection.execute(_FACTS, [wanted]).fetchall()
        return {number: self._unpack(data) for number, data in rows}

    def bodies(self, regions: Iterable[int]) -> dict[int, str]:
        """Return the digests of the text of regions, by number."""
        wanted = sorted(set(regions))
        if not wanted:
            return {}
        return dict(self._connection.execute(_BODIES, [wanted]).fetchall())

    def commits(self, positions: Sequence[Position]) -> dict[Position, CommitRow]:
        """Return what is told of commits."""
        tracks, seqs = [one.track for one in positions], [one.seq for one in positions]
        rows = self._connection.execute(_COMMITS, [tracks, seqs]).fetchall()
        return {Position(row[0], row[1]): CommitRow(*row[2:]) for row in rows}

    def _by_place(self, key: Key, *, newer: bool) -> dict[tuple[Position, int], list[StoredAlias]]:
        found = self._aliases.get((key, newer))
        if found is None:
            found = self._aliases[key, newer] = {}
            path, name = self._numbered(key)
            for alias in lineage.aliases_of(self._connection, path, name, self._texts, newer=newer):
                found.setdefault((alias.position, alias.ordinal), []).append(alias)
        return found

    def _numbered(self, key: Key) -> tuple[int, int]:
        return self._number(_PATH, key[0]), self._number(_NAME, key[1])

    @cached_property
    def _parents(self) -> dict[tuple[int, int], list[tuple[int, int, int]]]:
        """Parents that do not follow from the track, in plain numbers: there are many of them."""
        found: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for track, seq, ordinal, above, at in self._load_parents():
            found.setdefault((track, seq), []).append((ordinal, above, at))
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

    def load_files(self, paths: Iterable[FilePath]) -> None:
        """Read the versions of several files at once, for walks along each of them."""
        wanted = sorted(set(paths) - self._files.keys())
        rows: dict[FilePath, list[tuple[int, int, int | None, int | None]]] = {
            path: [] for path in wanted
        }
        for path, *row in self._connection.execute(_MANY_SPANS, [wanted]).fetchall():
            track, start, end, blob = row
            rows[path].append((track, start, end, blob))
        self._files.update({path: _File(found) for path, found in rows.items()})

    def _file(self, path: FilePath) -> _File:
        found = self._files.get(path)
        if found is None:
            number = self._number(_PATH, path)
            rows = self._connection.execute(_SPANS, [number]).fetchall() if number >= 0 else []
            found = self._files[path] = _File(rows)
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

    def _as_region(self, key: Key) -> dict[int, Standing]:
        """Return how a symbol that has a region stands in every version of its file, by blob."""
        if key not in self._regions:
            self._regions[key] = self._load_regions(key)
        return self._regions[key]

    def _as_light(self, key: Key) -> dict[int, Standing]:
        """Return how a symbol stands that is declared inside the region of another, by blob."""
        if key not in self._light:
            self._light[key] = self._load_light(key)
        return self._light[key]

    def _load_regions(self, key: Key) -> dict[int, Standing]:
        path, name = key
        blobs = sorted(self._file(path).blobs)
        wanted = {"name": self._number(_NAME, name), "blobs": blobs}
        found: dict[int, tuple[list[int], int, int]] = {}
        rows = self._connection.execute(_REGIONS, wanted).fetchall() if blobs else []
        for blob, region, is_own, start, end in rows:
            if is_own and blob not in found:
                found[blob] = [region], start, end
            elif not is_own:
                found[blob][0].append(region)
        return {
            blob: Standing((*regions,), tuple(regions), 0, start, end)
            for blob, (regions, start, end) in found.items()
        }

    def _load_light(self, key: Key) -> dict[int, Standing]:
        path, name = key
        above, _, last = name.rpartition(".")
        blobs = sorted(self._file(path).blobs)
        last = _NUMBER.sub("", last)
        wanted = {"last": last, "above": self._number(_NAME, above), "blobs": blobs}
        rows = self._connection.execute(_LIGHT, wanted).fetchall() if blobs and last else []
        found: dict[int, Standing] = {}
        for blob, region, ordinal, body, start, end in rows:
            found.setdefault(blob, Standing((body,), (region,), ordinal, start, end))
        return found

    def _number(self, query: str, text: str) -> int:
        """Return the number of a path or name; -1 for one that is not stored."""
        found = self._numbers.get((query, text))
        if found is None:
            row = self._connection.execute(query, [text]).fetchone()
            found = self._numbers[query, text] = row[0] if row else -1
        return found


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
