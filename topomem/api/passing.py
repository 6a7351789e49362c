"""Run a command with its streams passed on as they come, and remember the end of what it said."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from types import FrameType

NOT_FOUND, NOT_EXECUTABLE = 127, 126
"""Exit codes of what could not be started, as shells have them."""

BY_SIGNAL = 128
"""What shells add to the number of the signal that ended a command."""

KEPT_BYTES = 1 << 16
"""So much of the end of the output is kept to make a tail of."""

_CHUNK = 1 << 16
_GLANCE_SECONDS = 0.1
_GRACE_SECONDS = 0.5
"""How long output is waited for after the command has ended: its children may hold the pipe."""

_PASSED_ON = (signal.SIGTERM, signal.SIGHUP)

Write = Callable[[bytes], None]


@dataclass(slots=True)
class Ran:
    """What came of a command. `digest` is over standard output, then standard error."""

    exit_code: int
    seconds: float
    digest: str = ""
    tail: bytes = b""
    signal: int = 0  # that ended it
    note: str = ""
    is_interrupted: bool = False


def run_command(
    command: Sequence[str], out: Write, err: Write, *, capture: bool = True, cwd: str | None = None
) -> Ran:
    """Run a command to its end, without a shell; standard input is the caller's.

    `out` and `err` take what it writes, as it comes. Without `capture` its streams are the caller's
    own (a terminal stays one) and nothing is kept. Never raises for what the command does.
    """
    begun = time.perf_counter()
    pipe = subprocess.PIPE if capture else None
    try:
        child = subprocess.Popen(  # noqa: S603 - running it is what was asked for
            list(command), stdout=pipe, stderr=pipe, cwd=cwd
        )
    except FileNotFoundError as error:
        return Ran(NOT_FOUND, _since(begun), note=f"{error.filename}: {error.strerror}")
    except (OSError, ValueError) as error:
        return Ran(NOT_EXECUTABLE, _since(begun), note=str(error))
    with _signals_to(child) as interrupted:
        digest, tail = _passed_on(child, out, err) if capture else ("", b"")
        code = child.wait()
    if code < 0:
        return Ran(
            BY_SIGNAL - code, _since(begun), digest, tail, -code, is_interrupted=bool(interrupted)
        )
    return Ran(code, _since(begun), digest, tail, is_interrupted=bool(interrupted))


def _since(begun: float) -> float:
    return round(time.perf_counter() - begun, 3)


def _passed_on(child: subprocess.Popen[bytes], out: Write, err: Write) -> tuple[str, bytes]:
    """Pass output on until both streams end; return its digest and its end."""
    assert child.stdout is not None  # noqa: S101 - asked for above
    assert child.stderr is not None  # noqa: S101 - asked for above
    digests = {child.stdout.fileno(): sha256(), child.stderr.fileno(): sha256()}
    targets = {child.stdout.fileno(): out, child.stderr.fileno(): err}
    tail = bytearray()
    quiet_since = 0.0
    with selectors.DefaultSelector() as selector:
        for stream in (child.stdout, child.stderr):
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(_GLANCE_SECONDS)
            if not ready and child.poll() is not None:
                quiet_since = quiet_since or time.perf_counter()
                if time.perf_counter() - quiet_since > _GRACE_SECONDS:
                    break
            for key, _ in ready:
                quiet_since = 0.0
                data = os.read(key.fd, _CHUNK)
                digests[key.fd].update(data)
                tail += data
                del tail[: max(0, len(tail) - KEPT_BYTES)]
                if not data or not _written(targets[key.fd], data):
                    selector.unregister(key.fileobj)
                    key.fileobj.close()  # type: ignore[union-attr]
    both = sha256(b"".join(one.digest() for one in digests.values())).hexdigest()
    for stream in (child.stdout, child.stderr):
        stream.close()
    return both, bytes(tail)


def _written(target: Write, data: bytes) -> bool:
    """Pass data on; whether anybody still reads."""
    try:
        target(data)
    except (BrokenPipeError, ValueError):
        return False
    return True


@contextmanager
def _signals_to(child: subprocess.Popen[bytes]) -> Iterator[list[int]]:
    """Let the command decide what a signal means; gives the list of interrupts that came.

    At a terminal Ctrl-C reaches the command by itself; from elsewhere it is passed on.
    """
    interrupted: list[int] = []

    def pass_on(number: int, _: FrameType | None) -> None:
        if number == signal.SIGINT:
            interrupted.append(number)
            if _has_terminal():
                return
        with suppress(ProcessLookupError):
            child.send_signal(number)

    before = {}
    for number in (signal.SIGINT, *_PASSED_ON):
        with suppress(ValueError):  # not in the main thread: nothing to be done
            before[number] = signal.signal(number, pass_on)
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _has_terminal() -> bool:
    """Whether this process is in front at its terminal, so that Ctrl-C reaches its children."""
    try:
        return os.tcgetpgrp(sys.__stdin__.fileno()) == os.getpgrp() if sys.__stdin__ else False
    except (OSError, ValueError):
        return False
