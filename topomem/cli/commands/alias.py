"""`topomem alias`: verdicts on aliases."""

import click

from topomem.cli.render import answer_with
from topomem.cli.settings import common_options, timeless


@click.command(name="alias")
@click.argument("verdict", type=click.Choice(["accept", "reject"]))
@click.argument("alias_id", metavar="ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept.")
@common_options
@click.pass_context
def command(context: click.Context, verdict: str, alias_id: str, reason: str) -> None:
    """Accept or reject an alias; it holds after a rebuild and after a rebase."""
    said = timeless(context)
    accept = verdict == "accept"
    record = said.open().judge_alias(alias_id, accept=accept, reason=reason)
    word = "accepted" if accept else "rejected"
    answer_with(
        said,
        lambda: {"id": record, "alias": alias_id, "verdict": word},
        lambda: [f"{alias_id} {word}"],
    )
