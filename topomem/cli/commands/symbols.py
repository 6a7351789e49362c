"""`topomem symbols`: definitions as of a revision."""

import click

from topomem.cli.render import answer_with, symbol_lines
from topomem.cli.settings import common_options, settings


@click.command(name="symbols")
@click.argument("query", default="")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only these kinds.")
@click.option("--path", "path_glob", default="", metavar="GLOB", help="Only in these files.")
@common_options
@click.pass_context
def command(context: click.Context, query: str, kinds: tuple[str, ...], path_glob: str) -> None:
    """List definitions as of a revision.

    QUERY is part of a qualified name, letter case ignored; =NAME means exactly that name.
    """
    from topomem.api import documents

    said = settings(context)
    answer = said.open().symbols(query, kinds=kinds, path=path_glob, as_of=said.as_of)
    answer_with(said, lambda: documents.symbols_document(answer), lambda: symbol_lines(answer))
