"""Index runs killed at random points and gone on with: rows lost or doubled, answers equal.

    python benchmarks/kills.py REPOSITORY [--commits N] [--kills N] [--seed N] [--seconds N]

Every kill begins with an empty store. What it ends with is compared with a run that nobody killed:
the checks of the store, the rows of each table, and answers at sampled commits.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from measuring import run_topomem

from topomem.api.doctor import spread
from topomem.api.memory import Memory
from topomem.store.doctor import check_rows
from topomem.store.store import Store

SAMPLE = 10
TABLES = (
    "meta.commit",
    "topology.path",
    "topology.name",
    "topology.blob",
    "topology.region",
    "topology.placement",
    "topology.span",
    "topology.link_set",
    "topology.edge",
    "topology.alias",
    "retrieval.posting",
)


def main() -> None:
    """Print what each kill left, and the sum."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no kill after these")
    options = parser.parse_args()
    words = ["index", "--max-commits", str(options.commits), "--jobs", "2"]
    chance = random.Random(options.seed)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole"
        seconds = run_topomem([*_at(options.repository, whole), *words]).wall_seconds
        expected = Left.behind(options.repository, whole)
        print(f"{options.commits} commits, {seconds:.1f} s, rows {expected.rows}")
        wrong = number = 0
        while number < options.kills and time.monotonic() - begun < options.seconds:
            number += 1
            store = Path(place) / str(number)
            after = chance.uniform(0.02, 1.0) * seconds
            _killed([*_at(options.repository, store), *words], after)
            run_topomem([*_at(options.repository, store), *words])
            left = Left.behind(options.repository, store)
            if left != expected:
                wrong += 1
                print(f"killed after {after:.2f} s: {left.difference(expected)}")
        print(f"{number} kills, {wrong} stores that differ")


def _at(repository: Path, store: Path) -> list[str]:
    return ["-C", str(repository), "--store", str(store)]


def _killed(words: list[str], after: float) -> None:
    """Start a run in a session of its own and kill all of it."""
    command = [sys.executable, "-m", "topomem", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    process.communicate()


class Left:
    """What a store holds, for comparison."""

    def __init__(self, rows: dict[str, int], findings: list[str], answers: dict[str, str]) -> None:
        self.rows = rows
        self.findings = findings
        self.answers = answers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Left) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it is only compared

    def difference(self, other: Left) -> str:
        """Return words on what differs."""
        rows = {table: (n, other.rows[table]) for table, n in self.rows.items()}
        differing = {table: pair for table, pair in rows.items() if pair[0] != pair[1]}
        answers = sum(self.answers[key] != other.answers.get(key) for key in self.answers)
        return f"rows {differing}, findings {self.findings}, {answers} answers"

    @classmethod
    def behind(cls, repository: Path, folder: Path) -> Left:
        """Look at a store."""
        rows = {}
        with Store(folder, "").read() as reader:
            for table in TABLES:
                statement = f"SELECT count(*) FROM {table}"  # noqa: S608 - names are ours
                row = reader.connection.execute(statement).fetchone()
                rows[table] = row[0] if row else 0
            findings = [finding.check for finding in check_rows(reader)]
            commits = spread(reader.known_commits(), SAMPLE)
        memory = Memory(repository, folder)
        answers: dict[str, str] = {}
        for commit in commits:
            said = (memory.symbols(as_of=commit).symbols, memory.edges(as_of=commit).edges)
            answers[commit] = sha256(repr(said).encode()).hexdigest()
        return cls(rows, findings, answers)


if __name__ == "__main__":
    main()
