"""JSON from anywhere, read so that no shape of it is an error: what is not there is empty."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from topomem.evidence.texts import LARGEST, LONGEST_NAME, decode, shorten
from topomem.model.code import Diagnostic

_MOST_DOCUMENTS = 100_000
_LARGEST_NUMBER = 1 << 53


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a document; asking for what it does not have gives an empty node."""

    value: Any = None

    def __getitem__(self, key: str) -> Node:
        """Return the value under a key of an object."""
        return Node(self.value.get(key)) if isinstance(self.value, dict) else Node()

    def __bool__(self) -> bool:
        return self.value not in (None, "", [], {})

    def at(self, *keys: str) -> Node:
        """Return the first value under any of these keys that is not empty."""
        return next((self[key] for key in keys if self[key]), Node())

    def has(self, *keys: str) -> bool:
        """Whether an object has any of these keys."""
        return isinstance(self.value, dict) and any(key in self.value for key in keys)

    def items(self) -> Iterator[Node]:
        """Yield the elements of a list; a connection's (`nodes`, `edges`) are its own."""
        value = self.value
        if isinstance(value, dict):
            value = value["nodes"] if "nodes" in value else value.get("edges")
        for one in value if isinstance(value, list) else ():
            is_edge = isinstance(one, dict) and isinstance(one.get("node"), dict)
            yield Node(one["node"] if is_edge else one)

    def pairs(self) -> Iterator[tuple[str, Node]]:
        """Yield the keys and values of an object, in order."""
        if isinstance(self.value, dict):
            for key, value in self.value.items():
                yield shorten(key, LONGEST_NAME), Node(value)

    def text(self, most: int = LONGEST_NAME) -> str:
        """Return a text, at most so long; a number is one too."""
        value = self.value
        if isinstance(value, str):
            return shorten(value, most).encode("utf-8", "replace").decode("utf-8")
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""

    def number(self) -> int:
        """Return a whole number of nought or more; 0 where there is none."""
        value = self.value
        if (
            isinstance(value, str)
            and value.isascii()
            and value.isdigit()
            and len(value) < len("1e15")
        ):
            value = int(value)
        whole = isinstance(value, int | float) and not isinstance(value, bool)
        return int(value) if whole and 0 <= value < _LARGEST_NUMBER else 0

    def flag(self) -> bool:
        """Whether a value is true."""
        return self.value is True


def load(data: bytes) -> tuple[list[Node], tuple[Diagnostic, ...]]:
    """Return the documents of a file: one, several after each other, or one a line.

    What stands before an error is kept; the error is a diagnostic. Never raises.
    """
    if len(data) > LARGEST:
        return [], (Diagnostic("too_large", f"{len(data)} bytes; at most {LARGEST} are read"),)
    text, diagnostics = decode(data)
    text = text.removeprefix("\ufeff")
    found: list[Node] = []
    decoder = json.JSONDecoder()
    at = _behind_blanks(text, 0)
    if at == len(text):
        return [], (*diagnostics, Diagnostic("empty", "the file is empty"))
    while at < len(text) and len(found) < _MOST_DOCUMENTS:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            line = text.count("\n", 0, at) + 1
            what = "too deep" if isinstance(error, RecursionError) else shorten(str(error), 200)
            trouble = Diagnostic("syntax", f"not valid JSON: {what}", line, line)
            return found, (*diagnostics, trouble)
        found.append(Node(value))
        at = _behind_blanks(text, at)
    return found, diagnostics


def _behind_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,\x1e":
        at += 1
    return at
