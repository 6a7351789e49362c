"""What the message of a commit says: its words, and the tickets it names.

Trailers, addresses and ids are left out: they name people and machines, not what was done.
"""

from __future__ import annotations

import re
from collections import Counter

from topomem.model.words import count_words

LONGEST = 8_000
"""Characters of a message that are read; longer ones quote logs."""

_TRAILER = re.compile(r"(?im)^[a-z][\w-]*-(?:by|to|id|url):.*$|^git-svn-id:.*$")
_ADDRESS = re.compile(r"\b[a-z][a-z+.-]*://\S+|\S+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_DIGEST = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b")
_IN_ADDRESS = re.compile(r"/(?:issues|pull|pulls|merge_requests|browse)/([A-Za-z]+-\d+|\d+)\b")
_TICKET = re.compile(
    r"(?<![\w&/#.-])(?:GH-|gh-|#|[Pp]ull request #|PR #?|[Ii]ssue #?)"
    r"(?P<number>\d{1,7})\b(?![.,]\d)"
    r"|(?<![\w/.-])(?P<key>[A-Z][A-Z0-9]{1,9}-\d{1,7})\b(?![.-]\w)"
)
_NO_PROJECT = re.compile(
    r"^(?:UTF|ISO|SHA|RFC|CVE|HTTP|PEP|AES|MD|RSA|TLS|SSL|IPV|CP|JSR|ES|GPT|ADR|MADR)-"
)
"""What looks like a ticket of some project and is the name of a standard."""


_REVERTED = re.compile(
    r"\bthis reverts commits? ((?:[0-9a-f]{7,40}\b[\s,]*(?:and\s+)?)+)", re.IGNORECASE
)
_ID = re.compile(r"[0-9a-f]{7,40}\b", re.IGNORECASE)


def reverted(message: str) -> tuple[str, ...]:
    """Return the ids that a message says its commit takes back, as written, each once, in order."""
    lists = (match[1] for match in _REVERTED.finditer(message[:LONGEST]))
    return tuple(dict.fromkeys(found.lower() for one in lists for found in _ID.findall(one)))


def message_words(message: str) -> Counter[str]:
    """Return how often each word stands in a message."""
    return count_words(without_addresses(message))


def without_addresses(message: str) -> str:
    """Return a message without trailers, addresses and ids of commits."""
    text = _ADDRESS.sub(" ", _TRAILER.sub("", message[:LONGEST]))
    return _DIGEST.sub(" ", text)


def tickets(text: str) -> tuple[str, ...]:
    """Return the tickets that a text names, each once, in order: `#12`, `ABC-123`.

    `GH-12`, `issue 12`, `PR 12` and addresses that end in `/issues/12` are `#12`.
    """
    found: list[tuple[int, str]] = []
    for match in _TICKET.finditer(text):
        key = match["key"]
        if match["number"]:
            found.append((match.start(), f"#{int(match['number'])}"))
        elif key and not _NO_PROJECT.match(key):
            found.append((match.start(), f"#{key[3:]}" if key.startswith("GH-") else key))
    for match in _IN_ADDRESS.finditer(text):
        name = match[1]
        found.append((match.start(), f"#{int(name)}" if name.isdigit() else name.upper()))
    return tuple(dict.fromkeys(ticket for _, ticket in sorted(found)))
