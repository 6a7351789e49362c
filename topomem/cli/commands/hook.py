"""`topomem hook`: git hooks that keep the index current."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from topomem.cli.exit_codes import CHECK_FAILED, OK
from topomem.cli.output import say, write
from topomem.cli.render import answer_with
from topomem.cli.settings import Settings, common_options, timeless
from topomem.errors import TopomemError

if TYPE_CHECKING:
    from topomem.api.places import Places
    from topomem.hooks.installing import Hook, Wishes

_LINES = 5


@click.group(name="hook")
@common_options
def command() -> None:
    """Git hooks that reindex in the background, beside those that are there."""


@command.command(name="install")
@click.option("--foreground", is_flag=True, help="Let git wait until the index is current.")
@click.option("--agent", metavar="NAME", help="Only print what to configure in an agent: generic.")
@common_options
@click.pass_context
def install_hooks(context: click.Context, foreground: bool, agent: str | None) -> int:
    """Let hooks reindex after commits, merges, checkouts, rewrites and (bare) pushes.

    Hooks that are there go on working. With --agent nothing is installed: the settings are printed
    that let an agent ask at the start of a session and at every message.
    """
    from topomem.errors import UsageError
    from topomem.hooks.agents import AGENTS, configuration
    from topomem.hooks.installing import edited, install

    said = timeless(context)
    places = said.open().places()
    if agent is not None:
        if agent not in AGENTS:
            raise UsageError(f"no agent {agent!r}", f"known: {', '.join(AGENTS)}")
        write(json.dumps(configuration(agent, str(places.top or places.git)), indent=2))
        return OK
    hooks = install(places, _wishes(said, foreground=foreground))
    _answer(said, places, hooks)
    return CHECK_FAILED if edited(hooks) else OK


@command.command(name="uninstall")
@common_options
@click.pass_context
def uninstall_hooks(context: click.Context) -> int:
    """Take the hooks away and put back what was there before, byte for byte."""
    from topomem.hooks.installing import edited, uninstall

    said = timeless(context)
    places = said.open().places()
    hooks = uninstall(places)
    _answer(said, places, hooks)
    return CHECK_FAILED if edited(hooks) else OK


@command.command(name="status")
@common_options
@click.pass_context
def show_status(context: click.Context) -> None:
    """Say which hooks are installed and what they did last."""
    from topomem.hooks.installing import states

    said = timeless(context)
    places = said.open().places()
    _answer(said, places, states(places), with_log=True)


@command.command(name="run", hidden=True)
@click.argument("hook")
@click.argument("arguments", nargs=-1)
@click.option("--foreground", is_flag=True)
@common_options
@click.pass_context
def run_hook(
    context: click.Context, hook: str, arguments: tuple[str, ...], foreground: bool
) -> None:
    """Do what an installed hook does."""
    from topomem.hooks import running

    running.forget_git_variables()
    if not foreground:
        running.detach()
    try:
        running.run(timeless(context).open, hook, arguments)
    except TopomemError as error:  # no log to write to; git must not be told of a failure
        say(f"topomem: {error}")


def _wishes(said: Settings, *, foreground: bool) -> Wishes:
    """Return how hooks are to call this program: as it was called now."""
    from topomem.hooks.installing import Wishes

    extra: list[str] = []
    if said.store is not None:
        extra += ["--store", str(said.store.resolve())]
    if said.config is not None:
        extra += ["--config", str(said.config.resolve())]
    return Wishes(tuple(extra), foreground)


def _answer(said: Settings, places: Places, hooks: list[Hook], *, with_log: bool = False) -> None:
    document = _document(places, hooks)
    answer_with(said, lambda: document, lambda: _lines(document, with_log=with_log))


def _document(places: Places, hooks: list[Hook]) -> dict[str, Any]:
    from topomem.hooks import log

    return {
        "folder": str(places.hooks),
        "managed_folder": None if places.managed_hooks is None else str(places.managed_hooks),
        "store": str(places.store),
        "hooks": [
            {
                "name": hook.name,
                "path": str(hook.path),
                "state": hook.state.value,
                "keeps_another": hook.keeps,
            }
            for hook in hooks
        ],
        "log": log.last_lines(places.store, _LINES),
        "error": log.last_errors(places.store) or None,
    }


def _lines(document: dict[str, Any], *, with_log: bool) -> Iterator[str]:
    for hook in document["hooks"]:
        beside = "  beside another hook" if hook["keeps_another"] else ""
        yield f"{hook['name']:<14} {hook['state']}{beside}"
    if document["managed_folder"]:
        yield f"git runs hooks from {document['managed_folder']}"
    if with_log:
        yield from document["log"]
        if document["error"]:
            yield f"last error: {document['error']}"
