"""`topomem notice`: what is known of what a message names."""

import sys

import click

from topomem.cli.output import json_text, say, write
from topomem.cli.settings import common_options, timeless


@click.command(name="notice")
@click.argument("text")
@click.option("--session", default="", metavar="ID", help="Tell each subject once in this session.")
@common_options
@click.pass_context
def command(context: click.Context, text: str, session: str) -> None:
    """Tell what is known of what TEXT names: code, paths, tickets; - reads it from standard input.

    Says nothing where nothing is known. Fast enough to run at every message.
    """
    # the facade would load the store and git; this reads one file
    from topomem.api.notice import notice
    from topomem.api.subject_documents import notice_document, subject_lines

    said = timeless(context)
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "backslashreplace")
    found = notice(text, session, said.repository, said.store)
    if said.json:
        write(json_text(notice_document(found)))
        return
    for note in found.notes:
        say(f"topomem: {note}")
    if found.subjects:
        from topomem.retrieve.render import NOTICE, fence

        lines = [*subject_lines(found.subjects)]
        if found.left_out:
            lines.append(f"{found.left_out} more subjects")
        write(f"Known here, as of {(found.as_of or '')[:12]}. {NOTICE}\n")
        write(fence("\n".join(lines), "quoted"))
