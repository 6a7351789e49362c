"""Extraction against bare parsing, from one run.

    python benchmarks/extract.py REPOSITORY [--jobs N] [--all]

Prints, for the files of HEAD and with --all for every blob of its history: bytes, regions, the
seconds of parsing each blob once on one core, of extracting here on one core, and of extracting by
worker processes, with their ratios to parsing. Start-up of workers and loading of languages are
taken off. Parsing is measured before and after.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from topomem.extract.facts import extract
from topomem.extract.pool import ExtractPool, Request
from topomem.languages.load import Languages, load_languages
from topomem.model.ids import BlobId, FilePath, RegionKey


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one step, and the distinct regions it gave."""

    seconds: float
    regions: int


def git(repository: str, *arguments: str, given: bytes = b"") -> bytes:
    """Return what git prints."""
    command = ["git", "-c", "safe.directory=*", "-C", repository, *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def listed(repository: str, *, history: bool) -> Iterator[tuple[BlobId, FilePath]]:
    """Yield blobs with a path each, oldest commits first."""
    if not history:
        for line in git(repository, "ls-tree", "-r", "-z", "HEAD").split(b"\0")[:-1]:
            head, _, path = line.partition(b"\t")
            yield BlobId(head.split()[2].decode()), FilePath(path.decode(errors="replace"))
        return
    log = git(repository, "log", "--reverse", "--topo-order", "-m", "--raw", "--no-abbrev", "-z",
              "--format=", "--no-renames", "HEAD")  # fmt: skip
    fields = log.split(b"\0")
    for at in range(len(fields) - 1):
        if fields[at].lstrip(b"\n").startswith(b":"):
            blob = fields[at].split()[3].decode()
            yield BlobId(blob), FilePath(fields[at + 1].decode(errors="replace"))


def read(repository: str, languages: Languages, *, history: bool) -> list[Request]:
    """Return distinct readable blobs of known languages in order of first use."""
    wanted: dict[BlobId, str] = {}
    for blob, path in listed(repository, history=history):
        language = languages.for_path(path)
        if language is not None and set(blob) != {"0"}:
            wanted.setdefault(blob, language.name)
    batch = git(repository, "cat-file", "--batch", given="\n".join(wanted).encode() + b"\n")
    requests: list[Request] = []
    place = 0
    for blob, name in wanted.items():
        end = batch.index(b"\n", place)
        size = int(batch[place:end].split()[2])
        requests.append((blob, batch[end + 1 : end + 1 + size], languages[name].name))
        place = end + size + 2
    return requests


def parse(requests: list[Request], languages: Languages) -> Timing:
    """Parse each blob once, nothing else."""
    start = time.perf_counter()
    for _, source, name in requests:
        languages[name].parser.parse(source or b"")
    return Timing(time.perf_counter() - start, 0)


def here(requests: list[Request], languages: Languages) -> Timing:
    """Extract each blob in this process."""
    known: set[RegionKey] = set()
    start = time.perf_counter()
    for blob, source, name in requests:
        _, regions = extract(blob, source, languages[name], known)
        known.update(region.key for region in regions)
    return Timing(time.perf_counter() - start, len(known))


def by_workers(requests: list[Request], jobs: int) -> Timing:
    """Extract each blob by workers that are up already."""
    with ExtractPool(jobs) as pool:
        warm = {name: (BlobId(name), b"\n" * 100_000, name) for _, _, name in requests}
        for _ in range(jobs):
            list(pool.run_packed(warm.values()))
        start = time.perf_counter()
        regions = sum(len(packed) for _, packed in pool.run_packed(requests))
        return Timing(time.perf_counter() - start, regions)


def report(title: str, requests: list[Request], languages: Languages, jobs: int) -> None:
    """Run all steps and print their seconds and ratios."""
    steps: list[tuple[str, Callable[[], Timing]]] = [
        ("parse", lambda: parse(requests, languages)),
        ("extract, 1 core", lambda: here(requests, languages)),
        (f"extract, {jobs} workers", lambda: by_workers(requests, jobs)),
        ("parse again", lambda: parse(requests, languages)),
    ]
    timings = [(name, step()) for name, step in steps]
    floor = min(timings[0][1].seconds, timings[-1][1].seconds)
    size = sum(len(source or b"") for _, source, _ in requests)
    regions = timings[1][1].regions
    print(f"{title}: {len(requests)} blobs, {size / 1e6:.1f} MB, {regions} regions")
    for name, timing in timings:
        print(f"  {name:22} {timing.seconds:8.2f} s  {timing.seconds / floor:6.2f} x parse")


def main() -> None:
    """Read the command line and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    languages = load_languages()
    gc.disable()
    for history in (False, True) if options.all else (False,):
        requests = read(options.repository, languages, history=history)
        for name in {name for _, _, name in requests}:
            extract(BlobId(""), b"x", languages[name])
        report("history" if history else "HEAD", requests, languages, options.jobs)


if __name__ == "__main__":
    main()
