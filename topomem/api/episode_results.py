"""The last recorded result of each of some tests, and whether it still holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from topomem.api.episode_answers import CaseAnswer
from topomem.api.episode_stale import Staleness
from topomem.api.episodes import Plane

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.api.view import View
    from topomem.model.episode import Event


def last_results(opened: Opened, view: View, tests: Collection[str]) -> dict[str, CaseAnswer]:
    """Return what tests (`path#name`) came to when they were recorded last, as far as they were."""
    plane = Plane.open(opened, view)
    if plane is None or not tests:
        return {}
    roots = {root for root, _ in plane.visible.linked("symbol", tests)}
    events = [one for episode in plane.some(roots) for one in episode.events]
    latest: dict[str, tuple[Event, str]] = {}
    for event in sorted(events, key=lambda one: (one.recorded_at, one.number, one.id)):
        for case in _cases(event):
            for name in case.get("symbols", ()):
                if name in tests:
                    latest[name] = event, str(case.get("outcome") or "")
    stale = Staleness(opened, view)
    return {
        name: CaseAnswer(outcome, event.id, event.commit_id, event.recorded_at, stale.why(event))
        for name, (event, outcome) in latest.items()
    }


def _cases(event: Event) -> list[Mapping[str, Any]]:
    """Return the cases of a test run; what has another shape is none."""
    cases = event.data.get("cases")
    found = cases if event.kind == "test_evidence" and isinstance(cases, list) else []
    return [
        one
        for one in found
        if isinstance(one, Mapping) and isinstance(one.get("symbols", []), list)
    ]
