"""`topomem decision`: the decision records of the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from topomem.cli.exit_codes import CHECK_FAILED, OK
from topomem.cli.output import say
from topomem.cli.render import answer_with, tell_notes
from topomem.cli.render_decisions import check_lines, decision_lines, shown_lines
from topomem.cli.settings import Settings, common_options, settings, timeless
from topomem.errors import UsageError

if TYPE_CHECKING:
    from topomem.api.decision_writing import Written


@click.group(name="decision")
@common_options
def command() -> None:
    """Decision records as of a revision: list, show, check, new, supersede."""


@command.command(name="list")
@click.option("--all", "show_all", is_flag=True, help="Those too that do not hold (any more).")
@common_options
@click.pass_context
def list_decisions(context: click.Context, show_all: bool) -> None:
    """List the decisions that held at a revision."""
    from topomem.api import decision_documents

    said = settings(context)
    answer = said.open().decisions(all=show_all, as_of=said.as_of)
    answer_with(
        said,
        lambda: decision_documents.decisions_document(answer),
        lambda: decision_lines(answer),
    )


@command.command(name="show")
@click.argument("decision")
@common_options
@click.pass_context
def show_decision(context: click.Context, decision: str) -> None:
    """Show one record: an id, path, number, file name or part of a title."""
    from topomem.api import decision_documents

    said = settings(context)
    answer = said.open().decision(decision, as_of=said.as_of)
    answer_with(
        said, lambda: decision_documents.shown_document(answer), lambda: shown_lines(answer)
    )


@command.command(name="check")
@click.option("--strict", is_flag=True, help="Remarks fail too.")
@click.option("--today", default="", metavar="DATE", help="Review dates before it have passed.")
@click.option("--run", is_flag=True, help="Run the invariants first, in the work tree.")
@click.option("--timeout", default=600, show_default=True, metavar="S", help="For each of them.")
@common_options
@click.pass_context
def check_decisions(
    context: click.Context, strict: bool, today: str, run: bool, timeout: int
) -> int:
    """Check records: conflicts, circles, links, successors, components, dates, invariants.

    Exits with 1 if something is wrong.
    """
    from datetime import UTC, datetime

    from topomem.api import decision_documents

    said = settings(context)
    memory = said.open()
    if run:
        if said.as_of is not None:
            raise UsageError("invariants are run on the work tree: --run takes no --as-of")
        ran = memory.run_invariants(
            timeout_seconds=timeout,
            told=lambda path, invariant: say(f"running {invariant.target}  ({path})"),
        )
        tell_notes(tuple(f"{one.invariant.target}: {one.note}" for one in ran if one.note))
    report = memory.check_decisions(
        today=today or datetime.now(UTC).date().isoformat(), as_of=said.as_of
    )
    answer_with(
        said, lambda: decision_documents.check_document(report), lambda: check_lines(report)
    )
    return CHECK_FAILED if report.failed or (strict and report.remarks) else OK


@command.command(name="new")
@click.argument("title")
@click.option("--folder", default="", metavar="DIR", help="Where it goes.  [where the others are]")
@click.option("--status", default="proposed", show_default=True, metavar="STATUS")
@click.option("--governs", multiple=True, metavar="TARGET", help="A path, glob or symbol.")
@click.option("--owner", "owners", multiple=True, metavar="NAME", help="[from CODEOWNERS]")
@click.option(
    "--supersedes", multiple=True, metavar="DECISION", help="Mark this one as superseded."
)
@common_options
@click.pass_context
def new_decision(
    context: click.Context,
    title: str,
    folder: str,
    status: str,
    governs: tuple[str, ...],
    owners: tuple[str, ...],
    supersedes: tuple[str, ...],
) -> None:
    """Write a new record into the work tree: next number, owners, components, related records."""
    from datetime import UTC, datetime

    from topomem.api.decision_writing import NewDecision

    said = timeless(context)
    today = datetime.now(UTC).date().isoformat()
    wanted = NewDecision(title, today, folder, status, governs, owners, supersedes)
    written = said.open().new_decision(wanted)
    _tell(said, written)


@command.command(name="supersede")
@click.argument("old")
@click.argument("new")
@common_options
@click.pass_context
def supersede(context: click.Context, old: str, new: str) -> None:
    """Mark OLD as superseded by NEW, in the work tree, in both records."""
    said = timeless(context)
    written = said.open().supersede(old, new)
    _tell(said, written)


def _tell(said: Settings, written: Written) -> None:
    from topomem.api import decision_documents

    def lines() -> tuple[str, ...]:
        tell_notes(written.notes)
        return written.paths

    answer_with(said, lambda: decision_documents.written_document(written), lines)
