"""Which kind of alias two ends make."""

from __future__ import annotations

from topomem.lineage.symbols import CLASS, MODULE, FilePair, FileVersion, Symbol
from topomem.model.code import Op


def identity_kind(old: Symbol, new: Symbol, *, came_along: bool) -> str:
    """Return the kind of an identity. `came_along`: its file or class is the same, or one thing."""
    same_name = old.simple == new.simple
    if old.group == MODULE:
        moved = old.path.rpartition("/")[0] != new.path.rpartition("/")[0]
        return "rename_move" if moved and not same_name else "move" if moved else "rename"
    if old.key == new.key:
        return "signature"
    if not came_along and not (same_name and _is_misread(old, new)):
        return "move" if same_name else "rename_move"
    if old.group == CLASS and old.path != new.path and package(old.file) != package(new.file):
        return "move" if same_name else "rename_move"
    if not same_name:
        return "rename"
    return "renumbered" if _stays(old, new) else "container"


def _stays(old: Symbol, new: Symbol) -> bool:
    """Whether a symbol is where it was, though it is numbered or read otherwise."""
    return (old.path, old.above) == (new.path, new.above) or _is_misread(old, new)


def _is_misread(old: Symbol, new: Symbol) -> bool:
    """Whether a symbol only seems to have left its class, or come to it.

    One version of the file cannot be parsed, and what stands in a class stands outside it there.
    """
    if old.path != new.path or bool(old.file.blob.error_bytes) == bool(new.file.blob.error_bytes):
        return False
    whole, broken = (old, new) if new.file.blob.error_bytes else (new, old)
    outside = f"{broken.above}." if broken.above else ""
    return whole.above != broken.above and f"{whole.above}.".startswith(outside)


def package(file: FileVersion) -> str:
    """Return the package that a file declares; `` where it declares none."""
    region = file.regions[0]
    at = region.kinds.find(Op.PACKAGE)
    return region.texts[at] if at >= 0 else ""


def changes_package(pair: FilePair) -> bool:
    """Whether a file declares another package than before."""
    if pair.old is None or pair.new is None:
        return False
    if pair.old.blob.placements[0].region == pair.new.blob.placements[0].region:
        return False  # what declares it stands in the remainder of the module
    return package(pair.old) != package(pair.new)
