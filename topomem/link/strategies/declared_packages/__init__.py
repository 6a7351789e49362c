"""Packages that files declare, whatever folder they stand in; types that are written.

`declarations` reads one file; `packages`, `type_names` and `code` know the types of a snapshot;
`library` and `outside` know those of the language's own library. `resolution` finds what a call
means, `overloads` chooses among methods of one name. A region is read by `bodies`, which hands each
op to `naming`, `binding`, `calling`, `function_values` or `typing_rules`; `structure` makes the
edges of one placement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from topomem.link.strategies.declared_packages.code import Code
from topomem.link.strategies.declared_packages.structure import edges_of
from topomem.link.strategy import Strategy

if TYPE_CHECKING:
    from topomem.languages.spec import LanguageSpec
    from topomem.link.evaluate import Evaluator
    from topomem.link.views import FileView
    from topomem.model.code import LinkedEdge


class DeclaredPackages(Strategy):
    """Links regions by the types they write, not by following values."""

    class_scope_is_visible = True

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
            code = Code(look.world, look.remembered, view.language, self.builtins)
            self._codes[look] = code
        return edges_of(code, view.path, number)
