"""How long git keeps what no reference leads to, as its configuration says."""

from __future__ import annotations

import re

DAY = 86_400
DEFAULT = 30 * DAY
"""What git does without configuration, in seconds."""

_UNITS = {
    "second": 1,
    "minute": 60,
    "hour": 3_600,
    "day": DAY,
    "week": 7 * DAY,
    "fortnight": 14 * DAY,
    "month": 30 * DAY,
    "year": 365 * DAY,
}
_AGE = re.compile(r"(\d{1,9})[ ._]*([a-z]+?)s?(?:[ ._]*ago)?")


def seconds_kept(text: str | None) -> int | None:
    """Return the seconds that `gc.reflogExpireUnreachable` means; None: never dropped.

    Dates of other forms than an age count as not configured.
    """
    if text is None:
        return DEFAULT
    lowered = text.strip().lower()
    if lowered in ("never", "false"):
        return None
    if lowered in ("now", "all"):
        return 0
    match = _AGE.fullmatch(lowered)
    if match is None or match[2] not in _UNITS:
        return DEFAULT
    return int(match[1]) * _UNITS[match[2]]
