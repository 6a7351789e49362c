"""`topomem aliases`: inferred lineage, for review."""

import click

from topomem.cli.render import aliases_lines, answer_with
from topomem.cli.settings import common_options, settings


@click.command(name="aliases")
@click.option("--commit", metavar="REV", help="Only those of this commit.")
@click.option("--candidates", is_flag=True, help="Also those that are not sure enough.")
@click.option("--below", type=float, metavar="C", help="Only those less sure than this.")
@common_options
@click.pass_context
def command(
    context: click.Context, commit: str | None, candidates: bool, below: float | None
) -> None:
    """List renames, moves and other lineage, with evidence and confidence."""
    from topomem.api import documents

    said = settings(context)
    answer = said.open().aliases(
        commit=commit, candidates=candidates, below=below, as_of=said.as_of
    )
    answer_with(said, lambda: documents.aliases_document(answer), lambda: aliases_lines(answer))
