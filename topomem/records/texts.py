"""Texts that are records wherever they stand: their front matter says so."""

from __future__ import annotations

from topomem.records.front_matter import read_front_matter
from topomem.records.status import read_status

_TELLING = frozenset(
    {
        "deciders", "decision-makers", "decision-maker", "decider", "supersedes", "superseded-by",
        "decision", "consulted", "informed", "adr", "governs", "enforced-by", "invariants",
        "review-date", "affected-components", "decision-date",
    }
)  # fmt: skip
_TYPES = frozenset({"adr", "decision", "madr", "decision record", "architecture decision record"})
_START = b"---"


def tells_a_decision(source: bytes) -> bool:
    """Return whether front matter has a status of ours and a key that only decisions have."""
    bare = source.removeprefix(b"\xef\xbb\xbf")
    if not bare.startswith(_START):
        return False
    front = read_front_matter(bare.decode("utf-8", "replace").replace("\r\n", "\n"))
    states = front.of("status", "state")
    if not states or read_status(states[0].text).status == "unknown":
        return False
    kinds = {value.text.casefold() for value in front.of("type", "kind", "layout", "category")}
    keys = {value.key for value in front.values}
    return bool(kinds & _TYPES) or not _TELLING.isdisjoint(keys)
