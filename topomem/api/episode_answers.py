"""One episode as it is answered: with what is to be said of it at the moment of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from topomem.model.bundle import Provenance
from topomem.model.episode import Episode, Event


@dataclass(frozen=True, slots=True)
class EpisodeAnswer:
    """One episode, with what is to be said of it at the moment of the answer.

    `stale` are reasons why its evidence may not hold any more, by id of the event; "" where it
    holds. `why` says why it is here, `score` how much speaks for it.
    """

    episode: Episode
    score: float = 0.0
    why: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    stale: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_put_away: bool = False
    told: Provenance | None = None  # of what nobody recorded: how it was concluded

    @property
    def provenance(self) -> Provenance:
        """Where what the episode says comes from."""
        return self.told or event_provenance(self.episode.first)


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """What a test came to when it was recorded last; `stale` says why that may not hold any more.

    `recorded_at` is in milliseconds UTC.
    """

    outcome: str
    event: str
    commit: str
    recorded_at: int
    stale: tuple[str, ...] = ()


def event_provenance(event: Event) -> Provenance:
    """Return where an event comes from: run by us, read from a report, or told by someone."""
    where = f", from {event.origin}" if event.origin else ""
    source = str(event.data.get("source") or "")
    if source == "run":
        return Provenance("observed", f"topomem run{where}", 1.0)
    if source:
        return Provenance("parsed", f"{source} report{where}", 1.0)
    return Provenance("authored", f"episode{where}", 1.0)
