"""Links come back as the linker made them."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.samples import LANGUAGE, blob, calls, commit, entry, placed, region, variable

from topomem.model.code import (
    BlobFacts,
    EdgeKind,
    External,
    FileLinks,
    LinkedEdge,
    Method,
    RegionFacts,
    RegionLinks,
    SymbolKind,
    Unresolved,
)
from topomem.model.ids import FilePath, Moniker
from topomem.store.links import Asked, LinkedFile
from topomem.store.store import Store
from topomem.store.topology import FileState

MODULE = region("", SymbolKind.MODULE, variable("first", 2), nested=(20, 60))
RUN = region("run", SymbolKind.FUNCTION)
FACTS = blob("a file", placed(MODULE, "", -1, (1, 20)), placed(RUN, "run", 0, (3, 12)))
REGIONS = {facts.key: facts for facts in (MODULE, RUN)}

NUMBERS = count()

names = st.sampled_from(["a.x#f", "a.x#", "odd#path#C.m", "b/c.x#C.#private"])
targets = st.one_of(
    names.map(Moniker),
    st.builds(External, st.sampled_from(["os.path", "<builtin>.len"])),
    st.builds(Unresolved, st.text(max_size=4), st.lists(names.map(Moniker), max_size=3).map(tuple)),
)
edges = st.builds(
    LinkedEdge,
    st.sampled_from(EdgeKind),
    st.integers(-1, 9),
    targets,
    st.sampled_from([0.3, 0.85, 0.99, 1.0, 0.123456789]),
    st.sampled_from(Method),
    st.just(0),
)
questions = st.lists(
    st.tuples(st.sampled_from(["declares f", "unique g", "é"]), st.sampled_from(["", "00", "ff"])),
    unique=True,
    max_size=3,
).map(sorted)


def file_links(path: str, drawn: list[list[LinkedEdge]]) -> FileLinks:
    return FileLinks(
        FilePath(path),
        FACTS.blob,
        tuple(
            RegionLinks(placement.region, tuple(found))
            for placement, found in zip(FACTS.placements, drawn, strict=True)
        ),
    )


def store_links(
    store: Store, name: str, files: list[LinkedFile], regions: list[RegionFacts], facts: BlobFacts
) -> list[int]:
    with store.write() as writer:
        writer.put_regions(regions)
        writer.put_blobs([facts])
        sets = writer.put_links(files)
        states = [
            FileState(file.links.path, entry("a file"), LANGUAGE, number)
            for file, number in zip(files, sets, strict=True)
        ]
        writer.add_commit(commit(name), states)
    return sets


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("links")


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.lists(edges, max_size=6), min_size=2, max_size=2),
    st.lists(questions, min_size=2, max_size=2),
)
def test_links_and_questions_come_back(
    folder: Path, drawn: list[list[LinkedEdge]], asked: list[list[Asked]]
) -> None:
    name = next(NUMBERS)
    store = Store(folder, "example")
    links = file_links("a.x", drawn)
    store_links(store, f"c{name}", [LinkedFile(links, REGIONS, asked)], [MODULE, RUN], FACTS)
    with store.read() as reader:
        assert reader.file_links(commit(f"c{name}").id) == {links.path: links}
        assert reader.asked(commit(f"c{name}").id) == {links.path: asked}


def test_equal_links_are_stored_once(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    call = {1: ((3, Moniker("a.x#run")),)}
    files = [LinkedFile(calls(path, FACTS, call), REGIONS) for path in ("a.x", "b.x")]
    first, second = store_links(store, "one", files, [MODULE, RUN], FACTS)
    assert first == second
    (again,) = store_links(store, "two", files[:1], [MODULE, RUN], FACTS)
    assert again == first
    with store.read() as reader:
        counts = reader.connection.execute(
            "SELECT (SELECT count(*) FROM topology.edge), (SELECT count(*) FROM topology.link), "
            "(SELECT count(*) FROM topology.region), (SELECT count(*) FROM topology.blob)"
        ).fetchone()
    assert counts == (1, 2, 2, 1)


def test_equal_edges_behind_other_answers_share_their_rows(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    links = calls("a.x", FACTS, {1: ((3, Moniker("a.x#run")),)})
    sets = [
        store_links(
            store, name, [LinkedFile(links, REGIONS, [[], [("q", name)]])], [MODULE, RUN], FACTS
        )
        for name in ("one", "two")
    ]
    assert sets[0] != sets[1]
    with store.read() as reader:
        (count,) = reader.connection.execute("SELECT count(*) FROM topology.link").fetchone() or (
            0,
        )
        assert count == 2
        assert reader.asked(commit("two").id)[links.path] == [[], [("q", "two")]]


def test_facts_come_back(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    store_links(store, "one", [], [MODULE, RUN], FACTS)
    with store.read() as reader:
        assert reader.blob_facts([(FACTS.blob, LANGUAGE)]) == {(FACTS.blob, LANGUAGE): FACTS}
        found = reader.region_facts([MODULE.key, RUN.key])
        assert found == REGIONS
        assert reader.known_regions() == set(REGIONS)
        assert reader.known_blobs() == {(FACTS.blob, LANGUAGE)}
