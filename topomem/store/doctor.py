"""Checks of a store: that what points somewhere arrives, and that nothing is there twice."""

from __future__ import annotations

from dataclasses import dataclass

from topomem.store.journal import Journal
from topomem.store.reader import Reader
from topomem.store.snapshot import Snapshot

_POINTERS = (
    ("topology.span", "path_int", "topology.path", "path_int"),
    ("topology.span", "blob_int", "topology.blob", "blob_int"),
    ("topology.span", "link_set", "topology.link_set_digest", "link_set"),
    ("topology.span", "track", "meta.track", "track"),
    ("topology.placement", "blob_int", "topology.blob", "blob_int"),
    ("topology.placement", "region_int", "topology.region", "region_int"),
    ("topology.placement", "name_int", "topology.name", "name_int"),
    ("topology.placement", "owner_int", "topology.name", "name_int"),
    ("topology.definition", "region_int", "topology.region", "region_int"),
    ("topology.link", "region_int", "topology.region", "region_int"),
    ("topology.link_set", "link", "topology.link", "link"),
    ("topology.link_set", "asked_set", "topology.asked_set", "asked_set"),
    ("topology.asked", "question_int", "topology.question", "question_int"),
    ("topology.edge", "link", "topology.link", "link"),
    ("topology.edge", "target_path", "topology.path", "path_int"),
    ("topology.edge", "target_name", "topology.name", "name_int"),
    ("topology.candidate", "path_int", "topology.path", "path_int"),
    ("topology.candidate", "name_int", "topology.name", "name_int"),
    ("retrieval.posting", "region_int", "topology.region", "region_int"),
    ("retrieval.posting", "word_int", "retrieval.word", "word_int"),
    ("retrieval.path_word", "path_int", "topology.path", "path_int"),
    ("retrieval.path_word", "word_int", "retrieval.word", "word_int"),
    ("retrieval.name_word", "name_int", "topology.name", "name_int"),
    ("retrieval.name_word", "word_int", "retrieval.word", "word_int"),
    ("decision.record", "blob_int", "topology.blob", "blob_int"),
)
"""(table, column, table it points into, column there)."""

_KEYS = (
    ("meta.commit", "commit_id"),
    ("meta.commit", "track, seq"),
    ("meta.track", "track"),
    ("topology.path", "path"),
    ("topology.path", "path_int"),
    ("topology.name", "name"),
    ("topology.name", "name_int"),
    ("topology.blob", "blob_id, language"),
    ("topology.blob", "blob_int"),
    ("topology.region", "region_key"),
    ("topology.region", "region_int"),
    ("topology.definition", "region_int, ordinal"),
    ("topology.placement", "blob_int, ordinal"),
    ("topology.link", "link"),
    ("topology.link", "digest"),
    ("topology.link_set", "link_set, ordinal"),
    ("topology.link_set_digest", "digest"),
    ("topology.edge", "link, ordinal"),
    ("topology.question", "question, answer"),
    ("topology.asked_set", "digest"),
    ("retrieval.word", "word"),
)
"""(table, columns no two rows agree in)."""

_DANGLING = """
    SELECT count(*) FROM {table} AS row
    WHERE row.{column} IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM {into} AS other WHERE other.{key} = row.{column}
    )
"""
_TWICE = "SELECT count(*) FROM (SELECT 1 FROM {table} GROUP BY {columns} HAVING count(*) > 1)"
_OVERLAPPING = """
    SELECT count(*) FROM topology.span AS one
    JOIN topology.span AS two ON two.track = one.track AND two.path_int = one.path_int
        AND two.rowid > one.rowid
    WHERE one.from_seq < coalesce(two.to_seq, 2147483647)
        AND two.from_seq < coalesce(one.to_seq, 2147483647)
"""
_UNLIKE = """
    SELECT count(*) FROM (
        SELECT span.blob_int, span.link_set FROM topology.span AS span
        WHERE span.link_set IS NOT NULL GROUP BY ALL
    ) AS version
    LEFT JOIN (SELECT blob_int, count(*) AS count FROM topology.placement GROUP BY blob_int)
        AS placed ON placed.blob_int = version.blob_int
    LEFT JOIN (SELECT link_set, count(*) AS count FROM topology.link_set GROUP BY link_set)
        AS linked ON linked.link_set = version.link_set
    WHERE coalesce(placed.count, 0) <> coalesce(linked.count, 0)
"""
_LOST_TARGETS = """
    SELECT count(DISTINCT (edge.target_path, edge.target_name)),
        coalesce(min(path.path || '#' || name.name), '')
    FROM visible
    JOIN topology.link_set AS member ON member.link_set = visible.link_set
    JOIN topology.edge AS edge ON edge.link = member.link
    JOIN topology.path AS path ON path.path_int = edge.target_path
    JOIN topology.name AS name ON name.name_int = edge.target_name
    WHERE edge.target_kind = 'symbol' AND NOT EXISTS (
        SELECT 1 FROM symbol
        WHERE symbol.path_int = edge.target_path AND symbol.qualified_name = name.name
    )
"""
_PROJECTED = "SELECT file, position FROM authored.meta.journal_position ORDER BY file"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it must be: what, how often, and an example where there is one."""

    check: str
    count: int
    example: str = ""


def check_rows(reader: Reader) -> list[Finding]:
    """Return what is wrong with the derived rows; nothing when all is well."""
    connection = reader.connection
    checks = [
        *(_pointer_check(*pointer) for pointer in _POINTERS),
        *(_key_check(*key) for key in _KEYS),
        ("topology.span has spans of one path that overlap", _OVERLAPPING),
        ("links of a file version are not parallel to its placements", _UNLIKE),
    ]
    counts = ((check, connection.execute(statement).fetchone()) for check, statement in checks)
    return [Finding(check, row[0]) for check, row in counts if row and row[0]]


def check_snapshot(snapshot: Snapshot) -> list[Finding]:
    """Return what is wrong with the edges of one snapshot: symbols they lead to must be there."""
    _ = snapshot.has_symbols
    row = snapshot.connection.execute(_LOST_TARGETS).fetchone()
    return [Finding("edges lead to symbols that are not there", *row)] if row and row[0] else []


def check_journal(reader: Reader, journal: Journal) -> list[Finding]:
    """Return what is wrong with the authored rows: unreadable lines, rows only the tables have."""
    damaged = journal.read({}).damaged
    sizes = journal.sizes()
    projected = reader.connection.execute(_PROJECTED).fetchall()
    short = [file for file, position in projected if sizes.get(file, 0) < position]
    found = []
    if damaged:
        found.append(Finding("lines of the journal cannot be read", len(damaged), damaged[0]))
    if short:
        found.append(
            Finding("files of the journal are shorter than they were", len(short), short[0])
        )
    return found


def _pointer_check(table: str, column: str, into: str, key: str) -> tuple[str, str]:
    statement = _DANGLING.format(table=table, column=column, into=into, key=key)
    return f"{table}.{column} points to no row of {into}", statement


def _key_check(table: str, columns: str) -> tuple[str, str]:
    return f"{table} has rows with equal {columns}", _TWICE.format(table=table, columns=columns)
