"""`topomem export`: what was recorded, as lines of JSON."""

import sys

import click

from topomem.cli.files import open_to_write
from topomem.cli.output import say
from topomem.cli.settings import common_options, timeless


@click.command(name="export")
@click.option("--since", default="", metavar="WHEN", help="Rows since a date, or a revision.")
@click.argument("file", metavar="FILE")
@common_options
@click.pass_context
def command(context: click.Context, since: str, file: str) -> None:
    """Write every recorded row that may travel to FILE (`-`: standard output), a line each."""
    count = 0
    lines = timeless(context).open().export_lines(since=since)
    if file == "-":
        for line in lines:
            sys.stdout.write(f"{line}\n")
            count += 1
    else:
        with open_to_write(file) as target:
            for line in lines:
                target.write(f"{line}\n")
                count += 1
    say(f"topomem: {count} rows")
