"""What a push, an amend and a rebase cost, and questions at old commits.

    python benchmarks/rewriting.py REPOSITORY [--store DIR | --newest N] [--pushes N] [--rebased N]

The repository is cloned, and all history (or the newest N commits) indexed unless a store of all
history is given (it is copied). Reindexing is measured as a whole process.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from measuring import Run, run_topomem

from topomem.api.memory import Memory
from topomem.languages.load import load_languages
from topomem.model.ids import FilePath

OLD_COMMITS = 20
TASK = "how is a request dispatched to a view function"


@dataclass
class Clone:
    """A clone that may be written to, with its store beside it."""

    folder: Path
    store: Path
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    @classmethod
    def of(cls, source: Path, place: Path, store: Path | None, newest: int = 0) -> Clone:
        """Clone a repository; copy its store, or index all history, or its newest commits."""
        folder = place / "clone"
        _run("git", "clone", "-q", "-s", str(source.resolve()), str(folder))
        found = cls(folder, place / "store")
        if store is not None:
            shutil.copytree(store, found.store)
        else:
            found.topomem("index", *(["--max-commits", str(newest)] if newest else []))
        return found

    def memory(self) -> Memory:
        """Open it in this process."""
        return Memory(self.folder, self.store)

    def topomem(self, *words: str) -> Run:
        """Run a command in a process of its own."""
        return run_topomem(["-C", str(self.folder), "--store", str(self.store), *words])

    def git(self, *words: str) -> str:
        """Run git in it."""
        person = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0"]
        return _run("git", "-C", str(self.folder), *person, *words)

    def edit(self, text: str) -> None:
        """Change one file of code at its end."""
        languages = load_languages()
        paths = [FilePath(path) for path in self.git("ls-files").splitlines()]
        code = [path for path in paths if languages.for_path(path) is not None]
        with (self.folder / self.chance.choice(code)).open("a") as file:
            file.write(f"\n{text}\n")

    def commit(self, message: str, *words: str) -> None:
        """Commit a change of one file of code."""
        self.edit(f"x{self.chance.randrange(10**9)} = 1")
        self.git("commit", "-qam", message, *words)


def main() -> None:
    """Print a line for each figure."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--newest", type=int, default=0)
    parser.add_argument("--pushes", type=int, default=20)
    parser.add_argument("--rebased", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        clone = Clone.of(options.repository, Path(place), options.store, options.newest)
        clone.topomem("reindex")
        pushes(clone, options.pushes)
        amend(clone)
        rebase(clone, options.rebased)
        old_commits(clone, options.newest)


def pushes(clone: Clone, count: int) -> None:
    """Commit and reindex, one after the other."""
    seconds = []
    for number in range(count):
        clone.commit(f"push {number}")
        done = clone.topomem("reindex")
        seconds.append(done.wall_seconds)
    print(
        f"reindex of one pushed commit, whole process: median {statistics.median(seconds):.3f} s, "
        f"p95 {percentile(seconds, 95):.3f} s of {count}"
    )


def amend(clone: Clone) -> None:
    """Amend the last commit with one more change."""
    clone.commit("amended", "--amend")
    _told("amend (1 new blob)", clone.topomem("reindex"))


def rebase(clone: Clone, count: int) -> None:
    """Rebase commits onto one that leaves before them; a line, so that nothing conflicts."""
    for number in range(count):
        clone.commit(f"to be rebased {number}")
    clone.topomem("reindex")
    base = f"HEAD~{count}"
    branch = clone.git("branch", "--show-current").strip()
    clone.git("checkout", "-q", "-b", "beside", base)
    (clone.folder / "beside.txt").write_text("beside\n")
    clone.git("add", "beside.txt")
    clone.git("commit", "-qm", "beside")
    clone.topomem("reindex")
    clone.git("checkout", "-q", branch)
    clone.git("rebase", "-q", "beside")
    _told(f"rebase of {count} commits (0 new blobs)", clone.topomem("reindex"))


def _told(what: str, done: Run) -> None:
    found = done.document
    print(
        f"{what}: {found['commits']['indexed']} commits indexed, "
        f"{found['blobs']['parsed']} blobs parsed, {done.wall_seconds:.3f} s"
    )


def old_commits(clone: Clone, newest: int) -> None:
    """Ask the same at commits of any age that are indexed, and at HEAD."""
    limit = [f"--max-count={newest // 2}"] if newest else []
    commits = clone.git("rev-list", *limit, "HEAD").split()
    old = clone.chance.sample(commits, min(OLD_COMMITS, len(commits)))
    memory = clone.memory()
    questions: dict[str, Callable[[str | None], object]] = {
        "symbols": lambda commit: memory.symbols(as_of=commit),
        "bundle": lambda commit: memory.bundle(TASK, as_of=commit),
    }
    for name, ask in questions.items():
        head = statistics.median([_seconds(ask, None) for _ in old])
        ages = statistics.median([_seconds(ask, commit) for commit in old])
        print(f"RATIO {name} at {len(old)} old commits / HEAD: {ages / head:.2f} ({head:.3f} s)")


def _seconds(ask: Callable[[str | None], object], commit: str | None) -> float:
    start = time.perf_counter()
    ask(commit)
    return time.perf_counter() - start


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value that `percent` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]


def _run(*command: str) -> str:
    done = subprocess.run(command, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    main()
