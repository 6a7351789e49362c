"""Modules that are named by file paths, as in programs for the browser and for Node.

`specifiers` finds the file that an import names, `scoping` what names mean, `written` and
`expressions` what types and values stand for, `region` makes the edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topomem.link.strategies.file_paths.region import TypedLinker
from topomem.link.strategy import Strategy

if TYPE_CHECKING:
    from topomem.link.evaluate import Evaluator
    from topomem.link.imports import ImportForm
    from topomem.link.views import FileView
    from topomem.model.code import LinkedEdge


class FilePaths(Strategy):
    """Imports by path, alias and package; members by written types and by structure."""

    config_files = ("tsconfig*.json", "jsconfig*.json", "package.json")

    def link(
        self, look: Evaluator, view: FileView, number: int, *, lambdas: bool
    ) -> tuple[LinkedEdge, ...]:
        """Return the edges of one region."""
        return TypedLinker(look, view, number, lambdas=lambdas).link()

    def local_name(self, form: ImportForm) -> str:
        """Return the local name of an import without an alias; `*` for a bare star."""
        return "*" if form.kind == "star" else form.name
