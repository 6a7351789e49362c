"""The last resort for a member of something unknown: the only definition of its name.

A guess, said to be one. Never made for names that say little, for names that an outside type may
well have, or from production code to tests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topomem.link.values import Definition, Found
from topomem.model.code import Method

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.model.ids import FilePath

SHORTEST = 5
COMMON = frozenset(
    [
        "acquire",
        "append",
        "apply",
        "build",
        "cancel",
        "cleanup",
        "clear",
        "clone",
        "close",
        "commit",
        "compare",
        "configure",
        "connect",
        "contains",
        "convert",
        "count",
        "create",
        "decode",
        "delete",
        "detach",
        "disconnect",
        "dispatch",
        "encode",
        "ensure",
        "enter",
        "equals",
        "error",
        "escape",
        "execute",
        "exists",
        "extend",
        "extract",
        "fetch",
        "filter",
        "finish",
        "flush",
        "format",
        "getattr",
        "handle",
        "hasattr",
        "hash",
        "index",
        "init",
        "insert",
        "invoke",
        "isalpha",
        "isdigit",
        "items",
        "iterator",
        "join",
        "length",
        "lookup",
        "lower",
        "match",
        "merge",
        "message",
        "notify",
        "offset",
        "output",
        "parse",
        "pattern",
        "print",
        "process",
        "query",
        "raise",
        "read",
        "recv",
        "register",
        "release",
        "remove",
        "render",
        "replace",
        "request",
        "reset",
        "resolve",
        "restore",
        "result",
        "reverse",
        "rollback",
        "rstrip",
        "search",
        "select",
        "send",
        "serialize",
        "setdefault",
        "setup",
        "shutdown",
        "sleep",
        "split",
        "start",
        "startswith",
        "status",
        "strip",
        "submit",
        "terminate",
        "toString",
        "transform",
        "trigger",
        "unwrap",
        "update",
        "upper",
        "validate",
        "value",
        "values",
        "visit",
        "write",
    ]
)
"""Names that many libraries have; being the only one in a repository proves nothing."""

TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|spec)(?:/|$)|(?:^|/)(?:test_|conftest\.)|[_.]"
    r"(?:test|spec)\."
)


def is_test(path: FilePath) -> bool:
    """Tell whether a file holds tests or what only tests use, by its path."""
    return TEST.search(path) is not None


def unique(look: Evaluator, path: FilePath, name: str) -> tuple[Found, ...]:
    """Return the only function named `name` in the repository, if it is worth a guess."""
    if len(name) < SHORTEST or name in COMMON or name.startswith("__"):
        return ()
    if name in look.strategy_of(path).outside_members:
        return ()
    found = look.world.defined(name)
    if len(found) != 1:
        return ()
    where, qualified = found[0]
    if is_test(where) and not is_test(path):
        return ()
    view = look.world.view(where)
    here = look.world.view(path)
    if view is None or here is None or view.language != here.language:
        return ()
    place = Definition(where, qualified)
    if look.is_class(place):
        return ()
    return (Found(place, Method.UNIQUE_NAME),)
