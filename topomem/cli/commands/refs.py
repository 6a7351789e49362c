"""`topomem refs`: who uses a symbol, and what it uses."""

import click

from topomem.cli.render import answer_with, refs_lines
from topomem.cli.settings import common_options, settings


@click.command(name="refs")
@click.argument("symbol")
@click.option(
    "--direction",
    default="in",
    show_default=True,
    metavar="in,out",
    help="in: who uses it; out: what it uses.",
)
@click.option("--depth", default=1, show_default=True, metavar="N", help="Steps away at most.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only these kinds or roles.")
@common_options
@click.pass_context
def command(
    context: click.Context, symbol: str, direction: str, depth: int, kinds: tuple[str, ...]
) -> None:
    """List callers, callees and other typed neighbours of a symbol, the nearest first.

    SYMBOL is path#Qualified.name, Qualified.name if unique, path:line, or an id.
    """
    from topomem.api import documents

    said = settings(context)
    answer = said.open().refs(
        symbol, direction=direction, depth=depth, kinds=kinds, as_of=said.as_of
    )
    answer_with(said, lambda: documents.refs_document(answer), lambda: refs_lines(answer))
