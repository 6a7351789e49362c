"""Dates as people write them, read without a clock."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)")
_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)")
_WORD = r"([A-Za-z]{3,9})\.?"
_DAY_FIRST = re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -]{_WORD},?[ -](\d{{4}})")
_MONTH_FIRST = re.compile(rf"{_WORD} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})")
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_CENTURY = 2000
_MOST_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Date:
    """A date in ISO form; `ambiguous`: day and month might be the other way round."""

    iso: str
    ambiguous: bool = False


def months_first(text: str) -> bool | None:
    """Return whether dates of a text put the month first; None where none of them tells."""
    found = [(int(one[1]), int(one[2])) for one in _NUMBERS.finditer(text)]
    if any(first > _MOST_MONTHS >= second for first, second in found):
        return False
    return True if any(second > _MOST_MONTHS >= first for first, second in found) else None


def read_date(text: str, *, month_first: bool | None = None) -> Date | None:
    """Return the first date in a text; of two numbers the day comes first, if nothing is known."""
    for pattern in (_ISO, _COMPACT):
        if found := pattern.search(text):
            return _date(int(found[1]), int(found[2]), int(found[3]))
    if found := _NUMBERS.search(text):
        one, other = int(found[1]), int(found[2])
        if month_first and one <= _MOST_MONTHS:
            one, other = other, one
        read = _from_numbers(one, other, found[3])
        return read if read is None or month_first is None else Date(read.iso)
    if found := _DAY_FIRST.search(text):
        return _date(int(found[3]), _month(found[2]), int(found[1]))
    if found := _MONTH_FIRST.search(text):
        return _date(int(found[3]), _month(found[1]), int(found[2]))
    return None


def _from_numbers(first: int, second: int, last: str) -> Date | None:
    year = int(last) if len(last) > 2 else _CENTURY + int(last)  # noqa: PLR2004 - two digits
    day_first = _date(year, second, first)
    month_first = _date(year, first, second)
    if day_first and month_first and first != second:
        return Date(day_first.iso, ambiguous=True)
    return day_first or month_first


def _date(year: int, month: int, day: int) -> Date | None:
    if not (1 <= month <= len(_DAYS) and 1 <= day <= _DAYS[month - 1]):
        return None
    return Date(f"{year:04}-{month:02}-{day:02}")


def _month(word: str) -> int:
    word = word.casefold()
    return next((at for at, name in enumerate(_MONTHS, 1) if word.startswith(name)), 0)
