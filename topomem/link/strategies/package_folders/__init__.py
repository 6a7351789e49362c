"""Packages that are folders: all files of one see each other.

`modules` finds the folder of an import, `declarations` reads one file; `packages` and `code` know
the names and types of a snapshot, `members` the fields and methods of types, `interfaces` which
types satisfy which interfaces. A region is read by `bodies`, which hands each op to `naming`,
`binding`, `literals` or `calling`; `structure` makes the edges of one placement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from topomem.link.strategies.package_folders.bodies import value_types
from topomem.link.strategies.package_folders.code import Code
from topomem.link.strategies.package_folders.modules import MODULE_FILE
from topomem.link.strategies.package_folders.structure import edges_of
from topomem.link.strategy import Strategy

if TYPE_CHECKING:
    from topomem.languages.spec import LanguageSpec
    from topomem.link.evaluate import Evaluator
    from topomem.link.views import FileView
    from topomem.model.code import LinkedEdge


class PackageFolders(Strategy):
    """Links regions by the types they write, not by following values."""

    config_files = (MODULE_FILE,)

    def __init__(self, spec: LanguageSpec) -> None:
        super().__init__(spec)
        self._codes: WeakKeyDictionary[Evaluator, Code] = WeakKeyDictionary()

    def link(
        self,
        look: Evaluator,
        view: FileView,
        number: int,
        *,
        lambdas: bool,  # noqa: ARG002  they are read in place
    ) -> tuple[LinkedEdge, ...]:
        """Return the edges of a region in order of op, kind and target."""
        code = self._codes.get(look)
        if code is None:
            code = Code(look.world, look.remembered, view.language, value_types)
            self._codes[look] = code
        return edges_of(code, view.path, number)
