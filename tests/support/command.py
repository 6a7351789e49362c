"""Run the command line as a user does: another process, its two streams apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
    """Run `topomem WORDS`; `environment` adds to that of the tests."""
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
