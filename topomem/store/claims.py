"""Commits whose messages may say something of other commits; the others by their titles."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from topomem.model.history import Commit
from topomem.model.ids import CommitId, TreeId

MAY_CLAIM = (
    r"(?i)revert|roll(s|ed|ing)?[ -]?back|back(s|ed|ing)?[ -]?out|re-?appl|re-?land"
    r"|(fixup|squash|amend)!|\b[0-9a-f]{7,64}\b"
)
"""Messages without any of this say nothing of another commit."""

TAKES_BACK = r"(?i)revert|roll(s|ed|ing)?[ -]?back|back(s|ed|ing)?[ -]?out|re-?appl|re-?land"
"""Messages without any of this take nothing back."""

_BEHIND = """
    FROM meta.commit AS commit
    JOIN (SELECT unnest($tracks::INTEGER[]) AS track, unnest($seqs::INTEGER[]) AS upto) AS behind
        ON behind.track = commit.track AND commit.seq <= behind.upto
"""
_COMMITS = f"""
    SELECT commit.commit_id, commit.author_date, commit.committer_date,
        CASE WHEN regexp_matches(commit.message, $pattern) THEN commit.message
            ELSE split_part(commit.message, chr(10), 1) END,
        list(parent.parent_id ORDER BY parent.ordinal), before.commit_id
    {_BEHIND}
    LEFT JOIN meta.parent AS parent ON parent.track = commit.track AND parent.seq = commit.seq
    LEFT JOIN meta.commit AS before
        ON before.track = commit.track AND before.seq = commit.seq - 1
    GROUP BY ALL ORDER BY commit.committer_date, commit.commit_id
"""
_MATCHING = f"""
    SELECT commit.commit_id {_BEHIND}
    WHERE regexp_matches(commit.message, $pattern) ORDER BY commit.commit_id
"""


def commits_behind(
    connection: duckdb.DuckDBPyConnection, behind: Mapping[int, int]
) -> list[Commit]:
    """Return the commits of {track: highest seq}, oldest first.

    Those whose message may say something of other commits have all of it, the others their first
    line. Names of people are left out.
    """
    rows = connection.execute(_COMMITS, _places(behind, MAY_CLAIM)).fetchall()
    return [
        Commit(
            id=CommitId(key),
            tree=TreeId(""),
            parents=tuple(CommitId(one) for one in (before, *(others or ())) if one),
            author_name="",
            author_email="",
            author_date=author_date,
            author_offset=None,
            committer_date=committer_date,
            committer_offset=None,
            message=message,
        )
        for key, author_date, committer_date, message, others, before in rows
    ]


def taking_back(
    connection: duckdb.DuckDBPyConnection, behind: Mapping[int, int]
) -> frozenset[CommitId]:
    """Return the commits of {track: highest seq} whose message may take another one back."""
    rows = connection.execute(_MATCHING, _places(behind, TAKES_BACK)).fetchall()
    return frozenset(CommitId(key) for (key,) in rows)


def _places(behind: Mapping[int, int], pattern: str) -> dict[str, object]:
    return {"tracks": list(behind), "seqs": list(behind.values()), "pattern": pattern}
