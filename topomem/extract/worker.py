"""A worker process: extracts batches of blobs for the pool until its input ends.

A blob that takes too long ends the process: the parser cannot be interrupted, so the kernel's
alarm, or a watching thread where there is none, does it.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from topomem.extract.facts import extract
from topomem.extract.frames import blob_row, read_frame, write_frame
from topomem.extract.gates import Limits
from topomem.languages.load import load_languages
from topomem.model.packing import pack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from topomem.languages.load import Language

_GENERATION = 200_000
"""Facts hold no cycles, so collecting often finds nothing."""


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer every batch with one frame: the facts of its blobs, in order.

    The first frame is (largest blob in bytes, seconds a blob may take, regions that are known).
    Each batch is (further known regions, [(blob, bytes or None, language)]).
    """
    gc.set_threshold(_GENERATION, 50, 50)
    try:
        max_blob_bytes, seconds, regions = read_frame(requests)
    except EOFError:
        return  # there were fewer batches than workers
    limits = Limits(max_blob_bytes)
    known = set(regions)
    languages: dict[str, Language] = {}
    while True:
        try:
            more, blobs = read_frame(requests)
        except EOFError:
            return
        known.update(more)
        answer = []
        for blob, source, name in blobs:
            if name not in languages:
                languages[name] = load_languages([name])[name]
            with _alarm(seconds):
                facts, new = extract(blob, source, languages[name], known, limits)
                packed = [(region.key, pack(region)) for region in new]
            known.update(key for key, _ in packed)
            answer.append((blob_row(facts), packed))
        write_frame(replies, answer)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
        signal.setitimer(signal.ITIMER_REAL, 0)
    else:
        faulthandler.dump_traceback_later(seconds, exit=True)
        yield
        faulthandler.cancel_dump_traceback_later()


def main() -> None:
    """Serve the pool on the standard streams; what else is printed goes to standard error."""
    requests = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=1 << 20)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=1 << 20)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(requests, replies)
