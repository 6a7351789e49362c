"""Are the tests that people changed together with code among those that `impact` selects?

For commits that changed both product and tests, the change of the product alone is asked about; the
files of tests that the same commit changed are what should be found.

    python benchmarks/selection.py REPOSITORY [--store DIR] [--commits 50] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import time
from collections import Counter
from pathlib import Path

import topomem
from topomem.api.diff import Comparison
from topomem.api.memory import Memory
from topomem.api.spreading import SelectedTest, Spread
from topomem.api.testing import Testing
from topomem.api.view import open_views

DEPTH = 6
MOST = 2_000


def commits(folder: Path) -> list[str]:
    """Return the commits with one parent, newest first."""
    words = ["git", "-C", str(folder), "rev-list", "--no-merges", "--min-parents=1", "HEAD"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()


def select(memory: Memory, commit: str) -> tuple[set[str], list[SelectedTest], int] | None:
    """Return changed files of tests, what is selected, and how many files of tests there are."""
    with open_views(memory._opened, f"{commit}^", commit) as views:  # noqa: SLF001
        comparison = Comparison(*views)
        testing = Testing(views[1])
        changed = {
            one.path
            for one in comparison.files
            if one.change == "changed" and one.path in testing.paths
        }
        product = [
            one
            for one in comparison.symbols
            if not testing.is_test_code(one.symbol.path, one.symbol.language)
        ]
        if not changed or not product:
            return None
        holding = {path for path, file in testing.code.files.items() if file.tests}
        changed &= holding
        if not changed:
            return None
        spread = Spread(comparison, product)
        return set(changed), list(spread.reach(DEPTH, MOST)[1]), len(holding)


def main() -> None:
    """Print recall over all files and commits, by method, and how much is selected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    memory = topomem.open(said.repository, store=said.store)
    every = commits(said.repository)
    random.Random(said.seed).shuffle(every)
    wanted = found = whole = 0
    ranks: list[int] = []
    selected: list[float] = []
    ways: Counter[str] = Counter()
    missed: list[str] = []
    done = 0
    started = time.perf_counter()
    for commit in every:
        if done == said.commits:
            break
        try:
            answer = select(memory, commit)
        except topomem.TopomemError:
            continue
        if answer is None:
            continue
        changed, tests, total = answer
        done += 1
        order: dict[str, SelectedTest] = {}
        for test in tests:
            order.setdefault(test.test.path, test)
        places = list(order)
        hits = changed & order.keys()
        wanted, found = wanted + len(changed), found + len(hits)
        whole += hits == changed
        ranks += [places.index(path) + 1 for path in hits]
        ways.update(order[path].method for path in hits)
        selected.append(len(order) / max(1, total))
        missed += [f"{commit[:10]} {path}" for path in sorted(changed - hits)]
    seconds = time.perf_counter() - started
    print(f"commits {done}, changed files of tests {wanted}, seconds {seconds:.0f}")
    print(
        f"recall {found / max(1, wanted):.3f}, commits with all of them {whole / max(1, done):.3f}"
    )
    print(f"found by {dict(ways)}")
    for limit in (1, 3, 5, 10):
        share = sum(rank <= limit for rank in ranks) / max(1, wanted)
        print(f"recall among the first {limit} files {share:.3f}")
    print(f"share of all files of tests that is selected {sum(selected) / max(1, done):.3f}")
    print("missed: " + "; ".join(missed[:20]))


if __name__ == "__main__":
    main()
