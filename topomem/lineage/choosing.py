"""Which of the stored aliases of one symbol is followed, given what people decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from topomem.model.history import IDENTITY, REUSED

Verdict = Literal["accepted", "rejected"]
Verdicts = Mapping[str, Verdict]


class Judged(Protocol):
    """What is looked at of an alias."""

    @property
    def id(self) -> str:
        """Its id, that verdicts name."""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def confidence(self) -> float:
        """How sure it is, rivals considered."""

    @property
    def alone(self) -> float:
        """How sure it would be without rivals."""

    @property
    def stays(self) -> bool:
        """Whether both ends have the same path and name."""


Row = TypeVar("Row", bound=Judged)


@dataclass(frozen=True, slots=True)
class Sure:
    """An alias with the confidence that is left once verdicts are considered."""

    confidence: float
    verdict: Verdict | None


def weighed(rows: Iterable[Row], verdicts: Verdicts) -> list[tuple[Row, Sure]]:
    """Return the identities of one new symbol, the one to follow first; rejected ones last.

    What a rejected alias had of the belief goes to the others: each is as sure as it would be
    without it, and never surer than alone.
    """
    identities = [row for row in rows if row.kind in IDENTITY]
    lost = sum(row.confidence for row in identities if verdicts.get(row.id) == "rejected")
    found = []
    for row in identities:
        verdict = verdicts.get(row.id)
        sure = row.confidence
        if verdict == "accepted":
            sure = 1.0
        elif verdict is None and lost:
            sure = max(sure, min(row.alone, row.confidence / max(1e-6, 1.0 - lost)))
        found.append((row, Sure(round(sure, 4), verdict)))
    return sorted(found, key=_rank)


def followed(rows: Iterable[Row], verdicts: Verdicts, threshold: float) -> tuple[Row, Sure] | None:
    """Return the alias that is followed, None where none is sure enough."""
    best = next(iter(weighed(rows, verdicts)), None)
    if best is None or best[1].verdict == "rejected" or best[1].confidence < threshold:
        return None
    return best


def is_reused(rows: Iterable[Row], verdicts: Verdicts) -> bool:
    """Whether the key stands for another symbol than before, as far as the rows say."""
    return any(row.kind == REUSED and verdicts.get(row.id) != "rejected" for row in rows)


def is_moved(rows: Iterable[Row], verdicts: Verdicts) -> bool:
    """Whether something happened to the key itself, as far as the rows say: its package changed."""
    return any(
        row.kind in IDENTITY and row.stays and verdicts.get(row.id) != "rejected" for row in rows
    )


def _rank(item: tuple[Row, Sure]) -> tuple[object, ...]:
    row, sure = item
    return sure.verdict == "rejected", sure.verdict != "accepted", -sure.confidence, row.id
