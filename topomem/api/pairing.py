"""Which removed and added symbols of two moments are one thing.

First along the aliases of the commits between them, one after the other; then what is left is
compared directly, as lineage compares a commit with its parent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topomem.api.verdicts import verdicts_of
from topomem.lineage.aliases import Step, trace
from topomem.lineage.calibration import calibration
from topomem.lineage.choosing import followed, is_reused
from topomem.lineage.reasons import reasons
from topomem.lineage.symbols import FilePair
from topomem.model.history import Position
from topomem.model.ids import CommitId
from topomem.model.structure import Key
from topomem.store.lineage import StoredAlias, alias_id

if TYPE_CHECKING:
    from topomem.api.sides import Side
    from topomem.lineage.choosing import Verdict
    from topomem.store.reader import Reader

_LONGEST_CHAIN = 200
_MOST_COMPARED = 400
"""Files past which what is left over is not compared directly."""

_NOWHERE = Position(-1, -1)


@dataclass(frozen=True, slots=True)
class Pair:
    """One thing under two names. `aliases` are the ids of those that lead from one to the other."""

    old: Key
    new: Key
    confidence: float
    kinds: tuple[str, ...]
    aliases: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Chain:
    """Where a symbol came from, with what led there."""

    key: Key
    links: tuple[tuple[StoredAlias, float], ...] = ()

    @property
    def confidence(self) -> float:
        product = 1.0
        for _, sure in self.links:
            product *= sure
        return product


@dataclass(slots=True)
class Paired:
    """The pairs found, what is another symbol under its old name, and what was not looked at."""

    pairs: list[Pair] = field(default_factory=list)
    reused: set[Key] = field(default_factory=set)
    rejected: set[tuple[Key, Key]] = field(default_factory=set)
    partial: list[str] = field(default_factory=list)


class Trail:
    """The aliases of the commits behind one commit and not behind another, newest first."""

    def __init__(self, reader: Reader, ahead: CommitId, behind: CommitId) -> None:
        self._reader = reader
        self._start = reader.position(ahead)
        self._verdicts = verdicts_of(reader)
        self._threshold = calibration().threshold
        self._ancestors: dict[Position, dict[int, int]] = {}
        self._rows: dict[Key, dict[tuple[Position, int], list[StoredAlias]]] = {}
        for row in reader.aliases_between(ahead, behind):
            places = self._rows.setdefault((row.new.path, row.new.name), {})
            places.setdefault((row.position, row.ordinal), []).append(row)

    @property
    def rejected(self) -> set[str]:
        """The ids of aliases that people rejected."""
        return {one for one, verdict in self._verdicts.items() if verdict == "rejected"}

    def origin(self, key: Key, *, all_followed: bool = False) -> _Chain | None:
        """Return what a symbol was at the start of the trail; None where it began on the way.

        `all_followed`: aliases that people rejected too.
        """
        verdicts = {} if all_followed else self._verdicts
        at, chain = self._start, _Chain(key)
        for _ in range(_LONGEST_CHAIN):
            place = self._newest(chain.key, at)
            if place is None:
                return chain
            best = followed(self._rows[chain.key][place], verdicts, self._threshold)
            if best is None:
                return None
            alias, sure = best
            old = alias.old.path, alias.old.name
            chain = _Chain(old, (*chain.links, (alias, sure.confidence)))
            parents = dict(self._reader.past.parents(place[0]))
            if place[1] not in parents:
                return chain
            at = parents[place[1]]
        return None

    def reused(self, keys: Iterable[Key]) -> set[Key]:
        """Return the keys that stand for another symbol than at the start of the trail."""
        return {
            key
            for key in keys
            if any(is_reused(rows, self._verdicts) for rows in self._rows.get(key, {}).values())
        }

    def _newest(self, key: Key, at: Position) -> tuple[Position, int] | None:
        """Return the latest commit up to a place that says something of a key, and its parent."""
        best: tuple[Position, int] | None = None
        for place in sorted(self._rows.get(key, ())):
            if not self._is_behind(place[0], at):
                continue
            if best is None or (place[0] != best[0] and self._is_behind(best[0], place[0])):
                best = place
        return best

    def _is_behind(self, position: Position, at: Position) -> bool:
        if at not in self._ancestors:
            self._ancestors[at] = self._reader.ancestors_of(at)
        return position.seq <= self._ancestors[at].get(position.track, -1)


def pair_up(base: Side, head: Side, removed: Collection[Key], added: Collection[Key]) -> Paired:
    """Return the pairs among what is only on one side, each symbol once, the surest first."""
    found = Paired()
    reader = head.view.reader
    ends = base.view.stored, head.view.stored
    if reader is not None and ends[0] is not None and ends[1] is not None:
        ahead = Trail(reader, ends[1], ends[0])
        behind = Trail(reader, ends[0], ends[1])
        kept = base.symbols.keys() & head.symbols.keys()
        found.reused = ahead.reused(kept)
        removed = [*removed, *sorted(found.reused)]
        added = [*added, *sorted(found.reused)]
        found.pairs = _once(_along(ahead, behind, removed, added))
        if refused := ahead.rejected:
            found.rejected = {
                (pair.old, pair.new)
                for pair in _along(ahead, behind, removed, added, all_followed=True)
                if refused.intersection(pair.aliases)
            }
    _compare_rest(base, head, removed, added, found)
    return found


def _along(
    ahead: Trail,
    behind: Trail,
    removed: Iterable[Key],
    added: Iterable[Key],
    *,
    all_followed: bool = False,
) -> list[Pair]:
    """Return the pairs that aliases lead to: both ends come from one symbol in between."""
    pasts = [(key, behind.origin(key, all_followed=all_followed)) for key in removed]
    origins = {one.key: (key, one) for key, one in pasts if one is not None}
    chains = [(key, ahead.origin(key, all_followed=all_followed)) for key in added]
    return [
        _pair(old, key, (*reversed(back.links), *chain.links))
        for key, chain in chains
        if chain is not None and chain.key in origins
        for old, back in [origins[chain.key]]
        if chain.links or back.links
    ]


def _pair(old: Key, new: Key, links: Sequence[tuple[StoredAlias, float]]) -> Pair:
    confidence = 1.0
    for _, sure in links:
        confidence *= sure
    weakest = min(links, key=lambda link: link[1])[0]
    return Pair(
        old, new, round(confidence, 4),
        tuple(dict.fromkeys(alias.kind for alias, _ in links)),
        tuple(alias.id for alias, _ in links),
        tuple(reasons(weakest.evidence)),
    )  # fmt: skip


def _once(pairs: Iterable[Pair]) -> list[Pair]:
    """Return pairs of which no two share an end, the surest first."""
    taken: set[tuple[bool, Key]] = set()
    kept = []
    for pair in sorted(pairs, key=lambda one: (-one.confidence, one.new, one.old)):
        ends = {(False, pair.old), (True, pair.new)}
        if not ends & taken:
            taken |= ends
            kept.append(pair)
    return kept


def _compare_rest(
    base: Side, head: Side, removed: Collection[Key], added: Collection[Key], found: Paired
) -> None:
    """Compare what no alias explains; nothing is left where one commit follows the other."""
    if _is_next(base, head):
        return
    old = set(removed) - {pair.old for pair in found.pairs}
    new = set(added) - {pair.new for pair in found.pairs}
    paths = sorted({key[0] for key in (*old, *new)})
    if not old or not new:
        return
    if len(paths) > _MOST_COMPARED:
        found.partial.append(f"{len(paths)} files with symbols of one side were not compared")
        return
    before, after = base.compared(paths), head.compared(paths)
    files = [FilePair(path, before.get(path), after.get(path)) for path in paths]
    ends = head.view.stored or CommitId(""), base.view.stored or CommitId("")
    traced = trace(Step(ends[0], ends[1], files))
    if traced.left_out:
        found.partial.append(f"{traced.left_out} pairs of symbols were not compared")
    reader = head.view.reader
    verdicts: dict[str, Verdict] = verdicts_of(reader) if reader is not None else {}
    rows: dict[Key, list[StoredAlias]] = {}
    for alias in traced.aliases:
        row = StoredAlias(
            alias_id(alias.old, alias.new), _NOWHERE, 0, alias.kind, alias.old, alias.new,
            alias.confidence, alias.alone, alias.evidence,
        )  # fmt: skip
        ends_of_row = (alias.old.path, alias.old.name), (alias.new.path, alias.new.name)
        if ends_of_row in found.rejected:
            verdicts.setdefault(row.id, "rejected")
        rows.setdefault(ends_of_row[1], []).append(row)
    threshold = calibration().threshold
    made = []
    for key in sorted(new & rows.keys()):
        best = followed(rows[key], verdicts, threshold)
        if best is not None and (best[0].old.path, best[0].old.name) in old:
            made.append(
                _pair((best[0].old.path, best[0].old.name), key, [(best[0], best[1].confidence)])
            )
    found.pairs += _once(made)


def _is_next(base: Side, head: Side) -> bool:
    """Whether one stored commit is a parent of the other: their aliases are all there is."""
    reader = head.view.reader
    commits = base.view.as_of.commit, head.view.as_of.commit
    if reader is None or None in commits or commits != (base.view.stored, head.view.stored):
        return False
    assert commits[0] is not None  # noqa: S101 - looked at above
    assert commits[1] is not None  # noqa: S101 - as above
    parents = {place for _, place in reader.past.parents(reader.position(commits[1]))}
    return reader.position(commits[0]) in parents and len(parents) == 1
