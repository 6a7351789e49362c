"""What is written down is looked at first: secrets do not come in, and nothing is endless."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topomem.secrets.scan import redact

LONGEST_TEXT = 16_000
"""Characters of one text that are kept: its head and its tail."""


def clean(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text without secrets, no longer than so many characters."""
    return shortened(redact(text.replace("\0", "\ufffd")), longest)


def clean_all(value: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return a document with every text in it cleaned, keys too."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(key)): clean_all(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [clean_all(one) for one in value]
    return value


def shortened(text: str, longest: int) -> str:
    """Return head and tail of a text that is too long, and how much is missing between them."""
    if len(text) <= longest:
        return text
    half = max(0, (longest - 40) // 2)
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n[... {left_out} characters ...]\n{text[len(text) - half :]}"
