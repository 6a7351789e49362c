"""The episode plane: events as they were recorded, and the words and links they are found by.

Words and links are made of the bodies of events. They are kept per episode and commit, so that a
question as of a commit sees those of the events that were bound to it or to what is behind it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from topomem.model.episode import CHECK, LINK_KINDS, Event
from topomem.model.ids import CommitId
from topomem.model.words import stem, words
from topomem.store.bulk import Table, load

WORDS_VERSION = "3"
"""Changes with what becomes a word or a link of an event."""

_LONGEST_TARGET = 4096
"""Characters of a link that can be asked for; paths are shorter."""

TAG = "tag"
"""Kind of the links that tell how relevant an episode is."""

_MOST_HOLDERS = 30
_INSIDE = {"symbol": ".", "path": "/"}
"""What stands between a target and what is inside it."""

WORD = Table.of("episode.word", "root:text commit_id:text stem:text")
LINK = Table.of("episode.link", "root:text commit_id:text kind:text target:text")

_COLUMNS = "id, episode_id, kind, recorded_at, commit_id, body, coalesce(origin, ''), number"
_EVENTS = f"""
    SELECT {_COLUMNS} FROM authored.episode.event
    WHERE $episode = '' OR episode_id = $episode
    ORDER BY recorded_at, number, id
"""  # noqa: S608  our columns
_EVERY = f"""
    SELECT {_COLUMNS} FROM authored.episode.event WHERE kind <> '{CHECK}'
    ORDER BY recorded_at, number, id
"""  # noqa: S608  our columns
_OF = f"""
    SELECT {_COLUMNS} FROM authored.episode.event
    WHERE kind <> '{CHECK}' AND (id IN (SELECT unnest($roots::VARCHAR[]))
        OR episode_id IN (SELECT unnest($roots::VARCHAR[])))
    ORDER BY recorded_at, number, id
"""  # noqa: S608  our columns
_COMMITS = "SELECT DISTINCT commit_id FROM authored.episode.event ORDER BY commit_id"
_ONE_BODY = """
    SELECT commit_id, max(body) FROM authored.episode.event
    WHERE commit_id IN (SELECT unnest(?::VARCHAR[])) AND contains(body, '"authored_at"')
    GROUP BY commit_id ORDER BY commit_id
"""
_OF_DATES = """
    SELECT author_date, commit_id FROM meta.commit
    WHERE author_date IN (SELECT unnest(?::BIGINT[])) ORDER BY author_date, commit_id
"""
_ROOTS = "SELECT id FROM authored.episode.event WHERE starts_with(id, ?) ORDER BY id LIMIT 20"
_TOTAL = f"""
    SELECT count(*) FROM authored.episode.event
    WHERE episode_id = '' AND kind <> '{CHECK}'
        AND commit_id IN (SELECT unnest($commits::VARCHAR[]))
"""  # noqa: S608  our kind
_HITS = """
    SELECT DISTINCT root, stem FROM authored.episode.word
    WHERE stem IN (SELECT unnest($stems::VARCHAR[]))
        AND commit_id IN (SELECT unnest($commits::VARCHAR[]))
    ORDER BY root, stem
"""
_STEMS = """
    SELECT DISTINCT stem FROM authored.episode.word
    WHERE length(stem) BETWEEN $shortest AND $longest AND NOT regexp_matches(stem, '[0-9]')
        AND commit_id IN (SELECT unnest($commits::VARCHAR[]))
    ORDER BY stem
"""
_LINKED = """
    SELECT DISTINCT root, kind, target FROM authored.episode.link
    WHERE kind IN ($kind, 'in ' || $kind) AND target IN (SELECT unnest($targets::VARCHAR[]))
        AND commit_id IN (SELECT unnest($commits::VARCHAR[]))
    ORDER BY root, target
"""
_LATEST_ROOTS = f"""
    SELECT CASE WHEN episode_id = '' THEN id ELSE episode_id END AS root
    FROM authored.episode.event
    WHERE kind <> '{CHECK}' AND commit_id IN (SELECT unnest($commits::VARCHAR[]))
    GROUP BY root ORDER BY max(recorded_at) DESC, root LIMIT $most
"""  # noqa: S608  our kind
_LATEST = f"""
    SELECT coalesce(max(recorded_at), 0) FROM authored.episode.event
    WHERE kind <> '{CHECK}' AND commit_id IN (SELECT unnest($commits::VARCHAR[]))
"""  # noqa: S608  our kind


def events(connection: duckdb.DuckDBPyConnection, episode: str = "") -> list[Event]:
    """Return the events that name an episode (all by default), oldest first."""
    return [_event(row) for row in connection.execute(_EVENTS, {"episode": episode}).fetchall()]


@dataclass(frozen=True, slots=True)
class Visible:
    """The episode plane as of a moment: only events bound to these commits are there."""

    connection: duckdb.DuckDBPyConnection
    commits: frozenset[str]

    def events(self) -> list[Event]:
        """Return all events of episodes, oldest first."""
        return self._seen(self.connection.execute(_EVERY).fetchall())

    def events_of(self, roots: Collection[str]) -> list[Event]:
        """Return the events of some episodes, oldest first."""
        return self._seen(self.connection.execute(_OF, {"roots": sorted(roots)}).fetchall())

    def count(self) -> int:
        """Return how many episodes there are."""
        row = self.connection.execute(_TOTAL, self._with()).fetchone()
        return int(row[0]) if row else 0

    def hits(self, stems: Iterable[str]) -> list[tuple[str, str]]:
        """Return (episode, stem) for every episode and each of these stems that stands in it."""
        return self.connection.execute(_HITS, self._with(stems=sorted(stems))).fetchall()

    def stems(self, shortest: int, longest: int) -> list[str]:
        """Return the stems that stand in episodes, of so many letters, without digits."""
        wanted = self._with(shortest=shortest, longest=longest)
        return [stem for (stem,) in self.connection.execute(_STEMS, wanted).fetchall()]

    def linked(self, kind: str, targets: Iterable[str]) -> list[tuple[str, str]]:
        """Return (episode, target) for every episode that is linked to one of these targets.

        What is inside a symbol or a folder counts as that.
        """
        wanted = self._with(kind=kind, targets=sorted({name.rstrip("/") for name in targets}))
        rows = self.connection.execute(_LINKED, wanted).fetchall()
        return [(root, target) for root, _, target in rows]

    def hot(self, most: int) -> frozenset[str]:
        """Return the episodes that something was recorded of last, and the critical ones."""
        rows = self.connection.execute(_LATEST_ROOTS, self._with(most=most)).fetchall()
        critical = (root for root, _ in self.linked(TAG, ["critical"]))
        return frozenset((*(root for (root,) in rows), *critical))

    def latest(self) -> int:
        """Return when the last event was recorded, 0 where there is none."""
        row = self.connection.execute(_LATEST, self._with()).fetchone()
        return int(row[0]) if row else 0

    def _with(self, **more: object) -> dict[str, object]:
        return {"commits": sorted(self.commits), **more}

    def _seen(self, rows: Sequence[tuple[Any, ...]]) -> list[Event]:
        return [_event(row) for row in rows if row[4] in self.commits]


def commits(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the commits that events are bound to; "" stands for none."""
    return [commit for (commit,) in connection.execute(_COMMITS).fetchall()]


def authored_dates(
    connection: duckdb.DuckDBPyConnection, wanted: Collection[str]
) -> dict[str, int]:
    """Return the author dates of commits as their events have them, where they do."""
    rows = connection.execute(_ONE_BODY, [sorted(wanted)]).fetchall()
    found = {commit: json.loads(body).get("authored_at") for commit, body in rows}
    return {commit: date for commit, date in found.items() if type(date) is int and date}


def commits_of_dates(
    connection: duckdb.DuckDBPyConnection, dates: Collection[int]
) -> list[tuple[int, CommitId]]:
    """Return (author date, commit) of the stored commits with one of these author dates."""
    return connection.execute(_OF_DATES, [sorted(dates)]).fetchall()


def ids_like(connection: duckdb.DuckDBPyConnection, start: str) -> list[str]:
    """Return ids of events that begin with some digits."""
    return [key for (key,) in connection.execute(_ROOTS, [start]).fetchall()]


def index_events(connection: duckdb.DuckDBPyConnection, catalog: str, rows: list[Event]) -> None:
    """Add the words and links of events to a catalog, inside the transaction that is open."""
    made = {(one.root, one.commit_id, stem) for one in rows for stem in _stems(one)}
    linked = {(one.root, one.commit_id, *link) for one in rows for link in _links(one)}
    for table, found in ((WORD, sorted(made)), (LINK, sorted(linked))):
        if found:
            load(connection, catalog, table, found)


def read_event(row: tuple[Any, ...]) -> Event:
    """Return the event of a row: id, episode, kind, time, commit, body, origin, number."""
    return _event(row)


def _event(row: tuple[Any, ...]) -> Event:
    key, of, kind, recorded_at, commit, body, origin, number = row
    return Event(key, of, kind, recorded_at, commit, json.loads(body), origin or "", number)


def _stems(event: Event) -> Iterator[str]:
    if event.kind == CHECK:
        return
    for text in _texts(event.body):
        yield from (stem(word) for word in words(text))


def _texts(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield what of an event can be searched for; digests and environments cannot."""
    for key in ("title", "text", "issues", "paths", "symbols", "outcome"):
        value = body.get(key)
        yield from [value] if isinstance(value, str) else map(str, value or ())
    data = body.get("data")
    if isinstance(data, Mapping):
        yield from (str(data.get(key) or "") for key in ("summary", "search", "command_line"))
        if data.get("exit_code"):
            yield str(data.get("output_tail") or "")  # what went wrong is what is searched for


def _links(event: Event) -> Iterator[tuple[str, str]]:
    """Yield what an event is linked to, and what that is inside of."""
    if event.kind == CHECK:
        return
    for kind in LINK_KINDS:
        for name in event.names(kind):
            if len(name) < _LONGEST_TARGET:
                yield kind, name
                yield from ((f"in {kind}", holder) for holder in _holders(name, _INSIDE.get(kind)))
    relevance = event.body.get("relevance")
    if isinstance(relevance, str) and relevance:
        yield TAG, relevance


def _holders(name: str, mark: str | None) -> Iterator[str]:
    """Yield the symbols, or folders, that a name is inside of, the innermost first."""
    start = name.rfind("#") + 1
    for _ in range(_MOST_HOLDERS):
        at = name.rfind(mark, start) if mark else -1
        if at <= start:
            return
        name = name[:at]
        yield name
