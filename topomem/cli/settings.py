"""The options all commands share, taken before and after the command's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from topomem.api.memory import Memory

META_KEY = "topomem.settings"
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Settings:
    """What the caller said about repository, store, reader, time and form of the answer."""

    repository: Path = field(default_factory=Path)
    store: Path | None = None
    config: Path | None = None
    json: bool = False
    as_of: str | None = None
    principal: str | None = None

    def open(self) -> Memory:
        """Open the repository. Raises NotARepository, ConfigurationError."""
        from topomem.api.memory import open as open_memory

        return open_memory(
            self.repository, store=self.store, principal=self.principal, config=self.config
        )


def settings(context: click.Context) -> Settings:
    """Return what has been said so far; contexts of group and command share it."""
    found = context.meta.setdefault(META_KEY, Settings())
    assert isinstance(found, Settings)  # noqa: S101 - the key is ours
    return found


def timeless(context: click.Context) -> Settings:
    """Return what has been said, for a command that no revision can be asked of.

    Raises UsageError with `--as-of`.
    """
    from topomem.errors import UsageError

    said = settings(context)
    if said.as_of is not None:
        raise UsageError("--as-of has no meaning here: this is about what is there now")
    return said


def revisions(said: Settings, base: str, head: str) -> tuple[str, str, bool]:
    """Return both ends of a comparison, and whether it starts at their merge base.

    `base` alone may hold both: `A..B` or `A...B`. Raises UsageError with `--as-of`: the ends say
    the moments.
    """
    from topomem.errors import UsageError

    if said.as_of is not None:
        raise UsageError("--as-of has no meaning here: BASE and HEAD are the moments")
    if head or ".." not in base:
        return base, head or "HEAD", False
    dots = "..." if "..." in base else ".."
    start, _, end = base.partition(dots)
    return start or "HEAD", end or "HEAD", dots == "..."


def _store(context: click.Context, parameter: click.Parameter, value: object) -> None:
    """Keep an option that was given; the later one, behind the command, wins."""
    name = str(parameter.name)
    if value is None or value is False:
        return
    if name == "as_of" and not str(value).strip():
        raise click.BadParameter("no revision is named", context, parameter)
    from_environment = context.get_parameter_source(name) is ParameterSource.ENVIRONMENT
    if from_environment and getattr(settings(context), name) is not None:
        return
    said: dict[str, Any] = {name: value}
    context.meta[META_KEY] = replace(settings(context), **said)


FOLDER = click.Path(path_type=Path)

COMMON = (
    click.option(
        "-C", "--repo", "repository", type=FOLDER, help="Repository, or a folder in one.  [here]"
    ),
    click.option(
        "--store",
        type=FOLDER,
        envvar="TOPOMEM_STORE",
        help="Folder of the store.  [TOPOMEM_STORE, else in the git folder]",
    ),
    click.option("--config", type=FOLDER, help="Configuration file.  [topomem.toml]"),
    click.option("--json", is_flag=True, help="One JSON document on standard output."),
    click.option("--as-of", metavar="REV", help="Revision, or WORKTREE.  [HEAD]"),
    click.option("--as", "principal", metavar="PRINCIPAL", help="Who reads.  [the owner]"),
)


def common_options(command: Command) -> Command:
    """Give a command (or the group) the shared options; they arrive in `settings`."""
    for option in reversed(COMMON):
        command = option(command)
    made: Any = command
    for parameter in getattr(made, "__click_params__", []):
        if parameter.name in Settings.__dataclass_fields__:
            parameter.expose_value = False
            parameter.callback = _store
    return command
