"""Decision records: what one text says, apart from the path and the commit it stands at.

Lines are 1-based and inclusive. A record that says too little is still a record; what could not be
read is among its diagnostics.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from topomem.model.code import Diagnostic

Status = Literal[
    "proposed", "accepted", "implemented", "rejected", "withdrawn", "deprecated", "superseded",
    "unknown",
]  # fmt: skip
RelationKind = Literal[
    "supersedes", "superseded_by", "amends", "amended_by", "relates", "in_favour_of"
]
Origin = Literal["field", "link", "code", "text"]
InvariantKind = Literal["test", "command", "rule"]

ACTIVE: frozenset[Status] = frozenset({"accepted", "implemented"})
"""Statuses of decisions that hold."""

CLOSED: frozenset[Status] = frozenset({"rejected", "withdrawn", "deprecated", "superseded"})
"""Statuses of decisions that do not hold, or no longer."""

STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a record under a name of ours: `decision`, `context`, `status`, `date` ..."""

    name: str
    title: str  # the heading or key as written
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Relation:
    """What a record says of another one: `target` is an address, `number` what it is called by."""

    kind: RelationKind
    text: str  # the label or words as written
    target: str  # link address, path or slug; "" where only a number is given
    number: int | None
    line: int
    partly: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """Something in the repository that a record names; `kind` "" where the text does not tell."""

    target: str
    kind: str
    origin: Origin
    line: int


@dataclass(frozen=True, slots=True)
class Invariant:
    """An executable that enforces a decision."""

    kind: InvariantKind
    target: str
    line: int


@dataclass(frozen=True, slots=True)
class Decision:
    """One record, as its text alone says it."""

    title: str
    number: int | None
    status: Status
    status_text: str
    partly_superseded: bool
    date: str  # ISO, or "" where none can be read
    date_text: str
    owners: tuple[str, ...]
    review_date: str
    parts: tuple[Part, ...]
    relations: tuple[Relation, ...]
    mentions: tuple[Mention, ...]
    invariants: tuple[Invariant, ...]
    diagnostics: tuple[Diagnostic, ...]
    words: tuple[str, ...]  # stems of all its words, sorted
    line_count: int

    def part(self, name: str) -> Part | None:
        """Return the first part of a name."""
        return next((part for part in self.parts if part.name == name), None)


def decision_body(decision: Decision) -> dict[str, Any]:
    """Return a decision as a plain document that `read_decision` reads back."""
    return asdict(decision)


def read_decision(body: dict[str, Any]) -> Decision:
    """Return the decision that `decision_body` wrote."""
    rows = {
        "parts": Part,
        "relations": Relation,
        "mentions": Mention,
        "invariants": Invariant,
        "diagnostics": Diagnostic,
    }
    values: dict[str, Any] = {
        key: tuple(rows[key](**row) for row in value) if key in rows else value
        for key, value in body.items()
    }
    values["owners"] = tuple(body["owners"])
    values["words"] = tuple(body["words"])
    return Decision(**values)
