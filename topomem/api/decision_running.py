"""Running the invariants of decision records, on request alone; every result is recorded."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from topomem.api.decision_check import CHECK_KIND
from topomem.api.decisions import is_active, read_records
from topomem.api.opening import Opened
from topomem.api.view import open_view
from topomem.errors import UsageError
from topomem.model.decision import Invariant
from topomem.model.ids import FilePath
from topomem.records.board import Placed

TARGET = "{target}"
NOT_STARTED = 127
"""Exit code of what could not be started, as shells have it."""

TIMED_OUT = 124
"""Exit code of what took too long, as `timeout` has it."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One invariant that was run; `command` () where nothing is configured that runs its kind."""

    path: FilePath
    invariant: Invariant
    command: tuple[str, ...]
    exit_code: int | None
    seconds: float
    note: str = ""


Told = Callable[[FilePath, Invariant], None]


def run_invariants(opened: Opened, timeout_seconds: float, told: Told) -> tuple[Ran, ...]:
    """Run the invariants of all records that hold at HEAD, in the work tree; record the results.

    A command is run as it is written, without a shell. Tests and rules are run by the commands that
    are configured for them. Raises UsageError (no work tree), NotIndexed.
    """
    top = opened.repository.top
    if top is None:
        raise UsageError("a bare repository has no work tree to run anything in")
    with open_view(opened, None) as view:
        entries = read_records(opened, view).board.entries.values()
        wanted = [
            (entry.placed, invariant)
            for entry in entries
            if is_active(entry)
            for invariant in entry.placed.decision.invariants
        ]
        commit = view.as_of.commit
    found = []
    for placed, invariant in wanted:
        told(placed.path, invariant)
        ran, digest = _run(opened, top, placed, invariant, timeout_seconds)
        found.append(ran)
        if ran.exit_code is not None:
            _record(opened, placed, ran, digest, commit or "")
    return tuple(found)


def _run(
    opened: Opened, top: Path, placed: Placed, invariant: Invariant, timeout_seconds: float
) -> tuple[Ran, str]:
    command = _command(opened, invariant)
    if not command:
        note = f"nothing is configured that runs a {invariant.kind}"
        return Ran(placed.path, invariant, (), None, 0.0, note), ""
    start = time.perf_counter()
    output, code, note = b"", NOT_STARTED, ""
    try:
        done = subprocess.run(  # noqa: S603 - running it is what was asked for
            command,
            cwd=top,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_seconds,
            check=False,
        )
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired:
        code, note = TIMED_OUT, f"took more than {timeout_seconds:g} s"
    except OSError as error:
        note = str(error)
    seconds = round(time.perf_counter() - start, 3)
    return Ran(placed.path, invariant, command, code, seconds, note), sha256(output).hexdigest()


def _command(opened: Opened, invariant: Invariant) -> tuple[str, ...]:
    """Return the words of the command that runs an invariant; none where it is not known."""
    configured = {
        "test": opened.configuration.run_test,
        "rule": opened.configuration.run_rule,
        "command": invariant.target,
    }[invariant.kind]
    try:
        words = shlex.split(configured)
    except ValueError:
        return ()
    if invariant.kind == "command":
        return tuple(words)
    return tuple(word.replace(TARGET, invariant.target) for word in words)


def _record(opened: Opened, placed: Placed, ran: Ran, digest: str, commit: str) -> None:
    body = {
        "episode_id": placed.id,
        "kind": CHECK_KIND,
        "commit_id": commit,
        "dirty": bool(opened.repository.worktree_changes()),
        "decision": placed.id,
        "path": placed.path,
        "invariant_kind": ran.invariant.kind,
        "target": ran.invariant.target,
        "command": list(ran.command),
        "exit_code": ran.exit_code,
        "seconds": ran.seconds,
        "output_sha256": digest,
        "environment": {
            "system": platform.system(),
            "machine": platform.machine(),
            "interpreter": platform.python_version(),
        },
        "run": os.urandom(8).hex(),  # two runs alike are two events
    }
    opened.store.record("episode.event", [body], time.time_ns() // 1_000_000)
