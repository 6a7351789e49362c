"""Path globs as regular expressions that DuckDB understands."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\[!?[^\]/]+\]|[^*?\[]+|\[")


def glob_to_regex(glob: str) -> str:
    """Return a pattern for whole paths: `*` and `?` do not cross `/`, `**` does.

    A glob without a slash matches the last part of a path, in any folder.
    """
    anchored = glob.removeprefix("/")
    prefix = "" if "/" in glob else "(?:.*/)?"
    return prefix + "".join(_translate(token) for token in _TOKEN.findall(anchored))


def matching(glob: str) -> Callable[[str], bool]:
    """Return what tells whether a path matches; an empty glob matches every path."""
    pattern = re.compile(glob_to_regex(glob) if glob else ".*", re.DOTALL)
    return lambda path: pattern.fullmatch(path) is not None


def _translate(token: str) -> str:
    fixed = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if token in fixed:
        return fixed[token]
    if token.startswith("[") and len(token) > 1:
        inner = token[1:-1].replace("\\", "\\\\")
        return f"[^{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(token)
