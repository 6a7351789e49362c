"""Index all history of a repository: the ratios of the performance table, from one run.

    python benchmarks/history.py REPOSITORY

The floor is to parse each blob of code once on one core; a clone of one branch, repacked, is what
the store's size is measured against.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from measuring import Run, Shares, Sources, folder_bytes, parse_seconds, run_topomem, sources_at

from topomem.api.memory import Memory
from topomem.git.repository import Repository, open_repository
from topomem.index.events import CommitIndexed, Event
from topomem.index.plan import Known, Scope, plan
from topomem.model.ids import CommitId

FIRST_BYTES = 4_000_000
"""A store has a size of its own, whatever it holds."""
PUSHES = 20
LEAST = 0.01
"""Packages at work for less of the time are not told."""
OLD_COMMITS = 20
TASK = "how is a request dispatched to a view function"


def main() -> None:
    """Print one line for each ratio."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("repository", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        clone = _clone(options.repository, Path(place) / "clone")
        measure(clone, Path(place))


def measure(folder: Path, place: Path) -> None:
    """Measure one repository."""
    repository = open_repository(folder)
    commits = plan(repository, Scope(), Known()).commits
    sources = sources_at(repository, [commit.id for commit in commits])
    before = parse_seconds(sources)
    store = place / "store"
    done = run_topomem(["-C", str(folder), "--store", str(store), "index"])
    floor = min(before, parse_seconds(sources))
    _whole(sources, done, floor)
    _size(folder, store)
    _growth(folder, place / "again", repository)
    _pushes(folder, place / "pushed", repository)
    _old_commits(folder, store, [commit.id for commit in commits])


def _whole(sources: Sources, done: Run, floor: float) -> None:
    found = done.document
    print(
        f"commits {found['commits']['total']}, blobs of code {len(sources.texts)} "
        f"({sources.byte_count / 1e6:.1f} MB), parsed {found['blobs']['parsed']}"
    )
    print(f"parse once, one core: {floor:.2f} s")
    print(
        f"index: {done.wall_seconds:.2f} s wall, {done.cpu_seconds:.2f} s CPU, "
        f"{done.peak_bytes / 1e6:.0f} MB at most"
    )
    print(f"RATIO index / parse: {done.wall_seconds / floor:.2f}")


def _size(folder: Path, store: Path) -> None:
    pack = sum(file.stat().st_size for file in (folder / ".git/objects/pack").glob("*.pack"))
    size = folder_bytes(store)
    print(f"store {size / 1e6:.1f} MB, pack {pack / 1e6:.1f} MB")
    print(f"RATIO store past its first 4 MB / pack: {max(size - FIRST_BYTES, 0) / pack:.2f}")


def _growth(folder: Path, store: Path, repository: Repository) -> None:
    """Compare the time for each changed byte in the last tenth of history with the first."""
    log: list[tuple[float, CommitId]] = []

    def emit(event: Event) -> None:
        if isinstance(event, CommitIndexed):
            log.append((time.perf_counter(), event.commit))

    start = time.perf_counter()
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with Shares("topomem") as watched:
        Memory(folder, store).index(emit=emit)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - workers
    told = ", ".join(f"{name} {share:.0%}" for name, share in watched.shares() if share >= LEAST)
    print(f"extraction in processes of its own: {workers:.1f} s CPU; the indexing process: {told}")
    tenth = max(len(log) // 10, 1)
    first = _seconds_per_byte(repository, [(start, log[0][1]), *log[:tenth]])
    last = _seconds_per_byte(repository, log[-tenth - 1 :])
    print(f"RATIO seconds per changed byte, last tenth / first: {last / first:.2f}")


def _seconds_per_byte(repository: Repository, log: list[tuple[float, CommitId]]) -> float:
    changed = 0
    for _, commit_id in log[1:]:
        commit = repository.commit(commit_id)
        parent = repository.commit(commit.parents[0]) if commit.parents else None
        for change in repository.changes(parent, commit):
            changed += (repository.size(change.new.blob) or 0) if change.new else 0
    return (log[-1][0] - log[0][0]) / max(changed, 1)


def _pushes(folder: Path, store: Path, repository: Repository) -> None:
    """Index all but the last commits of the main line, then one push after the other."""
    head = repository.commit(repository.head() or CommitId(""))
    line = [head]
    while len(line) <= PUSHES and line[-1].present_parents:
        line.append(repository.commit(line[-1].present_parents[0]))
    seconds = []
    with _moving_head(folder) as move:
        move(line[-1].id)
        run_topomem(["-C", str(folder), "--store", str(store), "index"])
        for commit in line[-2::-1]:
            move(commit.id)
            done = run_topomem(["-C", str(folder), "--store", str(store), "reindex"])
            seconds.append(done.wall_seconds)
    ordered = sorted(seconds)
    print(
        f"reindex of one pushed commit, whole process: median {statistics.median(ordered):.2f} s, "
        f"worst of {len(ordered)} {ordered[-1]:.2f} s"
    )


def _old_commits(folder: Path, store: Path, commits: list[CommitId]) -> None:
    memory = Memory(folder, store)
    old = commits[:: max(len(commits) // OLD_COMMITS, 1)][:OLD_COMMITS]
    questions: dict[str, Callable[[CommitId | None], object]] = {
        "symbols": lambda commit: memory.symbols(as_of=commit),
        "bundle": lambda commit: memory.bundle(TASK, as_of=commit),
    }
    for name, ask in questions.items():
        at_head = statistics.median([_timed(ask, None) for _ in range(OLD_COMMITS)])
        at_old = statistics.median([_timed(ask, commit) for commit in old])
        print(
            f"RATIO {name} at old commits / HEAD: {at_old / at_head:.2f} ({at_head:.3f} s at HEAD)"
        )


def _timed(ask: Callable[[CommitId | None], object], commit: CommitId | None) -> float:
    start = time.perf_counter()
    ask(commit)
    return time.perf_counter() - start


def _clone(source: Path, target: Path) -> Path:
    """Clone one branch and pack it as tightly as git does."""
    subprocess.run(
        ["git", "clone", "-q", "--single-branch", f"file://{source.resolve()}", str(target)],
        check=True,
    )
    subprocess.run(["git", "-C", str(target), "repack", "-adfq"], check=True)
    return target


@contextmanager
def _moving_head(folder: Path) -> Iterator[Callable[[CommitId], None]]:
    """Give a function that lets HEAD stand on a commit; put it back at the end."""
    head = (folder / ".git/HEAD").read_text()

    def move(commit: CommitId) -> None:
        (folder / ".git/HEAD").write_text(f"{commit}\n")

    yield move
    (folder / ".git/HEAD").write_text(head)


if __name__ == "__main__":
    main()
