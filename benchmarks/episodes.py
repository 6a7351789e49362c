"""Writing and asking with many episodes and decision records.

    python benchmarks/episodes.py [EPISODES] [DECISIONS]

A made-up repository; every episode has a request, a note, a patch and an end. Prints milliseconds,
and the ratio of each question to the same with a tenth of the episodes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import topomem
from topomem.api.episode_writing import TABLE, NewEvent
from topomem.api.memory import Memory
from topomem.model.episode import START

SEED = 7
FILES = 50
FUNCTIONS = 8
STARTS = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu")
ENDS = ("nker", "lter", "rser", "ngle", "mper", "tter", "cket", "ller", "sher", "nder")
WORDS = [start + end for start in STARTS for end in ENDS]
REPEATS = 7


def git(folder: Path, *words: str) -> str:
    """Run git; return what it says."""
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@y", *words],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def make(folder: Path, decisions: int) -> Memory:
    """Return the memory of a repository of so many records."""
    random = Random(SEED)
    git(folder, "init", "-q", "-b", "main")
    for number in range(FILES):
        body = "\n\n".join(
            f"def f{number}_{one}(x):\n    return {random.choice(WORDS)!r}, x"
            for one in range(FUNCTIONS)
        )
        (folder / f"m{number}.py").write_text(f"{body}\n")
    (folder / "adr").mkdir()
    for number in range(1, decisions + 1):
        words = " ".join(random.choices(WORDS, k=40))
        title = f"{random.choice(WORDS)} {random.choice(WORDS)}"
        text = (
            f"# {number}. Use {title}\n\n## Status\n\nAccepted\n\n"
            f"## Context\n\n{words}\n\n## Decision\n\nSee `m{number % FILES}.py`. {words}\n"
        )
        (folder / "adr" / f"{number:04}-x.md").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    memory = topomem.open(folder)
    memory.index(jobs=1)
    return memory


def bodies(commit: str, start: int, count: int) -> Iterator[list[dict[str, Any]]]:
    """Yield the events of episodes, as they are recorded."""
    random = Random(SEED + start)
    for number in range(start, start + count):
        words = " ".join(random.choices(WORDS, k=12))
        at = f"m{number % FILES}.py#f{number % FILES}_{number % FUNCTIONS}"
        outcome = random.choice(["failed", "succeeded", "rolled_back"])
        title = f"{words[:40]} {number}"
        events: list[dict[str, Any]] = [
            {"kind": "start", "title": title, "text": words},
            {"kind": "note", "text": f"{words} {number}"},
            {"kind": "patch", "symbols": [at], "paths": [at.partition("#")[0]]},
            {"kind": "finish", "outcome": outcome, "text": words},
        ]
        yield [event | {"commit_id": commit} for event in events]


def fill(memory: Memory, start: int, count: int) -> float:
    """Record episodes at once, as an import does; return seconds."""
    store = memory._opened.store  # noqa: SLF001 - there is no public way to write so many at once
    commit = memory._opened.repository.head() or ""  # noqa: SLF001 - as above
    begun = time.perf_counter()
    chunk = 1_000
    for first in range(start, start + count, chunk):
        episodes = list(bodies(commit, first, min(chunk, start + count - first)))
        roots = store.record(TABLE, [one[0] for one in episodes], first + 1)
        rest = [
            event | {"episode_id": root}
            for root, one in zip(roots, episodes, strict=True)
            for event in one[1:]
        ]
        store.record(TABLE, rest, first + 2)
    return time.perf_counter() - begun


def fastest(job: Callable[[], object]) -> tuple[float, float]:
    """Return the least milliseconds of a job, on the clock and of all processors together."""
    clock, processors = [], []
    for _ in range(REPEATS):
        begun, used = time.perf_counter(), time.process_time()
        job()
        clock.append(1000 * (time.perf_counter() - begun))
        processors.append(1000 * (time.process_time() - used))
    return min(clock), min(processors)


def ask(memory: Memory) -> dict[str, tuple[float, float]]:
    """Return milliseconds by question, on the clock and of processors."""
    random = Random(SEED)
    words = " ".join(random.choices(WORDS, k=3))
    task = f"change f3_3 so that {words} works"
    number = iter(range(1_000_000))
    return {
        "list (200 of all)": fastest(memory.episodes),
        "list --text": fastest(lambda: memory.episodes(text=words)),
        "list --text, nothing": fastest(lambda: memory.episodes(text="zzyzx qwfpg vbkjh")),
        "list --symbol": fastest(lambda: memory.episodes(symbol="m3.py#f3_3")),
        "show SYMBOL": fastest(lambda: memory.show("m3.py#f3_3")),
        "bundle": fastest(lambda: memory.bundle(task)),
        "decision list": fastest(memory.decisions),
        "episode start": fastest(
            lambda: memory.start_episode(f"new {next(number)}", NewEvent(START, words))
        ),
    }


def main(episodes: int = 10_000, decisions: int = 1_000) -> None:
    """Print a table."""
    folder = Path(tempfile.mkdtemp(prefix="episodes-"))
    try:
        memory = make(folder, decisions)
        tenth = episodes // 10
        fill(memory, 0, tenth)
        few = ask(memory)
        seconds = fill(memory, tenth, episodes - tenth)
        many = ask(memory)
        print(f"{episodes} episodes of 4 events, {decisions} decisions, seed {SEED}; x: against a")
        print("tenth of the episodes")
        print(f"write: {1000 * seconds / (episodes - tenth):.2f} ms an episode, in batches")
        for name, (clock, processors) in many.items():
            ratio = processors / few[name][1]
            print(f"{name:<22} {clock:8.1f} ms {processors:8.1f} ms of processors {ratio:6.2f} x")
        print(f"store: {memory._opened.store.store_bytes() / 1e6:.1f} MB")  # noqa: SLF001 - as above
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
