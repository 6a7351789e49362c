"""After kills, full disks and broken files: the last committed state, or a clear word."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from hashlib import sha512
from pathlib import Path

import duckdb
import pytest
from support.samples import LANGUAGE, blob, commit, entry

from topomem.errors import StoreDamaged, StoreTooNew
from topomem.model.ids import FilePath
from topomem.store import properties
from topomem.store.connection import DERIVED
from topomem.store.files import wal_of
from topomem.store.migrations import DERIVED_VERSION
from topomem.store.store import Store, StoreOptions
from topomem.store.topology import FileState
from topomem.store.writer import Writer

A = FilePath("a.x")
TESTS = Path(__file__).parents[1]


def put(writer: Writer, number: int) -> None:
    writer.put_blobs([blob(f"text {number}")])
    parents = [f"c{number - 1}"] if number else []
    state = FileState(A, entry(f"text {number}"), LANGUAGE)
    writer.add_commit(commit(f"c{number}", *parents), [state])


def push(store: Store, number: int) -> tuple[str, ...]:
    with store.write() as writer:
        put(writer, number)
        return writer.notes


def check_commits(store: Store, count: int) -> None:
    with store.read() as reader:
        assert len(reader.known_commits()) == count
        for number in range(count):
            assert reader.tree(commit(f"c{number}").id) == {A: entry(f"text {number}")}


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "store", "example")
    push(store, 0)
    return store


PUSH_AND_DIE = """
import os, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from store.test_damage import put
from topomem.store.store import Store
with Store(Path(sys.argv[1]), "example").write() as writer:
    for number in range(1, int(sys.argv[3]) + 1):
        put(writer, number)
        writer.commit()
    put(writer, int(sys.argv[3]) + 1)
    writer.flush()
    os._exit(9)
"""


def push_and_die(store: Store, count: int) -> None:
    """Commit `count` pushes, then die in the middle of another; the log stays behind."""
    done = subprocess.run(
        [sys.executable, "-c", PUSH_AND_DIE, str(store.folder), str(TESTS), str(count)], check=False
    )
    assert done.returncode == 9


def test_a_session_that_fails_changes_nothing(store: Store) -> None:
    def fail() -> None:
        with store.write() as writer:
            put(writer, 1)
            writer.flush()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    check_commits(store, 1)
    push(store, 1)
    check_commits(store, 2)


def test_a_killed_writer_leaves_what_it_committed(store: Store) -> None:
    push_and_die(store, 3)
    assert wal_of(store.files.derived).exists()
    check_commits(store, 4)
    push(store, 4)
    check_commits(store, 5)


def test_a_log_that_cannot_be_replayed_is_set_aside(store: Store) -> None:
    push_and_die(store, 3)
    log = wal_of(store.files.derived)
    content = bytearray(log.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8] = b"\0\1\2\3\4\5\6\7"
    log.write_bytes(content)
    check_commits(store, 1)  # a reader heals it too
    kept = store.folder / "derived.duckdb.wal.damaged-1"
    assert kept.read_bytes() == bytes(content)
    assert push(store, 1) == ()
    check_commits(store, 2)


def test_a_log_of_another_file_is_set_aside(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "other", "example")
    push(other, 0)
    push_and_die(other, 2)
    shutil.copy(wal_of(other.files.derived), wal_of(store.files.derived))
    (note,) = push(store, 1)
    assert "was set aside" in note
    check_commits(store, 2)


@pytest.mark.parametrize("place", [0, 4096])
def test_a_broken_derived_file_is_named_and_made_anew(store: Store, place: int) -> None:
    store.record("episode.event", [{"episode_id": "e", "kind": "note"}], 1)
    with store.files.derived.open("r+b") as file:
        file.seek(place)  # one header for the file, or both of its states
        file.write(b"\xff" * 8192)
    broken = store.files.derived.read_bytes()
    assert store.needs_build()
    with pytest.raises(StoreDamaged, match="cannot be read") as caught, store.read():
        pass
    assert "rebuild" in caught.value.hint
    (note,) = push(store, 0)
    assert "was set aside as derived.duckdb.damaged-1" in note
    assert (store.folder / "derived.duckdb.damaged-1").read_bytes() == broken
    check_commits(store, 1)
    with store.read() as reader:
        assert len(reader.events()) == 1


@pytest.mark.parametrize("content", [b"", b"no database at all" * 1000])
def test_a_file_that_is_no_database(store: Store, content: bytes) -> None:
    store.files.derived.write_bytes(content)
    with store.build() as writer:
        put(writer, 0)
    check_commits(store, 1)
    store.files.derived.write_bytes(content)
    push(store, 0)
    check_commits(store, 1)


def test_a_broken_page_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    with store.write() as writer:
        for number in range(3000):
            put(writer, number)
    size = store.files.derived.stat().st_size
    with store.files.derived.open("r+b") as file:
        for place in range(65536 * 2, size, 65536):
            file.seek(place)
            file.write(b"\xff" * 64)
    with pytest.raises(StoreDamaged), store.read() as reader:
        reader.commits()


def test_a_build_replaces_whatever_was_there(store: Store) -> None:
    push(store, 1)
    with store.build() as writer, store.read() as reader:
        assert len(reader.known_commits()) == 2
        assert writer.known_commits() == set()
        for number in range(3):
            put(writer, number)
            writer.commit()
    check_commits(store, 3)
    assert not store.files.building.exists()


def test_a_build_that_fails_leaves_the_old_file(store: Store) -> None:
    def fail() -> None:
        with store.build() as writer:
            put(writer, 0)
            writer.commit()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    check_commits(store, 1)
    assert not store.files.building.exists()


def test_a_file_of_another_producer_is_made_anew(tmp_path: Path) -> None:
    old = Store(tmp_path, "example", StoreOptions(producer="grammars 1"))
    push(old, 0)
    new = Store(tmp_path, "example", StoreOptions(producer="grammars 2"))
    assert old.needs_build() is None
    assert new.needs_build() == "grammars or the extractor changed"
    check_commits(new, 1)  # what is there can be read
    (note,) = push(new, 0)
    assert note == "the derived file was made anew: grammars or the extractor changed"
    assert new.needs_build() is None


def test_facts_of_another_packing_are_as_good_as_none(tmp_path: Path) -> None:
    old = Store(tmp_path, "example", StoreOptions(producer="facts:0 links:1"))
    push(old, 0)
    check_commits(old, 0)
    assert Store(tmp_path, "example").needs_build() == "facts are packed in another form now"


@pytest.mark.parametrize("version", ["0", "999"])
def test_a_schema_of_another_version(store: Store, version: str) -> None:
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"ATTACH '{store.files.derived}' AS {DERIVED}")
        properties.put(connection, DERIVED, "schema", version)
    if version == "999":
        with pytest.raises(StoreTooNew, match="schema 999"), store.read():
            pass
        with pytest.raises(StoreTooNew), store.write():
            pass
    else:
        assert store.needs_build() == f"its schema was 0, now {DERIVED_VERSION}"
        with store.read() as reader:
            assert reader.known_commits() == set()
    with store.build() as writer:
        put(writer, 0)
    check_commits(store, 1)


FILL_THE_DISK = """
import resource, signal, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from store.test_damage import noise, put
from topomem.errors import StoreFull
from topomem.store.store import Store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
store = Store(Path(sys.argv[1]), "example")
def fill(writer, number):
    put(writer, number)
    writer.set_property(f"noise {number}", noise(number))
try:
    if sys.argv[3] == "write":
        for number in range(1, 200):
            with store.write() as writer:
                fill(writer, number)
    else:
        with store.build() as writer:
            for number in range(200):
                fill(writer, number)
                writer.commit()
except StoreFull as error:
    print(error, "|", error.hint)
    sys.exit(0)
sys.exit(1)
"""


def noise(seed: int) -> str:
    """Return 64,000 digits that cannot be compressed to less than half."""
    return "".join(sha512(f"{seed} {number}".encode()).hexdigest() for number in range(500))


@pytest.mark.parametrize("how", ["write", "build"])
def test_a_full_disk_leaves_a_store_that_opens(store: Store, how: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FILL_THE_DISK, str(store.folder), str(TESTS), how],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "the disk is full" in done.stdout
    with store.read() as reader:
        count = len(reader.known_commits())
    assert (count > 1) == (how == "write")
    check_commits(store, count)
    push(store, count)
    assert not [*store.folder.glob("spill-*"), *store.folder.glob("building*")]


@pytest.mark.slow
@pytest.mark.parametrize("after_ms", range(20, 420, 40))
def test_a_kill_at_any_moment_loses_nothing_committed(store: Store, after_ms: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PUSH_FOR_EVER, str(store.folder), str(TESTS)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        try:
            process.wait(after_ms / 1000)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        confirmed = max([1, *(int(line) for line in process.stdout if line.endswith("\n"))])
    with store.read() as reader:
        count = len(reader.known_commits())
    assert count in (confirmed + 1, confirmed + 2)  # the last one may be in but not yet told
    check_commits(store, count)
    push(store, count)


PUSH_FOR_EVER = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from store.test_damage import push
from topomem.store.store import Store
store = Store(Path(sys.argv[1]), "example")
for number in range(1, 10000):
    push(store, number)
    print(number, flush=True)
"""
