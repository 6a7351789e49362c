"""Are the decision records of a revision in order, and do their invariants hold?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topomem.api.answers import AsOf
from topomem.api.decisions import Records, read_records
from topomem.api.opening import Opened
from topomem.api.view import View, open_view
from topomem.model.decision import ACTIVE, Invariant
from topomem.model.ids import FilePath
from topomem.records.board import Entry
from topomem.records.check import InvariantState, Trouble, check

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
        states = {
            path: list(_states(view, records, entry))
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


def _states(view: View, records: Records, entry: Entry) -> Iterator[InvariantState]:
    """Yield what is known of each invariant: where it is, and its last recorded run."""
    assert view.reader is not None  # noqa: S101 - there is a record, so there is a store
    runs = {}
    for event in view.reader.events(entry.placed.id):
        if event.kind == CHECK_KIND:
            runs[event.body.get("invariant_kind"), event.body.get("target")] = event
    for invariant in entry.placed.decision.invariants:
        last = runs.get((invariant.kind, invariant.target))
        found = _is_found(records, invariant)
        if last is None:
            yield InvariantState(invariant, found)
            continue
        dirty = bool(last.body.get("dirty"))
        yield InvariantState(
            invariant,
            found,
            passed=last.body.get("exit_code") == 0,
            ran_at=last.commit_id[:12] + ("+" if dirty else ""),
            same_code=last.commit_id == view.as_of.commit and not dirty,
        )


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
