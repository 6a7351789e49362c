"""`topomem doctor`: check the store."""

import click

from topomem.cli.exit_codes import CHECK_FAILED, OK
from topomem.cli.render import answer_with, check_lines
from topomem.cli.settings import common_options, timeless


@click.command(name="doctor")
@click.option(
    "--sample", default=0, show_default=True, metavar="N", help="Compare N commits with git."
)
@common_options
@click.pass_context
def command(context: click.Context, sample: int) -> int:
    """Check the store: rows, journal, word index, and a sample of commits against git.

    Exits with 1 if something is wrong.
    """
    from topomem.api import documents

    said = timeless(context)
    report = said.open().doctor(sample=sample)
    answer_with(said, lambda: documents.check_document(report), lambda: check_lines(report))
    return CHECK_FAILED if report.failed else OK
