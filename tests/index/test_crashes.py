"""Runs that end anywhere, or meet each other, lose nothing and double nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from support.growth import grow
from support.history import History, start
from support.indexed import Indexed, check_equals_one_run, check_trees

from topomem.index.events import BatchStored, Event, FileLinked
from topomem.index.plan import Scope
from topomem.store import doctor

RUN = """
import sys
from pathlib import Path
from topomem.git.repository import open_repository
from topomem.index.configuration import Configuration
from topomem.index.pipeline import IndexOptions, index
from topomem.index.plan import Scope
from topomem.store.store import Store
options = IndexOptions(Scope(all_refs=True), jobs=1, room_seconds=0.01)
store = Store(Path(sys.argv[2]), "repository")
index(open_repository(sys.argv[1]), store, Configuration(), options)
"""


def spawn(indexed: Indexed) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", RUN, str(indexed.folder), str(indexed.store.folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def check_sound(indexed: Indexed, place: Path) -> None:
    check_trees(indexed)
    check_equals_one_run(indexed, place, Scope(all_refs=True))
    with indexed.store.read() as reader:
        assert list(doctor.check_rows(reader)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_moment(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    indexed = Indexed(grow(tmp_path / "r", seed, 16), tmp_path / "store")
    first = time.monotonic()
    spawn(Indexed(indexed.folder, tmp_path / "whole")).communicate()
    whole = time.monotonic() - first
    for _ in range(10):
        process = spawn(indexed)
        time.sleep(random.uniform(0.3, 1.0) * whole)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process = spawn(indexed)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    check_sound(indexed, tmp_path / "other")


@pytest.mark.slow
def test_two_runs_at_once(tmp_path: Path) -> None:
    indexed = Indexed(grow(tmp_path / "r", 5, 16), tmp_path / "store")
    processes = [spawn(indexed) for _ in range(2)]
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
    check_sound(indexed, tmp_path / "other")


@pytest.mark.slow
def test_two_later_runs_at_once(tmp_path: Path) -> None:
    history = grow(tmp_path / "r", 6, 16)
    history.branch("main", "c3")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    processes = [spawn(indexed) for _ in range(3)]
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
    check_sound(indexed, tmp_path / "other")


class Interrupt(Exception):
    pass


def test_interrupted_between_files_and_commit(tmp_path: Path) -> None:
    """A commit of many files is stored piece by piece; its commit row comes last."""
    history = many_files(tmp_path / "r", 40)
    indexed = Indexed(history, tmp_path / "store")
    history.branch("main", "c0")
    indexed.run()
    history.branch("main", "c2")

    def emit(event: Event) -> None:
        if isinstance(event, BatchStored) and event.done:
            raise Interrupt

    with pytest.raises(Interrupt):
        indexed.run(emit=emit, room_seconds=0.0)
    assert history.ids["c2"] not in indexed.commits()
    indexed.run(room_seconds=0.0)
    check_sound(indexed, tmp_path / "other")


@pytest.mark.slow
def test_a_commit_of_thousands_of_files(tmp_path: Path) -> None:
    indexed = Indexed(many_files(tmp_path / "r", 5000), tmp_path / "store")
    log: list[Event] = []
    report = indexed.run(emit=log.append)
    assert report.commits_indexed == 3
    assert report.blobs_parsed == 10_001
    assert len({event.path for event in log if isinstance(event, FileLinked)}) == 5001
    check_trees(indexed)


def many_files(folder: Path, count: int) -> History:
    history = start(folder)
    history.add("c0", [], {"first.py": "def first(): ...\n"})
    lines = "".join(f"    x{line} = {line}\n" for line in range(18))
    for number in (1, 2):
        files: dict[str, bytes | str] = {
            f"pkg/m{n:04}.py": f"def f{n}(x):\n{lines}    return {number} + {n}\n"
            for n in range(count)
        }
        history.add(f"c{number}", [f"c{number - 1}"], files)
    history.branch("main", "c2")
    return history


def test_the_variables_of_a_hook_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, other = grow(tmp_path / "named", 1, 3), grow(tmp_path / "other", 2, 3)
    before = snapshot(other.folder), snapshot(named.folder)
    for name in ("GIT_DIR", "GIT_COMMON_DIR"):
        monkeypatch.setenv(name, str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git/index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.folder / ".git/objects"))
    indexed = Indexed(named, tmp_path / "store")
    indexed.run()
    assert indexed.commits() <= set(named.ids.values())
    assert (snapshot(other.folder), snapshot(named.folder)) == before


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {os.fspath(path.relative_to(folder)): path.read_bytes() for path in files}
