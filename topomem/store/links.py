"""Writing links: the edges of regions and the questions behind them, each stored once."""

from __future__ import annotations

import marshal
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import duckdb

from topomem.model.code import External, FileLinks, LinkedEdge, Op, RegionFacts, Unresolved
from topomem.model.ids import RegionKey, split_moniker
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

    def put(self, files: Sequence[LinkedFile]) -> list[int]:
        """Put the edges of files; return their link sets, equal for equal links."""
        self._put_targets(files)
        regions = [region.region for file in files for region in file.links.regions]
        self._regions.fresh(regions)
        digests = [
            [_digest((region.region, _edge_values(region.edges))) for region in file.links.regions]
            for file in files
        ]
        self._put_new_links(files, digests)
        asked = self._put_asked(files)
        return self._put_link_sets(digests, asked)

    def _put_targets(self, files: Sequence[LinkedFile]) -> None:
        paths: dict[str, None] = {}
        names: dict[str, None] = {}
        for file in files:
            for region in file.links.regions:
                for edge in region.edges:
                    _note_target(edge, paths, names)
        self._naming.put_paths(paths)
        self._naming.put_names(names)

    def _put_new_links(self, files: Sequence[LinkedFile], digests: list[list[int]]) -> None:
        placed = {
            digest: (file, region)
            for file, numbers in zip(files, digests, strict=True)
            for digest, region in zip(numbers, file.links.regions, strict=True)
        }
        for link, digest in self._links.give(self._links.fresh(placed)):
            file, region = placed[digest]
            self._buffer.add(_LINK, [(link, self._regions[region.region], digest)])
            if region.edges:
                facts = file.regions[region.region]
                self._buffer.add(_EDGE, self._edge_rows(link, region.edges, facts))
                self._buffer.add(_CANDIDATE, self._candidate_rows(link, region.edges))

    def _edge_rows(
        self, link: int, edges: Sequence[LinkedEdge], facts: RegionFacts
    ) -> Iterator[tuple[Any, ...]]:
        nested = nested_starts(facts)
        for ordinal, edge in enumerate(edges):
            start, row = _place(edge, facts)
            kind, path, name = self._target(edge)
            yield (
                link, ordinal, edge.source, edge.kind.value, edge.op, row,
                bisect_left(nested, start), kind, path, name, edge.confidence, edge.method.value,
            )  # fmt: skip

    def _target(self, edge: LinkedEdge) -> tuple[str, int | None, int]:
        target, names = edge.target, self._naming.names
        if isinstance(target, External):
            return "external", None, names[target.name]
        if isinstance(target, Unresolved):
            return "unresolved", None, names[target.name]
        path, name = split_moniker(target)
        return "symbol", self._naming.paths[path], names[name]

    def _candidate_rows(
        self, link: int, edges: Sequence[LinkedEdge]
    ) -> Iterator[tuple[int, int, int, int, int]]:
        for ordinal, edge in enumerate(edges):
            if isinstance(edge.target, Unresolved):
                for number, candidate in enumerate(edge.target.candidates):
                    path, name = split_moniker(candidate)
                    yield (
                        link, ordinal, number,
                        self._naming.paths[path], self._naming.names[name],
                    )  # fmt: skip

    def _put_asked(self, files: Sequence[LinkedFile]) -> list[list[int | None]]:
        """Store sets of questions; return their numbers, parallel to regions (None: none)."""
        sets = [[tuple(sorted(set(asked))) for asked in file.asked] for file in files]
        questions = {
            f"{question}\x1f{answer}": (question, answer)
            for file in sets
            for asked in file
            for question, answer in asked
        }
        fresh = self._questions.give(self._questions.fresh(questions))
        self._buffer.add(_QUESTION, [(number, *questions[key]) for number, key in fresh])
        by_digest = {_digest(asked): asked for file in sets for asked in file if asked}
        asked_sets = self._asked_sets
        for number, digest in asked_sets.give(asked_sets.fresh(by_digest)):
            self._buffer.add(_ASKED_SET, [(number, digest)])
            self._buffer.add(
                _ASKED, [(number, self._questions["\x1f".join(pair)]) for pair in by_digest[digest]]
            )
        return [
            [asked_sets[_digest(asked)] if asked else None for asked in found]
            or [None] * len(file.links.regions)
            for file, found in zip(files, sets, strict=True)
        ]

    def _put_link_sets(self, digests: list[list[int]], asked: list[list[int | None]]) -> list[int]:
        links, interner = self._links, self._link_sets
        contents = [
            tuple((links[digest], number) for digest, number in zip(file, numbers, strict=True))
            for file, numbers in zip(digests, asked, strict=True)
        ]
        keys = [_digest(content) for content in contents]
        by_key = dict(zip(keys, contents, strict=True))
        for link_set, key in interner.give(interner.fresh(by_key)):
            self._buffer.add(_LINK_SET_DIGEST, [(link_set, key)])
            self._buffer.add(
                _LINK_SET,
                [(link_set, ordinal, *entry) for ordinal, entry in enumerate(by_key[key])],
            )
        return [interner[key] for key in keys]


def nested_starts(facts: RegionFacts) -> list[int]:
    """Return where in a region's text the placeholders of nested definitions stand, in order."""
    if Op.DEFINE not in facts.kinds:
        return []
    return sorted(
        start for kind, start in zip(facts.kinds, facts.starts, strict=True) if kind == Op.DEFINE
    )


def _place(edge: LinkedEdge, facts: RegionFacts) -> tuple[int, int]:
    """Return start and row of an edge inside its region."""
    if edge.op >= 0:
        return facts.starts[edge.op], facts.rows[edge.op]
    declaration = facts.declarations[edge.source]
    return declaration.start, declaration.name_row


def _note_target(edge: LinkedEdge, paths: dict[str, None], names: dict[str, None]) -> None:
    target = edge.target
    if isinstance(target, External):
        names[target.name] = None
        return
    monikers = target.candidates if isinstance(target, Unresolved) else (target,)
    if isinstance(target, Unresolved):
        names[target.name] = None
    for text in monikers:
        path, name = split_moniker(text)
        paths[path] = None
        names[name] = None


def _edge_values(edges: Sequence[LinkedEdge]) -> tuple[Any, ...]:
    return tuple(
        (
            edge.kind.value, edge.op, _target_values(edge.target), edge.confidence,
            edge.method.value, edge.source,
        )
        for edge in edges
    )  # fmt: skip


def _target_values(target: Any) -> tuple[Any, ...]:  # noqa: ANN401  a union of three values
    if isinstance(target, External):
        return ("external", target.name)
    if isinstance(target, Unresolved):
        return ("unresolved", target.name, target.candidates)
    return ("symbol", target)


def _digest(value: Any) -> int:  # noqa: ANN401  nested tuples of texts and numbers
    """Return a signed 64-bit digest, equal in every process."""
    return int.from_bytes(
        blake2b(marshal.dumps(value, 0), digest_size=8).digest(), "big", signed=True
    )
