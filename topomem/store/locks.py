"""Fair locks beside the store: one file is the gate, one the room.

Everyone locks the gate, then the room (readers shared, writers exclusive), then unlocks the gate. A
waiting writer keeps the gate, so readers queue behind it and nobody starves. The kernel frees the
locks of a process that dies. The database files themselves are never locked by us: DuckDB does so.

A thread that holds the room must not ask for it again: it would wait for itself. POSIX only.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from topomem.errors import StoreBusy

_SHORTEST_PAUSE = 0.0005
_LONGEST_PAUSE = 0.01


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a lock, in seconds, and for what (shown to others)."""

    seconds: float
    purpose: str = ""


@contextmanager
def room(folder: Path, patience: Patience, *, exclusive: bool) -> Iterator[None]:
    """Hold the room: alone when `exclusive`, else together with other readers.

    Raises StoreBusy naming the holder when the wait is over.
    """
    deadline = time.monotonic() + patience.seconds
    entrance = _open(folder / "room.lock")
    try:
        gate = _open(folder / "gate.lock")
        try:
            _lock(gate, fcntl.LOCK_EX, deadline, folder)
            _lock(entrance, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH, deadline, folder)
        finally:
            os.close(gate)
        if exclusive:
            _sign(entrance, patience.purpose)
        yield
    finally:
        os.close(entrance)


@contextmanager
def alone(file: Path, patience: Patience) -> Iterator[None]:
    """Hold one lock file of its own: for work beside the store that only one may do at a time."""
    descriptor = _open(file)
    try:
        _lock(descriptor, fcntl.LOCK_EX, time.monotonic() + patience.seconds, file.parent)
        yield
    finally:
        os.close(descriptor)


WhenAlone = Callable[[Callable[[], int]], int]
"""Does something, and returns what that returns, if nobody else is at the same work; else 0."""


@contextmanager
def among_others(file: Path, patience: Patience) -> Iterator[WhenAlone]:
    """Hold a lock file together with others of the same work.

    What is given keeps others waiting while it does something. It may let go of the lock on the
    way, so nothing that was read before counts after it.
    """
    descriptor = _open(file)

    def share() -> None:
        _lock(descriptor, fcntl.LOCK_SH, time.monotonic() + patience.seconds, file.parent)

    def when_alone(action: Callable[[], int]) -> int:
        try:
            return action() if _try(descriptor, fcntl.LOCK_EX) else 0
        finally:
            share()  # a lock that is not made stronger may be lost

    try:
        share()
        yield when_alone
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool:
    """Lock an open file for oneself if nobody else has it."""
    return _try(descriptor, fcntl.LOCK_EX)


def _open(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)


def _lock(descriptor: int, kind: int, deadline: float, folder: Path) -> None:
    pause = _SHORTEST_PAUSE
    while not _try(descriptor, kind):
        left = deadline - time.monotonic()
        if left <= 0:
            raise StoreBusy(
                f"the store is in use{_holder(folder)}",
                "try again, or end that process; waiting longer may help while it indexes",
            )
        time.sleep(min(pause, left))
        pause = min(pause * 2, _LONGEST_PAUSE)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(descriptor: int, purpose: str) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()} {purpose}\n".encode(), 0)


def _holder(folder: Path) -> str:
    """Return words that name who holds the room, as far as that can be known."""
    try:
        found = (folder / "room.lock").stat()
        locks = Path("/proc/locks").read_text("ascii", "replace")
        written = (folder / "room.lock").read_text("utf-8", "replace").split(maxsplit=1)
    except OSError:
        return ""
    device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    holders = sorted(
        {
            fields[4]
            for fields in map(str.split, locks.splitlines())
            if len(fields) > len("lock") and fields[1] == "FLOCK" and fields[5] == device
        },
        key=int,
    )
    purpose = f" ({written[1].strip()})" if len(written) > 1 and holders == written[:1] else ""
    return f" by process {', '.join(holders)}{purpose}" if holders else ""
