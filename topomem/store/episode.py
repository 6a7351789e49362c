"""The episode plane: events as they were recorded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import duckdb

_EVENTS = """
    SELECT id, episode_id, kind, recorded_at, commit_id, body FROM authored.episode.event
    WHERE $episode = '' OR episode_id = $episode
    ORDER BY recorded_at, number, id
"""


@dataclass(frozen=True, slots=True)
class Event:
    """One recorded event of an episode."""

    id: str
    episode_id: str
    kind: str
    recorded_at: int
    commit_id: str
    body: dict[str, Any]


def events(connection: duckdb.DuckDBPyConnection, episode: str = "") -> list[Event]:
    """Return the events of an episode (of all by default), oldest first."""
    rows = connection.execute(_EVENTS, {"episode": episode}).fetchall()
    return [
        Event(key, of, kind, recorded_at, commit, json.loads(body))
        for key, of, kind, recorded_at, commit, body in rows
    ]
