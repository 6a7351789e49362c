"""Where things of a repository lie, for faces that set something up beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from topomem.api.opening import Opened


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of one repository, absolute.

    `git` holds this work tree's HEAD, `common` is shared by all work trees; `top` is None where the
    repository is bare. `hooks` are the repository's own; `managed_hooks` is the folder that git
    runs hooks from instead, where configuration leads out of the git folder.
    """

    top: Path | None
    git: Path
    common: Path
    hooks: Path
    managed_hooks: Path | None
    store: Path


def places(opened: Opened) -> Places:
    """Return where things lie; nothing need be there yet."""
    repository = opened.repository
    common = repository.common_dir.resolve()
    own, configured = common / "hooks", repository.hooks_path
    managed = None
    if configured is not None:
        inside = configured.resolve().is_relative_to(common)
        own, managed = (configured.resolve(), None) if inside else (own, configured)
    return Places(
        top=repository.top,
        git=repository.git_dir.resolve(),
        common=common,
        hooks=own,
        managed_hooks=managed,
        store=opened.store.folder.resolve(),
    )
