"""`topomem index`: index history."""

import click

from topomem.cli.output import say
from topomem.cli.render import answer_with, index_lines
from topomem.cli.settings import common_options, timeless


@click.command(name="index")
@click.option("--all-refs", is_flag=True, help="Everything reachable from any reference.")
@click.option("--since", default="", metavar="REV", help="Only commits since a revision or date.")
@click.option("--max-commits", type=click.IntRange(min=1), metavar="N", help="The N newest only.")
@click.option("--head-only", is_flag=True, help="Only the commit HEAD stands on.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.")
@common_options
@click.pass_context
def command(
    context: click.Context,
    all_refs: bool,
    since: str,
    max_commits: int | None,
    head_only: bool,
    jobs: int | None,
) -> None:
    """Index history reachable from HEAD; goes on where the last run stopped."""
    from topomem.api import documents
    from topomem.cli.progress import shown_progress

    said = timeless(context)
    memory = said.open()
    top = memory.top
    if top is not None and top.resolve() != said.repository.resolve():
        say(f"topomem: the repository is {top}")
    with shown_progress() as emit:
        report = memory.index(
            all_refs=all_refs,
            since=since,
            max_commits=max_commits,
            head_only=head_only,
            jobs=jobs,
            emit=emit,
        )
    answer_with(said, lambda: documents.index_document(report), lambda: index_lines(report))
