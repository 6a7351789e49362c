"""`topomem import`: rows that were exported elsewhere."""

from pathlib import Path

import click

from topomem.cli.exit_codes import CHECK_FAILED, OK
from topomem.cli.files import read_file
from topomem.cli.render import answer_with, tell_notes
from topomem.cli.settings import common_options, timeless


@click.command(name="import")
@click.argument("file", metavar="FILE")
@common_options
@click.pass_context
def command(context: click.Context, file: str) -> int:
    """Take over the rows of FILE (`-`: standard input) that are not here yet.

    Exits with 1 if lines are in it and none can be read.
    """
    from topomem.api.share_documents import share_document

    said = timeless(context)
    data = read_file(file)
    name = "-" if file == "-" else Path(file).name
    report = said.open().import_lines(data.decode("utf-8", "replace").split("\n"), name=name)
    tell_notes(report.notes)
    answer_with(
        said,
        lambda: share_document(report),
        lambda: [f"{report.rows} of {report.seen} rows are new"],
    )
    return CHECK_FAILED if report.is_rubbish else OK
