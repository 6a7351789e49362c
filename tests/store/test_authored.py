"""Authored rows outlive the loss of any one file, a torn line, a damaged table, and an upgrade."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.store import episode as plane
from topomem.store.connection import AUTHORED, attach
from topomem.store.episode import WORDS_VERSION
from topomem.store.migrations import migrate_authored, scripts
from topomem.store.store import Store, StoreOptions

TABLE = "episode.event"


def body(number: int, root: str = "") -> dict[str, object]:
    return {"kind": "note", "episode_id": root, "commit_id": "c1", "text": f"word{'abcdefgh'[number % 8]} {number}",
            "symbols": [f"a.py#f{number}"]}  # fmt: skip


def lose_tables(store: Store) -> None:
    for file in store.folder.glob("authored.duckdb*"):
        file.unlink()


def break_tables(store: Store) -> None:
    if store.files.authored.exists():
        data = bytearray(store.files.authored.read_bytes())
        data[: len(data) // 2] = os.urandom(len(data) // 2)
        store.files.authored.write_bytes(bytes(data))


def lose_journal(store: Store) -> None:
    if store.files.authored.exists():
        store.project()
        shutil.rmtree(store.files.journal, ignore_errors=True)


def tear(store: Store) -> None:
    for file in sorted(store.files.journal.glob("*.jsonl"))[-1:]:
        with file.open("ab") as lines:
            lines.write(b'0123abcd ["episode.event",1,0,{"kind":"note"')


def lose_derived(store: Store) -> None:
    for file in store.folder.glob("derived.duckdb*"):
        file.unlink()


def project(store: Store) -> None:
    store.project()


FAULTS: list[Callable[[Store], None]] = [
    lose_tables,
    break_tables,
    lose_journal,
    tear,
    lose_derived,
    project,
]


def found(store: Store) -> list[str]:
    with store.read() as reader:
        return sorted(event.id for event in reader.events())


def check_index(store: Store) -> None:
    """Check that words and links are those of the events that are there."""
    with store.read() as reader:
        seen = reader.episodes(["c1"])
        roots = {event.root for event in seen.events()}
        assert {root for root, _ in seen.hits(seen.stems(0, 99))} == roots
        names = [name for event in seen.events() for name in event.names("symbol")]
        assert {root for root, _ in seen.linked("symbol", names)} == roots


@settings(max_examples=8)
@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(FAULTS)), min_size=1, max_size=5))
def test_nothing_that_was_recorded_is_lost(
    steps: list[tuple[int, Callable[[Store], None]]],
) -> None:
    with TemporaryDirectory() as folder:
        store = Store(Path(folder), "example")
        expected: set[str] = set()
        for number, fault in steps:
            expected.update(store.record(TABLE, [body(number)], number))
            fault(store)
            if fault is not lose_journal:  # then the tables are all there is, until a writer comes
                assert found(store) == sorted(expected)
        expected.update(store.record(TABLE, [body(99)], 99))
        assert found(store) == sorted(expected)
        assert {record.id for record in store.authored()} == expected
        check_index(store)


def test_a_lost_journal_is_written_again_from_the_tables(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    store.record(TABLE, [body(1)], 5)
    before = store.authored()
    lose_journal(store)
    assert store.authored() == []
    store.record(TABLE, [body(2)], 6)
    assert store.authored()[0] == before[0]
    lose_tables(store)
    assert len(found(store)) == 2


def test_a_torn_end_does_not_keep_readers_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path, "example")
    store.record(TABLE, [body(1)], 5)
    tear(store)
    monkeypatch.setattr(plane, "index_events", None)  # a projection in memory would need it
    assert len(found(store)) == 1


def test_a_file_of_the_first_version_is_brought_up(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    store.record(TABLE, [body(1), body(2)], 5)
    (journal,) = store.files.journal.iterdir()
    text = journal.read_text()
    lose_tables(store)
    with duckdb.connect(":memory:") as connection:
        attach(connection, store.files.authored, AUTHORED, writable=True)
        migrate_authored(connection, AUTHORED, scripts("authored")[:1])
        connection.execute(
            "INSERT INTO authored.episode.event SELECT 'e' || i, '', 'note', i, 0, 'c1', "
            """'{"kind":"note","text":"older"}' FROM range(3) AS t(i)"""
        )
        connection.execute(
            "INSERT INTO authored.meta.journal_position (file, position) VALUES (?, ?)",
            ["0001.jsonl", len(text)],
        )
    assert len(found(store)) == 2  # a reader does not migrate: it asks the journal
    store.record(TABLE, [body(3)], 6)
    with store.read() as reader:
        seen = reader.episodes(["c1"])
        assert len(seen.hits(["older"])) == 3
    assert store.project() == 0


def test_words_are_made_anew_when_that_is_done_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path, "example")
    store.record(TABLE, [body(1)], 5)
    monkeypatch.setattr(plane, "WORDS_VERSION", f"{WORDS_VERSION}+")
    monkeypatch.setattr(plane, "_stems", lambda _: ["other"])
    store.record(TABLE, [body(2)], 6)
    with store.read() as reader:
        assert len(reader.episodes(["c1"]).hits(["other"])) == 2
        assert reader.episodes(["c1"]).hits(["worda", "wordb"]) == []


def test_a_tombstone_outlives_the_tables_and_keeps_others_out(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    (root,) = store.record(TABLE, [body(1)], 5)
    store.record(TABLE, [body(2, root)], 6)
    kept = store.record(TABLE, [body(3)], 7)
    others = store.authored()
    store.delete_item(root, "asked for", 8)
    assert found(store) == kept
    lose_tables(store)
    assert found(store) == kept
    assert store.bring(others) == 0
    assert found(store) == kept
    check_index(store)


def test_rows_from_elsewhere_keep_their_time_and_say_where_from(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "one", "x"), Store(tmp_path / "two", "x")
    one.record(TABLE, [body(1), body(2)], 5)
    rows = [
        type(record)(record.table, record.recorded_at, record.body, record.number, "share origin")
        for record in one.authored()
    ]
    assert two.bring(rows) == 2
    assert two.bring(rows) == 0
    for _ in range(2):
        with two.read() as reader:
            assert {event.origin for event in reader.events()} == {"share origin"}
            assert {event.recorded_at for event in reader.events()} == {5}
        lose_tables(two)


def test_recording_while_the_store_is_busy_is_seen_afterwards(tmp_path: Path) -> None:
    store = Store(tmp_path, "example", StoreOptions(wait_seconds=0.05))
    store.record(TABLE, [body(1)], 5)
    with store.read():
        store.record(TABLE, [body(2)], 6)
    assert len(found(store)) == 2
    check_index(store)
