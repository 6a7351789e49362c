"""`topomem show`: one symbol."""

import click

from topomem.cli.render import answer_with, show_lines
from topomem.cli.settings import common_options, settings


@click.command(name="show")
@click.argument("symbol")
@common_options
@click.pass_context
def command(context: click.Context, symbol: str) -> None:
    """Show one symbol: its source, signature, members and edges.

    SYMBOL is path#Qualified.name, Qualified.name if unique, path:line, or an id.
    """
    from topomem.api import documents

    said = settings(context)
    answer = said.open().show(symbol, as_of=said.as_of)
    answer_with(said, lambda: documents.show_document(answer), lambda: show_lines(answer))
