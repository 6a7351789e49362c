"""How well bundles answer questions whose answers are known: real commits asked by their messages.

    python benchmarks/retrieval.py REPOSITORY CASES.jsonl --store FOLDER [--set NAME=VALUE]...

A line of CASES is one question: `query`; `parent` (the commit it is asked as of); `gold_lines`, the
lines of that commit that answer it, as {path: [[first, last], ...]}. The trees asked about are
put into the store once, each as a commit of its own without history, so only what stands in the
snapshot counts. Budgets are counted in quarters of characters, headings and reasons too.

Printed for each repository: share of the right files at rank 1 and among the first 10; at budgets
of 4,000 and 8,000 tokens the share of right lines shown and of tokens spent in right files; the
middle time of a bundle. `--set file=0.9` tries another weight.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from filling import fill_history, fill_trees

from topomem.git.repository import Repository, open_repository
from topomem.model.bundle import Bundle
from topomem.model.ids import BlobId, CommitId, FilePath
from topomem.retrieve.budget import Budget
from topomem.retrieve.bundle import Request, answer
from topomem.retrieve.fitted import Model, fitted
from topomem.retrieve.items import Moment
from topomem.retrieve.roles import Role, role_of
from topomem.retrieve.tokens import token_count
from topomem.store.changes import Changes
from topomem.store.search import Search
from topomem.store.store import Store

BUDGETS = (4000, 8000)
RANKED_AT = 32000


@dataclass(frozen=True)
class Case:
    """One question with its answer."""

    query: str
    commit: CommitId
    lines: dict[str, list[list[int]]]

    @property
    def wanted(self) -> int:
        """The number of right lines."""
        return sum(last - first + 1 for spans in self.lines.values() for first, last in spans)

    def shown(self, made: Bundle) -> int:
        """Return how many right lines a bundle shows."""
        seen = {
            (item.path, line)
            for item in made.items
            if item.detail == "body"
            for line in range(item.start_line, item.end_line + 1)
        }
        return sum(
            (path, line) in seen
            for path, spans in self.lines.items()
            for first, last in spans
            for line in range(first, last + 1)
        )


def read_cases(file: Path) -> list[Case]:
    """Return the questions of a file."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line]
    return [Case(row["query"], CommitId(row["parent"]), row["gold_lines"]) for row in rows]


def figures(case: Case, made: dict[int, Bundle]) -> dict[str, float]:
    """Return what one question adds to the figures."""
    right = set(case.lines)
    ranked = made[RANKED_AT].items
    paths = [path for path in dict.fromkeys(item.path for item in ranked) if is_source(path)]
    found = {
        "f@1": len(right & set(paths[:1])) / len(right),
        "f@10": len(right & set(paths[:10])) / len(right),
    }
    for tokens in BUDGETS:
        items = made[tokens].items
        spent = {item: BUDGET.item(item, made[tokens]) for item in items}
        inside = sum(price for item, price in spent.items() if item.path in right)
        found[f"{tokens // 1000}k line"] = case.shown(made[tokens]) / case.wanted
        found[f"{tokens // 1000}k share"] = inside / max(sum(spent.values()), 1)
    return found


def is_source(path: FilePath) -> bool:
    """Return whether a path counts as a file that answers."""
    return role_of(path) is Role.SOURCE


BUDGET = Budget(0, token_count("chars4"), None)


@dataclass
class Asker:
    """Asks the questions of one repository."""

    repository: Repository
    store: Store
    model: Model
    history: bool = False

    def ask(self, case: Case) -> tuple[dict[str, float], float]:
        """Return the figures of a question and the seconds of its smallest bundle."""
        with self.store.read() as reader:
            start = time.perf_counter()
            connection = reader.open_snapshot(case.commit).connection
            search = Search(connection)
            behind = reader.ancestors(case.commit)
            changes = Changes(connection, behind) if self.history else None
            made = {}
            seconds = 0.0
            request = Request(case.query, BUDGET, changes=changes)
            found = answer(search, Moment(case.commit), self._read, request, self.model)
            for tokens in (*BUDGETS, RANKED_AT):
                made[tokens] = found.fitted(replace(BUDGET, tokens=tokens))
                seconds = seconds or time.perf_counter() - start
        return figures(case, made), seconds

    def _read(self, path: FilePath, blob: BlobId) -> bytes | None:
        del path
        return self.repository.read(blob)


def set_values(model: Model, settings: Sequence[str]) -> Model:
    """Return the model with `name=value` replaced in whichever part has the name."""
    for setting in settings:
        name, _, value = setting.partition("=")
        for part in ("words", "weights", "lore"):
            known = {field.name: field.type for field in fields(getattr(model, part))}
            if name in known:
                number = int(value) if known[name] == "int" else float(value)
                model = replace(model, **{part: replace(getattr(model, part), **{name: number})})
                break
        else:
            raise SystemExit(f"no weight is called {name!r}")
    return model


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repository", type=Path)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--store", type=Path, required=True, help="kept between runs")
    parser.add_argument("--only", choices=("odd", "even"), help="every other question")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--history", action="store_true", help="all history behind the questions")
    options = parser.parse_args()
    cases = read_cases(options.cases)[: options.limit]
    if options.only:
        cases = cases[options.only == "odd" :: 2]
    repository = open_repository(options.repository)
    store = Store(options.store, "benchmark")
    fill = fill_history if options.history else fill_trees
    fill(store, repository, {case.commit for case in cases})
    asker = Asker(repository, store, set_values(fitted(), options.set), options.history)
    rows = [asker.ask(case) for case in cases]
    print(report(options.cases.stem, [row for row, _ in rows], [seconds for _, seconds in rows]))


def report(name: str, rows: Sequence[dict[str, float]], seconds: Sequence[float]) -> str:
    """Return the line of figures of a repository."""
    means = {key: statistics.fmean(row[key] for row in rows) for key in rows[0]}
    shown = "  ".join(f"{key} {value:.3f}" for key, value in means.items())
    return f"{name:14} {len(rows):4}  {shown}  {statistics.median(seconds) * 1000:.0f} ms"


if __name__ == "__main__":
    main()
