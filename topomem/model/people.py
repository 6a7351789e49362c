"""Names of people in commits, kept as `[history] authors` says: as they are, hashed, or not at all.

A hash tells commits of one person from those of another. It does not hide a name from someone who
can guess it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256

from topomem.model.evidence import Authors
from topomem.model.history import Commit

_DIGITS = 16
_TRAILER = re.compile(
    r"^(?P<word>[A-Za-z]+(?:-[A-Za-z]+)*-(?:by|to)|cc|author|from):(?P<gap>[ \t]*)(?P<who>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of a message that names somebody: `Co-authored-by: Ada <ada@example.org>`."""


def as_configured(commit: Commit, authors: Authors) -> Commit:
    """Return a commit with the names of people as they are to be stored."""
    if authors == "keep":
        return commit
    name = hashed(f"{commit.author_name} <{commit.author_email}>") if authors == "hash" else ""
    message = _TRAILER.sub(_hashed_trailer if authors == "hash" else "", commit.message)
    return replace(commit, author_name=name, author_email="", message=message)


def hashed(text: str) -> str:
    """Return 16 hexadecimal digits, the same for the same person in any commit."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _hashed_trailer(match: re.Match[str]) -> str:
    return f"{match['word']}:{match['gap']}{hashed(match['who'].strip())}"
