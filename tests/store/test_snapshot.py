from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.samples import LANGUAGE, blob, calls, commit, entry, placed, region, variable

from topomem.model.code import External, SymbolKind, Unresolved
from topomem.model.ids import FilePath, Moniker
from topomem.store.links import LinkedFile
from topomem.store.snapshot import Snapshot, SymbolFilter
from topomem.store.store import Store
from topomem.store.topology import FileState

MODULE = region("", SymbolKind.MODULE, variable("first", 2), variable("last", 72), nested=(20, 60))
SHAPE = region("Shape", SymbolKind.CLASS, variable("sides", 50), nested=(30,))
AREA = region("area", SymbolKind.METHOD, variable("cache", 30, through_receiver=True))
HELP = region("help", SymbolKind.FUNCTION)
REGIONS = (MODULE, SHAPE, AREA, HELP)
FACTS = blob(
    "a file",
    placed(MODULE, "", -1, (1, 38)),
    placed(SHAPE, "Shape", 0, (3, 21)),
    placed(AREA, "Shape.area", 1, (6, 15)),
    placed(HELP, "help", 0, (26, 35)),
    lines=38,
)
PATH = FilePath("pkg/shapes.txt")
HELP_NAME = Moniker(f"{PATH}#help")
LINKS = calls(
    PATH,
    FACTS,
    {
        0: ((0, External("os.getcwd")), (9, HELP_NAME)),
        1: ((2, HELP_NAME), (9, Unresolved("gone", (HELP_NAME,)))),
        2: ((1, HELP_NAME),),
    },
)
ASKED = [[("declares help", "aa")], [], [("unique gone", "bb"), ("declares help", "aa")], []]
STATE_REGIONS = {facts.key: facts for facts in REGIONS}


def fill(store: Store) -> None:
    with store.write() as writer:
        writer.put_regions(REGIONS)
        writer.put_blobs([FACTS])
        (link_set,) = writer.put_links([LinkedFile(LINKS, STATE_REGIONS, ASKED)])
        state = FileState(PATH, entry("a file"), LANGUAGE, link_set)
        writer.add_commit(commit("one"), [state])


def open_one(store: Store, check: object) -> None:
    assert callable(check)
    with store.read() as reader:
        check(reader.open_snapshot(commit("one").id))


@pytest.fixture(name="store")
def filled(tmp_path: Path) -> Store:
    store = Store(tmp_path / "store", "example")
    fill(store)
    return store


def test_lines_of_symbols_count_the_definitions_before_them(store: Store) -> None:
    def check(snapshot: Snapshot) -> None:
        found = {
            symbol.qualified_name: (symbol.kind.value, symbol.start_line, symbol.end_line)
            for symbol in snapshot.symbols(SymbolFilter(with_modules=True))
        }
        assert found == {
            "": ("module", 1, 38),
            "first": ("variable", 1, 1),
            "Shape": ("class", 3, 21),
            "Shape.area": ("method", 6, 15),
            "Shape.cache": ("variable", 9, 9),
            "Shape.sides": ("variable", 3 + 5 + 9, 17),
            "help": ("function", 26, 35),
            "last": ("variable", 1 + 7 + 18 + 9, 35),
        }
        assert snapshot.symbol_count() == len(found) - 1

    open_one(store, check)


def test_edges_know_their_lines_and_both_ends(store: Store) -> None:
    def check(snapshot: Snapshot) -> None:
        rows = [(edge.source.qualified_name, edge.line, edge.target) for edge in snapshot.edges()]
        assert [(source, line) for source, line, _ in rows] == [
            ("", 1), ("Shape", 5), ("Shape.area", 7), ("Shape", 20), ("", 35),
        ]  # fmt: skip
        targets = [target for _, _, target in rows]
        assert targets[0] == External("os.getcwd")
        assert targets[3] == Unresolved("gone", (HELP_NAME,))
        assert getattr(targets[1], "start_line", 0) == 26

    open_one(store, check)


def test_types_and_values_of_one_name_are_two_symbols(tmp_path: Path) -> None:
    module = region(
        "",
        SymbolKind.MODULE,
        variable("Schema", 10),
        replace(variable("Pair", 12), kind=SymbolKind.TYPE_ALIAS),
        variable("Pair", 14),
        variable("plain", 16),
        nested=(20, 30),
    )
    schema = region("Schema", SymbolKind.INTERFACE)
    plain = region("plain", SymbolKind.FUNCTION)
    facts = blob(
        "two spaces",
        placed(module, "", -1, (1, 20)),
        placed(schema, "Schema", 0, (3, 5)),
        placed(plain, "plain", 0, (6, 8)),
        lines=20,
    )
    store = Store(tmp_path / "store", "example")
    with store.write() as writer:
        writer.put_regions([module, schema, plain])
        writer.put_blobs([facts])
        writer.add_commit(commit("one"), [FileState(PATH, entry("two spaces"), LANGUAGE)])

    def check(snapshot: Snapshot) -> None:
        found = {s.qualified_name: s.kind.value for s in snapshot.symbols(SymbolFilter())}
        assert found == {
            "Schema": "interface", "Schema+2": "variable",
            "Pair": "variable", "Pair+2": "type_alias", "plain": "function",
        }  # fmt: skip

    open_one(store, check)


def test_a_field_that_goes_by_a_methods_name_is_numbered_behind_it(tmp_path: Path) -> None:
    module = region("", SymbolKind.MODULE, nested=(20,))
    shape = region("Shape", SymbolKind.CLASS, variable("area", 10), nested=(30, 40))
    area = region("area", SymbolKind.METHOD)
    facts = blob(
        "two of a name",
        placed(module, "", -1, (1, 20)),
        placed(shape, "Shape", 0, (3, 19)),
        placed(area, "Shape.area", 1, (6, 8)),
        placed(area, "Shape.area+2", 1, (10, 12)),
        lines=20,
    )
    store = Store(tmp_path / "store", "example")
    with store.write() as writer:
        writer.put_regions([module, shape, area])
        writer.put_blobs([facts])
        writer.add_commit(commit("one"), [FileState(PATH, entry("two of a name"), LANGUAGE)])

    def check(snapshot: Snapshot) -> None:
        names = [symbol.qualified_name for symbol in snapshot.symbols(SymbolFilter())]
        assert sorted(names) == ["Shape", "Shape.area", "Shape.area+2", "Shape.area+3"]

    open_one(store, check)
