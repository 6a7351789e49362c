"""What is wrong with the records of one snapshot: contradictions, decay, and what was not read.

Nothing is resolved by rank: both sides of a conflict are named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from topomem.model.decision import ACTIVE, Invariant
from topomem.model.ids import FilePath
from topomem.records.board import Board, Entry
from topomem.records.governs import Governed

Severity = Literal["problem", "remark"]


@dataclass(frozen=True, slots=True, order=True)
class Trouble:
    """One thing that is wrong; `code` is stable. Remarks fail only a strict check."""

    path: FilePath
    line: int
    code: str
    message: str
    severity: Severity = "problem"


@dataclass(frozen=True, slots=True)
class InvariantState:
    """What is known of one invariant.

    `found` None: it cannot be told without running it. `passed` None: never run. `same_code`: the
    last run was on the code that is asked about.
    """

    invariant: Invariant
    found: bool | None
    passed: bool | None = None
    ran_at: str = ""  # commit, with + where there was uncommitted text
    same_code: bool = True


def check(
    records: Board,
    governs: Mapping[FilePath, Sequence[Governed]],
    states: Mapping[FilePath, Sequence[InvariantState]],
    today: str,
) -> list[Trouble]:
    """Return what is wrong, by path and line. `today` is an ISO date, "" for no matter which."""
    found: list[Trouble] = [
        *_cycles(records),
        *_same_number(records),
        *_same_component(records, governs),
    ]
    for path, entry in records.entries.items():
        found += _links(records, entry)
        found += _decay(entry, governs.get(path, ()), today)
        found += _invariants(entry, states.get(path, ()))
        found += [
            Trouble(path, one.start_line, one.code, one.message, "remark")
            for one in entry.placed.diagnostics
        ]
    return sorted(set(found))


def contradictions(records: Board, paths: Collection[FilePath]) -> tuple[str, ...]:
    """Return the conflicts and circles that records at any of these paths are in."""
    found = [
        one
        for one in check(records, {}, {}, "")
        if one.code in ("conflict", "cycle", "same_number")
        and (one.path in paths or any(path in one.message for path in paths))
    ]
    return tuple(f"{one.path}: {one.message}" for one in found)


def _links(records: Board, entry: Entry) -> Iterator[Trouble]:
    path = entry.placed.path
    successors = entry.linked("superseded_by")
    own = [link for link in successors if link.told_by == path]
    if entry.status == "superseded" and not successors:
        yield Trouble(path, _line(entry, "status"), "no_successor", "superseded, but not by what")
    for link in entry.links:
        if link.told_by != path or link.external or link.kind == "relates":
            continue
        if link.path is None:
            words = f"{_words(link.kind)} {link.text!r}, which is no record here"
            yield Trouble(path, link.line, "missing_record", words)
    for link in own:
        other = records.entries[link.path] if link.path else None
        if entry.status != "superseded" and not link.partly:
            continue
        if other is not None and not _says(other, path, "supersedes"):
            words = f"superseded by {link.path}, which does not say that it supersedes this"
            yield Trouble(path, link.line, "one_way_link", words)
    for link in entry.linked("supersedes"):
        if link.told_by != path or link.path is None:
            continue
        yield from _superseding(records.entries[link.path], entry, link.line, partly=link.partly)


def _superseding(old: Entry, entry: Entry, line: int, *, partly: bool) -> Iterator[Trouble]:
    """Yield what is wrong between a record and one that it says it supersedes."""
    path, other = entry.placed.path, old.placed.path
    says_so = _says(old, path, "superseded_by")
    if entry.status in ACTIVE and old.status in ACTIVE and not (partly or old.partly_superseded):
        words = f"supersedes {other}, which is {old.status} still: both hold"
        yield Trouble(path, line, "conflict", words)
    elif not says_so and entry.status != "proposed":
        words = f"supersedes {other}, which does not say that it is superseded by this"
        yield Trouble(path, line, "one_way_link", words)


def _cycles(records: Board) -> Iterator[Trouble]:
    """Yield every circle of supersession once, at the first of its paths."""
    successors = {
        path: sorted(
            {link.path for link in entry.linked("superseded_by") if link.path and not link.partly}
        )
        for path, entry in records.entries.items()
    }
    seen: set[tuple[FilePath, ...]] = set()
    for start in successors:
        for circle in _circles(start, successors):
            if circle not in seen:
                seen.add(circle)
                words = "supersede each other in a circle: " + ", ".join(circle)
                yield Trouble(circle[0], 0, "cycle", words)


def _circles(
    start: FilePath, successors: Mapping[FilePath, Sequence[FilePath]]
) -> Iterator[tuple[FilePath, ...]]:
    """Yield the members of a circle through `start`, sorted, where there is one."""
    came: dict[FilePath, FilePath] = {}
    waiting = [start]
    while waiting:
        path = waiting.pop()
        for following in successors.get(path, ()):
            if following == start:
                members = [path]
                while members[-1] != start:
                    members.append(came[members[-1]])
                yield tuple(sorted(members))
                return
            if following not in came:
                came[following] = path
                waiting.append(following)


def _same_number(records: Board) -> Iterator[Trouble]:
    """Yield records of one folder with one number: branches that were merged."""
    groups: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for path, entry in records.entries.items():
        if entry.placed.number is not None:
            groups[path.rpartition("/")[0], entry.placed.number].append(entry)
    for (_, number), entries in groups.items():
        first, *others = [entry.placed.path for entry in entries]
        if others:
            words = f"number {number} is also that of {', '.join(others)}"
            yield Trouble(first, 0, "same_number", words)


def _same_component(
    records: Board, governs: Mapping[FilePath, Sequence[Governed]]
) -> Iterator[Trouble]:
    """Yield active records that claim one component by a field and do not mention each other."""
    claims: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for path, entry in records.entries.items():
        for one in governs.get(path, ()) if entry.status in ACTIVE else ():
            if one.origin == "field":
                claims[one.kind, one.target].append(entry)
    for (_, target), entries in sorted(claims.items()):
        for at, entry in enumerate(entries):
            for other in entries[at + 1 :]:
                if not any(link.path == other.placed.path for link in entry.links):
                    words = f"governs {target}, and so does {other.placed.path}: may they differ?"
                    yield Trouble(entry.placed.path, 0, "same_component", words, "remark")


def _decay(entry: Entry, governs: Iterable[Governed], today: str) -> Iterator[Trouble]:
    path, decision = entry.placed.path, entry.placed.decision
    if entry.status not in ACTIVE:
        return
    for one in governs:
        if not one.found:
            words = f"{one.kind} {one.target} is not here (any more)"
            yield Trouble(path, one.line, "component_gone", words)
        elif one.moved_from:
            words = f"{one.kind} {one.moved_from} is {one.target} by now"
            yield Trouble(path, one.line, "component_moved", words, "remark")
    if decision.review_date and today and decision.review_date < today:
        words = f"was to be reviewed by {decision.review_date}"
        yield Trouble(path, _line(entry, "review_date"), "review_passed", words)
    if not decision.owners:
        yield Trouble(path, 0, "owner_unknown", "no owner is named", "remark")


def _invariants(entry: Entry, states: Iterable[InvariantState]) -> Iterator[Trouble]:
    if entry.status not in ACTIVE:
        return
    path = entry.placed.path
    for state in states:
        one = state.invariant
        name, line = f"{one.kind} {one.target}", one.line
        if state.found is False:
            yield Trouble(path, line, "invariant_not_found", f"{name} is not here")
        elif state.passed is None:
            yield Trouble(path, line, "invariant_never_run", f"{name} was never run")
        elif not state.passed:
            yield Trouble(path, line, "invariant_failing", f"{name} failed at {state.ran_at}")
        elif not state.same_code:
            words = f"{name} passed at {state.ran_at}, which is other code"
            yield Trouble(path, line, "invariant_stale", words)


def _says(entry: Entry, path: FilePath, kind: str) -> bool:
    own = entry.placed.path
    return any(
        link.kind == kind and link.path == path and link.told_by == own for link in entry.links
    )


def _line(entry: Entry, part: str) -> int:
    found = entry.placed.decision.part(part)
    return found.start_line if found else 0


def _words(kind: str) -> str:
    return kind.replace("_", " ")
