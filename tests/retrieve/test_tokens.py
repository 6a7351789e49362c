"""Counting tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.errors import UsageError
from topomem.retrieve.tokens import estimate, token_count

KNOWN = [  # texts and what cl100k_base takes for them
    ("def total(lines):\n    return sum(line.price for line in lines)\n", 14),
    ("export const parseAsync = async (data: unknown) => inner._zod.run(data);", 19),
    ("Paul Gauthier: 120\nThinh Nguyen: 2\n", 15),
    ("df9e3dfd4b1c4b6e8a5f0c8f7b6a5d4e3c2b1a09", 36),
    ("подпись файла", 5),
    ("日本語のテキスト", 8),
]


@pytest.mark.parametrize(("text", "tokens"), KNOWN)
def test_the_estimate_is_not_below_a_real_tokenizer(text: str, tokens: int) -> None:
    assert tokens <= estimate(text) <= 4 * tokens


def test_named_counts() -> None:
    assert token_count("chars4").count("12345678") == 2
    assert token_count("estimate").count("") == 0
    with pytest.raises(UsageError, match="no_such"):
        token_count("no_such")


@settings(max_examples=50)
@given(st.text(max_size=60), st.text(max_size=60))
def test_more_text_never_takes_fewer_tokens(text: str, more: str) -> None:
    assert estimate(text) <= estimate(f"{text}\n{more}") + 1
