"""Choose the numbers of the model on questions whose answers are known, one repository left out.

    python benchmarks/retrieval_fit.py NAME=REPOSITORY,CASES.jsonl,STORE ... [--rounds N] [--write]

CASES and STORE are those of `benchmarks/retrieval.py --history`. Each number of GRID is tried in
turn, up and down, and kept where the aim grows: right lines shown and tokens spent in right files
within 4,000 tokens, and right files among the first 10. For each repository the numbers are chosen
on the others and its own figures printed: what that choice is worth where it was not made.
`--write` puts the numbers chosen on all of them into the packaged model.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from retrieval import BUDGET, Case, figures, is_source, read_cases, set_values

from topomem.git.repository import Repository, open_repository
from topomem.model.ids import BlobId, FilePath
from topomem.retrieve.bundle import Request, answer
from topomem.retrieve.fitted import Model, fitted
from topomem.retrieve.items import Moment
from topomem.store.changes import Changes
from topomem.store.search import Search
from topomem.store.store import Store

GRID = {
    "lore": (0.7, 1.4),
    "lore_file": (0.7, 1.4),
    "days": (0.6, 1.6),
    "file": (0.8, 1.25),
    "named": (0.7, 1.4),
    "named_file": (0.7, 1.4),
    "other_form": (0.6, 1.5),
    "name": (0.8, 1.25),
    "docstring": (0.6, 1.5),
    "path": (0.7, 1.4),
    "length": (0.9, 1.1),
}
"""Factors by which a number is changed; bounds keep shares below 1."""

TOKENS = 4_000
AIM = {"4k line": 1.0, "4k share": 0.5, "f@10": 0.5}
MODEL = Path(__file__).parent.parent / "topomem" / "retrieve" / "model.json"


@dataclass(frozen=True)
class Place:
    """A repository with its questions and its store."""

    name: str
    repository: Repository
    cases: list[Case]
    store: Store

    def ask(self, model: Model) -> list[dict[str, float]]:
        """Return the figures of all questions."""
        return [self._ask(case, model) for case in self.cases]

    def _ask(self, case: Case, model: Model) -> dict[str, float]:
        with self.store.read() as reader:
            connection = reader.open_snapshot(case.commit).connection
            changes = Changes(connection, reader.ancestors(case.commit))
            request = Request(case.query, BUDGET, changes=changes)
            moment = Moment(case.commit)
            found = answer(Search(connection), moment, self._read, request, model)
            made = {tokens: found.fitted(replace(BUDGET, tokens=tokens)) for tokens in (TOKENS,)}
            ranked = found.found.ranking.candidates
            files = found.found.search.files
        paths = [files[one].path for one in dict.fromkeys(item.file for item in ranked)]
        paths = [path for path in paths if is_source(path)]
        right = set(case.lines)
        row = figures(case, {TOKENS: made[TOKENS], 8_000: made[TOKENS], 32_000: made[TOKENS]})
        return row | {f"f@{k}": len(right & set(paths[:k])) / len(right) for k in (1, 10)}

    def _read(self, path: FilePath, blob: BlobId) -> bytes | None:
        del path
        return self.repository.read(blob)


class Fitting:
    """Asks each repository once for each set of numbers."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = places
        self._known: dict[tuple[str, Model], list[dict[str, float]]] = {}

    def rows(self, place: Place, model: Model) -> list[dict[str, float]]:
        """Return the figures of a repository's questions."""
        key = place.name, model
        if key not in self._known:
            self._known[key] = place.ask(model)
        return self._known[key]

    def aim(self, places: Sequence[Place], model: Model) -> float:
        """Return what is to grow: the mean over repositories."""
        return statistics.fmean(
            sum(weight * mean(self.rows(place, model), name) for name, weight in AIM.items())
            for place in places
        )

    def fit(self, places: Sequence[Place], rounds: int) -> Model:
        """Return the best numbers that are found by changing one at a time."""
        best = fitted()
        most = self.aim(places, best)
        for _ in range(rounds):
            before = most
            for name, factors in GRID.items():
                for factor in factors:
                    tried = changed(best, name, factor)
                    found = self.aim(places, tried)
                    if found > most + 1e-4:  # less is chance
                        best, most = tried, found
            if most <= before:
                break
        return best


def changed(model: Model, name: str, factor: float) -> Model:
    """Return the model with one number changed by a factor."""
    part = next(
        part for part in ("weights", "words", "lore") if hasattr(getattr(model, part), name)
    )
    return set_values(model, [f"{name}={round(getattr(getattr(model, part), name) * factor, 4)}"])


def mean(rows: Sequence[dict[str, float]], name: str) -> float:
    """Return the mean of a figure."""
    return statistics.fmean(row[name] for row in rows)


def open_place(text: str, every: int) -> Place:
    """Return the repository that NAME=REPOSITORY,CASES,STORE names."""
    name, _, rest = text.partition("=")
    repository, cases, store = rest.split(",")
    asked = read_cases(Path(cases))[::every]
    return Place(name, open_repository(repository), asked, Store(Path(store), "benchmark"))


def write(model: Model) -> None:
    """Put the numbers into the packaged model; what they say stays."""
    data = json.loads(MODEL.read_text("utf-8"))
    for part in ("words", "lore", "weights"):
        for name, one in data[part].items():
            one["value"] = getattr(getattr(model, part), name)
    MODEL.write_text(json.dumps(data, indent=2) + "\n", "utf-8")


def main() -> None:
    """Print what is chosen, and what that is worth on repositories it was not chosen on."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("places", nargs="+", metavar="NAME=REPOSITORY,CASES,STORE")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="ask every n-th question")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    fitting = Fitting([open_place(text, options.every) for text in options.places])
    for left_out in fitting.places if len(fitting.places) > 1 else ():
        others = [place for place in fitting.places if place is not left_out]
        model = fitting.fit(others, options.rounds)
        for label, one in (("as packaged", fitted()), ("chosen on the others", model)):
            rows = fitting.rows(left_out, one)
            shown = "  ".join(f"{name} {mean(rows, name):.3f}" for name in (*AIM, "f@1"))
            print(f"{left_out.name:14} {label:22} {shown}", flush=True)
    model = fitting.fit(fitting.places, options.rounds)
    print(model)
    if options.write:
        write(model)


if __name__ == "__main__":
    main()
