"""The job for a change: what differs, whom it concerns, what was decided on it, what to read.

It indexes what is new, asks the questions a reviewer has, and passes unless the change brings new
problems into the decision records. What cannot be known here (history that is cut off) is said with
the command that brings it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from topomem.api.change_documents import diff_document, impact_document
from topomem.api.decision_documents import check_document
from topomem.api.documents import bundle_document, index_document
from topomem.errors import BudgetTooSmall
from topomem.retrieve.render import NOTICE, fence

if TYPE_CHECKING:
    from topomem.api.decision_check import DecisionCheck
    from topomem.api.diff import DiffAnswer, SymbolDifference
    from topomem.api.impact import ImpactAnswer
    from topomem.api.memory import Memory
    from topomem.index.events import Emit
    from topomem.index.report import IndexReport
    from topomem.model.bundle import Bundle
    from topomem.records.check import Trouble

MOST = 25
"""Most lines of one list in the summary."""

_UNSHALLOW = "git fetch --unshallow (or check out with the whole history)"
_SHALLOW_BASE = f"where the branches parted, so BASE itself is compared: {_UNSHALLOW}"
_SHALLOW_HISTORY = f"what came before the boundary of this shallow clone: {_UNSHALLOW}"
_HEAD_ONLY = "what earlier commits say of this code, as no history is indexed: topomem index"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked. `budget` is that of the bundle, in tokens; `today` judges review dates."""

    base: str
    head: str = "HEAD"
    budget: int = 4_000
    jobs: int | None = None
    today: str = ""
    emit: Emit | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What the job found. It passed where `failures` is empty.

    `base` and `head` are ids of commits; a revision as it was given stands for the work tree.
    """

    indexed: IndexReport
    base: str
    head: str
    diff: DiffAnswer
    impact: ImpactAnswer
    decisions: DecisionCheck
    failures: tuple[Trouble, ...]  # not there at BASE
    bundle: Bundle | None
    unknown: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """Whether the change brings no new problem."""
        return not self.failures


def check_change(memory: Memory, wanted: Wanted) -> Report:
    """Do the job for BASE and HEAD.

    Raises UnknownRevision (the clone lacks a revision), NotIndexed, StoreBusy, StoreFull.
    """
    parted = memory.merge_base(wanted.base, wanted.head)
    base = parted or wanted.base
    is_first = not memory.status().indexed_commits
    indexed = _index(memory, wanted, [base, wanted.head], trees_only=is_first)
    diff = memory.diff(base, wanted.head)
    impact = memory.impact(base, wanted.head)
    after = memory.check_decisions(today=wanted.today, as_of=wanted.head)
    before = memory.check_decisions(today=wanted.today, as_of=base)
    known = {_key(trouble) for trouble in before.failed}
    return Report(
        indexed=indexed,
        base=diff.base.commit or base,
        head=diff.head.commit or wanted.head,
        diff=diff,
        impact=impact,
        decisions=after,
        failures=tuple(trouble for trouble in after.failed if _key(trouble) not in known),
        bundle=_bundle(memory, base, wanted),
        unknown=tuple(_unknown(memory, parted=parted is not None, trees_only=is_first)),
    )


def _index(
    memory: Memory, wanted: Wanted, revisions: list[str], *, trees_only: bool
) -> IndexReport:
    """Index what is new; where nothing is indexed yet, only the two trees."""
    if trees_only:
        return memory.index(head_only=True, refs=revisions, jobs=wanted.jobs, emit=wanted.emit)
    return memory.reindex(revisions, jobs=wanted.jobs, emit=wanted.emit)


def _bundle(memory: Memory, base: str, wanted: Wanted) -> Bundle | None:
    """Return the bundle for the change; None where none fits, or there is nothing to show."""
    try:
        return memory.bundle(diff=(base, wanted.head), budget=wanted.budget)
    except BudgetTooSmall:
        return None


def _unknown(memory: Memory, *, parted: bool, trees_only: bool) -> Iterator[str]:
    is_shallow = memory.status().shallow
    if is_shallow and not parted:
        yield _SHALLOW_BASE
    if is_shallow:
        yield _SHALLOW_HISTORY
    elif trees_only:
        yield _HEAD_ONLY


def _key(trouble: Trouble) -> tuple[str, ...]:
    return trouble.code, str(trouble.path), trouble.message


def document(report: Report) -> dict[str, Any]:
    """Return the document of the job: an artifact for other jobs."""
    return {
        "base": report.base,
        "head": report.head,
        "passed": report.passed,
        "failures": [_trouble(one) for one in report.failures],
        "unknown": list(report.unknown),
        "index": index_document(report.indexed),
        "diff": diff_document(report.diff),
        "impact": impact_document(report.impact),
        "decisions": check_document(report.decisions),
        "bundle": bundle_document(report.bundle) if report.bundle else None,
    }


def _trouble(trouble: Trouble) -> dict[str, Any]:
    return {"code": trouble.code, "path": trouble.path, "message": trouble.message}


def markdown(report: Report, bundle_text: Callable[[Bundle], str] | None = None) -> str:
    """Return the summary for a comment: words of our own, and fenced lines of the repository."""
    parts = [_head(report)]
    parts += [
        f"### {title} ({len(lines)})\n\n{fence(chr(10).join(_bounded(lines)), 'quoted')}"
        for title, lines in _sections(report)
        if lines
    ]
    if report.unknown:
        lines = "\n".join(f"- {one}" for one in report.unknown)
        parts.append(f"### Not known here\n\n{lines}")
    if report.bundle is not None and bundle_text is not None:
        body = bundle_text(report.bundle)
        parts.append(f"<details><summary>Context for review</summary>\n\n{body}\n</details>")
    return "\n\n".join(parts) + "\n"


def _head(report: Report) -> str:
    changed, affected = len(report.diff.symbols), len(report.impact.affected)
    verdict = (
        "passed: no new problem in the decision records"
        if report.passed
        else f"failed: {len(report.failures)} new problems in the decision records"
    )
    moments = f"{_moment(report.diff.base.commit)} to {_moment(report.diff.head.commit)}"
    return (
        f"## topomem: {verdict}\n\n"
        f"{moments}: {len(report.diff.files)} files and {changed} symbols differ, "
        f"{affected} symbols depend on them. {NOTICE}"
    )


def _moment(commit: str | None) -> str:
    return commit[:12] if commit else "the work tree"


def _sections(report: Report) -> Iterator[tuple[str, list[str]]]:
    impact = report.impact
    yield "New problems", [f"{one.code}  {one.path}  {one.message}" for one in report.failures]
    yield "Changed", [_difference(one) for one in report.diff.symbols]
    yield (
        "Decisions on it",
        [
            f"{entry.status}  {entry.placed.path}  {entry.placed.title}"
            for entry, _ in impact.decisions
        ],
    )
    yield (
        "Depends on it",
        [
            f"{one.symbol.id}  {' < '.join(one.kinds)} {one.because.rpartition('#')[2]}"
            for one in impact.affected
        ],
    )
    yield "Tests to run", [f"{one.test.id}  {one.method}" for one in impact.tests]
    yield "Owners", [f"{one.owner}  {len(one.changed)} files changed" for one in impact.owners]
    yield (
        "Evidence that no longer holds",
        [f"{one.event.id}  {one.title}  {'; '.join(one.reasons)}" for one in impact.stale],
    )
    known = {_key(one) for one in report.failures}
    yield (
        "Problems that were there before",
        [
            f"{one.code}  {one.path}  {one.message}"
            for one in report.decisions.failed
            if _key(one) not in known
        ],
    )
    yield "Cut short", [*report.diff.partial, *report.impact.partial]


def _difference(one: SymbolDifference) -> str:
    name = one.symbol.id
    if one.old is not None and one.old.id != name:
        name = f"{one.old.id} -> {name}"
    return f"{one.change}  {name}" + (f"  {', '.join(one.kinds)}" if one.kinds else "")


def _bounded(lines: list[str]) -> Iterable[str]:
    yield from (" ".join(line.split("\n")) for line in lines[:MOST])
    if len(lines) > MOST:
        yield f"... and {len(lines) - MOST} more"
