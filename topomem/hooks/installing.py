"""Putting hooks beside those a repository has, and taking them away again.

A hook that is a shell script gets a few lines behind its first one and stays what it is: the same
file, arguments, input and exit code. Any other hook is kept unchanged in a folder beside the hooks,
under its own name, and is gone on with.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from topomem.api.places import Places
from topomem.errors import HooksManaged
from topomem.hooks.blocks import (
    SHEBANG,
    Call,
    Placing,
    block,
    continuation,
    is_marked,
    placing_of,
    put,
    take,
    takes_lines,
)

LOCAL_HOOKS = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
"""After each of these history may have grown, or HEAD stands elsewhere."""

BARE_HOOKS = (*LOCAL_HOOKS, "post-receive")
"""A bare repository is pushed to; work trees may hang off it all the same."""

_BESIDE = ".before-topomem"
_EXECUTABLE = 0o755


class State(StrEnum):
    """How a hook stands."""

    INSTALLED = "installed"
    OUTDATED = "outdated"  # installed by another version, or from another place
    EDITED = "edited"  # its lines were changed by hand; left alone
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook: `keeps` is true where another hook runs with it."""

    name: str
    path: Path
    state: State
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class Wishes:
    """How hooks are to run; `extra` are words for the command line: another store, say."""

    extra: tuple[str, ...] = ()
    foreground: bool = False


def hook_names(places: Places) -> tuple[str, ...]:
    """Return the hooks that matter to a repository."""
    return BARE_HOOKS if places.top is None else LOCAL_HOOKS


def install(places: Places, wishes: Wishes) -> list[Hook]:
    """Let hooks reindex; what is there already goes on working. Twice is once.

    Raises HooksManaged where the hooks that git runs are not the repository's own.
    """
    if places.managed_hooks is not None:
        raise _managed(places, places.managed_hooks)
    places.store.mkdir(parents=True, exist_ok=True)
    places.hooks.mkdir(parents=True, exist_ok=True)
    call = _call(places, wishes)
    for name in hook_names(places):
        _install(places.hooks / name, call)
    return states(places, wishes)


def uninstall(places: Places) -> list[Hook]:
    """Take the hooks away and put back what was there, byte for byte. Edited ones are left."""
    for name in BARE_HOOKS if _is_own(places) else ():
        _uninstall(places.hooks / name)
    with suppress(OSError):  # kept hooks that are not ours to move
        _kept_folder(places.hooks).rmdir()
    return states(places, Wishes())


def states(places: Places, wishes: Wishes | None = None) -> list[Hook]:
    """Return how every hook stands; with `wishes`, whether it is what they ask for."""
    call = _call(places, wishes) if wishes else None
    return [_state(places.hooks / name, call) for name in hook_names(places)]


def _is_own(places: Places) -> bool:
    """Whether the folder is not a link to what belongs to others."""
    return places.hooks.resolve().is_relative_to(places.common)


def _call(places: Places, wishes: Wishes) -> Call:
    near = places.store.is_relative_to(places.common)
    store = os.path.relpath(places.store, places.hooks) if near else str(places.store)
    return Call(sys.executable, store, wishes.extra, wishes.foreground)


def _managed(places: Places, folder: Path) -> HooksManaged:
    """Return what to do by hand where somebody else looks after the hooks."""
    at = folder.parent if folder.name == "_" else folder  # the folder that people edit
    lines = [f"  {at / name}: {_line(name)}" for name in hook_names(places)]
    return HooksManaged(
        f"git runs hooks from {folder}, which is not this repository's own",
        "\n".join(["nothing was changed; add a line to each of these hooks:", *lines]),
    )


def _line(name: str) -> str:
    words = f'topomem -C "${{GIT_DIR:-.}}" hook run {name} -- "$@"'
    return f"({words} </dev/null >/dev/null 2>&1 &)"


def _install(path: Path, call: Call) -> None:
    """Give one hook its lines, whatever stands there."""
    found = _read(path)
    placing = placing_of(found) if found is not None else None
    if found is not None and placing is not None:
        new = put(found, block(path.name, call, placing))
        if new != found:
            _write(path, new, path.stat().st_mode)
    elif found is not None and is_marked(found):
        return
    elif not os.path.lexists(path):
        _write(path, SHEBANG + block(path.name, call, Placing.NEW), _EXECUTABLE)
    elif found is not None and _runs_as_shell(path, found):
        new = put(found, block(path.name, call, Placing.WITHIN))
        _write(path, new, path.stat().st_mode)
    else:
        _keep(path)
        own = block(path.name, call, Placing.BEFORE)
        rest = continuation(path.name, _kept_folder(path.parent).name)
        _write(path, SHEBANG + own + rest, _EXECUTABLE)


def _runs_as_shell(path: Path, hook: bytes) -> bool:
    """Whether a hook is a shell script that git runs; one behind a link belongs elsewhere."""
    is_executable = bool(path.stat().st_mode & stat.S_IXUSR)
    return not path.is_symlink() and is_executable and takes_lines(hook)


def _uninstall(path: Path) -> None:
    found = _read(path)
    placing = placing_of(found) if found is not None else None
    if found is None or placing is None:
        return
    rest = take(found)
    if placing is Placing.BEFORE:
        if rest == SHEBANG + continuation(path.name, _kept_folder(path.parent).name):
            _give_back(path)
    elif placing is Placing.NEW and rest == SHEBANG:
        path.unlink()
    else:
        _write(path, rest, path.stat().st_mode)


def _state(path: Path, call: Call | None) -> Hook:
    found = _read(path)
    placing = placing_of(found) if found is not None else None
    if found is None or placing is None:
        state = State.EDITED if found is not None and is_marked(found) else State.ABSENT
        return Hook(path.name, path, state, keeps=found is not None)
    rest = take(found)
    ending = continuation(path.name, _kept_folder(path.parent).name)
    keeps = placing is not Placing.NEW or rest != SHEBANG
    if placing is Placing.BEFORE and rest != SHEBANG + ending:
        return Hook(path.name, path, State.EDITED, keeps)
    current = call is None or put(found, block(path.name, call, placing)) == found
    return Hook(path.name, path, State.INSTALLED if current else State.OUTDATED, keeps)


def _kept_folder(hooks: Path) -> Path:
    return hooks.with_name(hooks.name + _BESIDE)


def _keep(path: Path) -> None:
    """Move a hook beside. A relative link goes on leading where it led."""
    kept = _kept_folder(path.parent) / path.name
    if os.path.lexists(kept):
        raise HooksManaged(
            f"{path} was replaced after its lines were put in", f"look at {kept}, move it away"
        )
    kept.parent.mkdir(exist_ok=True)
    if path.is_symlink() and not path.readlink().is_absolute():
        kept.symlink_to(Path("..", path.parent.name) / path.readlink())
        path.unlink()
    else:
        path.rename(kept)


def _give_back(path: Path) -> None:
    """Put a kept hook back where it was."""
    kept = _kept_folder(path.parent) / path.name
    back = Path("..", path.parent.name)
    if kept.is_symlink() and kept.readlink().is_relative_to(back):
        target = kept.readlink().relative_to(back)
        path.unlink()
        path.symlink_to(target)
        kept.unlink()
    elif os.path.lexists(kept):
        kept.replace(path)
    else:
        path.unlink()


def _read(path: Path) -> bytes | None:
    """Return what a hook says; None where there is nothing to read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole or not at all."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(descriptor, stat.S_IMODE(mode))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def edited(hooks: Sequence[Hook]) -> list[Hook]:
    """Return the hooks that were changed by hand."""
    return [hook for hook in hooks if hook.state is State.EDITED]
