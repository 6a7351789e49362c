"""`topomem brief`: what to know when work begins."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from topomem.cli.output import json_text, say, write
from topomem.cli.settings import common_options, timeless

if TYPE_CHECKING:
    from topomem.api.brief import Brief


@click.command(name="brief")
@common_options
@click.pass_context
def command(context: click.Context) -> None:
    """Tell what to know before work on the current branch begins.

    The tickets it names, the files it changes with the decisions that govern them and what uses
    them, and records that nothing links to.
    """
    from topomem.api.subject_documents import brief_document
    from topomem.retrieve.render import NOTICE, fence

    said = timeless(context)
    found = said.open().brief()
    if said.json:
        write(json_text(brief_document(found)))
        return
    for note in (*found.notes, *found.partial):
        say(f"topomem: {note}")
    write(f"# Brief as of {found.as_of.commit or 'no commit'}\n\n{NOTICE}\n")
    write(fence("\n".join(_lines(found)), "quoted"))


def _lines(found: "Brief") -> Iterator[str]:
    from topomem.api.subject_documents import known_line, subject_lines

    files = f"{len(found.changed)} files changed, {found.commits} commits of its own"
    yield f"branch {found.branch or '(detached)'}: {files}"
    yield from subject_lines(found.subjects)
    if found.left_out:
        yield f"{found.left_out} more changed files"
    if found.episodes:
        yield "latest episodes"
        yield from (f"  {known_line(one)}" for one in found.episodes)
    if found.abandoned:
        yield "records that hold and that nothing links to"
        yield from (f"  {known_line(one)}" for one in found.abandoned)
