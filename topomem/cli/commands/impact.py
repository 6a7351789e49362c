"""`topomem impact`: whom the difference of two revisions concerns."""

import click

from topomem.cli.render import answer_with
from topomem.cli.settings import common_options, revisions, settings


@click.command(name="impact")
@click.argument("base")
@click.argument("head", default="")
@click.option("--merge-base", is_flag=True, help="Compare HEAD with where it left BASE.")
@click.option("--depth", default=6, show_default=True, metavar="N", help="Steps away at most.")
@common_options
@click.pass_context
def command(context: click.Context, base: str, head: str, merge_base: bool, depth: int) -> None:
    """Tell what depends on a change, which tests to run, who owns it, what was decided on it.

    BASE and HEAD are as those of `topomem diff`.
    """
    from topomem.api import change_documents
    from topomem.cli.render_changes import impact_lines

    said = settings(context)
    start, end, shared = revisions(said, base, head)
    answer = said.open().impact(start, end, merge_base=merge_base or shared, depth=depth)
    answer_with(
        said, lambda: change_documents.impact_document(answer), lambda: impact_lines(answer)
    )
