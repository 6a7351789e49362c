"""`topomem share`: what was recorded, handed on through git."""

import click

from topomem.cli.render import answer_with, tell_notes
from topomem.cli.settings import common_options, timeless


@click.command(name="share")
@click.argument("direction", type=click.Choice(["push", "pull"]))
@click.argument("remote", default="origin")
@common_options
@click.pass_context
def command(context: click.Context, direction: str, remote: str) -> None:
    """Push recorded rows to a remote, or pull those that others pushed, in refs/notes/topomem.

    Both sides are joined; nothing is overwritten, and doing it again changes nothing.
    """
    from topomem.api.share_documents import share_document

    said = timeless(context)
    memory = said.open()
    report = memory.share_push(remote) if direction == "push" else memory.share_pull(remote)
    tell_notes(report.notes)
    word = "sent" if direction == "push" else "received"
    answer_with(
        said,
        lambda: share_document(report),
        lambda: [f"{report.rows} rows {word}, {report.seen} there"],
    )
