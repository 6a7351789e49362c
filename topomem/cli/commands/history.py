"""`topomem history`: what happened to one symbol."""

import click

from topomem.cli.render import answer_with, history_lines
from topomem.cli.settings import common_options, settings


@click.command(name="history")
@click.argument("symbol")
@click.option(
    "--layout",
    is_flag=True,
    help="Also commits that changed only layout, or the comment before it.",
)
@click.option(
    "--forward",
    is_flag=True,
    help="What became of the symbol of that name at --as-of, up to HEAD.",
)
@common_options
@click.pass_context
def command(context: click.Context, symbol: str, layout: bool, forward: bool) -> None:
    """List every commit that changed a symbol, through renames and moves, the newest first.

    SYMBOL is path#Qualified.name (which may be gone), Qualified.name if unique, path:line, or an
    id.
    """
    from topomem.api import documents

    said = settings(context)
    memory = said.open()
    answer = memory.history(symbol, layout=layout, forward=forward, as_of=said.as_of)
    answer_with(said, lambda: documents.history_document(answer), lambda: history_lines(answer))
