"""Whom a change concerns: dependents, tests, owners, decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topomem.api.diff import Comparison, DiffQuery, start_of
from topomem.api.outdated import Outdated, outdated
from topomem.api.ownership import read_owners
from topomem.api.recalling import records_on
from topomem.api.spreading import Spread
from topomem.api.view import open_views
from topomem.errors import UsageError
from topomem.model.ids import moniker

if TYPE_CHECKING:
    from topomem.api.answers import AsOf, Empty
    from topomem.api.diff import SymbolDifference
    from topomem.api.opening import Opened
    from topomem.api.spreading import Affected, SelectedTest
    from topomem.model.ids import CommitId, FilePath
    from topomem.records.board import Entry
    from topomem.records.governs import Governed

DEEPEST = 20
MOST = 2_000
"""Dependents past which the answer is cut."""


@dataclass(frozen=True, slots=True)
class ImpactQuery:
    """What is compared, and how many steps from what changed are followed."""

    diff: DiffQuery
    depth: int = 6

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise UsageError(f"depth must be from 1 to {DEEPEST}, not {self.depth}")


@dataclass(frozen=True, slots=True)
class Concerned:
    """An owner, with the files of his that changed, and those that depend on what changed."""

    owner: str
    changed: tuple[FilePath, ...]
    affected: tuple[FilePath, ...]


@dataclass(frozen=True, slots=True)
class ImpactAnswer:
    """Whom a change concerns. `changed` are the symbols that differ, their commits left out.

    The other lists are nearest and surest first.
    """

    base: AsOf
    head: AsOf
    changed: tuple[SymbolDifference, ...]
    affected: tuple[Affected, ...]
    tests: tuple[SelectedTest, ...]
    owners: tuple[Concerned, ...]
    decisions: tuple[tuple[Entry, Governed], ...]
    stale: tuple[Outdated, ...] = ()
    merge_base: CommitId | None = None
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def impact(opened: Opened, query: ImpactQuery) -> ImpactAnswer:
    """Return whom the difference of two revisions concerns.

    Raises UnknownRevision, NotIndexed, UsageError.
    """
    base, merge_base = start_of(opened, query.diff)
    with open_views(opened, base, query.diff.head) as (before, after):
        comparison = Comparison(before, after)
        changed = [one for one in comparison.symbols if one.kinds != ("format",)]
        affected, tests, cut = Spread(comparison, changed).reach(query.depth, MOST)
        paths = [file.path for file in comparison.files]
        paths += [file.old_path for file in comparison.files if file.old_path]
        symbols = [
            moniker(one.path, one.qualified_name)
            for change in changed
            for one in (change.new, change.old)
            if one is not None
        ]
        owners = read_owners(opened, after)
        stale, more = outdated(opened, before, after)
        if more:
            cut = (*cut, "more was recorded than was looked at for stale evidence")
        return ImpactAnswer(
            base=before.as_of,
            head=after.as_of,
            changed=tuple(changed),
            affected=affected,
            tests=tests,
            owners=tuple(_concerned(owners.of, paths, affected)),
            decisions=records_on(opened, after, symbols, paths),
            stale=stale,
            merge_base=merge_base,
            empty=None if paths else after.empty("no_match", "nothing differs"),
            partial=(*before.partial, *after.partial, *comparison.paired.partial, *cut),
            notes=tuple(dict.fromkeys((*before.notes, *after.notes))),
        )


def _concerned(
    owners_of: Callable[[FilePath], tuple[str, ...]],
    changed: Iterable[FilePath],
    affected: Iterable[Affected],
) -> list[Concerned]:
    """Return the owners of what changed, those of most files first, then those of what depends."""
    own: dict[str, tuple[set[FilePath], set[FilePath]]] = {}
    for place, paths in enumerate((changed, (one.symbol.path for one in affected))):
        for path in dict.fromkeys(paths):
            for owner in owners_of(path):
                own.setdefault(owner, (set(), set()))[place].add(path)
    found = [
        Concerned(owner, tuple(sorted(mine)), tuple(sorted(theirs - mine)))
        for owner, (mine, theirs) in own.items()
    ]
    return sorted(found, key=lambda one: (-len(one.changed), -len(one.affected), one.owner))
