"""`topomem episode`: what was tried, in which state of the code, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from topomem.cli.exit_codes import CHECK_FAILED, OK
from topomem.cli.files import read_file
from topomem.cli.render import answer_with
from topomem.cli.render_episodes import (
    episode_lines,
    imported_lines,
    recorded_lines,
    shown_lines,
)
from topomem.cli.settings import Settings, common_options, settings, timeless
from topomem.errors import UsageError

if TYPE_CHECKING:
    from topomem.api.episode_writing import Linked, Recorded

MOST_BYTES = 4 << 20
"""Bytes of a text that are read."""


@click.group(name="episode")
@common_options
def command() -> None:
    """Episodes: start, add, finish, list, show, supersede, archive."""


Command = TypeVar("Command", bound=Callable[..., Any])

LINKS = (
    ("issue", "ID", "An issue it is about."),
    ("decision", "ID", "A decision record it is about."),
    ("related", "ID", "Another episode it is about."),
    ("symbol", "S", "A symbol it is about: path#Name."),
    ("path", "P", "A path it is about."),
)


def link_options(command: Command) -> Command:
    """Give a command the options that link an event; they arrive as `links`."""
    for name, shown, words in reversed(LINKS):
        command = click.option(f"--{name}", multiple=True, metavar=shown, help=words)(command)
    return command


@command.command(name="start")
@click.argument("title")
@click.option("--request", default="", metavar="TEXT", help="What was asked for; - reads it.")
@click.option("--relevance", default="", metavar="R", help="critical, high, normal or low.")
@click.option("--author", default="", metavar="NAME", help="Who.  [git's user]")
@link_options
@common_options
@click.pass_context
def start_episode(
    context: click.Context,
    /,
    title: str,
    request: str,
    relevance: str,
    author: str,
    **links: tuple[str, ...],
) -> None:
    """Begin an episode; its id goes to standard output."""
    from topomem.api.episode_writing import NewEvent
    from topomem.model.episode import START

    said = timeless(context)
    event = NewEvent(
        START, _text(request), relevance=relevance, author=author, links=_linked(links)
    )
    _tell(said, said.open().start_episode(title, event))


@command.command(name="add")
@click.argument("episode", metavar="ID")
@click.option("--kind", required=True, metavar="KIND", help="What it is: note, patch, ...")
@click.option("--text", default="", metavar="TEXT", help="What is to be kept; - reads it.")
@click.option("--file", "file", type=click.File("rb"), help="A file with it; of a patch: a diff.")
@click.option("--commit", metavar="REV", help="The commit it is about.  [what is here now]")
@click.option("--relevance", default="", metavar="R", help="critical, high, normal or low.")
@click.option("--author", default="", metavar="NAME", help="Who.  [git's user]")
@link_options
@common_options
@click.pass_context
def add_event(
    context: click.Context,
    /,
    episode: str,
    kind: str,
    text: str,
    file: IO[bytes] | None,
    commit: str | None,
    relevance: str,
    author: str,
    **links: tuple[str, ...],
) -> None:
    """Add an event to an episode; ID `none` keeps it as one of its own.

    Kinds: request, plan, approval, patch, tool_result, test_evidence, incident, rollback, review,
    note, conclusion.
    """
    from topomem.api.episode_writing import NewEvent

    said = timeless(context)
    content = _content(file)
    patch = content if kind == "patch" else ""
    words = "\n".join(part for part in (_text(text), "" if patch else content) if part)
    event = NewEvent(kind, words, commit, relevance, author, patch, _linked(links))
    _tell(said, said.open().add_event("" if episode == "none" else episode, event))


@command.command(name="finish")
@click.argument("episode", metavar="ID")
@click.option("--outcome", required=True, metavar="O", help="How it ended.")
@click.option("--conclusion", default="", metavar="TEXT", help="What was learnt; - reads it.")
@click.option("--commit", metavar="REV", help="The commit it ended at.  [what is here now]")
@common_options
@click.pass_context
def finish_episode(
    context: click.Context, episode: str, outcome: str, conclusion: str, commit: str | None
) -> None:
    """Say what came of an episode: succeeded, failed, rolled_back, abandoned (or open again)."""
    said = timeless(context)
    memory = said.open()
    _tell(said, memory.finish_episode(episode, outcome, _text(conclusion), commit=commit))


@command.command(name="list")
@click.option("--outcome", default="", metavar="O", help="Only those that ended so.")
@click.option("--symbol", default="", metavar="S", help="Only those about a symbol.")
@click.option("--path", default="", metavar="P", help="Only those about a file or folder.")
@click.option("--issue", default="", metavar="ID", help="Only those about an issue.")
@click.option("--decision", default="", metavar="ID", help="Only those about a decision.")
@click.option("--text", default="", metavar="Q", help="Only those that speak of this; best first.")
@click.option("--all", "show_all", is_flag=True, help="Superseded and archived ones, too.")
@click.option("--derived", is_flag=True, help="What git tells: taken back, repaired, released.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many.  [200]")
@common_options
@click.pass_context
def list_episodes(
    context: click.Context,
    /,
    outcome: str,
    symbol: str,
    path: str,
    issue: str,
    decision: str,
    text: str,
    show_all: bool,
    derived: bool,
    limit: int | None,
) -> None:
    """List episodes as of a revision: the latest first, or the best for a text."""
    from topomem.api import episode_documents

    said = settings(context)
    answer = said.open().episodes(
        text=text,
        outcome=outcome,
        symbol=symbol,
        path=path,
        issue=issue,
        decision=decision,
        all=show_all,
        derived=derived,
        limit=limit,
        as_of=said.as_of,
    )
    answer_with(
        said, lambda: episode_documents.episodes_document(answer), lambda: episode_lines(answer)
    )


@command.command(name="show")
@click.argument("episode", metavar="ID")
@common_options
@click.pass_context
def show_episode(context: click.Context, episode: str) -> None:
    """Show one episode: every event, what it is bound to, whether its evidence still holds."""
    from topomem.api import episode_documents

    said = settings(context)
    answer = said.open().episode(episode, as_of=said.as_of)
    answer_with(said, lambda: episode_documents.shown_document(answer), lambda: shown_lines(answer))


@command.command(name="supersede")
@click.argument("episode", metavar="ID")
@click.option("--by", required=True, metavar="ID", help="The episode that takes its place.")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept.")
@common_options
@click.pass_context
def supersede_episode(context: click.Context, episode: str, by: str, reason: str) -> None:
    """Let another episode take the place of one; it is not recalled as current any more."""
    said = timeless(context)
    _tell(said, said.open().supersede_episode(episode, by, reason))


@command.command(name="archive")
@click.argument("episode", metavar="ID")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept.")
@common_options
@click.pass_context
def archive_episode(context: click.Context, episode: str, reason: str) -> None:
    """Put an episode away: it is found by its words alone, and says that it is archived."""
    said = timeless(context)
    _tell(said, said.open().archive_episode(episode, reason))


@command.command(name="import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--commit", metavar="REV", help="The commit they are about.  [what is here now]")
@click.option("--episode", default="", metavar="ID", help="The episode they belong to.")
@common_options
@click.pass_context
def import_reports(
    context: click.Context, files: tuple[str, ...], commit: str | None, episode: str
) -> int:
    """Record reports as evidence: JUnit XML, SARIF, pull requests as GitHub and GitLab export them.

    What a file is follows from what is in it; `-` is standard input. Exits with 1 if one is no such
    report, or is damaged; what can be read of it is recorded.
    """
    from topomem.api.episode_documents import imported_document
    from topomem.api.episode_evidence import ReportFile

    said = timeless(context)
    reports = [ReportFile(Path(name).name, read_file(name)) for name in files]
    found = said.open().import_reports(reports, commit=commit, episode=episode)
    answer_with(said, lambda: imported_document(found), lambda: imported_lines(found))
    return OK if all(one.kind and one.is_whole for one in found) else CHECK_FAILED


def _tell(said: Settings, recorded: Recorded) -> None:
    from topomem.api.episode_documents import recorded_document

    answer_with(said, lambda: recorded_document(recorded), lambda: recorded_lines(recorded))


def _linked(links: Mapping[str, tuple[str, ...]]) -> Linked:
    from topomem.api.episode_writing import Linked

    return Linked(*(links[name] for name, _, _ in LINKS))


def _text(given: str) -> str:
    """Return a text, or standard input for `-`."""
    return _decoded(sys.stdin.buffer.read(MOST_BYTES + 1)) if given == "-" else given


def _content(file: IO[bytes] | None) -> str:
    return "" if file is None else _decoded(file.read(MOST_BYTES + 1))


def _decoded(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise UsageError(f"the text is longer than {MOST_BYTES} bytes")
    return data.decode("utf-8", "backslashreplace")
