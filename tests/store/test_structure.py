"""Bare relations and regions of a snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.indexed import Indexed
from support.shop import shop

from topomem.model.answer import SymbolRef
from topomem.model.code import EdgeKind
from topomem.model.ids import FilePath, QualifiedName
from topomem.store import structure


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    folder: Path = tmp_path_factory.mktemp("shop")
    found = Indexed(shop(folder / "repository"), folder / "store")
    found.run()
    return found


def test_relations_are_the_edges_between_symbols(indexed: Indexed) -> None:
    with indexed.store.read() as reader:
        snapshot = reader.open_snapshot(max(reader.known_commits()))
        found = structure.relations(snapshot, EdgeKind)
        expected = {
            (
                (edge.source.path, edge.source.qualified_name),
                (edge.target.path, edge.target.qualified_name),
                edge.kind,
                edge.line,
            )
            for edge in snapshot.edges()
            if isinstance(edge.target, SymbolRef)
        }
        assert {(one.source, one.target, one.kind, one.line) for one in found} == expected
        target = FilePath("shop/prices.py"), QualifiedName("tax")
        kinds, paths = [EdgeKind.CALLS], [FilePath("shop/cart.py")]
        few = structure.relations(snapshot, kinds, paths, [target])
        assert [(one.source[1], one.line) for one in few] == [("Cart.total", 15)]


def test_regions_stand_where_symbols_do(indexed: Indexed) -> None:
    with indexed.store.read() as reader:
        snapshot = reader.open_snapshot(max(reader.known_commits()))
        paths = list(structure.versions(snapshot))
        lines = {
            (one.path, one.qualified_name): (one.start_line, one.end_line)
            for one in snapshot.symbols()
        }
        files = structure.code_files(snapshot, reader.unpack, paths)
        assert [file.path for file in files] == sorted(file.path for file in files)
        for file in files:
            for region in file.regions[1:]:
                assert lines[file.path, region.name] == (region.start_line, region.end_line)
        places = structure.definitions(snapshot, paths)
        assert places.keys() >= lines.keys()
        assert places[FilePath("shop/prices.py"), QualifiedName("RATE")] == (0, 1)
