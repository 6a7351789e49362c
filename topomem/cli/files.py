"""Files that are named on the command line, read and written; what refuses them is wrong usage."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from topomem.errors import UsageError


@contextmanager
def told(name: str) -> Iterator[None]:
    """Say of a file what the operating system says of it. Raises UsageError."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror or error}") from error
    except ValueError as error:  # a name that no file can have
        raise UsageError(f"{name!r}: {error}") from error


def read_file(name: str) -> bytes:
    """Return the bytes of a file, or of standard input for `-`. Raises UsageError."""
    if name == "-":
        return sys.stdin.buffer.read()
    with told(name):
        return Path(name).read_bytes()


def open_to_write(name: str) -> IO[str]:
    """Return a new file, open for lines of text. Raises UsageError."""
    with told(name):
        return Path(name).open("w", encoding="utf-8", newline="\n")


def write_text(file: Path, text: str) -> None:
    """Write a file. Raises UsageError."""
    with open_to_write(str(file)) as target:
        target.write(text)
