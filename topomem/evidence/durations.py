"""Durations as producers write them, in seconds."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(
    r"\s*(\d[\d.,' \u00a0\u202f_]*(?:[eE][+-]?\d{1,3})?|[.,]\d+)\s*(ms|m?sec\w*|s)?\s*\Z"
)
_CLOCK = re.compile(r"\s*(?:(\d+)[.:])??(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)\s*\Z")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+\Z")
_LONGEST = 60


def seconds(text: str | None) -> float | None:
    """Return a duration in seconds, None where there is none: `0.5`, `1,234.5`, `0,5`, `12 ms`.

    A comma before three last digits groups thousands, unless only a zero stands before it.
    """
    if not text or len(text) > _LONGEST:
        return None
    clock = _CLOCK.match(text)
    if clock:
        days, hours, minutes, rest = clock.groups()
        whole = int(days or 0) * 86_400 + int(hours or 0) * 3_600 + int(minutes) * 60
        return whole + float(rest.replace(",", "."))
    found = _NUMBER.match(text)
    if found is None:
        return None
    try:
        value = float(_plain(re.sub(r"[' \u00a0\u202f_]", "", found[1])))
    except ValueError:
        return None
    if not math.isfinite(value):
        return None
    return value / 1_000 if (found[2] or "").startswith("m") else value


def _plain(number: str) -> str:
    """Return a number with a point before its fraction and nothing between its thousands."""
    if "," not in number:
        return number if number.count(".") <= 1 else number.replace(".", "")
    if "." in number and number.rfind(".") > number.rfind(","):
        return number.replace(",", "")
    if "." in number:
        return number.replace(".", "").replace(",", ".")
    if _GROUPED.match(number) and not number.startswith("0"):
        return number.replace(",", "")
    return number.replace(",", ".")
