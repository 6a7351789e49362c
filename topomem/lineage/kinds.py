"""Which kind of alias two ends make."""

from __future__ import annotations

from topomem.lineage.symbols import CLASS, MODULE, Symbol
from topomem.model.code import Op


def identity_kind(old: Symbol, new: Symbol, *, came_along: bool) -> str:
    """Return the kind of an identity. `came_along`: its file or class is the same, or one thing."""
    same_name = old.simple == new.simple
    if old.group == MODULE:
        moved = old.path.rpartition("/")[0] != new.path.rpartition("/")[0]
        return "rename_move" if moved and not same_name else "move" if moved else "rename"
    if old.key == new.key:
        return "signature"
    if not came_along:
        return "move" if same_name else "rename_move"
    if old.group == CLASS and old.path != new.path and _package(old) != _package(new):
        return "move" if same_name else "rename_move"
    if not same_name:
        return "rename"
    same_place = (old.path, old.above) == (new.path, new.above)
    return "renumbered" if same_place else "container"


def _package(symbol: Symbol) -> str:
    """Return the package that the symbol's file declares; `` where it declares none."""
    for region in symbol.file.regions[:1]:
        for kind, text in zip(region.kinds, region.texts, strict=True):
            if kind == Op.PACKAGE:
                return text
    return ""
