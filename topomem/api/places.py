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
    runs hooks from instead, where configuration or a link leads out of the git folder.
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
    own = common / "hooks"
    run_from = repository.hooks_path or own
    inside = run_from.resolve().is_relative_to(common)
    return Places(
        top=repository.top,
        git=repository.git_dir.resolve(),
        common=common,
        hooks=run_from.resolve() if inside else own,
        managed_hooks=None if inside else run_from,
        store=opened.store.folder.resolve(),
    )
