"""What lineage adds to an index: time with and without it, candidates, limits, kinds of aliases.

    python benchmarks/lineage_cost.py REPOSITORY [--commits 1000]

Indexes the first commits of the history of HEAD twice, in one process each, parents first.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from topomem.api.memory import Memory
from topomem.index.events import CommitTraced, Event
from topomem.index.lineage import Tracer


def main() -> None:
    """Print figures, one line each."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        clone = first_commits(options.repository, options.commits, Path(place) / "clone")
        measure(clone, Path(place))


def first_commits(source: Path, count: int, target: Path) -> Path:
    """Make a clone whose HEAD is the commit number `count` of its history."""
    subprocess.run(["git", "clone", "-q", "-s", "--bare", str(source), str(target)], check=True)
    listed = subprocess.run(
        ["git", "-C", str(target), "rev-list", "--topo-order", "--reverse", "HEAD"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    last = listed[min(count, len(listed)) - 1]
    command = ["git", "-C", str(target), "update-ref", "--no-deref", "HEAD", last]
    subprocess.run(command, check=True)
    return target


def measure(repository: Path, place: Path) -> None:
    """Index with and without lineage."""
    compared: list[int] = []
    left_out: list[int] = []

    def emit(event: Event) -> None:
        if isinstance(event, CommitTraced):
            compared.append(event.compared)
            left_out.append(event.left_out)

    start = time.process_time()
    memory = Memory(repository, place / "with")
    report = memory.index(emit=emit, jobs=1)
    traced = time.process_time() - start
    start = time.process_time()
    with patch.object(Tracer, "trace", return_value=[]):
        Memory(repository, place / "without").index(jobs=1)
    plain = time.process_time() - start
    print(f"commits {report.commits_total}, aliases {report.aliases}")
    print(f"RATIO index with lineage / without: {traced / plain:.2f} ({plain:.1f} s CPU without)")
    print(
        f"pairs compared per commit: median {statistics.median(compared):.0f}, "
        f"mean {statistics.fmean(compared):.1f}, most {max(compared)}"
    )
    print(f"commits with pairs left out: {sum(1 for count in left_out if count)}")
    kinds: Counter[str] = Counter()
    elsewhere = 0
    for alias in memory.aliases().aliases:
        kinds[alias.kind] += 1
        elsewhere += alias.old.path != alias.new.path
    print("listed:", dict(kinds.most_common()), f"of them from another file: {elsewhere}")


if __name__ == "__main__":
    main()
