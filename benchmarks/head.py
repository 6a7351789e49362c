"""Index HEAD of repositories: seconds against parsing the same files once on one core.

    python benchmarks/head.py REPOSITORY...

Start-up is the time of the same command on a repository of one empty file and is taken off.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from measuring import Run, parse_seconds, run_topomem, sources_at

from topomem.git.repository import open_repository

HEADER = (
    f"{'repository':16} {'files':>6} {'MB':>6} {'symbols':>8} {'edges':>8} {'seconds':>8} "
    f"{'start':>6} {'parse':>6} {'ratio':>6} {'cpu':>6} {'peak MB':>8} {'store MB':>8}"
)


def main() -> None:
    """Print one line for each repository."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=3, help="the fastest run counts")
    options = parser.parse_args()
    print(HEADER)
    start_up = min(_start_up() for _ in range(3))
    for repository in options.repositories:
        print(_line(repository, start_up, options.runs), flush=True)


def _line(folder: Path, start_up: float, runs: int) -> str:
    repository = open_repository(folder)
    head = repository.head()
    if head is None:
        return f"{folder.name:16} no commits"
    sources = sources_at(repository, [head])
    before = parse_seconds(sources)
    done = min((_index(folder) for _ in range(runs)), key=lambda run: run.wall_seconds)
    floor = min(before, parse_seconds(sources))
    seconds = done.wall_seconds - start_up
    return (
        f"{folder.name:16} {len(sources.texts):6} {sources.byte_count / 1e6:6.1f} "
        f"{done.document['symbols']:8} {done.document['edges']:8} {done.wall_seconds:8.2f} "
        f"{start_up:6.2f} {floor:6.2f} {seconds / floor:6.2f} {done.cpu_seconds:6.1f} "
        f"{done.peak_bytes / 1e6:8.0f} {done.document['store_bytes'] / 1e6:8.1f}"
    )


def _index(folder: Path) -> Run:
    with tempfile.TemporaryDirectory() as store:
        return run_topomem(["-C", str(folder), "--store", store, "index", "--head-only"])


def _start_up() -> float:
    with tempfile.TemporaryDirectory() as place:
        commands = (
            ["git", "init", "-q", place],
            ["git", "-C", place, "-c", "user.name=a", "-c", "user.email=a@example.org",
             "commit", "-q", "--allow-empty", "-m", "nothing"],
        )  # fmt: skip
        for command in commands:
            subprocess.run(command, check=True)
        return _index(Path(place)).wall_seconds


if __name__ == "__main__":
    main()
