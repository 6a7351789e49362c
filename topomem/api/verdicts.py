"""What people decided about aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topomem.lineage.choosing import Verdict
    from topomem.store.reader import Reader

KINDS: dict[str, Verdict] = {"alias_accepted": "accepted", "alias_rejected": "rejected"}
"""Kind of a review row, and the verdict it is."""


def verdicts_of(reader: Reader) -> dict[str, Verdict]:
    """Return the latest verdict on each alias, by its id."""
    return {
        row.subject_id: KINDS[row.kind] for row in reader.entries("verdict") if row.kind in KINDS
    }
