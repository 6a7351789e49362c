"""Marks of what a result read without asking: they are written down among the questions."""

from __future__ import annotations


class Mark:
    """A region of a file, or (`scope` None) the tree of its definitions."""

    __slots__ = ("path", "scope")

    def __init__(self, path: str, scope: str | None) -> None:
        self.path = path
        self.scope = scope
