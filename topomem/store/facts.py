"""Writing facts: regions and blobs, each stored once.

The same code fills the derived file and the overlay in memory: it reads through the names
`topology.*` of its connection and inserts into one catalog.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import duckdb

from topomem.model.code import BlobFacts, Declaration, Placement, RegionFacts, SymbolKind
from topomem.model.ids import BlobId, LanguageName, RegionKey
from topomem.store.bulk import Buffer, Table
from topomem.store.decision import RECORD, RecordRow
from topomem.store.interning import Counters, Interned, Interner
from topomem.store.links import LinkedFile, LinkWriter, nested_starts
from topomem.store.naming import Naming
from topomem.store.retrieval import WordWriter

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
_BLOB_KEY = "blob_id || ' ' || language"
_BLOBS = Interned("blob", f"SELECT {_BLOB_KEY}, blob_int FROM topology.blob", _BLOB_KEY)  # noqa: S608
_REGIONS = Interned("region", "SELECT region_key, region_int FROM topology.region", "region_key")

REGION_KINDS = """
    SELECT region_key, kind FROM topology.region
    WHERE region_key IN (SELECT unnest(?::VARCHAR[])) ORDER BY region_key
"""


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
        self._naming = Naming(connection, self._counters, self._buffer, self._words)
        self._regions = Interner(connection, self._counters, _REGIONS)
        self._blobs = Interner(connection, self._counters, _BLOBS)
        self._links = LinkWriter(
            connection, self._counters, self._buffer, self._naming, self._regions
        )
        self._kinds: dict[RegionKey, str] = {}

    def put_regions(
        self, regions: Iterable[RegionFacts], packed: Mapping[RegionKey, bytes] | None = None
    ) -> None:
        """Store regions that are not stored yet; `packed` spares packing them again."""
        by_key = {facts.key: facts for facts in regions}
        numbers = self._regions.give(self._regions.fresh(by_key))
        fresh = [(number, by_key[key]) for number, key in numbers]
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
        numbers = self._blobs.give(self._blobs.fresh(by_key))
        fresh = [(number, by_key[key]) for number, key in numbers]
        placements = [placement for _, blob in fresh for placement in blob.placements]
        self._regions.fresh([placement.region for placement in placements])
        self._load_kinds({placement.region for placement in placements})
        self._naming.put_names(placement.name for placement in placements)
        self._buffer.add(_BLOB, [_blob_row(number, blob) for number, blob in fresh])
        for number, blob in fresh:
            self._buffer.add(_PLACEMENT, self._placement_rows(number, blob.placements))

    def put_links(self, files: Sequence[LinkedFile]) -> list[int]:
        """Store the edges of files; return their link sets, equal for equal links."""
        return self._links.put(files)

    def put_records(self, records: Sequence[RecordRow]) -> None:
        """Store texts read as decision records; the facts of their blobs must be put (KeyError)."""
        numbers = self.blob_numbers([(record.blob, record.language) for record in records])
        self._buffer.add(
            RECORD,
            [
                (number, record.origin, record.body)
                for number, record in zip(numbers, records, strict=True)
            ],
        )

    def path_numbers(self, paths: Sequence[str]) -> list[int]:
        """Return the numbers of paths; new ones get one."""
        self._naming.put_paths(paths)
        numbers = self._naming.paths.numbers
        return [numbers[path] for path in paths]

    def blob_numbers(self, blobs: Sequence[tuple[BlobId, LanguageName]]) -> list[int]:
        """Return the numbers of stored blobs; KeyError for one that was never put."""
        keys = [blob_key(blob, language) for blob, language in blobs]
        self._blobs.fresh(keys)
        return [self._blobs.numbers[key] for key in keys]

    def flush(self) -> None:
        """Load the rows that wait."""
        self._buffer.flush()

    def _load_kinds(self, keys: set[RegionKey]) -> None:
        missing = sorted(keys - self._kinds.keys())
        if missing:
            self._kinds.update(self._connection.execute(REGION_KINDS, [missing]).fetchall())

    def _placement_rows(
        self, blob: int, placements: Sequence[Placement]
    ) -> Iterator[tuple[Any, ...]]:
        names, regions = self._naming.names.numbers, self._regions.numbers
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


def blob_key(blob: BlobId, language: LanguageName) -> str:
    """Return the key a blob is interned by: it may be read as several languages."""
    return f"{blob} {language}"


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
