"""`topomem verify`: re-read every citation of a bundle."""

import json
import sys

import click

from topomem.cli.exit_codes import CHECK_FAILED, OK
from topomem.cli.render import answer_with, check_lines
from topomem.cli.settings import common_options, timeless
from topomem.errors import UsageError


@click.command(name="verify")
@click.argument("bundle", metavar="BUNDLE.json")
@common_options
@click.pass_context
def command(context: click.Context, bundle: str) -> int:
    """Re-read every citation of a bundle made with --json; - reads standard input.

    Exits with 1 if a citation does not hold.
    """
    from topomem.api import documents

    said = timeless(context)
    report = said.open().verify(_document(bundle))
    answer_with(said, lambda: documents.check_document(report), lambda: check_lines(report))
    return CHECK_FAILED if report.failed else OK


def _document(name: str) -> dict[str, object]:
    try:
        if name == "-":
            found = json.load(sys.stdin.buffer)
        else:
            with open(name, "rb") as file:  # noqa: PTH123 - as the user typed it
                found = json.load(file)
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise UsageError(f"{name} is no bundle", "pass what `topomem bundle --json` printed")
    return found
