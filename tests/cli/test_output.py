from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.cli.output import json_text, one_line, printable, unsurrogated

anything = st.text(st.characters(exclude_categories=[]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b31m", "\\x9b31m"),
        ("bell\x07", "bell\\x07"),
        ("back\rover", "back\\x0dover"),
        ("right\u202eleft", "right\\u202eleft"),
        ("naïve 数 🙂", "naïve 数 🙂"),
    ],
)
def test_terminals_are_not_steered(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(anything)
def test_a_line_stays_a_line(text: str) -> None:
    assert len(one_line(text).splitlines()) == (1 if text else 0)


@given(anything)
def test_json_is_always_utf8_and_safe_to_print(text: str) -> None:
    encoded = json_text({"text": text}).encode("utf-8")
    assert not set(encoded.decode()) & set(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert json.loads(encoded)["text"] == text


def test_bytes_that_are_no_text_are_spelled() -> None:
    assert unsurrogated("caf\udce9") == "caf\\xe9"


def test_json_has_no_numbers_that_json_has_not() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"score": float("nan")})
