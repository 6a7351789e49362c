"""What a result holds for, as values: a fingerprint, and why a result is stale.

Nothing is collected here: the caller looks at the machine, this compares what it saw.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256

from topomem.model.evidence import Environment, Pairs, ReasonKind, StaleReason

_MOST_REASONS = 50


def canonical(environment: Environment) -> Environment:
    """Return an environment in its one form: pairs sorted by name, each name once."""
    return replace(
        environment,
        tools=_pairs(dict(environment.tools)),
        lock_files=_pairs(dict(environment.lock_files)),
        variables=_pairs(dict(environment.variables)),
    )


def fingerprint(environment: Environment) -> str:
    """Return the sha256 of an environment: equal ones have equal ones, on any machine."""
    body = environment_body(environment)
    text = json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


def environment_body(environment: Environment) -> dict[str, object]:
    """Return an environment as a plain document that `read_environment` reads back."""
    return {
        "command": list(environment.command),
        "interpreter": environment.interpreter,
        "system": environment.system,
        "tools": dict(environment.tools),
        "lock_files": dict(environment.lock_files),
        "variables": dict(environment.variables),
    }


def read_environment(body: Mapping[str, object]) -> Environment:
    """Return the environment of a document; what is missing or of another kind is empty."""
    command = body.get("command")
    return Environment(
        tuple(str(word) for word in command) if isinstance(command, list | tuple) else (),
        interpreter=_text(body, "interpreter"),
        system=_text(body, "system"),
        tools=_table(body, "tools"),
        lock_files=_table(body, "lock_files"),
        variables=_table(body, "variables"),
    )


def stale_reasons(
    then: Environment | None, now: Environment | None, changed: Iterable[str] = ()
) -> tuple[StaleReason, ...]:
    """Return why a result may no longer hold, in order of kind; empty: it is current.

    `changed` are paths or symbols under the result that are not as they were. Where an environment
    is not known, or a part of it was not recorded on one side, that part is no reason; a result of
    which nothing was recorded is `unknown`.
    """
    code = [StaleReason("code", f"{name} changed") for name in sorted(set(changed))]
    if then is None:
        return (*code[:_MOST_REASONS], StaleReason("unknown", "its environment was not recorded"))
    if now is None:
        return tuple(code[:_MOST_REASONS])
    found: list[StaleReason] = []
    if then.command and now.command and then.command != now.command:
        told = f"{' '.join(then.command)} became {' '.join(now.command)}"
        found.append(StaleReason("command", told))
    found += _became("interpreter", "", then.interpreter, now.interpreter)
    found += _became("system", "", then.system, now.system)
    found += _differing("tool", then.tools, now.tools)
    found += _differing("lock_file", then.lock_files, now.lock_files)
    found += _differing("variable", then.variables, now.variables)
    return tuple((found + code)[:_MOST_REASONS])


def _became(kind: ReasonKind, name: str, before: str, after: str) -> list[StaleReason]:
    if not before or not after or before == after:
        return []
    return [StaleReason(kind, f"{name} {before} became {after}".lstrip())]


def _differing(kind: ReasonKind, then: Pairs, now: Pairs) -> list[StaleReason]:
    """Return what is another value, gone, or new; the values of lock files are told as changed."""
    before, after = dict(then), dict(now)
    if not before or (not after and kind == "tool"):
        return []  # was not recorded
    found: list[StaleReason] = []
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) == after.get(name):
            continue
        if name not in after:
            found.append(StaleReason(kind, f"{name} is gone"))
        elif name not in before:
            found.append(StaleReason(kind, f"{name} is new"))
        elif kind == "lock_file":
            found.append(StaleReason(kind, f"{name} changed"))
        else:
            found.append(StaleReason(kind, f"{name} {before[name]} became {after[name]}"))
    return found


def _pairs(table: Mapping[str, str]) -> Pairs:
    return tuple(sorted(table.items()))


def _text(body: Mapping[str, object], key: str) -> str:
    value = body.get(key)
    return value if isinstance(value, str) else ""


def _table(body: Mapping[str, object], key: str) -> Pairs:
    value = body.get(key)
    if not isinstance(value, Mapping):
        return ()
    return _pairs({str(name): str(text) for name, text in value.items()})
