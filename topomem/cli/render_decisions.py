"""Decision records for people: plain lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from topomem.cli.render import tell_empty, tell_notes

if TYPE_CHECKING:
    from topomem.api.decision_check import DecisionCheck
    from topomem.api.decisions import DecisionAnswer, DecisionsAnswer, DecisionShown
    from topomem.records.board import Link

MOST_GOVERNED = 12


def decision_lines(answer: DecisionsAnswer) -> Iterator[str]:
    """Yield one line per record: number, status, title, path, successors."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    for one in answer.decisions:
        yield decision_line(one)


def decision_line(answer: DecisionAnswer) -> str:
    """Return number, status, title, path and what took its place."""
    entry = answer.entry
    number = "" if entry.placed.number is None else str(entry.placed.number)
    status = entry.status + (" (partly superseded)" if entry.partly_superseded else "")
    successors = ", ".join(link.path or link.text for link in entry.linked("superseded_by"))
    by = f"  -> {successors}" if successors else ""
    return f"{number:>5}  {status:<12} {entry.placed.title}  {entry.placed.path}{by}"


def shown_lines(answer: DecisionShown) -> Iterator[str]:
    """Yield the head of a record, its links and what it governs, then its text."""
    tell_notes(answer.notes, answer.partial)
    one = answer.decision
    entry, decision = one.entry, one.entry.placed.decision
    yield decision_line(one).strip()
    yield f"id {entry.placed.id}" + (f"  date {decision.date}" if decision.date else "")
    if decision.owners:
        yield "owners " + ", ".join(decision.owners)
    yield from (_link_line(link) for link in entry.links)
    for governed in one.governs[:MOST_GOVERNED]:
        gone = "" if governed.found else "  (not here)"
        gone = f"  (was {governed.moved_from})" if governed.moved_from else gone
        yield f"governs {governed.kind} {governed.target}  {governed.confidence:.2f}{gone}"
    if len(one.governs) > MOST_GOVERNED:
        yield f"governs {len(one.governs) - MOST_GOVERNED} more"
    for invariant in decision.invariants:
        yield f"invariant {invariant.kind} {invariant.target}"
    for trouble in entry.placed.diagnostics:
        yield f"not read: {trouble.code}  {trouble.message}"
    yield ""
    yield from one.text.splitlines()


def check_lines(report: DecisionCheck) -> Iterator[str]:
    """Yield problems, then remarks, then how many records were checked."""
    tell_notes(report.notes)
    for one in report.failed:
        yield f"{one.path}:{one.line}  {one.code}  {one.message}"
    for one in report.remarks:
        yield f"{one.path}:{one.line}  remark {one.code}  {one.message}"
    problems, remarks = len(report.failed), len(report.remarks)
    yield f"{report.checked} records checked, {problems} problems, {remarks} remarks"


def _link_line(link: Link) -> str:
    partly = " in part" if link.partly else ""
    return f"{link.kind.replace('_', ' ')}{partly} {link.path or link.text}"
