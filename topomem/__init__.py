"""The memory of a code repository, by commit.

    import topomem

    memory = topomem.open("path/to/repository")
    memory.index(head_only=True)
    print(memory.bundle("why does the session cookie lose its domain?").items)

The names below are loaded when they are first used, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topomem.api.memory import Memory, open
    from topomem.errors import TopomemError

__version__ = "0.1.0"
__all__ = ["Memory", "TopomemError", "__version__", "open"]

_HOMES = {
    "Memory": "topomem.api.memory",
    "TopomemError": "topomem.errors",
    "open": "topomem.api.memory",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(_HOMES[name]), name)
