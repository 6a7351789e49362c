"""What the store costs: loading facts and links, opening, reading; from made-up facts of one seed.

    python benchmarks/store.py [--files N] [--commits N] [--seed N]

Prints milliseconds (best of several), rows, bytes, and each as a ratio to `floor`: writing the same
packed facts to one plain file with one fsync.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from topomem.model.code import (
    BlobFacts,
    Declaration,
    EdgeKind,
    FileLinks,
    LinkedEdge,
    Method,
    Op,
    Placement,
    RegionFacts,
    RegionLinks,
    Span,
    SymbolKind,
)
from topomem.model.history import Commit, Mode, TreeEntry
from topomem.model.ids import (
    BlobId,
    CommitId,
    FilePath,
    LanguageName,
    QualifiedName,
    RegionKey,
    TreeId,
    moniker,
)
from topomem.model.packing import pack
from topomem.store.links import LinkedFile
from topomem.store.reader import Reader
from topomem.store.snapshot import EdgeFilter, SymbolFilter
from topomem.store.store import Store
from topomem.store.topology import FileState

LANGUAGE = LanguageName("sample")
FUNCTIONS = 20  # in a file, each with light declarations and edges
EDGES = 20  # of a function
OPS = 120  # of a function
LIGHT = 4  # light declarations of a module


class Maker:
    """Makes facts from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = [f"word{number}" for number in range(5000)]

    def region(self, name: str, kind: SymbolKind, light: int) -> RegionFacts:
        """Return a region with a reduced tree, words and light declarations."""
        chance = self._random
        starts = sorted(chance.sample(range(4000), OPS))
        own = Declaration(kind, name, f"def {name}(a, b)", 0, 4000, 0, 40, 0)
        others = tuple(
            Declaration(
                SymbolKind.VARIABLE,
                f"{name}_{number}",
                f"{name}_{number}",
                start,
                start + 9,
                1,
                1,
                1,
            )
            for number, start in enumerate(starts[:light])
        )
        return RegionFacts(
            key=RegionKey(f"{chance.getrandbits(128):032x}"),
            language=LANGUAGE,
            declarations=(own, *others),
            docstring="Does one thing.",
            kinds=bytes([Op.NAME] * OPS),
            parents=(-1,) * OPS,
            starts=tuple(starts),
            ends=tuple(start + 4 for start in starts),
            rows=tuple(start // 100 for start in starts),
            texts=tuple(chance.choice(self._words) for _ in starts),
            words=tuple(
                ("body", word, chance.randint(1, 5))
                for word in sorted(set(chance.choices(self._words, k=40)))
            ),
            value_hash=f"{chance.getrandbits(64):016x}",
            size=4000,
            row_count=40,
        )

    def file(self, number: int) -> tuple[BlobFacts, list[RegionFacts]]:
        """Return the facts of one file."""
        module = self.region("", SymbolKind.MODULE, LIGHT)
        functions = [
            self.region(f"function_{number}_{place}", SymbolKind.FUNCTION, 0)
            for place in range(FUNCTIONS)
        ]
        placements = [Placement(module.key, -1, QualifiedName(""), Span(0, 90_000, 1, 900), 1)]
        placements += [
            Placement(
                function.key, 0, QualifiedName(function.declarations[0].name),
                Span(place * 4000, place * 4000 + 3999, place * 42 + 1, place * 42 + 41),
                place * 42 + 1,
            )
            for place, function in enumerate(functions)
        ]  # fmt: skip
        blob = BlobId(f"{self._random.getrandbits(160):040x}")
        return BlobFacts(blob, LANGUAGE, tuple(placements), (), 900, 90_000), [module, *functions]

    def links(self, number: int, facts: BlobFacts, files: int) -> FileLinks:
        """Return the links of one file: calls into others."""
        return FileLinks(
            path_of(number),
            facts.blob,
            tuple(
                RegionLinks(placement.region, tuple(self._edges(files) if ordinal else ()))
                for ordinal, placement in enumerate(facts.placements)
            ),
        )

    def _edges(self, files: int) -> list[LinkedEdge]:
        chance = self._random
        found = []
        for op in sorted(chance.sample(range(OPS), EDGES)):
            file, place = chance.randrange(files), chance.randrange(FUNCTIONS)
            target = moniker(path_of(file), QualifiedName(f"function_{file}_{place}"))
            found.append(LinkedEdge(EdgeKind.CALLS, op, target, 0.95, Method.IMPORT))
        return found


def path_of(number: int) -> FilePath:
    """Return the path of a made-up file."""
    return FilePath(f"package/part_{number % 7}/module_{number}.txt")


def commit_of(number: int) -> Commit:
    """Return a commit on one line."""
    identifier = f"{number + 1:040x}"
    parents = (CommitId(f"{number:040x}"),) if number else ()
    return Commit(
        CommitId(identifier), TreeId(identifier), parents, "author", "author@example.org",
        1_700_000_000 + number, 0, 1_700_000_000 + number, 0, f"change {number}",
    )  # fmt: skip


def best(times: int, action: Callable[[], object]) -> float:
    """Return the best milliseconds of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append((time.perf_counter() - start) * 1000)
    return min(found)


def write_plain(folder: Path, packed: Sequence[bytes]) -> None:
    """Write bytes to one file and wait for the disk."""
    with (folder / "plain").open("wb") as file:
        file.writelines(packed)
        file.flush()
        os.fsync(file.fileno())


def measure(files: int, commits: int, seed: int) -> None:
    """Run and print everything once."""
    maker = Maker(seed)
    made = [maker.file(number) for number in range(files)]
    blobs = [facts for facts, _ in made]
    regions = [region for _, found in made for region in found]
    packed = {region.key: pack(region) for region in regions}
    by_key = {region.key: region for region in regions}
    linked = [
        LinkedFile(maker.links(number, facts, files), by_key) for number, facts in enumerate(blobs)
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        floor = best(5, lambda: write_plain(folder, list(packed.values())))
        report(
            "floor: packed facts to a file",
            floor,
            floor,
            f"{sum(map(len, packed.values())):,} bytes",
        )
        store = Store(folder / "store", "example")

        def load() -> None:
            shutil.rmtree(store.folder, ignore_errors=True)
            with store.build() as writer:
                writer.put_regions(regions, packed)
                writer.put_blobs(blobs)
                sets = writer.put_links(linked)
                writer.add_commit(commit_of(0), states(blobs, sets))

        edges = sum(len(region.edges) for file in linked for region in file.links.regions)
        definitions = sum(len(region.declarations) for region in regions)
        report(f"load {definitions:,} definitions, {edges:,} edges", best(3, load), floor,
               f"{store.store_bytes():,} bytes")  # fmt: skip
        pushes(store, maker, blobs, commits, floor)
        readings(store, commits, floor)


def states(blobs: Sequence[BlobFacts], sets: Sequence[int]) -> list[FileState]:
    """Return all files as one commit's changes."""
    return [
        FileState(path_of(number), TreeEntry(Mode.FILE, facts.blob), LANGUAGE, link_set)
        for number, (facts, link_set) in enumerate(zip(blobs, sets, strict=True))
    ]


def pushes(
    store: Store, maker: Maker, blobs: Sequence[BlobFacts], commits: int, floor: float
) -> None:
    """Store commits that change one function of each of three files."""
    taken = []
    for number in range(1, commits + 1):
        changed = []
        for file in range(number % len(blobs), min(number % len(blobs) + 3, len(blobs))):
            region = maker.region(f"function_{file}_1", SymbolKind.FUNCTION, 0)
            placements = list(blobs[file].placements)
            placements[1] = replace(placements[1], region=region.key)
            blob = BlobId(f"{number:020x}{file:020x}")
            facts = replace(blobs[file], blob=blob, placements=tuple(placements))
            changed.append((file, facts, region))
        start = time.perf_counter()
        with store.write() as writer:
            writer.put_regions([region for _, _, region in changed])
            writer.put_blobs([facts for _, facts, _ in changed])
            writer.add_commit(
                commit_of(number),
                [
                    FileState(path_of(file), TreeEntry(Mode.FILE, facts.blob), LANGUAGE)
                    for file, facts, _ in changed
                ],
            )
        taken.append((time.perf_counter() - start) * 1000)
    taken.sort()
    report("one push, whole session (median)", taken[len(taken) // 2], floor, f"{commits} pushes")


def readings(store: Store, commits: int, floor: float) -> None:
    """Open sessions and snapshots, and ask."""

    def opened() -> None:
        with store.read():
            pass

    report("open and close a reader", best(10, opened), floor)
    for number in (commits, commits // 2, 0):
        with store.read() as reader:
            questions(reader, number, floor)


def questions(reader: Reader, number: int, floor: float) -> None:
    """Ask one snapshot."""
    commit = commit_of(number).id
    opening = best(5, lambda: reader.open_snapshot(commit))
    report(f"open a snapshot (commit {number})", opening, floor)
    snapshot = reader.open_snapshot(commit)
    first = best(1, snapshot.symbols)
    report("  all symbols, the first time", first, floor, f"{len(snapshot.symbols()):,} rows")
    report("  all symbols, again", best(3, snapshot.symbols), floor)
    one = SymbolFilter(name="function_3_1")
    report("  one symbol", best(5, lambda: snapshot.symbols(one)), floor)
    report("  all edges", best(2, snapshot.edges), floor, f"{len(snapshot.edges()):,} rows")
    into = EdgeFilter(targets=((path_of(3), QualifiedName("function_3_1")),))
    report("  edges into one symbol", best(5, lambda: snapshot.edges(into)), floor)


def report(what: str, milliseconds: float, floor: float, note: str = "") -> None:
    """Print one line."""
    print(f"{what:45} {milliseconds:9.1f} ms {milliseconds / floor:8.1f} x  {note}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    measure(options.files, options.commits, options.seed)
