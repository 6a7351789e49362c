"""Episodes: what was tried, in which state of the code, and what came of it.

An episode is a series of events that are only ever added. What it is now follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from topomem.model.ids import CommitId, FilePath, Moniker

Kind = Literal[
    "request", "plan", "approval", "patch", "tool_result", "test_evidence", "incident", "rollback",
    "review", "note", "conclusion",
]  # fmt: skip
"""Kinds of events that people and agents add."""

KINDS: tuple[Kind, ...] = get_args(Kind)

START, FINISH, SUPERSEDE, ARCHIVE, CHECK = "start", "finish", "supersede", "archive", "check"
"""Kinds of events that episodes are run by; a check is a run of what a decision demands."""

EVENT_KINDS = frozenset({*KINDS, START, FINISH, SUPERSEDE, ARCHIVE, CHECK})
"""Every kind of event there is."""

Outcome = Literal["succeeded", "failed", "rolled_back", "abandoned", "superseded", "open"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

Relevance = Literal["critical", "high", "normal", "low"]
RELEVANCES: tuple[Relevance, ...] = get_args(Relevance)

WEIGHTS: Mapping[str, float] = {"critical": 1.0, "high": 0.75, "normal": 0.5, "low": 0.25}
"""How much a relevance tag counts."""

PROSE: frozenset[str] = frozenset({"note", "conclusion"})
"""Kinds whose wording may be replaced by a later one that says the same."""

LINK_KINDS = ("symbol", "path", "issue", "decision", "episode")
"""What events are linked to; the field of an event's body is the plural."""


@dataclass(frozen=True, slots=True)
class Event:
    """One recorded event. `recorded_at` is in milliseconds UTC, when it was first recorded.

    `episode_id` is "" for what begins an episode, or stands alone. `commit_id` is the commit it is
    bound to, "" before the first one. `origin` says where it came from, "" for what was recorded
    here.
    """

    id: str
    episode_id: str
    kind: str
    recorded_at: int
    commit_id: str
    body: Mapping[str, Any]
    origin: str = ""
    number: int = 0  # order among events that were recorded together

    @property
    def root(self) -> str:
        """The id of the episode it belongs to: its own where it begins one."""
        return self.episode_id or self.id

    @property
    def text(self) -> str:
        """What was said."""
        return str(self.body.get("text") or "")

    @property
    def dirty(self) -> str:
        """Digest of what was not committed at the time, "" where everything was."""
        return str(self.body.get("dirty") or "")

    @property
    def data(self) -> Mapping[str, Any]:
        """What belongs to this kind of event alone."""
        found = self.body.get("data")
        return found if isinstance(found, Mapping) else {}

    def names(self, kind: str) -> tuple[str, ...]:
        """Return what of one kind it is linked to."""
        found = self.body.get(f"{kind}s")
        if not found or not isinstance(found, list | tuple):
            return ()
        return tuple(str(one) for one in found)


@dataclass(frozen=True, slots=True)
class SymbolLink:
    """A symbol that an event is about, under the name it had at the event's commit."""

    symbol: Moniker
    commit: CommitId | None


@dataclass(frozen=True, slots=True)
class Links:
    """All that the events of an episode are linked to, each once, in order."""

    symbols: tuple[SymbolLink, ...] = ()
    paths: tuple[FilePath, ...] = ()
    issues: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode as some of its events tell it, oldest event first.

    `kind` is "episode", or the kind of an event that stands alone. `finished_as` is the outcome it
    had before it was superseded. `replaced` are the ids of notes that a later wording took the
    place of; `conflicts` are sentences about notes and outcomes that contradict one another.
    """

    id: str
    kind: str
    title: str
    outcome: Outcome
    finished_as: Outcome
    relevance: Relevance
    events: tuple[Event, ...]
    conclusion: str = ""
    superseded_by: tuple[str, ...] = ()
    archived: bool = False
    links: Links = field(default_factory=Links)
    replaced: frozenset[str] = frozenset()
    conflicts: tuple[str, ...] = ()

    @property
    def first(self) -> Event:
        """The event it began with."""
        return self.events[0]

    @property
    def last(self) -> Event:
        """The event that was recorded last."""
        return self.events[-1]

    @property
    def is_current(self) -> bool:
        """Whether it may be recalled as it stands: neither superseded nor archived."""
        return not self.superseded_by and self.outcome != "superseded" and not self.archived
