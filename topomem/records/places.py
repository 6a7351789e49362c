"""Which files may be decision records, told by their path alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from topomem.model.ids import FilePath

Place = Literal["record", "maybe", "beside", ""]
"""`record`: a record whatever it says; `maybe`: one if it says a status; `beside`: an index or a
template among records; "": none."""

_MARKDOWN = re.compile(r"\.(?:md|markdown|mdx|mdown)$", re.IGNORECASE)
_TEXT = re.compile(r"\.(?:md|markdown|mdx|mdown|rst|adoc|asciidoc)$", re.IGNORECASE)
_FOLDER = re.compile(
    r"(?:^|/)(?:adrs?|madrs?|architecture[-_]?decisions?(?:[-_]?(?:records?|log))?"
    r"|decisions?(?:[-_]?(?:records?|log))?)(?P<below>/|$)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(?:adr|madr|ladr)?[-_ .]?(?P<number>\d{1,8})(?:[-_. ]|$)", re.IGNORECASE)
_NAMED = re.compile(r"^(?:adr|madr|ladr)[-_ ]?(?:[a-z]+[-_ ])?\d+(?:[-_. ]|$)", re.IGNORECASE)
_ARCHITECTURE = frozenset({"architecture", "arch"})
_BESIDE = re.compile(
    r"^(?:readme|index|toc|summary|contributing|glossary|overview|\.?template.*|.*[-_ ]template"
    r"|adr|_?index|introduction|changelog|license)$|^(?:adr|madr|0+|decision|nygard)[-_. ]template",
    re.IGNORECASE,
)
_DATE_DIGITS = 8
_SMALLEST_DATE = 19_000_101


def place(path: FilePath, folders: tuple[str, ...] = (), *, is_chosen: bool = False) -> Place:
    """Return what a path promises.

    `folders` are further ones that hold records; `is_chosen`: the path is configured as one.
    """
    folder, _, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    if not dot or not _TEXT.search(name):
        return ""
    inside = any(folder == one or folder.startswith(f"{one}/") or one == "." for one in folders)
    named = _FOLDER.search(folder)
    conventional = is_chosen or inside or named is not None
    if conventional and _BESIDE.match(stem):
        return "beside"
    numbered = bool(_NUMBERED.match(stem))
    if is_chosen or _NAMED.match(stem):
        return "record"
    if conventional:
        direct = folder in folders or bool(_FOLDER.search(f"/{folder.rpartition('/')[2]}"))
        return "record" if numbered or direct else "maybe"
    if numbered and not _ARCHITECTURE.isdisjoint(folder.lower().split("/")):
        return "record"
    return ""


@lru_cache(1 << 16)
def may_hold_record(path: FilePath) -> Place:
    """Return `place`, and `maybe` for any numbered text, whose folder may be named elsewhere."""
    found = place(path)
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return found or ("maybe" if _TEXT.search(path) and _NUMBERED.match(stem) else "")


def is_prose(path: FilePath) -> bool:
    """Return whether a file is a text for people."""
    return bool(_TEXT.search(path))


def may_have_front_matter(path: FilePath) -> bool:
    """Return whether a file is of a kind that begins with front matter."""
    return bool(_MARKDOWN.search(path))


def number_of(path: FilePath) -> int | None:
    """Return the number in a file's name; a date is none."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    found = _NUMBERED.match(stem) or re.match(
        r"^[a-z]+[-_ ](?:[a-z]+[-_ ])?(?P<number>\d+)", stem, re.IGNORECASE
    )
    if found is None or is_date(found["number"]):
        return None
    return int(found["number"])


def is_date(digits: str) -> bool:
    """Return whether digits are a date such as 20240131."""
    return len(digits) == _DATE_DIGITS and int(digits) > _SMALLEST_DATE


def slug_of(path: FilePath) -> str:
    """Return a file's name without its suffix."""
    return path.rpartition("/")[2].rpartition(".")[0]
