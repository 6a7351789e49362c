"""`topomem edges`: typed edges as of a revision."""

import click

from topomem.cli.render import answer_with, edge_lines
from topomem.cli.settings import common_options, settings


@click.command(name="edges")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only these kinds or roles.")
@click.option("--path", "path_glob", default="", metavar="GLOB", help="Only read from these files.")
@click.option("--unresolved", is_flag=True, help="Only references whose target is not known.")
@common_options
@click.pass_context
def command(
    context: click.Context, kinds: tuple[str, ...], path_glob: str, unresolved: bool
) -> None:
    """List all typed edges as of a revision."""
    from topomem.api import documents

    said = settings(context)
    answer = said.open().edges(
        kinds=kinds, path=path_glob, unresolved=unresolved or None, as_of=said.as_of
    )
    answer_with(said, lambda: documents.edges_document(answer), lambda: edge_lines(answer))
