"""`topomem reindex`: index what came since."""

import click

from topomem.cli.render import answer_with, index_lines
from topomem.cli.settings import common_options, timeless


@click.command(name="reindex")
@click.argument("refs", nargs=-1, metavar="[REF]...")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.")
@common_options
@click.pass_context
def command(context: click.Context, refs: tuple[str, ...], jobs: int | None) -> None:
    """Index what came since the last run, as that one did; REFs are further starting points.

    Run it after a push, commit, merge, checkout or rewrite. Commits that nothing leads to any more
    are marked.
    """
    from topomem.api import documents
    from topomem.cli.progress import shown_progress

    said = timeless(context)
    with shown_progress() as emit:
        report = said.open().reindex(refs, jobs=jobs, emit=emit)
    answer_with(said, lambda: documents.index_document(report), lambda: index_lines(report))
