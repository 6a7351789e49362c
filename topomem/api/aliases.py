"""Inferred aliases: listed for review, accepted and rejected."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from topomem.api.answers import AliasAnswer, AliasesAnswer, AsOf, Empty
from topomem.api.past_symbol import open_files
from topomem.api.verdicts import verdicts_of
from topomem.api.view import NO_COMMITS, not_indexed, resolve
from topomem.errors import NotIndexed, UnknownItem, UsageError
from topomem.lineage.calibration import calibration
from topomem.lineage.choosing import weighed
from topomem.lineage.reasons import reasons
from topomem.model.answer import SymbolRef
from topomem.model.code import SymbolKind
from topomem.model.history import DERIVED, REUSED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topomem.api.opening import Opened
    from topomem.lineage.choosing import Verdicts
    from topomem.model.history import Position, SymbolAt
    from topomem.model.ids import CommitId, FilePath, QualifiedName
    from topomem.store.lineage import StoredAlias
    from topomem.store.reader import Reader

_ANONYMOUS = "<anonymous"
MOST_LISTED = 500
"""So many aliases are listed when no commit is named, the latest commits first."""


@dataclass(frozen=True, slots=True)
class AliasQuery:
    """Which aliases are wanted: of one commit, with candidates, below a confidence."""

    commit: str | None = None
    candidates: bool = False
    below: float | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """A stored alias with what verdicts make of it."""

    alias: StoredAlias
    confidence: float
    followed: bool
    verdict: Literal["accepted", "rejected"] | None


def aliases(opened: Opened, query: AliasQuery, as_of: str | None) -> AliasesAnswer:
    """Return the aliases that are followed, and with `candidates` the others.

    Without a commit those of all commits behind `as_of`, latest first. Raises UnknownRevision,
    NotIndexed.
    """
    commit = resolve(opened, query.commit or as_of)
    if commit is None:
        return AliasesAnswer(AsOf(None), (), empty=Empty("not_indexed", None, NO_COMMITS))
    with opened.store.read() as reader:
        try:
            position = reader.position(commit)
        except NotIndexed as error:
            raise not_indexed(opened, commit) from error
        notes: list[str] = []
        if query.commit:
            stored = reader.aliases_at(position)
            left_out = reader.pairs_left_out(position)
            if left_out:
                notes.append(f"{left_out} pairs of symbols were not compared")
        else:
            stored = _behind(reader, commit)
        rows = [row for row in _judged(stored, verdicts_of(reader)) if _wanted(row, query)]
        if len(rows) > MOST_LISTED and not query.commit:
            notes.append(f"{len(rows) - MOST_LISTED} more; name a commit")
            rows = rows[:MOST_LISTED]
        shown = _Showing(opened, reader).answers(rows)
        empty = None if shown else Empty("no_match", commit, "no aliases")
        files = tuple(one for one in shown if one.old.kind is SymbolKind.MODULE)
        symbols = tuple(one for one in shown if one.old.kind is not SymbolKind.MODULE)
        return AliasesAnswer(AsOf(commit), symbols, files, empty, notes=tuple(notes))


def judge(opened: Opened, key: str, verdict: Literal["accepted", "rejected"], reason: str) -> str:
    """Record a verdict on an alias, for good; return the id of the record.

    It holds wherever these two symbols with these texts meet: after a rebuild, and after a rebase.
    Raises UnknownItem, UsageError.
    """
    if not reason.strip():
        raise UsageError("a verdict needs a reason", "--reason TEXT")
    with opened.store.read() as reader:
        found = reader.aliases_by_id(key)
        if not found:
            raise UnknownItem(f"no alias {key!r}", "topomem aliases lists them")
        alias = found[0]
        commit = reader.commit_at(alias.position)
    body = {
        "subject_id": key,
        "kind": f"alias_{verdict}",
        "reason": reason,
        "old": _end_body(alias.old),
        "new": _end_body(alias.new),
        "commit": commit,
    }
    return opened.store.record("review.verdict", [body], int(time.time() * 1000))[0]


def _end_body(end: SymbolAt) -> dict[str, str]:
    return {"path": end.path, "qualified_name": end.name, "text": end.region_hash}


def _behind(reader: Reader, commit: CommitId) -> list[StoredAlias]:
    """Return the aliases of a commit's ancestors, latest commits first."""
    highest = reader.ancestors(commit)
    rows = [
        row
        for row in reader.all_aliases()
        if row.position.seq <= highest.get(row.position.track, -1)
    ]
    commits = reader.past.commits(sorted({row.position for row in rows}))
    rows.sort(key=lambda row: (-commits[row.position].committer_date, row.position))
    return rows


def _judged(stored: Sequence[StoredAlias], verdicts: Verdicts) -> list[_Row]:
    """Return what is shown of stored aliases, in their order."""
    threshold = calibration().threshold
    ends: dict[tuple[object, ...], list[StoredAlias]] = defaultdict(list)
    for alias in stored:
        ends[alias.position, alias.ordinal, alias.new.path, alias.new.name].append(alias)
    judged: dict[int, _Row] = {}
    for group in ends.values():
        best = True
        for alias, sure in weighed(group, verdicts):
            follow = best and sure.verdict != "rejected" and sure.confidence >= threshold
            judged[id(alias)] = _Row(alias, sure.confidence, follow, sure.verdict)
            best = False
        for alias in group:
            if alias.kind in DERIVED:
                verdict = verdicts.get(alias.id)
                follow = verdict != "rejected" and alias.confidence >= threshold
                judged[id(alias)] = _Row(alias, alias.confidence, follow, verdict)
    return [judged[id(alias)] for alias in stored if id(alias) in judged]


def _wanted(row: _Row, query: AliasQuery) -> bool:
    """Whether a row is listed: what has no name of its own, or was only numbered anew, is not."""
    if row.alias.kind in ("renumbered", REUSED) or row.alias.stays:
        return False
    if any(_ANONYMOUS in end.name for end in (row.alias.old, row.alias.new)):
        return False
    if not row.followed and not query.candidates:
        return False
    return query.below is None or row.confidence < query.below


class _Showing:
    """Makes answers of rows: looks up kinds and lines where the ends stand."""

    def __init__(self, opened: Opened, reader: Reader) -> None:
        self._opened = opened
        self._reader = reader

    def answers(self, rows: Sequence[_Row]) -> list[AliasAnswer]:
        """Return answers in the order of the rows."""
        commits = self._reader.past.commits(sorted({row.alias.position for row in rows}))
        by_step: dict[tuple[Position, int], list[_Row]] = defaultdict(list)
        for row in rows:
            by_step[row.alias.position, row.alias.ordinal].append(row)
        found: dict[int, AliasAnswer] = {}
        for (position, ordinal), mine in by_step.items():
            commit = commits[position].id
            parent = self._opened.repository.commit(commit).parents[ordinal]
            old = self._refs(parent, [row.alias.old for row in mine])
            new = self._refs(commit, [row.alias.new for row in mine])
            for row in mine:
                alias = row.alias
                found[id(row)] = AliasAnswer(
                    id=alias.id,
                    commit=commit,
                    parent=parent,
                    old=old[alias.old.path, alias.old.name],
                    new=new[alias.new.path, alias.new.name],
                    kind=alias.kind,
                    followed=row.followed,
                    confidence=row.confidence,
                    evidence=tuple(reasons(alias.evidence)),
                    verdict=row.verdict,
                )
        return [found[id(row)] for row in rows]

    def _refs(
        self, commit: CommitId, ends: Sequence[SymbolAt]
    ) -> dict[tuple[FilePath, QualifiedName], SymbolRef]:
        paths = sorted({end.path for end in ends})
        snapshot = open_files(self._reader, commit, paths)
        from topomem.store.snapshot import SymbolFilter

        stored = {
            (one.path, one.qualified_name): SymbolRef(
                one.path, one.qualified_name, one.kind, one.start_line
            )
            for one in snapshot.symbols(SymbolFilter(with_modules=True))
        }
        return {
            (end.path, end.name): stored.get(
                (end.path, end.name), SymbolRef(end.path, end.name, SymbolKind.VARIABLE, 0)
            )
            for end in ends
        }
