"""`topomem bundle`: a cited context bundle."""

import sys

import click

from topomem.cli.output import json_text, write
from topomem.cli.settings import common_options, revisions, settings


@click.command(name="bundle")
@click.argument("task", default="")
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
@click.option("--focus", default="", metavar="SYMBOL", help="A path, folder or symbol: it first.")
@click.option("--diff", "change", default="", metavar="BASE..HEAD", help="The bundle for a change.")
@common_options
@click.pass_context
def command(
    context: click.Context,
    task: str,
    budget: int,
    count: str,
    form: str,
    focus: str,
    change: str,
) -> None:
    """Answer TASK with cited passages within a token budget; - reads it from standard input.

    With --focus or --diff TASK may be left out. BASE...HEAD compares with the merge base.
    """
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
    ends = revisions(said, change, "") if change else None
    found = said.open().bundle(
        task,
        budget=budget,
        count=count,
        focus=focus,
        diff=ends,
        as_of=said.as_of,
        printed=None if wants_json and count == "chars4" else printed,
    )
    write(printed(found))
