"""JSON as people write it in configuration: comments, trailing commas, a byte order mark."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

TOKEN = re.compile(
    r"""
    "(?:[^"\\\n]|\\.)*"        # a string, kept
    | //[^\n]*                 # a comment to the end of the line
    | /\*.*?(?:\*/|\Z)         # a block comment, also one that never ends
    | ,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])   # a comma before a closing bracket
    """,
    re.VERBOSE | re.DOTALL,
)


@lru_cache(maxsize=1024)
def read_object(text: str | None) -> dict[str, Any]:
    """Return the object that a configuration text holds; an empty one when it holds none.

    The value is shared: it must not be changed.
    """
    if text is None:
        return {}
    plain = TOKEN.sub(lambda m: m.group() if m.group()[0] == '"' else "", text.lstrip("\ufeff"))
    try:
        value = json.loads(plain, strict=False)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def text_of(value: Any) -> str:  # noqa: ANN401  # whatever stands in a configuration file
    """Return a value that should be a string, `` when it is none."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> dict[str, Any]:  # noqa: ANN401  # as above
    """Return a value that should be an object, an empty one when it is none."""
    return value if isinstance(value, dict) else {}


def texts_of(value: Any) -> list[str]:  # noqa: ANN401  # as above
    """Return the strings of a value that should be a string or a list of them."""
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
