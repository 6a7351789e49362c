"""Writing facts: regions, blobs and links, each stored once.

The same code fills the derived file and the overlay in memory: it reads through the names
`topology.*` of its connection and inserts into one catalog.
"""

from __future__ import annotations

import json
import marshal
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import duckdb

from topomem.model.code import (
    BlobFacts,
    Declaration,
    External,
    FileLinks,
    LinkedEdge,
    Op,
    Placement,
    RegionFacts,
    SymbolKind,
    Unresolved,
)
from topomem.model.ids import BlobId, LanguageName, RegionKey, split_moniker
from topomem.store.bulk import Buffer, Table
from topomem.store.interning import Counters, Interned, Interner
from topomem.store.retrieval import WordWriter

Asked = tuple[str, str]
"""A question the linker asked, and a digest of the answer it got; opaque to the store."""

CLASS_LIKE = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.STRUCT,
    }
)
"""Kinds whose definitions own what is declared through a receiver."""

_PATH = Table.of("topology.path", "path_int:int path:text")
_NAME = Table.of("topology.name", "name_int:int name:text")
_BLOB = Table.of(
    "topology.blob",
    "blob_int:int blob_id:text language:text byte_count:big line_count:int error_bytes:int "
    "diagnostics:text",
)
_REGION = Table.of(
    "topology.region",
    "region_int:int region_key:text language:text kind:text docstring:text value_hash:text "
    "size:int row_count:int facts:bytes",
)
_DEFINITION = Table.of(
    "topology.definition",
    "region_int:int ordinal:int kind:text name:text signature:text start_byte:int end_byte:int "
    "start_row:int start_nested:int end_row:int end_nested:int name_row:int name_nested:int "
    "modifiers:text through_receiver:flag body_hash:text shape_hash:text owner:text",
)
_PLACEMENT = Table.of(
    "topology.placement",
    "blob_int:int ordinal:int region_int:int parent:int child:int name_int:int owner_int:int? "
    "start_byte:int end_byte:int start_line:int end_line:int name_line:int hidden_rows:int",
)
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

_BLOB_KEY = "blob_id || ' ' || language"
_QUESTION_KEY = "question || chr(31) || answer"
_INTERNED = (
    Interned("path", "SELECT path, path_int FROM topology.path", "path"),
    Interned("name", "SELECT name, name_int FROM topology.name", "name"),
    Interned("blob", f"SELECT {_BLOB_KEY}, blob_int FROM topology.blob", _BLOB_KEY),  # noqa: S608
    Interned("region", "SELECT region_key, region_int FROM topology.region", "region_key"),
    Interned("link", "SELECT digest, link FROM topology.link", "digest", "BIGINT"),
    Interned("link_set", "SELECT digest, link_set FROM topology.link_set_digest", "digest", "BIGINT"),
    Interned(
        "question",
        f"SELECT {_QUESTION_KEY}, question_int FROM topology.question",  # noqa: S608  our name
        _QUESTION_KEY,
    ),
    Interned("asked_set", "SELECT digest, asked_set FROM topology.asked_set", "digest", "BIGINT"),
)

REGION_KINDS = """
    SELECT region_key, kind FROM topology.region
    WHERE region_key IN (SELECT unnest(?::VARCHAR[])) ORDER BY region_key
"""


@dataclass(frozen=True, slots=True)
class LinkedFile:
    """The links of one file with what is needed to store them.

    `regions` has the facts of every region that has an edge; `asked` is parallel to
    `links.regions`, or empty.
    """

    links: FileLinks
    regions: Mapping[RegionKey, RegionFacts]
    asked: Sequence[Sequence[Asked]] = field(default=())


class FactWriter:
    """Puts facts and links; the same for the derived file and for an overlay in memory.

    Everything put twice is stored once. Order: regions, then blobs, then links, then states.
    Rows wait in memory until `flush`.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        catalog: str,
        pack: Callable[[RegionFacts], bytes],
    ) -> None:
        self._connection = connection
        self._pack = pack
        self._counters = Counters(connection, catalog)
        self._buffer = Buffer(connection, catalog)
        self._words = WordWriter(connection, self._counters, self._buffer)
        self._interners = {
            source.kind: Interner(connection, self._counters, source) for source in _INTERNED
        }
        self._kinds: dict[RegionKey, str] = {}

    def put_regions(
        self, regions: Iterable[RegionFacts], packed: Mapping[RegionKey, bytes] | None = None
    ) -> None:
        """Store regions that are not stored yet; `packed` spares packing them again."""
        by_key = {facts.key: facts for facts in regions}
        interner = self._interners["region"]
        fresh = [(number, by_key[key]) for number, key in interner.give(interner.fresh(by_key))]
        packed = packed or {}
        self._buffer.add(
            _REGION,
            [
                _region_row(number, facts, packed.get(facts.key) or self._pack(facts))
                for number, facts in fresh
            ],
        )
        for number, facts in fresh:
            self._kinds[facts.key] = facts.declarations[0].kind
            self._buffer.add(_DEFINITION, _definition_rows(number, facts))
        self._words.put_regions(fresh)

    def put_blobs(self, blobs: Iterable[BlobFacts]) -> None:
        """Store blobs with their placements. Their regions must be stored before (KeyError)."""
        by_key = {blob_key(blob.blob, blob.language): blob for blob in blobs}
        interner = self._interners["blob"]
        fresh = [(number, by_key[key]) for number, key in interner.give(interner.fresh(by_key))]
        placements = [placement for _, blob in fresh for placement in blob.placements]
        self._interners["region"].fresh([placement.region for placement in placements])
        self._load_kinds({placement.region for placement in placements})
        self._intern_names(placement.name for placement in placements)
        self._buffer.add(_BLOB, [_blob_row(number, blob) for number, blob in fresh])
        for number, blob in fresh:
            self._buffer.add(_PLACEMENT, self._placement_rows(number, blob.placements))

    def put_links(self, files: Sequence[LinkedFile]) -> list[int]:
        """Store the edges of files; return their link sets, equal for equal links."""
        self._intern_targets(files)
        digests = [
            [_digest((region.region, _edge_values(region.edges))) for region in file.links.regions]
            for file in files
        ]
        self._interners["region"].fresh(
            [region.region for file in files for region in file.links.regions]
        )
        self._put_new_links(files, digests)
        asked = self._put_asked(files)
        return self._put_link_sets(digests, asked)

    def path_numbers(self, paths: Sequence[str]) -> list[int]:
        """Return the numbers of paths; new ones get one."""
        interner = self._interners["path"]
        given = list(interner.give(interner.fresh(paths)))
        self._buffer.add(_PATH, given)
        self._words.put_paths(dict(given))
        return [interner[path] for path in paths]

    def blob_numbers(self, blobs: Sequence[tuple[BlobId, LanguageName]]) -> list[int]:
        """Return the numbers of stored blobs; KeyError for one that was never put."""
        interner = self._interners["blob"]
        keys = [blob_key(blob, language) for blob, language in blobs]
        interner.fresh(keys)
        return [interner[key] for key in keys]

    def flush(self) -> None:
        """Load the rows that wait."""
        self._buffer.flush()

    def _load_kinds(self, keys: set[RegionKey]) -> None:
        missing = sorted(keys - self._kinds.keys())
        if missing:
            self._kinds.update(self._connection.execute(REGION_KINDS, [missing]).fetchall())

    def _intern_names(self, names: Iterable[str]) -> None:
        interner = self._interners["name"]
        given = list(interner.give(interner.fresh(dict.fromkeys(names))))
        self._buffer.add(_NAME, given)
        self._words.put_names(dict(given))

    def _placement_rows(
        self, blob: int, placements: Sequence[Placement]
    ) -> Iterator[tuple[Any, ...]]:
        names, regions = self._interners["name"], self._interners["region"]
        owners: list[int | None] = []
        children: dict[int, tuple[int, int]] = {}  # parent -> (children so far, rows they hide)
        for ordinal, placement in enumerate(placements):
            span, parent = placement.span, placement.parent
            name = names[placement.name]
            is_owner = self._kinds[placement.region] in CLASS_LIKE
            owners.append(name if is_owner else owners[parent] if parent >= 0 else None)
            child, hidden = children.get(parent, (0, 0))
            hidden += span.end_line - span.start_line
            children[parent] = child + 1, hidden
            yield (
                blob, ordinal, regions[placement.region], parent, child, name, owners[ordinal],
                span.start_byte, span.end_byte, span.start_line, span.end_line,
                placement.name_line, hidden,
            )  # fmt: skip

    def _intern_targets(self, files: Sequence[LinkedFile]) -> None:
        paths: dict[str, None] = {}
        names: dict[str, None] = {}
        for file in files:
            for region in file.links.regions:
                for edge in region.edges:
                    _note_target(edge, paths, names)
        self.path_numbers(list(paths))
        self._intern_names(names)

    def _put_new_links(self, files: Sequence[LinkedFile], digests: list[list[int]]) -> None:
        placed = {
            digest: (file, region)
            for file, numbers in zip(files, digests, strict=True)
            for digest, region in zip(numbers, file.links.regions, strict=True)
        }
        interner = self._interners["link"]
        for link, digest in interner.give(interner.fresh(placed)):
            file, region = placed[digest]
            self._buffer.add(_LINK, [(link, self._interners["region"][region.region], digest)])
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
        target, names = edge.target, self._interners["name"]
        if isinstance(target, External):
            return "external", None, names[target.name]
        if isinstance(target, Unresolved):
            return "unresolved", None, names[target.name]
        path, name = split_moniker(target)
        return "symbol", self._interners["path"][path], names[name]

    def _candidate_rows(
        self, link: int, edges: Sequence[LinkedEdge]
    ) -> Iterator[tuple[int, int, int, int, int]]:
        for ordinal, edge in enumerate(edges):
            if isinstance(edge.target, Unresolved):
                for number, candidate in enumerate(edge.target.candidates):
                    path, name = split_moniker(candidate)
                    yield (
                        link, ordinal, number,
                        self._interners["path"][path], self._interners["name"][name],
                    )  # fmt: skip

    def _put_asked(self, files: Sequence[LinkedFile]) -> list[list[int | None]]:
        """Store sets of questions; return their numbers, parallel to regions (None: no questions)."""
        sets = [[tuple(sorted(set(asked))) for asked in file.asked] for file in files]
        questions = {
            f"{question}\x1f{answer}": (question, answer)
            for file in sets
            for asked in file
            for question, answer in asked
        }
        interner = self._interners["question"]
        self._buffer.add(
            _QUESTION,
            [(number, *questions[key]) for number, key in interner.give(interner.fresh(questions))],
        )
        by_digest = {_digest(asked): asked for file in sets for asked in file if asked}
        asked_sets = self._interners["asked_set"]
        for number, digest in asked_sets.give(asked_sets.fresh(by_digest)):
            self._buffer.add(_ASKED_SET, [(number, digest)])
            self._buffer.add(
                _ASKED, [(number, interner["\x1f".join(pair)]) for pair in by_digest[digest]]
            )
        return [
            [asked_sets[_digest(asked)] if asked else None for asked in found]
            or [None] * len(file.links.regions)
            for file, found in zip(files, sets, strict=True)
        ]

    def _put_link_sets(
        self, digests: list[list[int]], asked: list[list[int | None]]
    ) -> list[int]:
        links, interner = self._interners["link"], self._interners["link_set"]
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


def blob_key(blob: BlobId, language: LanguageName) -> str:
    """Return the key a blob is interned by: it may be read as several languages."""
    return f"{blob} {language}"


def nested_starts(facts: RegionFacts) -> list[int]:
    """Return where in a region's text the placeholders of nested definitions stand, in order."""
    if Op.DEFINE not in facts.kinds:
        return []
    return sorted(
        start for kind, start in zip(facts.kinds, facts.starts, strict=True) if kind == Op.DEFINE
    )


def _region_row(number: int, facts: RegionFacts, packed: bytes) -> tuple[Any, ...]:
    return (
        number, facts.key, facts.language, facts.declarations[0].kind.value, facts.docstring,
        facts.value_hash, facts.size, facts.row_count, packed,
    )  # fmt: skip


def _definition_rows(region: int, facts: RegionFacts) -> Iterator[tuple[Any, ...]]:
    nested = nested_starts(facts)
    for ordinal, declaration in enumerate(facts.declarations):
        yield _definition_row(region, ordinal, declaration, nested)


def _definition_row(
    region: int, ordinal: int, declared: Declaration, nested: list[int]
) -> tuple[Any, ...]:
    before = bisect_left(nested, declared.start)
    through = bisect_left(nested, declared.end)
    return (
        region, ordinal, declared.kind.value, declared.name, declared.signature,
        declared.start, declared.end, declared.row, before, declared.end_row, through,
        declared.name_row, before, " ".join(declared.modifiers), declared.through_receiver,
        declared.body_hash, declared.shape_hash, declared.owner,
    )  # fmt: skip


def _blob_row(number: int, blob: BlobFacts) -> tuple[Any, ...]:
    diagnostics = [
        [entry.code, entry.message, entry.start_line, entry.end_line] for entry in blob.diagnostics
    ]
    return (
        number, blob.blob, blob.language, blob.byte_count, blob.line_count, blob.error_bytes,
        json.dumps(diagnostics, ensure_ascii=False) if diagnostics else "",
    )  # fmt: skip


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
    return int.from_bytes(blake2b(marshal.dumps(value, 0), digest_size=8).digest(), "big", signed=True)
