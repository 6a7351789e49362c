from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.durations import seconds


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0.0),
        ("0.001", 0.001),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1,234", 1234.0),
        ("12,345,678", 12345678.0),
        ("0,123", 0.123),
        ("12,5", 12.5),
        ("1 234.5", 1234.5),
        ("1e-05", 1e-05),
        (".5", 0.5),
        ("12 ms", 0.012),
        ("3s", 3.0),
        ("00:01:02.5", 62.5),
        ("1:02:03", 3723.0),
        ("", None),
        (None, None),
        ("-1", None),
        ("NaN", None),
        ("inf", None),
        ("1e999", None),
        ("soon", None),
    ],
)
def test_durations_in_every_spelling(text: str | None, value: float | None) -> None:
    assert seconds(text) == (pytest.approx(value) if value is not None else None)


@given(st.text(max_size=70))
def test_no_text_is_an_error(text: str) -> None:
    value = seconds(text)
    assert value is None or value >= 0


@given(st.floats(0, 1e6))
def test_plain_numbers_are_themselves(number: float) -> None:
    assert seconds(f"{number:.3f}") == pytest.approx(number, abs=0.001)
    assert seconds(f"{number:,.3f}") == pytest.approx(number, abs=0.001)
