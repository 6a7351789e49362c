"""`topomem bundle`: a cited context bundle."""

import sys

import click

from topomem.cli.output import json_text, write
from topomem.cli.settings import common_options, settings


@click.command(name="bundle")
@click.argument("task")
@click.option("--budget", default=4000, show_default=True, metavar="N", help="Tokens at most.")
@click.option(
    "--count",
    default="estimate",
    show_default=True,
    metavar="WAY",
    help="How tokens are counted: estimate, chars4, or an installed tokenizer.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "json"]),
    default="md",
    show_default=True,
    help="Form of the answer; --json is the same as --format json.",
)
@common_options
@click.pass_context
def command(context: click.Context, task: str, budget: int, count: str, form: str) -> None:
    """Answer TASK with cited passages within a token budget; - reads it from standard input."""
    from topomem.api.documents import bundle_document
    from topomem.model.bundle import Bundle
    from topomem.retrieve.render import markdown

    def as_json(bundle: Bundle) -> str:
        return json_text(bundle_document(bundle))

    said = settings(context)
    wants_json = said.json or form == "json"
    printed = as_json if wants_json else markdown
    if task == "-":
        task = sys.stdin.buffer.read().decode("utf-8", "backslashreplace")
    found = said.open().bundle(
        task,
        budget=budget,
        count=count,
        as_of=said.as_of,
        printed=None if wants_json and count == "chars4" else printed,
    )
    write(printed(found))
