"""`topomem status`: what is indexed."""

import click

from topomem.cli.render import answer_with, status_lines
from topomem.cli.settings import common_options, timeless


@click.command(name="status")
@common_options
@click.pass_context
def command(context: click.Context) -> None:
    """Say what is indexed, how fresh it is, and what is missing and why."""
    from topomem.api import documents

    said = timeless(context)
    status = said.open().status()
    answer_with(said, lambda: documents.status_document(status), lambda: status_lines(status))
