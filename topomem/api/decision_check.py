"""Are the decision records of a revision in order, and do their invariants hold?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from topomem.api.answers import AsOf
from topomem.api.decisions import Records, read_records
from topomem.api.opening import Opened
from topomem.api.view import View, open_view
from topomem.errors import UnknownRevision
from topomem.model.decision import ACTIVE, Invariant
from topomem.model.history import TreeEntry
from topomem.model.ids import CommitId, FilePath, Moniker, split_moniker
from topomem.records.board import Entry
from topomem.records.check import InvariantState, Trouble, check
from topomem.records.governs import Governed

CHECK_KIND = "check"
"""Kind of the events that record a run of an invariant."""


@dataclass(frozen=True, slots=True)
class DecisionCheck:
    """How many records were checked, what is wrong, and how their invariants stand."""

    as_of: AsOf
    checked: int
    failed: tuple[Trouble, ...]
    remarks: tuple[Trouble, ...]
    invariants: tuple[tuple[FilePath, InvariantState], ...] = ()
    notes: tuple[str, ...] = ()


def check_decisions(opened: Opened, today: str, as_of: str | None) -> DecisionCheck:
    """Return what is wrong with the records of a revision. `today` is an ISO date.

    Raises UnknownRevision, NotIndexed.
    """
    with open_view(opened, as_of) as view:
        records = read_records(opened, view)
        entries = records.board.entries
        governs = {path: records.governed(entry) for path, entry in entries.items()}
        known = _Runs(opened, view, records)
        states = {
            path: list(known.states(entry, governs[path]))
            for path, entry in entries.items()
            if entry.status in ACTIVE
        }
        found = check(records.board, governs, states, today)
        return DecisionCheck(
            as_of=view.as_of,
            checked=len(entries),
            failed=tuple(one for one in found if one.severity == "problem"),
            remarks=tuple(one for one in found if one.severity == "remark"),
            invariants=tuple((path, state) for path, some in states.items() for state in some),
            notes=view.notes,
        )


class _Runs:
    """The recorded runs of invariants, and whether they were on the code that is asked about."""

    def __init__(self, opened: Opened, view: View, records: Records) -> None:
        self._opened, self._view, self._records = opened, view, records
        self._trees: dict[str, Mapping[FilePath, TreeEntry]] = {}

    def states(self, entry: Entry, governs: Sequence[Governed]) -> Iterator[InvariantState]:
        """Yield what is known of each invariant: where it is, and its last recorded run."""
        assert self._view.reader is not None  # noqa: S101 - there is a record, so there is a store
        runs = {
            (event.body.get("invariant_kind"), event.body.get("target")): event
            for event in self._view.reader.events(entry.placed.id)
            if event.kind == CHECK_KIND
        }
        for invariant in entry.placed.decision.invariants:
            last = runs.get((invariant.kind, invariant.target))
            found = _is_found(self._records, invariant)
            if last is None:
                yield InvariantState(invariant, found)
                continue
            dirty = bool(last.body.get("dirty"))
            yield InvariantState(
                invariant,
                found,
                passed=last.body.get("exit_code") == 0,
                ran_at=last.commit_id[:12] + ("+" if dirty else ""),
                same_code=not dirty and self._is_same(last.commit_id, invariant, governs),
            )

    def _is_same(self, commit: str, invariant: Invariant, governs: Sequence[Governed]) -> bool:
        """Return whether what is governed, and a test's own file, are as they were at a commit.

        A record that governs nothing is about everything.
        """
        if commit == self._view.as_of.commit:
            return True
        before, now = self._tree(commit), self._tree(self._view.as_of.commit or "")
        file = invariant.target.replace("#", "::", 1).partition("::")[0]

        def counts(path: FilePath) -> bool:
            return path == file or any(_covers(one, path) for one in governs)

        paths = [path for path in before.keys() | now.keys() if not governs or counts(path)]
        return bool(before) and all(before.get(path) == now.get(path) for path in paths)

    def _tree(self, commit: str) -> Mapping[FilePath, TreeEntry]:
        if commit not in self._trees:
            try:
                repository = self._opened.repository
                self._trees[commit] = repository.tree(repository.commit(CommitId(commit)))
            except UnknownRevision:
                self._trees[commit] = {}
        return self._trees[commit]


def _covers(governed: Governed, path: FilePath) -> bool:
    if governed.kind == "symbol":
        return split_moniker(Moniker(governed.target))[0] == path
    return governed.covers(path)


def _is_found(records: Records, invariant: Invariant) -> bool | None:
    """Return whether a test is in the snapshot; None for what only a run can tell."""
    if invariant.kind != "test":
        return None
    file, _, name = invariant.target.replace("#", "::", 1).partition("::")
    if "/" not in file and "." not in file:
        return None
    if records.tree.path(file) is None:
        return False
    if not name:
        return True
    dotted = name.replace("::", ".").partition("[")[0]
    return bool(records.tree.look_up(f"{file}#{dotted}"))
