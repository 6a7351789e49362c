"""Edges of a few units of a snapshot, both ways: what retrieval goes along.

The temporary table `unit` of `topomem.store.search` must be there. Only edges between two units of
the snapshot count; several of one kind between the same two are one, as sure as the surest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import duckdb

from topomem.model.code import EdgeKind

_STEPS = """
    WITH asked AS (SELECT * FROM unit WHERE unit IN (SELECT unnest($units))),
    outward AS (
        SELECT asked.unit AS seed, edge.kind, FALSE AS inward, target.unit AS other,
            edge.confidence
        FROM asked
        JOIN visible ON visible.path_int = asked.path_int
        JOIN topology.link_set AS member ON member.link_set = visible.link_set
            AND member.ordinal = asked.ordinal
        JOIN topology.edge AS edge ON edge.link = member.link
        JOIN unit AS target ON target.path_int = edge.target_path
            AND target.name_int = edge.target_name
        WHERE edge.target_kind = 'symbol'
    ),
    inward AS (
        SELECT asked.unit AS seed, edge.kind, TRUE AS inward, source.unit AS other,
            edge.confidence
        FROM asked
        JOIN topology.edge AS edge ON edge.target_path = asked.path_int
            AND edge.target_name = asked.name_int
        JOIN topology.link_set AS member ON member.link = edge.link
        JOIN visible ON visible.link_set = member.link_set
        JOIN unit AS source ON source.path_int = visible.path_int
            AND source.ordinal = member.ordinal
        WHERE edge.target_kind = 'symbol'
    )
    SELECT seed, other, kind, inward, max(confidence) AS confidence
    FROM (SELECT * FROM outward UNION ALL SELECT * FROM inward)
    WHERE seed <> other
    GROUP BY seed, other, kind, inward
    ORDER BY seed, kind, inward, confidence DESC, other
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One edge between two units: `inward` is from `other` to `seed`."""

    seed: int
    other: int
    kind: EdgeKind
    inward: bool
    confidence: float


def steps(connection: duckdb.DuckDBPyConnection, units: Iterable[int]) -> list[Step]:
    """Return all edges of units with others, by unit, kind and direction, the surest first."""
    rows = connection.execute(_STEPS, {"units": list(units)}).fetchall()
    return [
        Step(seed, other, EdgeKind(kind), inward, confidence)
        for seed, other, kind, inward, confidence in rows
    ]
