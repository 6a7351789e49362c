from __future__ import annotations

from pathlib import Path

import pytest
from store.test_links import FACTS, MODULE, REGIONS, RUN, store_links
from support.samples import calls, commit

from topomem.model.ids import Moniker
from topomem.store.doctor import check_journal, check_rows, check_snapshot
from topomem.store.links import LinkedFile
from topomem.store.store import Store


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Store:
    store = Store(tmp_path, "example")
    links = calls("a.x", FACTS, {1: ((3, Moniker("a.x#run")),)})
    store_links(store, "one", [LinkedFile(links, REGIONS)], [MODULE, RUN], FACTS)
    store.record("episode.event", [{"episode_id": "e"}], 1)
    return store


def damage(store: Store, statement: str) -> None:
    with store.write() as writer:
        writer._connection.execute(statement)


def test_a_sound_store_has_no_findings(store: Store) -> None:
    with store.read() as reader:
        assert check_rows(reader) == []
        assert check_snapshot(reader.open_snapshot(commit("one").id)) == []
        assert check_journal(reader, store.journal) == []


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("DELETE FROM topology.path", "topology.span.path_int points to no row of topology.path"),
        (
            "INSERT INTO topology.region SELECT * FROM topology.region",
            "topology.region has rows with equal region_key",
        ),
        (
            "INSERT INTO topology.span SELECT * FROM topology.span",
            "topology.span has spans of one path that overlap",
        ),
        (
            "DELETE FROM topology.link_set WHERE ordinal = 1",
            "links of a file version are not parallel to its placements",
        ),
    ],
)
def test_what_is_wrong_is_named(store: Store, statement: str, check: str) -> None:
    damage(store, statement)
    with store.read() as reader:
        assert check in [finding.check for finding in check_rows(reader)]


def test_lost_targets_are_named(store: Store) -> None:
    damage(store, "INSERT INTO topology.name VALUES (99, 'elsewhere')")
    damage(store, "UPDATE topology.edge SET target_name = 99")
    with store.read() as reader:
        (finding,) = check_snapshot(reader.open_snapshot(commit("one").id))
    assert finding.example == "a.x#elsewhere"


def test_a_journal_that_lost_its_end_is_named(store: Store) -> None:
    (store.files.journal / "0001.jsonl").write_text("torn\n")
    with store.read() as reader:
        found = [finding.check for finding in check_journal(reader, store.journal)]
        assert len(reader.events()) == 1
    assert found == [
        "lines of the journal cannot be read",
        "files of the journal are shorter than they were",
    ]
