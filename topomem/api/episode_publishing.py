"""Publishing what was tried by the names it is about, for `notice`: after each write, by rename."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from topomem.api.episode_moment import open_plain
from topomem.api.episodes import Plane
from topomem.api.folders import SUBJECTS
from topomem.api.subjects import write_subjects
from topomem.errors import TopomemError
from topomem.model.ids import Moniker, split_moniker
from topomem.model.messages import tickets
from topomem.model.subjects import BEST, Known, subject_key
from topomem.store.store import Store

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.model.episode import Episode

MOST = 300
"""So many of the latest episodes are published, and the critical ones."""

WAIT_SECONDS = 0.5
_MOST_NAMES = 60
_FIRST = {"failed": 0, "rolled_back": 0, "open": 1}
"""Outcomes that are told first: what is not to be done again, then what is under way."""


def publish_episodes(opened: Opened) -> bool:
    """Write the subject file of what is current at HEAD; whether that could be done.

    Never raises, and waits for nobody: the next write publishes again.
    """
    options = replace(opened.store.options, wait_seconds=WAIT_SECONDS, purpose="publish")
    hasty = Store(opened.store.folder, opened.store.repository, options)
    with suppress(TopomemError, OSError):
        _publish(replace(opened, store=hasty))
        return True
    return False


def _publish(opened: Opened) -> None:
    with open_plain(opened, None) as view:
        plane = Plane.open(opened, view)
        found = plane.some(plane.visible.hot(MOST)) if plane else []
    current = [one for one in found if one.is_current]
    current.sort(key=lambda one: (_FIRST.get(one.outcome, 2), -one.last.recorded_at, one.id))
    things: dict[str, list[Known]] = defaultdict(list)
    for one in current:
        known = Known("episode", one.title, one.id, "about", one.outcome)
        for key in {subject_key(name) for name in _names(one)}:
            things[key].append(known)
    subjects = {key: (len(some), some[:BEST]) for key, some in things.items()}
    write_subjects(opened, SUBJECTS[1], {"episodes": str(len(current))}, subjects)


def _names(episode: Episode) -> Iterator[str]:
    """Yield what people write when they mean what an episode is about."""
    yield episode.id
    links = episode.links
    for link in links.symbols[:_MOST_NAMES]:
        name = split_moniker(Moniker(link.symbol))[1]
        if name:
            parts = name.split("+")[0].split(".")
            yield parts[-1]
            yield ".".join(parts[-2:])
    for path in links.paths[:_MOST_NAMES]:
        yield path
        yield path.rpartition("/")[2]
    for issue in links.issues:
        yield issue
        yield from tickets(issue if not issue.isdigit() else f"#{issue}")
