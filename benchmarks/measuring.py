"""What the benchmarks measure alike: runs of the command in a process of their own, and the floor.

The floor is the time to parse each file (or blob) once on one core and nothing else. It is taken in
the same run as what is compared with it, before and after, and the smaller one counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from topomem.git.repository import Repository
from topomem.languages.load import Languages, load_languages
from topomem.model.history import Mode
from topomem.model.ids import BlobId, CommitId, LanguageName

MAX_BLOB_BYTES = 1 << 20
_NOT_COMPILED = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True, slots=True)
class Run:
    """One finished process: its JSON document, wall and CPU seconds, peak memory of its tree."""

    document: dict[str, Any]
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int


def run_topomem(arguments: Sequence[str]) -> Run:
    """Run the command with `--json` and wait for it. Raises CalledProcessError.

    As it is where it was installed: with its modules compiled.
    """
    environment = {name: value for name, value in os.environ.items() if name != _NOT_COMPILED}
    command = [sys.executable, "-m", "topomem", *arguments, "--json"]
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    watch = _Watch(process.pid)
    output, errors = process.communicate()
    wall = time.perf_counter() - start
    watch.stop()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, output, errors)
    return Run(json.loads(output), wall, watch.cpu_seconds, watch.peak_bytes)


class _Watch:
    """Looks at a process and its children every so often, through /proc."""

    def __init__(self, pid: int, every_seconds: float = 0.05) -> None:
        self.peak_bytes = 0
        self._cpu: dict[int, float] = {}
        self._pid = pid
        self._every = every_seconds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of all processes seen, as last seen."""
        return sum(self._cpu.values())

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(self._every):
            total = 0
            for pid in _tree(self._pid):
                resident, cpu = _usage(pid)
                total += resident
                self._cpu[pid] = max(cpu, self._cpu.get(pid, 0.0))
            self.peak_bytes = max(self.peak_bytes, total)


class Shares:
    """Looks at the stack of this thread every so often: which package is at work.

    A context manager. Time in other libraries counts for the package that called them.
    """

    def __init__(self, package: str, every_seconds: float = 0.005) -> None:
        self._inside = f"/{package}/"
        self._every = every_seconds
        self._counts: Counter[str] = Counter()
        self._done = threading.Event()
        self._watched = threading.get_ident()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def shares(self) -> list[tuple[str, float]]:
        """Return the share of each package, the largest first."""
        total = sum(self._counts.values()) or 1
        return [(name, count / total) for name, count in self._counts.most_common()]

    def _look(self) -> None:
        while not self._done.wait(self._every):
            frame = sys._current_frames().get(self._watched)  # noqa: SLF001  the only way to ask
            while frame is not None and self._inside not in frame.f_code.co_filename:
                frame = frame.f_back
            if frame is not None:
                inside = frame.f_code.co_filename.rpartition(self._inside)[2]
                self._counts[inside.partition("/")[0]] += 1


def _tree(pid: int) -> list[int]:
    found, pending = [], [pid]
    while pending:
        at = pending.pop()
        found.append(at)
        try:
            for task in Path(f"/proc/{at}/task").iterdir():
                pending += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def _usage(pid: int) -> tuple[int, float]:
    """Return bytes of memory (shared pages counted once) and CPU seconds."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0, 0.0
    pss = next((line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:")), "0")
    return int(pss) * 1024, (int(fields[11]) + int(fields[12])) / 100


@dataclass(frozen=True, slots=True)
class Sources:
    """Texts with the language each is read in."""

    texts: tuple[tuple[LanguageName, bytes], ...]

    @property
    def byte_count(self) -> int:
        """Return how many bytes there are to parse."""
        return sum(len(text) for _, text in self.texts)


def sources_at(repository: Repository, commits: Iterable[CommitId]) -> Sources:
    """Return each blob of code of these commits once."""
    languages = load_languages()
    found: dict[tuple[BlobId, LanguageName], None] = {}
    before = None
    for commit_id in commits:
        commit = repository.commit(commit_id)
        for change in repository.changes(before, commit):
            language = languages.for_path(change.path)
            if change.new and change.new.mode in (Mode.FILE, Mode.EXECUTABLE) and language:
                found[change.new.blob, language.name] = None
        before = commit
    texts = ((language, repository.read(blob)) for blob, language in found)
    return Sources(tuple((n, text) for n, text in texts if text and len(text) <= MAX_BLOB_BYTES))


def parse_seconds(sources: Sources, languages: Languages | None = None) -> float:
    """Parse every text once on this core and return the seconds it took."""
    languages = languages or load_languages()
    parsers = {name: languages[name].parser for name, _ in sources.texts}
    start = time.perf_counter()
    for name, text in sources.texts:
        parsers[name].parse(text)
    return time.perf_counter() - start


def folder_bytes(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
