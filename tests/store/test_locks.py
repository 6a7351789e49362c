"""Locks: bounded waits that name the holder, and nobody starves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.samples import LANGUAGE, blob, commit, entry

from topomem.errors import StoreBusy
from topomem.model.ids import FilePath
from topomem.store.locks import Patience, among_others, room
from topomem.store.store import Store, StoreOptions
from topomem.store.topology import FileState

HOLD = """
import sys, time
from pathlib import Path
from topomem.store.locks import Patience, among_others, room
with room(Path(sys.argv[1]), Patience(5, "a long index"), exclusive=sys.argv[2] == "alone"):
    print("in", flush=True)
    time.sleep(60)
"""


def hold(folder: Path, how: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder), how], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    return process


@pytest.mark.parametrize(
    ("held", "wanted", "is_busy"),
    [
        ("alone", True, True),
        ("alone", False, True),
        ("shared", True, True),
        ("shared", False, False),
    ],
)
def test_who_waits_for_whom(tmp_path: Path, held: str, *, wanted: bool, is_busy: bool) -> None:
    with hold(tmp_path, held) as process:
        try:
            if is_busy:
                with (
                    pytest.raises(StoreBusy, match=f"process {process.pid}") as caught,
                    room(tmp_path, Patience(0.05), exclusive=wanted),
                ):
                    pass
                assert ("a long index" in str(caught.value)) == (held == "alone")
                assert caught.value.hint
            else:
                with room(tmp_path, Patience(0.05), exclusive=wanted):
                    pass
        finally:
            process.kill()


def test_the_locks_of_a_killed_process_are_free(tmp_path: Path) -> None:
    with hold(tmp_path, "alone") as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with room(tmp_path, Patience(0.5), exclusive=True):
        pass


def test_a_waiting_writer_comes_before_later_readers(tmp_path: Path) -> None:
    order: list[str] = []
    inside = threading.Event()
    leave = threading.Event()

    def enter(name: str, *, exclusive: bool) -> None:
        with room(tmp_path, Patience(10), exclusive=exclusive):
            order.append(name)
            if name == "first":
                inside.set()
                leave.wait(10)

    first = threading.Thread(target=enter, args=("first",), kwargs={"exclusive": False})
    writer = threading.Thread(target=enter, args=("writer",), kwargs={"exclusive": True})
    later = threading.Thread(target=enter, args=("later",), kwargs={"exclusive": False})
    first.start()
    inside.wait(10)
    writer.start()
    time.sleep(0.2)
    later.start()
    time.sleep(0.2)
    leave.set()
    for thread in (first, writer, later):
        thread.join()
    assert order == ["first", "writer", "later"]


def test_a_store_in_use_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path, "example", StoreOptions(wait_seconds=0.05, purpose="index"))
    holder = rf"process {os.getpid()} \(index\)"
    with store.write(), pytest.raises(StoreBusy, match=holder), store.read():
        pass
    with store.read(), store.read():
        pass
    with store.build(), store.read() as reader:
        assert reader.known_commits() == set()
    with store.build(), pytest.raises(StoreBusy), store.build():
        pass


READ_FOR_EVER = """
import sys, time
from pathlib import Path
from topomem.store.store import Store
store = Store(Path(sys.argv[1]), "example")
count, longest = 0, 0.0
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    start = time.monotonic()
    with store.read() as reader:
        assert len(reader.known_commits()) >= 1
    longest = max(longest, time.monotonic() - start)
    count += 1
print(count, longest)
"""


@pytest.mark.slow
def test_eight_readers_do_not_starve_a_writer(tmp_path: Path) -> None:
    store = Store(tmp_path, "example")
    path = FilePath("a.x")

    def push(number: int) -> float:
        start = time.monotonic()
        with store.write() as writer:
            writer.put_blobs([blob(f"text {number}")])
            parents = [f"c{number - 1}"] if number else []
            state = FileState(path, entry(f"text {number}"), LANGUAGE)
            writer.add_commit(commit(f"c{number}", *parents), [state])
        return time.monotonic() - start

    push(0)
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READ_FOR_EVER, str(tmp_path), "8"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    time.sleep(2)
    waits = sorted(push(number) for number in range(1, 21))
    answers = [reader.communicate()[0].split() for reader in readers]
    assert all(reader.returncode == 0 for reader in readers)
    assert all(int(count) > 5 for count, _ in answers)
    assert waits[len(waits) // 2] < 2
    with store.read() as reader:
        assert len(reader.known_commits()) == 21


def test_work_among_others_is_done_alone_or_not_at_all(tmp_path: Path) -> None:
    file, patience = tmp_path / "lock", Patience(0.05)
    done: list[str] = []

    def work(name: str) -> Callable[[], int]:
        def do() -> int:
            done.append(name)
            return 1

        return do

    def is_kept_out() -> int:
        with pytest.raises(StoreBusy), among_others(file, patience):
            pass
        return 1

    with among_others(file, patience) as first:
        with among_others(file, patience) as second:
            assert (first(work("one")), second(work("two"))) == (0, 0)
        assert first(work("three")) == 1
        assert first(is_kept_out) == 1
        with among_others(file, patience) as third:
            assert (first(work("four")), third(work("five"))) == (0, 0)
    assert done == ["three"]
