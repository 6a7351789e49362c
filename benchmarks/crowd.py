"""Readers in a loop while commits are pushed: errors, and how long each side waits.

    python benchmarks/crowd.py REPOSITORY [--readers N] [--pushes N] [--seconds N] [--store DIR]

The repository is cloned, and indexed unless a store is given (it is copied). Every reader is a
process that asks for symbols again and again; the writer commits and reindexes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rewriting import Clone, percentile

READER = """
import json, sys, time
from pathlib import Path
import topomem
stop = Path(sys.argv[3])
memory = topomem.open(sys.argv[1], store=sys.argv[2])
seconds, errors = [], []
while not stop.exists():
    start = time.perf_counter()
    try:
        answer = memory.symbols("a")
        if not answer.symbols:
            errors.append("nothing found")
    except Exception as error:
        errors.append(f"{type(error).__name__}: {error}")
    seconds.append(time.perf_counter() - start)
print(json.dumps({"seconds": seconds, "errors": errors}))
"""


def main() -> None:
    """Print errors, and medians and high percentiles of both sides."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--pushes", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no push after these")
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        clone = Clone.of(options.repository, Path(place), options.store)
        measure(clone, Path(place) / "stop", options)


def measure(clone: Clone, stop: Path, options: argparse.Namespace) -> None:
    """Let readers loop while the writer pushes."""
    readers = options.readers
    command = [sys.executable, "-c", READER, str(clone.folder), str(clone.store), str(stop)]
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(readers)
    ]
    time.sleep(2)
    seconds: list[float] = []
    memory = clone.memory()
    begun = time.perf_counter()
    for number in range(options.pushes):
        if time.perf_counter() - begun > options.seconds:
            break
        clone.commit(f"push {number}")
        start = time.perf_counter()
        memory.reindex(jobs=1)
        seconds.append(time.perf_counter() - start)
    stop.touch()
    told = [json.loads(process.communicate()[0]) for process in processes]
    waits = [one for reader in told for one in reader["seconds"]]
    errors = [one for reader in told for one in reader["errors"]]
    behind = memory.status().behind
    print(f"{readers} readers, {len(waits)} questions, {len(errors)} errors {errors[:3]}")
    print(f"{len(seconds)} pushes, {behind} commits behind at the end")
    for who, times in (("reader", waits), ("writer", seconds)):
        print(
            f"{who}: median {statistics.median(times):.3f} s, "
            f"p99 {percentile(times, 99):.3f} s, worst {max(times):.3f} s"
        )


if __name__ == "__main__":
    main()
