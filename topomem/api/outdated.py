"""Which recorded evidence a change takes the ground from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from topomem.api.episode_stale import EVIDENCE, Staleness
from topomem.api.episodes import Plane

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.api.view import View
    from topomem.model.episode import Event

MOST = 200
"""So many events are looked at, the latest first."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """Evidence that held at BASE and does not at HEAD; `reasons` say what it was about."""

    event: Event
    episode: str
    title: str
    reasons: tuple[str, ...]


def outdated(opened: Opened, base: View, head: View) -> tuple[tuple[Outdated, ...], bool]:
    """Return the evidence that held at one moment and does not at another, and if there is more."""
    plane = Plane.open(opened, head)
    if plane is None or not plane.visible.count():
        return (), False
    episodes = [one for one in plane.all() if not one.superseded_by]
    episodes.sort(key=lambda one: (-one.last.recorded_at, one.id))
    before, after = Staleness(opened, base), Staleness(opened, head)
    found: list[Outdated] = []
    looked = 0
    for episode in episodes:
        looked += sum(event.kind in EVIDENCE for event in episode.events)
        if looked > MOST:
            return tuple(found), True
        held = {event for event, reasons in before.of(episode).items() if not reasons}
        if not held:
            continue
        now = after.of(episode)
        found += [
            Outdated(event, episode.id, episode.title, now[event.id])
            for event in episode.events
            if event.id in held and now.get(event.id)
        ]
    return tuple(found), False
