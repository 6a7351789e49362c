"""Versions in the names of tags: semantic ones and dates, with what stands around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_BEFORE_RELEASE = r"(?:alpha|beta|rc|cr|pre|preview|dev|snapshot|canary|next|nightly|test|m|a|b|c)"
_TAG = re.compile(
    rf"""
    (?P<package>[\w.@/+-]*?)
    (?<![0-9])(?<![0-9][._])
    (?P<numbers>\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,9}}(?:[._]\d{{1,14}}){{0,4}})
    (?P<rest>(?:[-._+~]?{_BEFORE_RELEASE}[-._]?(?:\d+(?:\.\d+)*)?|-\d{{1,4}})?)
    (?:[-._+]?(?:post|final|ga|release|sp|hotfix|patch|p|r)[-._]?\d*|[+][\w.-]+)?
    \Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DATE = re.compile(r"(?P<year>19[7-9]\d|20\d\d)[._-]?(?P<month>0?[1-9]|1[0-2])(?:[._-]?\d|\Z)")
_NAMES = re.compile(
    r"(?:^|[-_/@])(?:v|ver|version|rel|release|releases|tag|tags|refs)\Z", re.IGNORECASE
)
_NO_RELEASE = re.compile(
    r"backup|archive|before|after|wip|tmp|old|issue|bug|pr|gh|test|build|deploy", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Version:
    """What a tag says is released. `package` is "" where the repository is one package."""

    package: str
    numbers: tuple[int, ...]
    pre_release: str
    scheme: Literal["semantic", "date", "number"]

    @property
    def order(self) -> tuple[tuple[int, ...], bool, tuple[tuple[int, str], ...]]:
        """What versions of one package are sorted by: those before a release come before it."""
        padded = (*self.numbers, 0, 0, 0, 0, 0)[:5]
        parts = re.findall(r"\d+|[a-z]+", self.pre_release.casefold())
        pieces = tuple((int(part), "") if part.isdigit() else (0, part) for part in parts)
        return padded, not self.pre_release, pieces


def version_of(tag: str) -> Version | None:
    """Return the version a tag is named by, None where it names none."""
    name = tag.removeprefix("refs/tags/")
    found = _TAG.match(name) if len(name) <= 120 else None  # noqa: PLR2004  names are short
    if found is None:
        return None
    numbers = tuple(int(part) for part in re.split(r"[._-]", found["numbers"]))
    package = found["package"].rstrip("-_/@.")
    while named := _NAMES.search(package):
        package = package[: named.start()].rstrip("-_/@.")
    is_date = bool(_DATE.match(found["numbers"]))
    rest = found["rest"].strip("-._+~")
    if len(numbers) == 1 and not is_date:
        plain = re.fullmatch(r"(?:v|ver|version|rel|release)?[-_/.]?\d{1,4}", name, re.IGNORECASE)
        if not plain and not rest:
            return None
    if package and _NO_RELEASE.search(package):
        return None
    scheme: Literal["semantic", "date", "number"] = "number" if len(numbers) == 1 else "semantic"
    return Version(package, numbers, rest, "date" if is_date else scheme)
