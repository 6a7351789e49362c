"""Commits meant by title: how often a title alone leads where the id beside it leads.

    python benchmarks/reverts.py REPOSITORY...

Messages that name a commit both ways are the labels: the title is looked up as if there were no id.
Shares are by how the commit was found: the only one with its title, the nearest behind the one that
speaks, the latest of several.
"""

from __future__ import annotations

import argparse
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from topomem.evidence.claims import claims_of
from topomem.evidence.from_git import KnownCommits
from topomem.model.history import Commit
from topomem.model.ids import CommitId, TreeId

_FIELDS = "%H%x01%ct%x01%P%x01%B%x02"


def main() -> None:
    """Print the share of right ones for each way of finding."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    options = parser.parse_args()
    told: Counter[float] = Counter()
    right: Counter[float] = Counter()
    for repository in options.repositories:
        known = KnownCommits(commits := list(read_commits(repository)))
        for commit in commits:
            for claim in claims_of(commit.message):
                meant = known.with_id(claim.id) if claim.id and claim.title else None
                if meant is None:
                    continue
                found, sure = known.with_title(commit, claim.title)
                told[sure] += found is not None
                right[sure] += found == meant
    for sure in sorted(told, reverse=True):
        share = right[sure] / max(told[sure], 1)
        print(f"said {sure:.2f}: {right[sure]} of {told[sure]} right, {share:.3f}")


def read_commits(repository: Path) -> Iterator[Commit]:
    """Yield all commits of a repository, as far as messages and parents go."""
    words = ["git", "-C", str(repository), "log", "--all", f"--format={_FIELDS}"]
    done = subprocess.run(words, capture_output=True, check=True)
    for row in done.stdout.decode("utf-8", "replace").split("\x02"):
        name, _, rest = row.strip("\n").partition("\x01")
        if rest:
            date, parents, message = rest.split("\x01", 2)
            above = tuple(CommitId(parent) for parent in parents.split())
            yield Commit(
                CommitId(name), TreeId(""), above, "", "", int(date), 0, int(date), 0, message
            )


if __name__ == "__main__":
    main()
