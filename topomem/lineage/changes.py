"""What changed between two versions of one symbol, in the words of the contract."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topomem.lineage.symbols import FUNCTION, Symbol
from topomem.model.code import Declaration, Op, RegionFacts, SymbolKind

Part = tuple[bytes, tuple[str, ...]]

_HEADER: dict[int, str] = {
    Op.PARAMETER: "parameters",
    Op.RETURN_TYPE: "return_type",
    Op.DECORATOR: "annotation",
    Op.TYPE_PARAMETER: "type_parameters",
    Op.INHERIT: "signature",
    Op.IMPLEMENT: "signature",
    Op.HEAD: "parameters",
}
_LIGHT = {Op.TYPE: "type", Op.VALUE: "initializer", Op.DECORATOR: "annotation"}
_UNORDERED = frozenset({"annotation", "exceptions"})
_PARAMETERS = re.compile(r"\(.*\)", re.DOTALL)
ORDER = (
    "kind", "annotation", "modifiers", "type_parameters", "return_type", "type", "parameters",
    "exceptions", "signature", "initializer", "body", "documentation", "format",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Version:
    """A symbol as one commit has it. `ordinal` 0: the region's own definition, else a light one.

    `nested` are the body digests of the regions inside it.
    """

    region: RegionFacts
    ordinal: int = 0
    nested: Sequence[str] = ()

    @property
    def declaration(self) -> Declaration:
        """Its definition."""
        return self.region.declarations[self.ordinal]


def changes(old: Version, new: Version) -> list[str]:
    """Return the kinds of change, in the order of the contract.

    `documentation` is about what is written inside the definition; where only layout differs, or
    the comment before it, that is `format`.
    """
    before, after = old.declaration, new.declaration
    found: set[str] = set()
    if before.kind is not after.kind and not _both_values(before.kind, after.kind):
        found.add("kind")
    if _modifiers(old) != _modifiers(new):
        found.add("modifiers")
    one, other = _parts(old), _parts(new)
    found.update(
        kind for kind in one.keys() | other.keys() if _told(kind, one) != _told(kind, other)
    )
    if not old.ordinal and not new.ordinal:
        found |= _of_regions(old, new)
        if not found - {"body", "documentation"}:
            found |= _of_signatures(before, after)
    elif not found and _own_text_differs(before, after):
        found.add("initializer")
    if not found and old.region.key != new.region.key:
        found.add("format")
    return [kind for kind in ORDER if kind in found]


def between(old: Symbol, new: Symbol) -> tuple[str, ...]:
    """Return the kinds of change between two symbols that are one thing."""
    if not old.ordinal and not new.ordinal and _text(old) == _text(new):
        return ()
    return tuple(changes(_version(old), _version(new)))


def _text(symbol: Symbol) -> list[str]:
    inside = symbol.subtree if symbol.group == FUNCTION else symbol.subtree[:1]
    return [region.key for region in inside]


def _version(symbol: Symbol) -> Version:
    """Return a symbol as it is compared: what is nested in a function is part of it."""
    nested = symbol.subtree[1:] if symbol.group == FUNCTION else ()
    return Version(symbol.region, symbol.ordinal, [one.declarations[0].body_hash for one in nested])


def _own_text_differs(before: Declaration, after: Declaration) -> bool:
    """Whether a light definition says something else; of a renamed one its name does not count."""
    if before.name == after.name:
        return before.body_hash != after.body_hash
    return before.shape_hash != after.shape_hash


def _modifiers(version: Version) -> list[str]:
    """Return the modifiers but those that decorators stand for: these are told as annotations."""
    region = version.region
    decorators = {
        text.lower()
        for at, _ in (head for head in _heads(version) if head[1] == "annotation")
        for text in region.texts[at : _end(region, at)]
    }
    return sorted(one for one in version.declaration.modifiers if one.lower() not in decorators)


def _of_regions(old: Version, new: Version) -> set[str]:
    found = set()
    if old.declaration.code_hash != new.declaration.code_hash or list(old.nested) != list(
        new.nested
    ):
        found.add("body")
    if old.declaration.comment_hash != new.declaration.comment_hash:
        found.add("documentation")
    return found


def _parts(version: Version) -> dict[str, list[Part]]:
    """Return the parts of a header, or of a light definition, by the kind of change they make."""
    found: dict[str, list[Part]] = {}
    for at, kind in _heads(version):
        start, end = at, _end(version.region, at)
        part = version.region.kinds[start:end], version.region.texts[start:end]
        found.setdefault(kind, []).append(part)
    return found


def _heads(version: Version) -> Iterator[tuple[int, str]]:
    region = version.region
    if version.ordinal:
        yield from _light_heads(version)
        return
    at = 0
    while at < len(region.kinds):
        op = region.kinds[at]
        kind = _HEADER.get(op)
        if kind:
            yield at, kind
        elif op == Op.RAISE and region.kinds[at + 1 : at + 2] == bytes([Op.TYPE]):
            yield at, "exceptions"
        at = _end(region, at)


def _light_heads(version: Version) -> Iterator[tuple[int, str]]:
    region, own = version.region, version.declaration
    first = bisect_left(region.starts, own.start)
    mine = [at for at in range(first, len(region.starts)) if region.ends[at] <= own.end]
    named = [
        at
        for at in mine
        if region.kinds[at] == Op.NAME and region.texts[at] == own.name.rpartition(".")[2]
    ]
    inner = region.parents[region.parents[named[0]]] if named else -1
    for at in mine:
        if region.starts[at] >= own.end:
            break
        kind = _LIGHT.get(Op(region.kinds[at]))
        if not kind:
            continue
        if kind == "initializer" and inner >= 0 and region.parents[at] != inner:
            continue
        if region.parents[at] in mine and region.kinds[region.parents[at]] in _LIGHT:
            continue
        yield at, kind


def _told(kind: str, parts: dict[str, list[Part]]) -> list[Part]:
    found = parts.get(kind, [])
    return sorted(found) if kind in _UNORDERED else found


def _end(region: RegionFacts, at: int) -> int:
    return bisect_left(region.starts, region.ends[at], at + 1)


def _of_signatures(before: Declaration, after: Declaration) -> set[str]:
    """Return what differs in the heads as written, where what is read of them is the same."""
    one, other = (_bare(found.signature, found.name) for found in (before, after))
    if one == other:
        return set()
    outside = [_PARAMETERS.sub("()", text) for text in (one, other)]
    return {"parameters" if outside[0] == outside[1] else "signature"}


def _bare(signature: str, name: str) -> str:
    return "".join(signature.replace(name, "", 1).split())


def _both_values(one: SymbolKind, other: SymbolKind) -> bool:
    """Whether two kinds differ only in how a language or a scope calls a named value."""
    values = {SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY}
    callables = {SymbolKind.FUNCTION, SymbolKind.METHOD}
    return {one, other} <= values or {one, other} <= callables
