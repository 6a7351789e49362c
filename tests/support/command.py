"""Run the command line as a user does, its two streams apart: in this process, or in another."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from topomem.cli.main import run


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on standard output."""
        found: dict[str, Any] = json.loads(self.out)
        return found


def topomem(
    *words: str | Path,
    cwd: Path | None = None,
    text: str = "",
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run `topomem WORDS` in this process; `environment` adds to that of the tests."""
    streams = [io.TextIOWrapper(io.BytesIO(given), "utf-8") for given in (text.encode(), b"", b"")]
    with (
        contextlib.chdir(cwd or Path.cwd()),
        mock.patch.dict(os.environ, environment or {}),
        _standard_streams(*streams),
    ):
        code = run([str(word) for word in words])
    _, out, err = (_written(stream) for stream in streams)
    return Done(code, out, err)


def process(
    *words: str | Path,
    cwd: Path | None = None,
    text: str = "",
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run `topomem WORDS` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "topomem", *map(str, words)],
        cwd=cwd,
        input=text.encode(),
        capture_output=True,
        env={**os.environ, **(environment or {})},
        check=False,
        timeout=120,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def answer(*words: str | Path, cwd: Path | None = None, text: str = "") -> dict[str, Any]:
    """Run a command that must succeed with `--json`; return its document."""
    done = topomem(*words, "--json", cwd=cwd, text=text)
    assert done.code == 0, (done.code, done.out[-500:], done.err[-2000:])
    return done.document


@contextlib.contextmanager
def _standard_streams(given: io.TextIOWrapper, *others: io.TextIOWrapper) -> Iterator[None]:
    out, err = others
    with (
        mock.patch.object(sys, "stdin", given),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        yield


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
