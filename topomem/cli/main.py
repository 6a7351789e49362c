"""The group of commands, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

import topomem
from topomem.cli import exit_codes, output
from topomem.cli.settings import common_options
from topomem.errors import TopomemError

COMMANDS = {
    "index": "Index the history of the repository.",
    "reindex": "Index what came since; what a hook runs.",
    "status": "What is indexed, how fresh, what is missing and why.",
    "symbols": "Definitions as of a revision.",
    "show": "One symbol: its source, signature and edges.",
    "edges": "All typed edges as of a revision.",
    "refs": "Callers, callees and other typed neighbours of a symbol.",
    "history": "Every commit that changed a symbol, through renames and moves.",
    "aliases": "Inferred renames, moves and other lineage, for review.",
    "alias": "Accept or reject an alias.",
    "diff": "What differs between two revisions, in symbols and edges.",
    "impact": "Whom a change concerns: dependents, tests, owners, decisions.",
    "bundle": "A cited context bundle for a task, within a token budget.",
    "brief": "What to know when work on a branch begins.",
    "notice": "What is known of what a message names; for every message.",
    "verify": "Re-read every citation of a bundle.",
    "decision": "Decision records: list, show, check.",
    "hook": "Git hooks that reindex; beside those that are there.",
    "episode": "Episodes: what was tried, and what came of it.",
    "run": "Run a command and remember what came of it.",
    "share": "Hand what was recorded on, and take over what others recorded.",
    "export": "Write what was recorded as lines of JSON.",
    "import": "Take over what was exported elsewhere.",
    "ci": "The job for a change: index, diff, impact, decisions, bundle; Markdown and exit code.",
    "eval": "How well bundles answer, against plain searches, on this history.",
    "doctor": "Check the store.",
    "rebuild": "Make everything that comes from git anew; heals a damaged store.",
}
"""Name and one line each; the module `topomem.cli.commands.NAME` is imported when it is needed."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command, or None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"topomem.cli.commands.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101 - every command file has one
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(topomem.__version__, prog_name="topomem")
@common_options
def program() -> None:
    """Remember a code repository, commit by commit: its symbols, who uses them, and why."""


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code. Never raises for what a user can cause."""
    words = [output.unsurrogated(word) for word in arguments]
    wants_json = "--json" in words
    try:
        with program.make_context("topomem", words) as context:
            code = program.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else exit_codes.OK
    except click.exceptions.Exit as done:  # `--help`, `--version`
        return done.exit_code
    except BrokenPipeError:
        output.abandon_stdout()
        return exit_codes.BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        output.say("topomem: interrupted")
        return exit_codes.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last one to see it
        return _report(error, wants_json=wants_json)


def _report(error: Exception, *, wants_json: bool) -> int:
    code, word, message, hint = _explain(error)
    if wants_json:
        document: dict[str, Any] = {"error": {"code": word, "message": message, "hint": hint}}
        output.write(output.json_text(document))
    else:
        output.say(f"topomem: {message}" + (f"\n  {hint}" if hint else ""))
    return code


def _explain(error: Exception) -> tuple[int, str, str, str]:
    """Return exit code, machine-readable code, message and hint."""
    if isinstance(error, TopomemError):
        return exit_codes.exit_code(error), error.code, str(error), error.hint
    if isinstance(error, click.ClickException):
        usage = error.ctx.get_usage() if isinstance(error, click.UsageError) and error.ctx else ""
        return exit_codes.USAGE, "usage", error.format_message(), usage
    if isinstance(error, OSError):
        return exit_codes.ENVIRONMENT, "environment", str(error), ""
    if os.environ.get("TOPOMEM_TRACE"):
        output.say("".join(traceback.format_exception(error)))
    message = f"internal error: {type(error).__name__}: {error}"
    return exit_codes.INTERNAL, "internal", message, "TOPOMEM_TRACE=1 shows where"
