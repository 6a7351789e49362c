"""`topomem run`: run a command and remember what came of it."""

from __future__ import annotations

import sys

import click

from topomem.cli.output import json_text, say, write
from topomem.cli.settings import common_options, timeless


@click.command(
    name="run", context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False}
)
@click.option("--episode", default="", metavar="ID", help="The episode it belongs to.")
@click.option("--no-capture", is_flag=True, help="Leave its streams alone; keep no output.")
@click.argument("command_words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND ...")
@common_options
@click.pass_context
def command(
    context: click.Context, /, episode: str, no_capture: bool, command_words: tuple[str, ...]
) -> int:
    """Run a command; its streams and its exit code are passed on, and what came of it is kept.

    Kept are the command, its exit code and duration, the commit and what was not committed, the
    environment, a digest of the output and its last lines without secrets. The command sees pipes;
    with --no-capture it sees what you see. With --json its output goes to standard error.
    """
    from topomem.api.running import RunRequest, passing_to

    said = timeless(context)
    sys.stdout.flush()
    sys.stderr.flush()
    err = passing_to(sys.stderr)
    out = err if said.json else passing_to(sys.stdout)
    request = RunRequest(command_words, episode, not no_capture)
    result = said.open().run(request, out, err)
    for note in result.notes:
        say(f"topomem: {note}")
    if said.json:
        document = {
            "exit_code": result.exit_code,
            "seconds": result.seconds,
            "event": result.event or None,
            "episode": result.episode or None,
            "notes": list(result.notes),
        }
        write(json_text(document))
    return result.exit_code
