"""Writing links: the edges of regions and the questions behind them, each stored once."""

from __future__ import annotations

import marshal
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import duckdb

from topomem.model.code import (
    External,
    FileLinks,
    LinkedEdge,
    Op,
    RegionFacts,
    RegionLinks,
    Target,
    Unresolved,
)
from topomem.model.ids import FilePath, RegionKey, split_moniker
from topomem.store.bulk import Buffer, Table
from topomem.store.interning import Counters, Interned, Interner
from topomem.store.naming import Naming

Asked = tuple[str, str]
"""A question the linker asked, and a digest of the answer it got; opaque to the store."""

_LINK_SET = Table.of("topology.link_set", "link_set:int ordinal:int link:int asked_set:int?")
_LINK_SET_DIGEST = Table.of("topology.link_set_digest", "link_set:int digest:big")
_LINK = Table.of("topology.link", "link:int region_int:int digest:big")
_EDGE = Table.of(
    "topology.edge",
    "link:int ordinal:int source:int kind:text op:int row:int nested:int target_kind:text "
    "target_path:int? target_name:int confidence:real method:text",
)
_CANDIDATE = Table.of(
    "topology.candidate", "link:int edge:int ordinal:int path_int:int name_int:int"
)
_QUESTION = Table.of("topology.question", "question_int:int question:text answer:text")
_ASKED = Table.of("topology.asked", "asked_set:int question_int:int")
_ASKED_SET = Table.of("topology.asked_set", "asked_set:int digest:big")

_QUESTION_KEY = "question || chr(31) || answer"
_LINKS = Interned("link", "SELECT digest, link FROM topology.link", "digest", "BIGINT")
_LINK_SETS = Interned(
    "link_set", "SELECT digest, link_set FROM topology.link_set_digest", "digest", "BIGINT"
)
_QUESTIONS = Interned(
    "question",
    f"SELECT {_QUESTION_KEY}, question_int FROM topology.question",  # noqa: S608  our name
    _QUESTION_KEY,
)
_ASKED_SETS = Interned(
    "asked_set", "SELECT digest, asked_set FROM topology.asked_set", "digest", "BIGINT"
)


@dataclass(frozen=True, slots=True)
class LinkedFile:
    """The links of one file with what is needed to store them.

    `regions` has the facts of every region that has an edge; `asked` is parallel to
    `links.regions`, or empty.
    """

    links: FileLinks
    regions: Mapping[RegionKey, RegionFacts]
    asked: Sequence[Sequence[Asked]] = field(default=())


_KINDS = {External: "external", Unresolved: "unresolved"}

_Target = tuple[Any, ...]
"""Kind of a target, then (path, name) in numbers of it and of its candidates."""

_Content = tuple[int, tuple[tuple[Any, ...], ...], tuple[tuple[Any, ...], ...]]
"""Region, edges and candidates of a link in numbers; equal contents are one link."""


class LinkWriter:
    """Puts links into a buffer; `regions` gives the numbers of stored regions."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        counters: Counters,
        buffer: Buffer,
        naming: Naming,
        regions: Interner,
    ) -> None:
        self._buffer = buffer
        self._naming = naming
        self._regions = regions
        self._links = Interner(connection, counters, _LINKS)
        self._link_sets = Interner(connection, counters, _LINK_SETS)
        self._questions = Interner(connection, counters, _QUESTIONS)
        self._asked_sets = Interner(connection, counters, _ASKED_SETS)
        self._seen_links = _Seen()
        self._seen_asked = _Seen()

    def put(self, files: Sequence[LinkedFile]) -> list[int]:
        """Put the edges of files; return their link sets, equal for equal links.

        Edges and questions that were put before as the very same values are not looked at again.
        """
        new = self._new_regions(files)
        self._regions.fresh([region.region for _, region in new])
        targets = self._put_targets([region for _, region in new])
        contents = [
            self._content(region, file.regions.get(region.region), targets) for file, region in new
        ]
        digests = [_digest(content) for content in contents]
        self._put_new_links(zip(digests, contents, strict=True))
        for (_, region), digest in zip(new, digests, strict=True):
            number = self._links.numbers[digest]
            self._seen_links.put(region.edges, region.region, number)
        links = [
            [self._seen_links.get(region.edges, region.region) for region in file.links.regions]
            for file in files
        ]
        numbers = self._put_link_sets(links, self._put_asked(files))
        self._seen_links.shrink()
        self._seen_asked.shrink()
        return numbers

    def _new_regions(self, files: Sequence[LinkedFile]) -> list[tuple[LinkedFile, RegionLinks]]:
        """Return the regions whose edges were not put before, each once."""
        seen = self._seen_links
        new = {
            (id(region.edges), region.region): (file, region)
            for file in files
            for region in file.links.regions
            if seen.get(region.edges, region.region) is None
        }
        return list(new.values())

    def _put_targets(self, regions: Sequence[RegionLinks]) -> dict[Target, _Target]:
        """Give numbers to everything that edges lead to; every target is looked at once."""
        found: dict[Target, None] = {}
        for region in regions:
            found.update(dict.fromkeys([edge.target for edge in region.edges]))
        ends = {target: _ends(target) for target in found}
        self._naming.put_paths(
            path for each in ends.values() for path, _ in each if path is not None
        )
        self._naming.put_names(name for each in ends.values() for _, name in each)
        paths, names = self._naming.paths.numbers, self._naming.names.numbers
        return {
            target: (
                "symbol" if isinstance(target, str) else _KINDS[type(target)],
                *((None if path is None else paths[path], names[name]) for path, name in each),
            )
            for target, each in ends.items()
        }

    def _content(
        self, region: RegionLinks, facts: RegionFacts | None, targets: Mapping[Target, _Target]
    ) -> _Content:
        """Return the edges of a region as rows without the number of their link."""
        number = self._regions.numbers[region.region]
        if not region.edges:
            return number, (), ()
        if facts is None:
            raise KeyError(region.region)
        nested = nested_starts(facts)
        rows = []
        candidates = []
        for ordinal, edge in enumerate(region.edges):
            start, row = _place(edge, facts)
            kind, (path, name), *others = targets[edge.target]
            rows.append(
                (
                    ordinal, edge.source, str(edge.kind), edge.op, row, bisect_left(nested, start),
                    kind, path, name, edge.confidence, str(edge.method),
                )
            )  # fmt: skip
            candidates += [(ordinal, place, *other) for place, other in enumerate(others)]
        return number, tuple(rows), tuple(candidates)

    def _put_new_links(self, placed: Iterable[tuple[int, _Content]]) -> None:
        by_digest = dict(placed)
        for link, digest in self._links.give(self._links.fresh(by_digest)):
            region, rows, candidates = by_digest[digest]
            self._buffer.add(_LINK, [(link, region, digest)])
            self._buffer.add(_EDGE, [(link, *row) for row in rows])
            self._buffer.add(_CANDIDATE, [(link, *row) for row in candidates])

    def _put_asked(self, files: Sequence[LinkedFile]) -> list[list[int | None]]:
        """Store sets of questions; return their numbers, parallel to regions (None: none)."""
        seen = self._seen_asked
        new = {
            id(asked): asked
            for file in files
            for asked in file.asked
            if asked and seen.get(asked) is None
        }
        sets = [tuple(sorted(set(asked))) for asked in new.values()]
        digests = [_digest(asked) for asked in sets]
        by_digest = dict(zip(digests, sets, strict=True))
        fresh = self._asked_sets.fresh(by_digest)
        self._put_questions(pair for digest in fresh for pair in by_digest[digest])
        questions = self._questions.numbers
        for number, digest in self._asked_sets.give(fresh):
            self._buffer.add(_ASKED_SET, [(number, digest)])
            self._buffer.add(
                _ASKED, [(number, questions["\x1f".join(pair)]) for pair in by_digest[digest]]
            )
        for asked, digest in zip(new.values(), digests, strict=True):
            seen.put(asked, "", self._asked_sets.numbers[digest])
        return [
            [seen.get(asked) if asked else None for asked in file.asked]
            or [None] * len(file.links.regions)
            for file in files
        ]

    def _put_questions(self, pairs: Iterable[Asked]) -> None:
        by_key = {"\x1f".join(pair): pair for pair in pairs}
        given = self._questions.give(self._questions.fresh(by_key))
        self._buffer.add(_QUESTION, [(number, *by_key[key]) for number, key in given])

    def _put_link_sets(
        self, links: list[list[int | None]], asked: list[list[int | None]]
    ) -> list[int]:
        interner = self._link_sets
        contents = [
            tuple(zip(file, numbers, strict=True))
            for file, numbers in zip(links, asked, strict=True)
        ]
        keys = [_digest(content) for content in contents]
        by_key = dict(zip(keys, contents, strict=True))
        for link_set, key in interner.give(interner.fresh(by_key)):
            self._buffer.add(_LINK_SET_DIGEST, [(link_set, key)])
            self._buffer.add(
                _LINK_SET,
                [(link_set, ordinal, *entry) for ordinal, entry in enumerate(by_key[key])],
            )
        return [interner.numbers[key] for key in keys]


class _Seen:
    """Numbers of values that were put before, by identity; both are held together."""

    _MOST = 10_000

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], tuple[object, int]] = {}

    def get(self, value: object, beside: str = "") -> int | None:
        """Return the number of this very value, given `beside`."""
        found = self._numbers.get((id(value), beside))
        return None if found is None else found[1]

    def put(self, value: object, beside: str, number: int) -> None:
        """Remember a number."""
        self._numbers[id(value), beside] = value, number

    def shrink(self) -> None:
        """Forget everything when it has become much."""
        if len(self._numbers) > self._MOST:
            self._numbers.clear()


_ENDS_WITH_NAME = frozenset({Op.MEMBER, Op.REFERENCE})


def nested_starts(facts: RegionFacts) -> list[int]:
    """Return where in a region's text the placeholders of nested definitions stand, in order."""
    if Op.DEFINE not in facts.kinds:
        return []
    return sorted(
        start for kind, start in zip(facts.kinds, facts.starts, strict=True) if kind == Op.DEFINE
    )


def _place(edge: LinkedEdge, facts: RegionFacts) -> tuple[int, int]:
    """Return start and row of an edge inside its region: those of the name that is referred to."""
    if edge.op >= 0:
        at = edge.op
        if facts.kinds[at] in _ENDS_WITH_NAME:
            last = bisect_left(facts.starts, facts.ends[at]) - 1
            at = last if facts.kinds[last] == Op.MEMBER_NAME else at
        return facts.starts[at], facts.rows[at]
    declaration = facts.declarations[edge.source]
    return declaration.start, declaration.name_row


def _ends(target: Target) -> list[tuple[FilePath | None, str]]:
    """Return path and name of a target (no path: not in the repository), then its candidates."""
    if isinstance(target, External):
        return [(None, target.name)]
    if isinstance(target, Unresolved):
        return [(None, target.name), *map(split_moniker, target.candidates)]
    return [split_moniker(target)]


def _digest(value: Any) -> int:  # noqa: ANN401  nested tuples of texts and numbers
    """Return a signed 64-bit digest, equal in every process."""
    return int.from_bytes(
        blake2b(marshal.dumps(value, 0), digest_size=8).digest(), "big", signed=True
    )
