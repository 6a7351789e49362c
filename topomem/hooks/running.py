"""What a hook does: reindex, in a process of its own that git does not wait for.

At most one run goes on and one waits; a hook that finds one waiting leaves its work to that one,
which looks at the repository only when its turn comes.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from topomem.api.memory import Memory
from topomem.errors import StoreBusy, TopomemError
from topomem.hooks import log

_RUNNING = "hook.running.lock"
_WAITING = "hook.waiting.lock"
_NICENESS = 10
_TRIES = 40
_PAUSE_SECONDS = 15.0
"""A first index may hold the store for long; a hook then tries again for a quarter of an hour."""

_FILE_CHECKOUT = "0"
"""Third argument of post-checkout where files were taken, and HEAD stayed."""

Open = Callable[[], Memory]


def detach() -> None:
    """Leave the session of the caller, its open files and its priority. For a process of ours."""
    with suppress(OSError):
        os.setsid()
    os.closerange(3, 256)
    with suppress(OSError):
        os.nice(_NICENESS)


def forget_git_variables() -> None:
    """Forget what git told the hook of the repository it runs in: only the path given counts."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]


def run(open_memory: Open, hook: str, arguments: tuple[str, ...]) -> None:
    """Bring the index up to date for a hook; tell what came of it in the log.

    Does nothing where no store was ever made. Raises nothing of what may go wrong while indexing.
    """
    memory = open_memory()
    places = memory.places()
    if not places.store.is_dir() or _changes_nothing(places.git, hook, arguments):
        return
    with _turn(places.store) as mine:
        if not mine:
            log.write(places.store, hook, "left to the run that waits")
            return
        log.write(places.store, hook, _reindex(open_memory))


def _changes_nothing(git: Path, hook: str, arguments: tuple[str, ...]) -> bool:
    """Whether no commit can be new: files were checked out, or a rebase is under way.

    What a rebase made is indexed when it ends, by post-rewrite.
    """
    if hook == "post-checkout" and arguments[2:3] == (_FILE_CHECKOUT,):
        return True
    return hook in ("post-commit", "post-checkout") and (git / "rebase-merge").is_dir()


def _reindex(open_memory: Open) -> str:
    """Return words on what was done; tries again while another process has the store."""
    for left in range(_TRIES, 0, -1):
        try:
            report = open_memory().reindex()
        except StoreBusy as error:
            if left == 1:
                return f"gave up: {error}"
            time.sleep(_PAUSE_SECONDS)
        except TopomemError as error:
            return f"failed: {error}"
        except Exception as error:  # noqa: BLE001 - nobody else is there to be told
            return f"failed: {type(error).__name__}: {error}"
        else:
            counts = f"{report.commits_indexed} commits, {report.blobs_parsed} blobs parsed"
            return "; ".join((f"{counts}, {report.seconds:.2f} s", *report.warnings))
    return ""


@contextmanager
def _turn(store: Path) -> Iterator[bool]:
    """Wait for one's turn; give False where somebody waits already. The kernel frees the locks."""
    running, waiting = _open(store / _RUNNING), _open(store / _WAITING)
    try:
        try:
            fcntl.flock(waiting, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        fcntl.flock(running, fcntl.LOCK_EX)
        fcntl.flock(waiting, fcntl.LOCK_UN)
        yield True
    finally:
        os.close(running)
        os.close(waiting)


def _open(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
