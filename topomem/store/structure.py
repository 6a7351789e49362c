"""A snapshot as bare relations between symbols, and the regions of some of its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from topomem.model.code import BlobFacts, EdgeKind, RegionFacts, SymbolKind
from topomem.model.ids import BlobId, FilePath, LanguageName
from topomem.model.structure import CodeFile, Key, PlacedRegion, Relation
from topomem.store import linking
from topomem.store.snapshot import Snapshot

_RELATIONS = """
    SELECT DISTINCT visible.path, source.qualified_name, target_path.path, target_name.name,
        edge.kind, edge.confidence,
        placed.start_line + edge.row + coalesce(before.hidden_rows, 0) AS line
    FROM visible
    JOIN topology.link_set AS member ON member.link_set = visible.link_set
    JOIN placed ON placed.path_int = visible.path_int AND placed.ordinal = member.ordinal
    JOIN topology.edge AS edge ON edge.link = member.link
    JOIN symbol AS source ON source.path_int = visible.path_int
        AND source.placement = placed.ordinal AND source.ordinal = edge.source
    LEFT JOIN placed AS before ON before.path_int = visible.path_int
        AND before.parent = placed.ordinal AND before.child = edge.nested - 1
    JOIN topology.path AS target_path ON target_path.path_int = edge.target_path
    JOIN topology.name AS target_name ON target_name.name_int = edge.target_name
    WHERE edge.target_kind = 'symbol' AND list_contains($kinds, edge.kind)
        AND (len($paths) = 0 OR list_contains($paths, visible.path))
        AND (len($targets) = 0
            OR list_contains($targets, target_path.path || '#' || target_name.name))
"""
_REGIONS = """
    SELECT visible.path, visible.language, name.name, region.kind, placed.parent,
        placed.start_line, placed.end_line, placed.hidden_rows, region.facts
    FROM placed
    JOIN visible ON visible.path_int = placed.path_int
    JOIN topology.name AS name ON name.name_int = placed.name_int
    JOIN topology.region AS region ON region.region_int = placed.region_int
    WHERE list_contains($paths, visible.path)
    ORDER BY visible.path, placed.ordinal
"""
_DEFINITIONS = """
    SELECT visible.path, symbol.qualified_name, symbol.placement, symbol.ordinal
    FROM symbol JOIN visible ON visible.path_int = symbol.path_int
    WHERE symbol.is_first AND list_contains($paths, visible.path)
"""
_VERSIONS = "SELECT path, blob_id, language, link_set FROM visible ORDER BY path"


@dataclass(frozen=True, slots=True)
class FileVersion:
    """What tells whether a file, and its edges, are those of another snapshot of this session."""

    blob: BlobId
    language: LanguageName
    link_set: int | None


def relations(
    snapshot: Snapshot,
    kinds: Iterable[EdgeKind],
    paths: Iterable[FilePath] = (),
    targets: Iterable[Key] = (),
) -> list[Relation]:
    """Return the edges of some kinds between symbols, each place once, in no order.

    `paths`: only those read from these files; `targets`: only those to these symbols.
    """
    _ = snapshot.has_symbols
    rows = snapshot.connection.execute(
        _RELATIONS,
        {
            "kinds": [kind.value for kind in kinds],
            "paths": list(paths),
            "targets": [f"{path}#{name}" for path, name in targets],
        },
    ).fetchall()
    words = {kind.value: kind for kind in EdgeKind}
    return [
        Relation((path, name), (there, target), words[kind], confidence, line)
        for path, name, there, target, kind, confidence, line in rows
    ]


def code_files(
    snapshot: Snapshot, unpack: Callable[[bytes], RegionFacts], paths: Iterable[FilePath]
) -> list[CodeFile]:
    """Return files with all their regions, by path; those without code are left out."""
    _ = snapshot.has_placed
    rows = snapshot.connection.execute(_REGIONS, {"paths": list(paths)}).fetchall()
    known: dict[bytes, RegionFacts] = {}
    files: dict[FilePath, tuple[LanguageName, list[PlacedRegion]]] = {}
    for path, language, name, kind, parent, start, end, hidden, packed in rows:
        facts = known.get(packed)
        if facts is None:
            facts = known[packed] = unpack(packed)
        region = PlacedRegion(name, SymbolKind(kind), parent, start, end, hidden, facts)
        files.setdefault(path, (language, []))[1].append(region)
    return [CodeFile(path, language, tuple(regions)) for path, (language, regions) in files.items()]


def versions(snapshot: Snapshot) -> dict[FilePath, FileVersion]:
    """Return all files by path, sorted."""
    rows = snapshot.connection.execute(_VERSIONS).fetchall()
    return {path: FileVersion(*rest) for path, *rest in rows}


def definitions(snapshot: Snapshot, paths: Iterable[FilePath]) -> dict[Key, tuple[int, int]]:
    """Return the symbols of some files: number of the region, and of the definition in it."""
    _ = snapshot.has_symbols
    rows = snapshot.connection.execute(_DEFINITIONS, {"paths": list(paths)}).fetchall()
    return {(path, name): (placement, ordinal) for path, name, placement, ordinal in rows}


def blob_facts(
    snapshot: Snapshot, blobs: Iterable[tuple[BlobId, LanguageName]]
) -> dict[tuple[BlobId, LanguageName], BlobFacts]:
    """Return the facts of blobs that the snapshot may see, uncommitted ones too."""
    return linking.blob_facts(snapshot.connection, blobs)
