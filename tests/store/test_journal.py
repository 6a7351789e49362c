"""The journal: what was said to be written is there, whatever happened afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.errors import StoreTooNew
from topomem.store.journal import Journal, Record
from topomem.store.store import Store, StoreOptions

scalars = st.one_of(st.integers(-(2**53), 2**53), st.text(), st.booleans(), st.none())
bodies = st.dictionaries(st.text(max_size=5), st.one_of(scalars, st.lists(scalars)), max_size=4)
records = st.builds(
    Record, st.sampled_from(["episode.event", "review.verdict"]), st.integers(0, 2**40), bodies
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(records, max_size=4), max_size=4))
def test_records_come_back_in_order(batches: list[list[Record]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        for batch in batches:
            journal.append(batch)
        reading = journal.read({})
        assert list(reading.records) == [record for batch in batches for record in batch]
        assert reading.damaged == ()
        assert journal.read(reading.positions).records == ()


@settings(max_examples=40, deadline=None)
@given(st.lists(records, min_size=1, max_size=5), st.data())
def test_a_torn_end_loses_only_itself(written: list[Record], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        journal.append(written[:-1])
        (file,) = Path(folder).iterdir()
        whole = file.stat().st_size
        journal.append(written[-1:])
        torn = data.draw(st.integers(whole, file.stat().st_size - 1))
        os.truncate(file, torn)
        assert list(journal.read({}).records) == written[:-1]
        journal.append(written[:1])
        found = journal.read({})
        kept = [
            *written[:-1],
            *([written[-1]] if torn == _end_without_newline(file, whole) else []),
        ]
        assert list(found.records) in ([*kept, written[0]], [*written[:-1], written[0]])


def _end_without_newline(file: Path, start: int) -> int:
    return start + file.read_bytes()[start:].index(b"\n")


@settings(max_examples=40, deadline=None)
@given(st.lists(records, min_size=1, max_size=4), st.data())
def test_a_changed_byte_is_noticed(written: list[Record], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        journal.append(written)
        (file,) = Path(folder).iterdir()
        content = bytearray(file.read_bytes())
        place = data.draw(st.integers(0, len(content) - 2))
        content[place] ^= 1
        file.write_bytes(content)
        found = journal.read({})
        assert len(found.records) < len(written)
        assert found.damaged
        assert {record.id for record in found.records} <= {record.id for record in written}


def test_equal_content_has_an_equal_id() -> None:
    one = Record("episode.event", 1, {"a": 1, "b": "é"})
    two = Record("episode.event", 2, {"b": "é", "a": 1})
    other = Record("review.verdict", 1, {"a": 1, "b": "é"})
    assert one.id == two.id
    assert one.id != other.id
    assert len(one.id) == 16


def test_writers_at_once_use_a_file_each(tmp_path: Path) -> None:
    journal = Journal(tmp_path)

    def write(name: str) -> None:
        for number in range(20):
            journal.append([Record("episode.event", number, {"writer": name, "number": number})])

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    reading = journal.read({})
    assert reading.damaged == ()
    found = sorted((record.body["writer"], record.body["number"]) for record in reading.records)
    assert found == sorted((name, number) for name in "abcd" for number in range(20))


WRITE_FOR_EVER = """
import sys
from pathlib import Path
from topomem.store.journal import Journal, Record
journal = Journal(Path(sys.argv[1]))
for number in range(100000):
    journal.append([Record("episode.event", number, {"number": number, "text": "x" * 500})])
    print(number, flush=True)
"""


@pytest.mark.parametrize("confirmed", [1, 7, 40])
def test_a_killed_writer_loses_nothing_it_confirmed(tmp_path: Path, confirmed: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITE_FOR_EVER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(confirmed):
            last = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        last = max([last, *(int(line) for line in process.stdout if line.strip().isdigit())])
    journal = Journal(tmp_path)
    journal.append([Record("episode.event", 0, {"number": "after"})])
    numbers = [record.body["number"] for record in journal.read({}).records]
    assert numbers[: last + 1] == list(range(last + 1))
    assert numbers[-1] == "after"


def event(number: int) -> dict[str, object]:
    return {"episode_id": "e1", "kind": "tool result", "number": number}


def recorded(store: Store) -> list[object]:
    with store.read() as reader:
        return [found.body["number"] for found in reader.events("e1")]


def test_recorded_rows_are_read_back(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    ids = store.record("episode.event", [event(1), event(2)], 1000)
    again = store.record("episode.event", [event(1)], 2000)
    assert again == ids[:1]
    with store.read() as reader:
        first, second = reader.events("e1")
    assert (first.id, first.kind, first.recorded_at) == (ids[0], "tool result", 1000)
    assert second.body == event(2)


@pytest.mark.parametrize("table", ["verdict", "check_result", "tombstone", "access_rule"])
def test_every_review_table_is_read_back(tmp_path: Path, table: str) -> None:
    store = Store(tmp_path, "example")
    body = {"subject_id": "s1", "kind": "accepted", "reason": "looked at it"}
    (key,) = store.record(f"review.{table}", [body], 5)
    with store.read() as reader:
        (found,) = reader.entries(table, "s1")  # type: ignore[arg-type]  # one of the names
        assert reader.entries(table, "other") == []  # type: ignore[arg-type]  # as above
    assert (found.id, found.kind, found.recorded_at, found.body) == (key, "accepted", 5, body)


def test_rows_are_seen_while_the_projection_is_behind(tmp_path: Path) -> None:
    store = Store(tmp_path, "example", StoreOptions(wait_seconds=0.05))
    store.record("episode.event", [event(1)], 1)
    with store.read() as reader:  # the room is taken: recording cannot project
        store.record("episode.event", [event(2)], 2)
        assert len(reader.events("e1")) == 1
    assert recorded(store) == [1, 2]
    assert store.project() == 1
    assert recorded(store) == [1, 2]


@pytest.mark.parametrize("content", [None, b"", b"no database"])
def test_the_projection_is_made_again_from_the_journal(
    tmp_path: Path, content: bytes | None
) -> None:
    store = Store(tmp_path, "example")
    store.record("episode.event", [event(1), event(2)], 1)
    if content is None:
        store.files.authored.unlink()
    else:
        store.files.authored.write_bytes(content)
    assert recorded(store) == [1, 2]
    store.project()
    assert recorded(store) == [1, 2]
    if content:
        assert (tmp_path / "authored.duckdb.damaged-1").read_bytes() == content


def test_rows_of_a_later_version_are_refused_and_kept(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    store.record("episode.event", [event(1)], 1)
    store.journal.append([Record("later.table", 1, {"a": 1})])
    with pytest.raises(StoreTooNew, match=r"later\.table"):
        store.project()
    lines = (tmp_path / "journal" / "0001.jsonl").read_text().splitlines()
    assert [json.loads(line.split(" ", 1)[1])[0] for line in lines] == [
        "episode.event",
        "later.table",
    ]
