"""Finding secrets in a text, and the text without them. Values are never kept.

Time is linear in the text. What is found is a matter of form: a secret that looks like a word is
not found, and a random value that is no secret may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from topomem.secrets.addresses import (
    Found,
    find_in_addresses,
    find_in_headers,
    find_signatures,
)
from topomem.secrets.assigned import CODE, Kind, find_assigned
from topomem.secrets.blocks import find_encoded_keys, find_private_keys
from topomem.secrets.files import is_secret_file, kind_of
from topomem.secrets.formats import find_formats

VERSION = 4
"""Raised when other values are found than before: rows made without them are made anew."""

_GENERAL = frozenset({"assigned_secret", "keyed_value", "password"})
"""Rules that say less than one that knows the form of a value."""
_UPPER = re.compile("[A-Z]+")
_MARK = re.compile(r"\[secret: [a-z_0-9]{1,40}\]")


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """Where a secret stands: characters, the end exclusive. `rule` says what told it."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and what was taken out, in order."""

    text: str
    rules: tuple[str, ...] = ()


def scan(text: str, path: str = "") -> list[Secret]:
    """Return the secrets in a text, in order, none inside another. `path` says what text it is."""
    if path and is_secret_file(path) and text.strip():
        return [Secret(0, len(text), "secret_file")]
    return _scan(text, kind_of(path))


def scan_code(text: str) -> list[Secret]:
    """Return the secrets in code of any language, as `scan` does."""
    return _scan(text, CODE)


def _scan(text: str, kind: Kind) -> list[Secret]:
    found = sorted(
        (Secret(start, end, rule) for rule, start, end in _all(text, kind) if start < end),
        key=lambda secret: (secret.start, -secret.end, secret.rule),
    )
    kept: list[Secret] = []
    for secret in found:
        if kept and secret.start < kept[-1].end:
            last = kept[-1]
            says_more = last.rule in _GENERAL and secret.rule not in _GENERAL
            rule = secret.rule if says_more else last.rule
            kept[-1] = Secret(last.start, max(last.end, secret.end), rule)
        else:
            kept.append(secret)
    return kept


def redact(text: str, path: str = "") -> str:
    """Return a text with `[secret: RULE]` in the place of each secret; its lines stay as many."""
    return redacted(text, path).text


def redacted(text: str, path: str = "") -> Redacted:
    """Return a text without its secrets, and which rules took them out."""
    secrets = scan(text, path)
    if not secrets:
        return Redacted(text)
    pieces: list[str] = []
    place = 0
    for secret in secrets:
        breaks = "\n" * text.count("\n", secret.start, secret.end)
        pieces += text[place : secret.start], f"[secret: {secret.rule}]", breaks
        place = secret.end
    return Redacted("".join([*pieces, text[place:]]), tuple(secret.rule for secret in secrets))


def _all(text: str, kind: Kind) -> Iterator[Found]:
    lowered = _lowered(text)
    for start, end in find_private_keys(text):
        yield "private_key", start, end
    for start, end in find_encoded_keys(text):
        yield "private_key", start, end
    yield from find_formats(text)
    yield from find_in_addresses(text)
    yield from find_in_headers(text, lowered)
    for start, end in find_signatures(text):
        yield "signature", start, end
    yield from find_assigned(text, lowered, kind)


def _lowered(text: str) -> str:
    """Return a text in lower case, every character in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return _UPPER.sub(lambda found: found.group().lower(), text)
