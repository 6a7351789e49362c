from __future__ import annotations

import pytest

from topomem.git.expiry import DAY, DEFAULT, seconds_kept


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, DEFAULT),
        ("never", None),
        ("false", None),
        ("now", 0),
        ("all", 0),
        ("90.days", 90 * DAY),
        ("90 days ago", 90 * DAY),
        ("2.weeks.ago", 14 * DAY),
        ("1 month", 30 * DAY),
        ("12.Hours", DAY // 2),
        ("yesterday, or so", DEFAULT),
        ("3 fathoms", DEFAULT),
        ("", DEFAULT),
    ],
)
def test_how_long(text: str | None, expected: int | None) -> None:
    assert seconds_kept(text) == expected
