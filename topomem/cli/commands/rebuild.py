"""`topomem rebuild`: everything that comes from git, anew."""

import click

from topomem.cli.render import answer_with, index_lines
from topomem.cli.settings import common_options, timeless


@click.command(name="rebuild")
@click.argument("refs", nargs=-1, metavar="[REF]...")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.")
@common_options
@click.pass_context
def command(context: click.Context, refs: tuple[str, ...], jobs: int | None) -> None:
    """Make everything that comes from git anew, as the last index did; REFs are indexed, too.

    Works on a damaged store. What was recorded (episodes, verdicts on aliases) stays. Questions are
    answered from what is there until the new is whole.
    """
    from topomem.api import documents
    from topomem.cli.progress import shown_progress

    said = timeless(context)
    with shown_progress() as emit:
        report = said.open().rebuild(refs, jobs=jobs, emit=emit)
    answer_with(said, lambda: documents.index_document(report), lambda: index_lines(report))
