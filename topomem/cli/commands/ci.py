"""`topomem ci`: the job for a change."""

from datetime import UTC, datetime
from pathlib import Path

import click

from topomem.cli import exit_codes
from topomem.cli.files import write_text
from topomem.cli.output import json_text, write
from topomem.cli.settings import common_options, revisions, settings


@click.command(name="ci")
@click.argument("base")
@click.argument("head", default="")
@click.option(
    "--budget", default=4000, show_default=True, metavar="N", help="Tokens of the bundle."
)
@click.option("--artifact", type=click.Path(path_type=Path), help="Also write the JSON document.")
@click.option("--today", default="", metavar="DATE", help="Judge review dates as of this day.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.")
@common_options
@click.pass_context
def command(
    context: click.Context,
    base: str,
    head: str,
    budget: int,
    artifact: Path | None,
    today: str,
    jobs: int | None,
) -> int:
    """Check the change from BASE to HEAD, as a job of a pull request does.

    Indexes what is new, then prints Markdown: what differs since the branches parted, whom it
    concerns, tests to run, what was decided on it, and what to read. Exit code 1: the change brings
    new problems into the decision records.
    """
    from topomem.ci import Wanted, check_change, document, markdown
    from topomem.cli.progress import shown_progress
    from topomem.cli.render import tell_notes
    from topomem.retrieve.render import markdown as bundle_markdown

    said = settings(context)
    start, end, _ = revisions(said, base, head)
    with shown_progress() as emit:
        day = today or datetime.now(UTC).date().isoformat()
        report = check_change(said.open(), Wanted(start, end, budget, jobs, day, emit))
    if artifact is not None:
        write_text(artifact, json_text(document(report)) + "\n")
    if said.json:
        write(json_text(document(report)))
    else:
        tell_notes(report.diff.notes, report.decisions.notes)
        write(markdown(report, bundle_markdown))
    return exit_codes.OK if report.passed else exit_codes.CHECK_FAILED
