"""`topomem diff`: what differs between two revisions, in symbols and edges."""

import click

from topomem.cli.render import answer_with
from topomem.cli.settings import common_options, revisions, settings


@click.command(name="diff")
@click.argument("base")
@click.argument("head", default="")
@click.option("--merge-base", is_flag=True, help="Compare HEAD with where it left BASE.")
@click.option("--layout", is_flag=True, help="Also symbols of which only layout differs.")
@common_options
@click.pass_context
def command(context: click.Context, base: str, head: str, merge_base: bool, layout: bool) -> None:
    """Compare two revisions by symbols and typed edges.

    BASE and HEAD are revisions or WORKTREE; HEAD is HEAD if left out. BASE..HEAD is the same, and
    BASE...HEAD compares with the merge base, as in git.
    """
    from topomem.api import change_documents
    from topomem.cli.render_changes import diff_lines

    said = settings(context)
    start, end, shared = revisions(said, base, head)
    answer = said.open().diff(start, end, merge_base=merge_base or shared, layout=layout)
    answer_with(said, lambda: change_documents.diff_document(answer), lambda: diff_lines(answer))
