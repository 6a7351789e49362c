"""What a result depends on besides the code, as far as it is seen without running anything."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from topomem.evidence.environment import canonical
from topomem.model.evidence import Environment

if TYPE_CHECKING:
    from topomem.git.repository import Repository

LOCK_FILES = (
    "*.lock", "*.lockfile", "*-lock.json", "*-lock.yaml", "npm-shrinkwrap.json", "bun.lockb",
    "go.sum", "requirements*.txt", "constraints*.txt", "packages.lock.json", "Package.resolved",
)  # fmt: skip
"""Names of files that pin what is depended on."""

VARIABLES = ("CI", "LC_ALL", "TZ", "PYTHONHASHSEED", "NODE_ENV", "GOFLAGS")
"""Variables whose values are kept: they change results and hold no secrets."""

_LARGEST_LOCK = 32 << 20
_DEEPEST = 3


def is_lock_file(path: str) -> bool:
    """Whether a file pins what is depended on."""
    name = path.rpartition("/")[2]
    return any(fnmatch(name, pattern) for pattern in LOCK_FILES)


def environment_here(
    command: Sequence[str], repository: Repository, variables: Mapping[str, str] | None = None
) -> Environment:
    """Return the environment in which a command would run here and now."""
    given = os.environ if variables is None else variables
    program = shutil.which(command[0]) if command else None
    here = bool(program) and Path(program or "").parent == Path(sys.executable).parent
    return canonical(
        Environment(
            command=tuple(command),
            interpreter=_interpreter() if here else "",
            system=f"{platform.system()} {platform.release()} {platform.machine()}",
            tools=tuple(_tools(command)) if here else (),
            lock_files=tuple(_lock_files_on_disk(repository)),
            variables=tuple((name, given[name]) for name in VARIABLES if name in given),
        )
    )


def _interpreter() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


def _tools(command: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the version of a command that is installed beside this program."""
    names = [Path(command[0]).name]
    if command[1:2] == ["-m"] or command[1:2] == ("-m",):
        names = [*command[2:3]]
    for name in names:
        try:
            yield name, importlib.metadata.version(name)
        except (importlib.metadata.PackageNotFoundError, ValueError):
            continue


def _lock_files_on_disk(repository: Repository) -> Iterator[tuple[str, str]]:
    """Yield the digests of the lock files of HEAD, as they are on disk now."""
    head, top = repository.head(), repository.top
    if head is None or top is None:
        return
    for path in repository.tree(repository.commit(head)):
        if path.count("/") < _DEEPEST and is_lock_file(path):
            try:
                place = top / path
                if place.stat().st_size <= _LARGEST_LOCK:
                    yield str(path), sha256(place.read_bytes()).hexdigest()
            except OSError:
                continue
