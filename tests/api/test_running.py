"""A command is run as if nobody watched, and what came of it is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.command import process
from support.history import build, git

import topomem
from topomem.api.memory import Memory
from topomem.api.running import RunRequest, RunResult
from topomem.errors import UnknownItem, UsageError
from topomem.model.episode import Episode
from topomem.store.locks import Patience, room

SAYS = "import sys; sys.stdout.write('out\\n'); sys.stderr.write('err\\n'); sys.exit(3)"
SLEEPS = "import time; print('up', flush=True); time.sleep(60)"


@pytest.fixture(name="memory")
def _memory(tmp_path: Path) -> Memory:
    build("=== c1\n--- a.txt\nx\n", tmp_path).checkout()
    return topomem.open(tmp_path)


def folder(memory: Memory) -> Path:
    assert memory.top is not None
    return memory.top


def ran(memory: Memory, *command: str, episode: str = "") -> tuple[RunResult, bytes, bytes]:
    out, err = bytearray(), bytearray()
    request = RunRequest(tuple(command), episode)
    result = memory.run(request, out.extend, err.extend)
    return result, bytes(out), bytes(err)


def only(memory: Memory) -> Episode:
    (found,) = memory.episodes().episodes
    return found.episode


def test_streams_and_exit_code_are_passed_on_and_kept(memory: Memory) -> None:
    (folder(memory) / "a.txt").write_text("not committed")
    result, out, err = ran(memory, sys.executable, "-c", SAYS)
    assert (result.exit_code, out, err, result.notes) == (3, b"out\n", b"err\n", ())
    found = only(memory)
    assert (found.id, found.kind, found.outcome) == (result.event, "tool_result", "failed")
    assert found.first.commit_id == git(folder(memory), "rev-parse", "HEAD").strip()
    assert len(found.first.dirty) == 16
    data = found.first.data
    assert data["exit_code"] == 3
    assert data["command"][0] == sys.executable
    assert sorted(data["output_tail"].split()) == ["err", "out"]
    assert len(data["output_sha256"]) == 64
    assert data["environment"]["system"]


def test_a_run_belongs_to_its_episode_and_ends_it_not(memory: Memory) -> None:
    key = memory.start_episode("Round the tax").id
    ran(memory, sys.executable, "-c", SAYS, episode=key[:8])
    found = only(memory)
    assert (found.outcome, [event.kind for event in found.events]) == (
        "open",
        ["start", "tool_result"],
    )


def test_two_runs_alike_are_two_events(memory: Memory) -> None:
    for _ in range(2):
        ran(memory, "true")
        time.sleep(0.002)
    assert len(memory.episodes().episodes) == 2


@pytest.mark.parametrize(
    ("command", "code"), [("no-such-command-at-all", 127), ("./a.txt", 126), ("", 127)]
)
def test_what_cannot_be_started_has_the_code_of_shells(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, command: str, code: int
) -> None:
    monkeypatch.chdir(folder(memory))
    result, _, _ = ran(memory, command)
    assert result.exit_code in (code, 126)
    assert result.notes
    assert only(memory).first.data["exit_code"] == result.exit_code


def test_a_wrong_request_runs_nothing(memory: Memory) -> None:
    marker = folder(memory) / "ran"
    with pytest.raises(UnknownItem):
        ran(memory, "touch", str(marker), episode="0" * 16)
    with pytest.raises(UsageError):
        ran(memory)
    assert not marker.exists()


def test_secrets_of_command_and_output_are_not_kept(memory: Memory) -> None:
    token = "ghp_" + "a8Kz4TqLm2Xw9RbV7cYd3NfH6sJpQeUtGi15"  # made up
    _, out, _ = ran(memory, "echo", token)
    assert token.encode() in out
    for file in memory._opened.store.folder.rglob("*"):
        if file.is_file():
            assert token.encode() not in file.read_bytes(), file


def test_what_went_wrong_is_found_by_its_words(memory: Memory) -> None:
    fails = "import sys; print('ValueError: quixotic amount'); sys.exit(1)"
    result, _, _ = ran(memory, sys.executable, "-c", fails)
    ran(memory, "echo", "fine")
    (found,) = memory.episodes(text="quixotic amounts").episodes
    assert found.episode.id == result.event


def test_only_the_end_of_a_long_output_is_kept(memory: Memory) -> None:
    many = "for number in range(60000): print('line', number)"
    _, out, _ = ran(memory, sys.executable, "-c", many)
    assert out.count(b"\n") == 60000
    tail = only(memory).first.data["output_tail"]
    assert tail.endswith("line 59999\n")
    assert len(tail) < 5_000
    assert tail.startswith("line ")


def test_output_held_open_by_a_grandchild_is_not_waited_for(memory: Memory) -> None:
    begun = time.perf_counter()
    result, out, _ = ran(memory, "sh", "-c", "sleep 20 & echo done")
    assert (result.exit_code, out) == (0, b"done\n")
    assert time.perf_counter() - begun < 10


def test_a_busy_store_costs_neither_the_exit_code_nor_the_record(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from topomem.api import running

    monkeypatch.setattr(running, "_WAIT_SECONDS", 0.1)
    memory.start_episode("Round the tax")
    store = memory._opened.store
    with room(store.folder, Patience(1), exclusive=True):
        result, _, _ = ran(memory, sys.executable, "-c", SAYS)
    assert (result.exit_code, bool(result.event)) == (3, True)
    assert "in the journal" in result.notes[0]
    assert len(memory.episodes().episodes) == 2


def test_what_is_written_beside_the_code_is_no_change_of_it(memory: Memory) -> None:
    top = folder(memory)
    (top / "junit.xml").write_text("<testsuite/>")
    ran(memory, "true")
    assert only(memory).first.dirty == ""
    (top / "tool.py").write_text("x = 1\n")
    result, _, _ = ran(memory, "true")
    assert len(memory.episode(result.event).answer.episode.first.dirty) == 16


def test_tables_that_cannot_be_read_cost_nothing_either(memory: Memory) -> None:
    memory.start_episode("Round the tax")
    memory._opened.store.spool("later.table", [{"a": 1}], 1)
    result, _, _ = ran(memory, sys.executable, "-c", SAYS)
    assert (result.exit_code, bool(result.event)) == (3, True)
    assert "later version" in result.notes[0]


def test_a_full_disk_costs_the_record_alone(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from topomem.store.journal import Journal

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Journal, "append", full)
    result, out, _ = ran(memory, sys.executable, "-c", SAYS)
    assert (result.exit_code, out, result.event) == (3, b"out\n", "")
    assert "not recorded" in result.notes[0]


def test_the_command_line_passes_everything_on(memory: Memory) -> None:
    top = folder(memory)
    done = process("run", "--", sys.executable, "-c", SAYS, cwd=top)
    assert (done.code, done.out, done.err) == (3, "out\n", "err\n")
    done = process("run", "--", "cat", cwd=top, text="given")
    assert (done.code, done.out) == (0, "given")
    done = process("run", "--json", "--", sys.executable, "-c", SAYS, cwd=top)
    assert (done.code, done.err) == (3, "out\nerr\n")
    assert json.loads(done.out)["exit_code"] == 3
    done = process("run", "--", "git", "--version", "--json", cwd=top)
    assert done.code != 0  # the options of the command are its own
    assert len(memory.episodes().episodes) == 4


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_signal_ends_the_command_and_is_recorded(memory: Memory, number: int) -> None:
    command = [sys.executable, "-m", "topomem", "run", "--", sys.executable, "-c", SLEEPS]
    with subprocess.Popen(
        command, cwd=folder(memory), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"up\n"
        os.kill(running.pid, number)
        code = running.wait(timeout=30)
    data = only(memory).first.data
    assert code == data["exit_code"]
    assert code in (128 + number, 1)  # the interpreter may report an interrupt itself
    assert bool(data.get("interrupted")) == (number == signal.SIGINT)
