"""Recording episodes: each call adds one event, and the same call twice adds it once."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from topomem.api.at_the_door import clean, clean_all
from topomem.api.episode_binding import (
    Bound,
    Changed,
    bind,
    changed_by_text,
    changed_in_commit,
    changed_since,
    recorded_author,
)
from topomem.api.episode_linking import resolved
from topomem.episodes.duplicates import likeness
from topomem.episodes.fold import fold
from topomem.errors import TopomemError, UnknownItem, UsageError
from topomem.model.episode import (
    ARCHIVE,
    FINISH,
    KINDS,
    LINK_KINDS,
    OUTCOMES,
    PROSE,
    RELEVANCES,
    SUPERSEDE,
    Episode,
    Event,
)
from topomem.model.ids import Moniker, split_moniker
from topomem.store.journal import Record

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.store.reader import Reader

TABLE = "episode.event"
LONGEST_TITLE = 300
_SHORTEST_ID = 4
_MOST_NOTES = 500
"""So many notes on the same things are compared with a new one."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What an event is said to be about, by the names people use."""

    issues: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be recorded. `patch` is the text of a diff that was not committed."""

    kind: str
    text: str = ""
    commit: str | None = None
    relevance: str = ""
    author: str = ""
    patch: str = ""
    links: Linked = field(default_factory=Linked)
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came of recording: the ids, and what the new text took the place of, or contradicts."""

    id: str
    episode: str
    replaced: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def start(opened: Opened, title: str, event: NewEvent) -> Recorded:
    """Begin an episode; the same beginning again is the same episode while that is open.

    Raises UsageError, UnknownRevision, UnknownItem, StoreFull.
    """
    if not title.strip():
        raise UsageError("an episode needs a title", "say in a few words what is to be done")
    event, notes = _resolved(opened, event)
    body = _body(opened, "", event, bind(opened, event.commit), Changed())
    body["title"] = clean(" ".join(title.split()), LONGEST_TITLE)
    with opened.store.read() as reader:
        body["again"] = _times_finished(reader, body)
    key = _record(opened, body)
    return Recorded(key, key, notes=notes)


def add(opened: Opened, episode: str, event: NewEvent) -> Recorded:
    """Add an event to an episode; "" records it as one of its own.

    A patch is linked to the symbols whose lines it changes. A note or conclusion that says what an
    older one says takes its place. Raises as `start` does.
    """
    if event.kind not in KINDS:
        raise UsageError(f"unknown kind {event.kind!r}", "one of: " + ", ".join(KINDS))
    if not (event.text.strip() or event.patch or event.data or event.kind in ("patch", "approval")):
        raise UsageError(f"a {event.kind} needs a text", "--text TEXT, --text - or --file FILE")
    event, notes = _resolved(opened, event)
    bound = bind(opened, event.commit)
    with opened.store.read() as reader:
        root = find_root(reader, episode) if episode else ""
        begun = _episode(reader, root).first.commit_id if root else bound.commit
    changed = _changed(opened, event, bound, begun)
    with opened.store.read() as reader:
        body = _body(opened, root, event, bound, changed)
        if event.kind in PROSE:
            known, compared = _compared(reader, root, body)
            body |= compared
            if known:
                return Recorded(known, root or known, notes=notes)
    key = _record(opened, body)
    replaced, rivals = tuple(body.get("replaces", ())), tuple(body.get("rivals", ()))
    return Recorded(key, root or key, replaced, rivals, (*notes, *_remarks(changed)))


def finish(opened: Opened, episode: str, outcome: str, event: NewEvent) -> Recorded:
    """Say what came of an episode. What changed since it began is linked to it.

    Raises UsageError, UnknownItem, UnknownRevision, StoreFull.
    """
    if outcome not in OUTCOMES or outcome == "superseded":
        choices = [one for one in OUTCOMES if one != "superseded"]
        raise UsageError(f"unknown outcome {outcome!r}", "one of: " + ", ".join(choices))
    bound = bind(opened, event.commit)
    with opened.store.read() as reader:
        root = find_root(reader, episode)
        known = _episode(reader, root)
    changed = Changed()
    if not event.commit and not any(one.kind == "patch" for one in known.events):
        changed = changed_since(opened, known.first.commit_id)
    body = _body(opened, root, event, bound, changed) | {"kind": FINISH, "outcome": outcome}
    return Recorded(_record(opened, body), root, notes=_remarks(changed))


def supersede(opened: Opened, episode: str, by: str, reason: str) -> Recorded:
    """Let another episode take the place of one; it is not recalled as current any more.

    Raises UsageError, UnknownItem.
    """
    if not reason.strip():
        raise UsageError("superseding needs a reason", "--reason TEXT")
    with opened.store.read() as reader:
        old, new = find_root(reader, episode), find_root(reader, by)
        if old == new:
            raise UsageError("an episode cannot supersede itself", "--by another episode")
        if old in _chain(reader, new):
            raise UsageError(f"{new} is superseded by {old} already", "nothing was changed")
    event = NewEvent(SUPERSEDE, reason, links=Linked(episodes=(new,)))
    body = _body(opened, old, event, bind(opened, None), Changed()) | {"by": new}
    return Recorded(_record(opened, body), old)


def archive(opened: Opened, episode: str, reason: str) -> Recorded:
    """Put an episode away: it stays searchable, and says so. Raises UnknownItem."""
    with opened.store.read() as reader:
        root = find_root(reader, episode)
    body = _body(opened, root, NewEvent(ARCHIVE, reason), bind(opened, None), Changed())
    return Recorded(_record(opened, body), root)


def find_root(reader: Reader, text: str) -> str:
    """Return the id of the episode that an id, or its beginning, names. Raises UnknownItem."""
    wanted = text.strip().lower()
    if len(wanted) < _SHORTEST_ID or not set(wanted) <= set("0123456789abcdef"):
        raise UnknownItem(f"no episode {text!r}", "topomem episode list shows the ids")
    plane = reader.episodes(reader.event_commits())
    found = reader.event_ids(wanted)
    roots = sorted({one.root for one in plane.events_of(found) if one.id == one.root})
    roots = [root for root in roots if root.startswith(wanted)]
    if len(roots) != 1:
        hint = "one of: " + ", ".join(roots) if roots else "topomem episode list shows the ids"
        raise UnknownItem(f"{'no' if not roots else 'more than one'} episode {text!r}", hint)
    return roots[0]


def record_events(opened: Opened, bodies: Sequence[Mapping[str, Any]]) -> list[str]:
    """Record bodies of events as they are, at one moment. Raises StoreFull."""
    return opened.store.record(TABLE, bodies, time.time_ns() // 1_000_000)


def _remarks(changed: Changed) -> tuple[str, ...]:
    """Return what is to be said of links that could not all be made."""
    said = [f"{changed.left_out} links were left out"] if changed.left_out else []
    if not changed.is_indexed:
        said.append("linked to paths alone: the commit is not indexed")
    return tuple(said)


def _record(opened: Opened, body: dict[str, Any]) -> str:
    return record_events(opened, [_without_nothing(body)])[0]


def _without_nothing(body: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if value}


def _body(
    opened: Opened, root: str, event: NewEvent, bound: Bound, changed: Changed
) -> dict[str, Any]:
    if event.relevance and event.relevance not in RELEVANCES:
        hint = "one of: " + ", ".join(RELEVANCES)
        raise UsageError(f"unknown relevance {event.relevance!r}", hint)
    links = event.links
    body: dict[str, Any] = {
        "episode_id": root,
        "kind": event.kind,
        **bound.body(),
        "text": clean(event.text.strip()),
        "relevance": event.relevance,
        "author": clean(recorded_author(opened, event.author)),
        "principal": opened.principal or "",
        "data": clean_all(dict(event.data)),
        "symbols": list(dict.fromkeys((*map(clean, links.symbols), *changed.symbols))),
        "paths": list(dict.fromkeys((*map(clean, _paths(links)), *changed.paths))),
    }
    for kind in LINK_KINDS:
        field_name = f"{kind}s"
        if field_name not in body:
            body[field_name] = [clean(one.strip()) for one in getattr(links, field_name)]
    if event.patch:
        body["data"] = {**body["data"], "patch": clean(event.patch)}
    return body


def _paths(links: Linked) -> list[str]:
    """Return the paths that are named, and those of the symbols that are."""
    of_symbols = [split_moniker(Moniker(one))[0] for one in links.symbols if "#" in one]
    return [*links.paths, *of_symbols]


def _changed(opened: Opened, event: NewEvent, bound: Bound, begun: str) -> Changed:
    """Return what a patch or a rollback touches: what is not committed, else all since it began."""
    if event.patch:
        return changed_by_text(opened, event.patch, bound.commit)
    if event.kind not in ("patch", "rollback"):
        return Changed()
    if event.commit:
        return changed_in_commit(opened, bound.commit)
    if event.kind == "rollback":
        return Changed()
    return changed_since(opened, bound.commit if bound.dirty else begun)


def _resolved(opened: Opened, event: NewEvent) -> tuple[NewEvent, tuple[str, ...]]:
    """Return an event with its links by ids, and what is to be said of them."""
    if event.links == Linked():
        return event, ()
    links, notes = resolved(opened, event.links, event.commit)
    if links.episodes:
        with opened.store.read() as reader:
            roots = tuple(find_root(reader, one) for one in links.episodes)
        links = replace(links, episodes=roots)
    return replace(event, links=links), notes


def decision_names(opened: Opened, text: str) -> list[str]:
    """Return what a decision is linked by: the id of its record where there is one, and as said."""
    from topomem.api.decisions import show_decision

    try:
        entry = show_decision(opened, text, None).decision.entry
    except TopomemError:
        return [text]
    return [entry.placed.id, text]


def _episode(reader: Reader, root: str) -> Episode:
    return fold(reader.episodes(reader.event_commits()).events_of([root]))[0]


def _times_finished(reader: Reader, body: Mapping[str, Any]) -> int:
    """Return how many episodes that began exactly so, one after the other, are finished."""
    plane = reader.episodes(reader.event_commits())
    times = 0
    while True:
        key = Record(TABLE, 0, _without_nothing({**body, "again": times})).id
        found = fold(plane.events_of([key]))
        if not found or found[0].outcome == "open":
            return times
        times += 1


def _chain(reader: Reader, root: str) -> set[str]:
    """Return an episode and all that took its place, one after the other."""
    plane = reader.episodes(reader.event_commits())
    seen: set[str] = set()
    waiting = [root]
    while waiting:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        for one in fold(plane.events_of([key])):
            waiting += one.superseded_by
    return seen


def _compared(
    reader: Reader, root: str, body: Mapping[str, Any]
) -> tuple[str, dict[str, list[str]]]:
    """Return the id of the note if it is there already; what it replaces, and contradicts."""
    replaces, rivals = [], []
    for old in _on_the_same(reader, root, body):
        if _is_repeated(old, body):
            return old.id, {}
        like = likeness(old.text, str(body["text"]))
        if like == "same":
            replaces.append(old.id)
        elif like == "rival":
            rivals.append(old.id)
    return "", {"replaces": sorted(replaces), "rivals": sorted(rivals)}


def _is_repeated(old: Event, body: Mapping[str, Any]) -> bool:
    """Whether a body is that of an event which is there already."""
    theirs = {key: value for key, value in old.body.items() if key not in ("replaces", "rivals")}
    return _without_nothing(body) == theirs


def _on_the_same(reader: Reader, root: str, body: Mapping[str, Any]) -> list[Event]:
    """Return the notes of one kind on the same subject that no other took the place of."""
    plane = reader.episodes(reader.event_commits())
    roots = {root} if root else set()
    for kind in LINK_KINDS:
        targets = body.get(f"{kind}s")
        if targets and not root:
            roots |= {found for found, _ in plane.linked(kind, targets)}
    found = plane.events_of(roots) if roots else []
    gone = {old for one in found for old in one.names("replace")}
    notes = [one for one in found if one.kind == body["kind"] and one.id not in gone]
    return notes[-_MOST_NOTES:]
