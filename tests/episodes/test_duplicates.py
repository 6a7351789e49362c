"""What may replace an older wording, and what must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.episodes.duplicates import jaccard, likeness, trigrams

LONG = "The connection pool of the client is drained by the health check every few seconds, and"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (f"{LONG} then it waits.", f"{LONG} then it waits", "same"),
        (f"{LONG} then  it\nwaits.", f"{LONG} then it waits.", "same"),
        (f"{LONG} thus it waits for a slot", f"{LONG} then it waits for a slot", "same"),
        (f"{LONG} the limit is 5 of them", f"{LONG} the limit is 6 of them", "rival"),
        (f"{LONG} the limit is 5 of them", f"{LONG} the limit is not 5 of them", "rival"),
        (f"{LONG} it reads pool/a.py first", f"{LONG} it reads pool/b.py first", "rival"),
        (f"{LONG} it calls take_slot first", f"{LONG} it calls take_slots first", "rival"),
        (f"{LONG} the first test passes now", f"{LONG} the first test fails now", "rival"),
        (f"{LONG} подпись не подходит", f"{LONG} подпись подходит", "rival"),
        ("the retry limit is 5", "the retry limit is not 5", "rival"),
        ("the retry limit is 5", "the retry limit is 6", "rival"),
        ("the retry limit is 5", "the cache is drained by health checks", "different"),
        ("a calls b before c starts", "b calls a before c starts", "different"),
    ],
)
def test_what_differs_decides(old: str, new: str, expected: str) -> None:
    assert likeness(old, new) == expected
    assert likeness(new, old) == expected


def test_long_texts_are_compared_in_time() -> None:
    long = " ".join(f"word{number}" for number in range(2_000))
    assert likeness(long, f"{long} and 3 more") == "rival"
    assert likeness(long, long[: len(long) // 2]) == "different"


@given(st.text(max_size=60), st.text(max_size=60))
def test_likeness_knows_no_first_and_second(one: str, other: str) -> None:
    assert likeness(one, one) == "same"
    assert likeness(one, other) == likeness(other, one)
    assert 0.0 <= jaccard(trigrams(one), trigrams(other)) <= 1.0
