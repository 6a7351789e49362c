"""The lines a hook gets, and how they are put into a file and taken out again, byte for byte.

A block is plain POSIX shell. It leaves the arguments, the input and the exit code of the hook it
stands in alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from shlex import quote

SHEBANG = b"#!/bin/sh\n"

_OPENING = "# >>> topomem: {placing} >>> `topomem hook uninstall` takes these lines away"
_CLOSING = "# <<< topomem <<<"
_BLOCK = re.compile(
    rb"^# >>> topomem: (?P<placing>\w+) >>> [^\n]*\n.*?^# <<< topomem <<<\n",
    re.DOTALL | re.MULTILINE,
)
_MARK = re.compile(rb"^# (>>>|<<<) topomem\b", re.MULTILINE)
_SHELL = re.compile(
    rb"#![ \t]*(?:/\S*/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?:/\S*/)?(?:sh|bash|dash|ash|ksh|zsh)"
    rb"(?:[ \t][^\n]*)?\n"
)
_OTHER_INTERPRETER = re.compile(rb"exec\b[^\n]*\$0")
_HEAD_LINES = 6
_REBASING = '  [ ! -d "${GIT_DIR:-.git}/rebase-merge" ] || exit 0'
_FILES_ALONE = '  [ "${3-1}" != 0 ] || exit 0'
_SKIPPED = {"post-commit": (_REBASING,), "post-checkout": (_REBASING, _FILES_ALONE)}
"""What is not worth a process: a rebase ends with post-rewrite, and files taken make no commit."""


class Placing(StrEnum):
    """How a block came into its file."""

    NEW = "new"  # the file was made for it
    WITHIN = "within"  # behind the first line of a shell script that was there
    BEFORE = "before"  # in a file that goes on with the hook that was there, kept beside


@dataclass(frozen=True, slots=True)
class Call:
    """What a block runs: `python` is the interpreter that has topomem, by its full path.

    `store` is the folder of the store, relative to the hooks' folder where it lies near it. `extra`
    are further words for the command line.
    """

    python: str
    store: str
    extra: tuple[str, ...] = ()
    foreground: bool = False


def block(name: str, call: Call, placing: Placing) -> bytes:
    """Return the lines for the hook `name`.

    Nothing is said and nothing fails, whether topomem is still there or not; what it says goes into
    a file of the store that is written over each time.
    """
    words = ["hook", "run", name, *(["--foreground"] if call.foreground else [])]
    store = quote(call.store) if call.store.startswith("/") else f'"${{0%/*}}"/{quote(call.store)}'
    extra = "".join(f" {quote(word)}" for word in call.extra)
    end = "|| :" if call.foreground else "&"
    lines = [
        _OPENING.format(placing=placing),
        "(",
        f"  store={store}",
        '  [ -d "$store" ] || exit 0',
        *_SKIPPED.get(name, ()),
        f'  set -- -C "${{GIT_DIR:-.}}"{extra} {" ".join(words)} -- "$@"',
        f'  {{ {quote(call.python)} -P -m topomem "$@" || topomem "$@" ||',
        '    echo "topomem cannot be run"; } >"$store/hook.err" 2>&1',
        f") </dev/null >/dev/null 2>&1 {end}",
        _CLOSING,
    ]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def continuation(name: str, folder: str) -> bytes:
    """Return the end of a hook that goes on with the one kept in `folder`, beside the hooks."""
    lines = [
        f'kept="${{0%/*}}"/../{quote(folder)}/{name}',
        'if [ -x "$kept" ]; then exec "$kept" "$@"; fi',
    ]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def takes_lines(hook: bytes) -> bool:
    """Whether lines of shell may stand behind the first line of a hook.

    Not in a program in another language, nor in one that only begins as a shell script.
    """
    head = b"\n".join(hook.split(b"\n")[:_HEAD_LINES])
    return bool(_SHELL.match(hook)) and not _OTHER_INTERPRETER.search(head)


def put(hook: bytes, lines: bytes) -> bytes:
    """Return a hook with a block: in place of the one it has, else behind its first line."""
    found = _BLOCK.search(hook)
    if found:
        return hook[: found.start()] + lines + hook[found.end() :]
    first, _, rest = hook.partition(b"\n")
    return first + b"\n" + lines + rest


def take(hook: bytes) -> bytes:
    """Return a hook without its block."""
    found = _BLOCK.search(hook)
    return hook[: found.start()] + hook[found.end() :] if found else hook


def placing_of(hook: bytes) -> Placing | None:
    """Return how the block of a hook was placed; None where it has none that is whole."""
    found = _BLOCK.search(hook)
    try:
        return Placing(found["placing"].decode("ascii")) if found else None
    except ValueError:
        return None


def is_marked(hook: bytes) -> bool:
    """Whether a hook has any of the lines that begin or end a block."""
    return bool(_MARK.search(hook))
