"""Worker processes: same facts, same order, and no blob stops the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.facts import of_language

from topomem.extract import pool as pool_module
from topomem.extract.facts import extract
from topomem.extract.pool import ExtractPool, Request
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.ids import BlobId, LanguageName, RegionKey

NAME = LanguageName("python")


def blobs(count: int, lines: int = 40) -> list[Request]:
    body = "".join(f"def f{line}(a):\n    return a + {line}\n" for line in range(lines))
    return [
        (BlobId(f"{number:040d}"), f"def own{number}(): ...\n{body}".encode(), NAME)
        for number in range(count)
    ]


def expected(requests: list[Request]) -> Iterator[tuple[BlobFacts, list[RegionFacts]]]:
    known: set[RegionKey] = set()
    for blob, source, name in requests:
        facts, regions = extract(blob, source, of_language(name), known)
        known.update(region.key for region in regions)
        yield facts, regions


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "_SMALL_BYTES", 100)
    monkeypatch.setattr(pool_module, "_BATCH_BYTES", 4000)


def test_little_input_needs_no_process() -> None:
    requests = blobs(3)
    with ExtractPool(2) as pool:
        assert list(pool.run(requests)) == list(expected(requests))
        assert pool._threads is None


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_give_the_same_in_the_same_order(jobs: int) -> None:
    requests = blobs(30)
    with ExtractPool(jobs) as pool:
        assert list(pool.run(requests)) == list(expected(requests))
        assert not [regions for _, regions in pool.run(requests) if regions]


@pytest.mark.usefixtures("small_batches")
def test_regions_known_before_are_left_out() -> None:
    requests = blobs(10)
    known = [region.key for _, regions in expected(requests[:5]) for region in regions]
    with ExtractPool(2, known=known) as pool:
        results = list(pool.run(requests))
    assert [len(regions) for _, regions in results] == [0] * 5 + [1] * 5


@pytest.mark.usefixtures("small_batches")
def test_a_blob_that_takes_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hook = tmp_path / "slow.py"
    hook.write_text(
        "import time\nfrom topomem.extract import worker\nread = worker.extract\n"
        "def slow(blob, source, *rest):\n"
        "    if b'SLOW' in source: time.sleep(600)\n"
        "    return read(blob, source, *rest)\n"
        "worker.extract = slow\nworker.main()\n"
    )
    start = f"import sys; sys.path[:] = {{path!r}}; exec(open({str(hook)!r}).read())"
    monkeypatch.setattr(pool_module, "_START", start)
    requests = blobs(20)
    requests[7] = (requests[7][0], b"SLOW = 1\n", NAME)
    with ExtractPool(2, seconds=1.0) as pool:
        results = list(pool.run(requests))
    assert [facts.blob for facts, _ in results] == [blob for blob, _, _ in requests]
    codes = [[found.code for found in facts.diagnostics] for facts, _ in results]
    assert codes == [["time"] if at == 7 else [] for at in range(20)]
    assert [facts for facts, _ in results if not facts.placements] == [results[7][0]]


@pytest.mark.usefixtures("small_batches")
def test_a_consumer_that_stops_early_leaves_no_process() -> None:
    with ExtractPool(2) as pool:
        next(pool.run(blobs(30)))
        workers = pool._threads
    assert workers is not None
    assert pool._threads is None


def test_a_worker_without_work_ends_in_silence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pool_module, "_SMALL_BYTES", 100)
    with ExtractPool(3) as pool:
        assert len(list(pool.run(blobs(3)))) == 3
    assert capfd.readouterr() == ("", "")
