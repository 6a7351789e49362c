"""Running a command and recording what came of it, in which state of the code.

What the command came to is never lost to the recording of it: its exit code is the answer whatever
happens to the store. The journal takes a row without waiting for anybody; it is seen by the next
reader, however busy the database is.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from topomem.api.at_the_door import clean, clean_all
from topomem.api.environment import environment_here
from topomem.api.episode_binding import bind, recorded_author
from topomem.api.episode_writing import TABLE
from topomem.api.passing import Ran, Write, run_command
from topomem.errors import TopomemError, UnknownItem, UsageError
from topomem.evidence.environment import environment_body
from topomem.store.store import Store

if TYPE_CHECKING:
    from topomem.api.opening import Opened

TAIL = 4_000
"""Characters of the end of the output that are kept."""

_WAIT_SECONDS = 2.0
"""How long a run waits for the database before it leaves the row to the journal alone."""

_SHORTEST_ID = 4


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A command to run, and the episode it belongs to ("": none)."""

    command: tuple[str, ...]
    episode: str = ""
    capture: bool = True


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came of a run: `event` is "" where it could not be recorded, and `notes` say why."""

    exit_code: int
    seconds: float
    event: str
    episode: str
    notes: tuple[str, ...] = ()


def run(opened: Opened, request: RunRequest, out: Write, err: Write) -> RunResult:
    """Run a command where the caller stands, with its streams passed on, and record it.

    Raises UsageError and UnknownItem before the command is run, and nothing afterwards.
    """
    if not request.command:
        raise UsageError("no command to run", "topomem run -- COMMAND ...")
    root = _root(opened.store, request.episode) if request.episode else ""
    bound = bind(opened, None)
    started = time.time_ns() // 1_000_000
    ran = run_command(request.command, out, err, capture=request.capture)
    notes = [ran.note] if ran.note else []
    event = ""
    try:
        body = {
            "episode_id": root,
            "kind": "tool_result",
            **bound.body(),
            "author": clean(recorded_author(opened, "")),
            "principal": opened.principal or "",
            "data": _data(opened, request, ran, started),
            "outcome": "" if root else ("succeeded" if ran.exit_code == 0 else "failed"),
            "title": "" if root else _line(request.command),
        }
        event, waiting = _record(opened, {key: value for key, value in body.items() if value})
        notes += waiting
    except (TopomemError, OSError) as error:
        notes.append(f"the run is not recorded: {error}")
    return RunResult(ran.exit_code, ran.seconds, event, root or event, tuple(notes))


def _record(opened: Opened, body: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the id of the event, and what to say where the tables could not be brought up yet."""
    store = opened.store
    options = replace(store.options, wait_seconds=_WAIT_SECONDS, purpose="run")
    hasty = Store(store.folder, store.repository, options)
    (key,) = hasty.spool(TABLE, [body], time.time_ns() // 1_000_000)
    try:
        hasty.project()
    except TopomemError as error:
        return key, [f"the run is in the journal; {error}"]
    return key, []


def _data(opened: Opened, request: RunRequest, ran: Ran, started: int) -> dict[str, Any]:
    line = _line(request.command)
    typed = list(request.command)
    words = typed if line == shlex.join(typed) else line.split()
    seconds = f"{ran.seconds:.1f} s"
    ended = f"ended by signal {ran.signal}" if ran.signal else f"exit code {ran.exit_code}"
    data = {
        "source": "run",
        "command": words,
        "command_line": line,
        "folder": _folder(opened),
        "exit_code": ran.exit_code,
        "signal": ran.signal or None,
        "interrupted": ran.is_interrupted or None,
        "seconds": ran.seconds,
        "started_at": started,
        "output_sha256": ran.digest or None,
        "output_tail": _tail(ran.tail),
        "environment": environment_body(environment_here(words, opened.repository)),
        "note": ran.note or None,
        "summary": f"{line}: {ended}, {seconds}",
    }
    found = clean_all({key: value for key, value in data.items() if value not in (None, "")})
    assert isinstance(found, dict)  # noqa: S101 - it was one
    return found


def _line(command: Sequence[str]) -> str:
    """Return a command as one would type it, without its secrets."""
    return clean(shlex.join(word.encode("utf-8", "backslashreplace").decode() for word in command))


def _tail(output: bytes) -> str:
    """Return the last lines of the output, without secrets; whole lines, as far as that goes."""
    text = clean(output.decode("utf-8", "replace"), len(output) + 1)
    if len(text) <= TAIL:
        return text
    cut = text[-TAIL:]
    return cut.partition("\n")[2] or cut


def _folder(opened: Opened) -> str:
    """Return where the command ran, inside the work tree."""
    top, here = opened.repository.top, Path.cwd()
    if top is None:
        return ""
    try:
        return here.resolve().relative_to(top.resolve()).as_posix()
    except ValueError:
        return ""


def _root(store: Store, text: str) -> str:
    """Return the id of the episode that an id, or its beginning, names; asks the journal alone.

    Raises UnknownItem.
    """
    wanted = text.strip().lower()
    found = sorted(
        record.id
        for record in store.authored()
        if record.table == TABLE
        and not record.body.get("episode_id")
        and record.id.startswith(wanted)
    )
    if len(wanted) < _SHORTEST_ID or len(found) != 1:
        raise UnknownItem(f"no episode {text!r}", "topomem episode list shows the ids")
    return found[0]


def passing_to(stream: IO[str]) -> Write:
    """Return what writes to an open stream of this process, all of it, at once."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):  # an embedder's own
        return partial(_written, stream)

    def write(data: bytes) -> None:
        while data:
            data = data[os.write(descriptor, data) :]

    return write


def _written(stream: IO[str], data: bytes) -> None:
    binary = getattr(stream, "buffer", None)
    if binary is None:
        stream.write(data.decode("utf-8", "replace"))
    else:
        binary.write(data)
    stream.flush()
