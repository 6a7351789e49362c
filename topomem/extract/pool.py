"""Extraction by long-lived worker processes, with a time limit for every blob.

Blobs go to workers in batches and results come back in the order of the blobs. Workers are plain
child processes that read frames from a pipe: nothing of the parent (open databases, threads, its
main module) reaches them.
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self

from topomem.extract.facts import extract
from topomem.extract.frames import blob_facts, read_frame, write_frame
from topomem.extract.gates import DEFAULT_LIMITS, Limits
from topomem.languages.load import load_languages
from topomem.model.code import BlobFacts, Diagnostic
from topomem.model.packing import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from topomem.languages.load import Language
    from topomem.model.code import RegionFacts
    from topomem.model.ids import BlobId, LanguageName, RegionKey

Request = tuple["BlobId", "bytes | None", "LanguageName"]
Packed = tuple[BlobFacts, dict["RegionKey", bytes]]

_SECONDS = 20.0
_BATCH_BYTES = 512 << 10
_SMALL_BYTES = 96 << 10
"""Less input than this in all is not worth a process; nor can it keep the parser long."""
_START = "import sys; sys.path[:] = {path!r}; from topomem.extract.worker import main; main()"


class ExtractPool:
    """`jobs` worker processes, started when there is enough to do. A context manager.

    `known` are regions whose facts are not wanted. Facts of a region come once, with the first
    blob that has it.
    """

    def __init__(
        self,
        jobs: int,
        limits: Limits = DEFAULT_LIMITS,
        known: Iterable[RegionKey] = (),
        seconds: float = _SECONDS,
    ) -> None:
        self._jobs = max(jobs, 1)
        self._limits = limits
        self._seconds = seconds
        self._known = set(known)
        self._threads: ThreadPoolExecutor | None = None
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._languages: dict[str, Language] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            while not self._idle.empty():
                self._idle.get().close()
            self._threads = None

    def run(self, requests: Iterable[Request]) -> Iterator[tuple[BlobFacts, list[RegionFacts]]]:
        """Yield the facts of each blob in order; requests are drawn a few batches ahead."""
        for facts, packed in self.run_packed(requests):
            yield facts, [unpack(data) for data in packed.values()]

    def run_packed(self, requests: Iterable[Request]) -> Iterator[Packed]:
        """Yield as `run` does, regions as the bytes of `topomem.model.packing`."""
        requests = iter(requests)
        first, size = [], 0
        for request in requests:
            first.append(request)
            size += len(request[1] or b"")
            if size > _SMALL_BYTES:
                yield from self._through_workers(chain(first, requests))
                return
        for request in first:
            yield self._here(request)

    def _here(self, request: Request) -> Packed:
        blob, source, name = request
        if name not in self._languages:
            self._languages[name] = load_languages([name])[name]
        facts, regions = extract(blob, source, self._languages[name], self._known, self._limits)
        self._known.update(region.key for region in regions)
        return facts, {region.key: pack(region) for region in regions}

    def _through_workers(self, requests: Iterable[Request]) -> Iterator[Packed]:
        waiting: deque[Future[list[Packed]]] = deque()
        for batch in _batches(requests):
            waiting.append(self._submit(batch))
            while len(waiting) > 2 * self._jobs or (waiting and waiting[0].done()):
                yield from self._first_seen(waiting.popleft().result())
        while waiting:
            yield from self._first_seen(waiting.popleft().result())

    def _first_seen(self, results: list[Packed]) -> Iterator[Packed]:
        """Drop regions that came before: two workers may meet the same one."""
        for facts, packed in results:
            fresh = {key: data for key, data in packed.items() if key not in self._known}
            self._known.update(fresh)
            yield facts, fresh

    def _submit(self, batch: list[Request]) -> Future[list[Packed]]:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._jobs, thread_name_prefix="extract")
            for _ in range(self._jobs):
                self._idle.put(_Worker(self._limits, self._seconds, self._known))
        return self._threads.submit(self._answer, batch)

    def _answer(self, batch: list[Request]) -> list[Packed]:
        """Have a worker answer a batch; after a death, blob by blob, to find which one it was."""
        worker = self._idle.get()
        try:
            return worker.answer(batch)
        except (EOFError, OSError):
            exit_code = worker.close()
            worker = _Worker(self._limits, self._seconds, self._known)
            if len(batch) == 1:
                return [(_given_up(batch[0], exit_code, self._seconds), {})]
        finally:
            self._idle.put(worker)
        return list(chain.from_iterable(self._answer([request]) for request in batch))


class _Worker:
    """One child process; used by one thread at a time."""

    def __init__(self, limits: Limits, seconds: float, known: set[RegionKey]) -> None:
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter and module
            [sys.executable, "-c", _START.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._hello: tuple[object, ...] | None = (limits.max_blob_bytes, seconds, list(known))

    def answer(self, batch: list[Request]) -> list[Packed]:
        """Return the facts of a batch. Raises EOFError or OSError when the process is gone."""
        if self._process.stdin is None or self._process.stdout is None:
            raise EOFError
        if self._hello is not None:
            write_frame(self._process.stdin, self._hello)  # type: ignore[arg-type]
            self._hello = None
        write_frame(self._process.stdin, ([], batch))  # type: ignore[arg-type]
        rows = read_frame(self._process.stdout)  # type: ignore[arg-type]
        return [(blob_facts(row), dict(packed)) for row, packed in rows]

    def close(self) -> int:
        """End the process and return how it ended."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
        return self._process.wait()


def _batches(requests: Iterable[Request]) -> Iterator[list[Request]]:
    batch: list[Request] = []
    size = 0
    for request in requests:
        batch.append(request)
        size += len(request[1] or b"")
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _given_up(request: Request, exit_code: int, seconds: float) -> BlobFacts:
    blob, source, language = request
    found = Diagnostic("time", f"not parsed within {seconds:g} seconds (worker ended: {exit_code})")
    text = source or b""
    return BlobFacts(blob, language, (), (found,), text.count(b"\n") + 1, len(text))
