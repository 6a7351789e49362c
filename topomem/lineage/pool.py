"""What a change leaves open: symbols that went, that came, and kept names in doubt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from topomem.lineage.evidence import Context, evidence
from topomem.lineage.symbols import (
    CLASS,
    FUNCTION,
    FUNCTIONS,
    MODULE,
    VALUE,
    FilePair,
    FileVersion,
    Symbol,
    symbols,
)
from topomem.model.ids import QualifiedName

_ALIKE = 0.5
"""Share of content from which on a kept name needs no second look."""

_SAME_NUMBER = 0.1
"""How much it tells that two overloads stand at the same place among those of their name."""

_MOST_OVERLOADS = 40
"""So many overloads of one name are compared with each other."""

_TELLING = 12
"""Ops from which on two equal bodies are hardly equal by accident."""


@dataclass(slots=True)
class Pool:
    """Symbols of both sides that may be one thing with another; `kept` have their key on both.

    `doubtful` of the kept pairs are in `old` and `new` as well.
    """

    old: list[Symbol] = field(default_factory=list)
    new: list[Symbol] = field(default_factory=list)
    kept: list[tuple[Symbol, Symbol]] = field(default_factory=list)
    doubtful: list[tuple[Symbol, Symbol]] = field(default_factory=list)


def pool(pairs: Iterable[FilePair]) -> Pool:
    """Return what differs between the two sides, as symbols."""
    found = Pool()
    for pair in pairs:
        old, new = _changed(pair.old, pair.new), _changed(pair.new, pair.old)
        if pair.old is None or pair.new is None:
            found.old += old
            found.new += new
            continue
        kept = _kept(old, new)
        gone = _without(old, [one for one, _ in kept])
        came = _without(new, [other for _, other in kept])
        found.kept += [pair for pair in kept if _differs(*pair)]
        found.old += [one for one in gone if not _still_there(one, pair.new)]
        found.new += [one for one in came if not _still_there(one, pair.old)]
    _doubt(found)
    return found


def _changed(one: FileVersion | None, other: FileVersion | None) -> list[Symbol]:
    """Return the symbols of regions that do not stand under the same name on the other side."""
    if one is None:
        return []
    places = one.blob.placements
    if other is None:
        return symbols(one, range(len(places)))
    there = {(place.name, place.region) for place in other.blob.placements}
    changed = {at for at, place in enumerate(places) if (place.name, place.region) not in there}
    for at in sorted(changed):
        changed |= _around(one, at)
    return symbols(one, sorted(changed))


def _around(file: FileVersion, at: int) -> set[int]:
    """Return the functions that a placement is nested in: what is inside them is theirs."""
    found: set[int] = set()
    parent = file.blob.placements[at].parent
    while parent > 0 and file.regions[parent].declarations[0].kind in FUNCTIONS:
        found.add(parent)
        parent = file.blob.placements[parent].parent
    return found


def _kept(old: Sequence[Symbol], new: Sequence[Symbol]) -> list[tuple[Symbol, Symbol]]:
    """Return pairs of one key; overloads, numbered by their order, are told by text first."""
    groups: dict[tuple[str, bool], tuple[list[Symbol], list[Symbol]]] = defaultdict(
        lambda: ([], [])
    )
    for side, every in enumerate((old, new)):
        for symbol in every:
            groups[symbol.base, symbol.group == VALUE][side].append(symbol)
    found: list[tuple[Symbol, Symbol]] = []
    for left, right in groups.values():
        if len(left) == len(right) == 1:
            found.append((left[0], right[0]))
        elif left and right:
            found += _told_apart(left, right)
    return found


def _told_apart(left: list[Symbol], right: list[Symbol]) -> list[tuple[Symbol, Symbol]]:
    """Return pairs of overloads: those of equal text, then of equal head, then those most alike."""
    found: list[tuple[Symbol, Symbol]] = []
    for same in (_by_body, _by_signature):
        pairs = _paired(left, right, same)
        found += pairs
        left = _without(left, [one for one, _ in pairs])
        right = _without(right, [other for _, other in pairs])
    return found + _most_alike(left, right)


def _most_alike(left: Sequence[Symbol], right: Sequence[Symbol]) -> list[tuple[Symbol, Symbol]]:
    """Return pairs of overloads whose text changed, the most alike first; the rest is open."""
    context = Context({}, ())
    if max(len(left), len(right)) > _MOST_OVERLOADS:
        return _paired(left, right, _by_name)
    likeness = {}
    for at, one in enumerate(left):
        for to, other in enumerate(right):
            found = evidence(one, other, context)
            same = (found["body"] + found["exact"]) / 2 + found["parameters"] / 2
            likeness[at, to] = same + _SAME_NUMBER * (one.name == other.name)
    pairs: list[tuple[Symbol, Symbol]] = []
    for at, to in sorted(likeness, key=lambda pair: (-likeness[pair], pair)):
        free = left[at] not in [one for one, _ in pairs] and right[to] not in [
            other for _, other in pairs
        ]
        if free and (likeness[at, to] >= _ALIKE or len(left) == len(right)):
            pairs.append((left[at], right[to]))
    return pairs


def _by_body(symbol: Symbol) -> str:
    return symbol.declaration.body_hash


def _by_signature(symbol: Symbol) -> str:
    return symbol.declaration.signature


def _by_name(symbol: Symbol) -> str:
    return symbol.name


def _paired(
    left: Sequence[Symbol], right: Sequence[Symbol], same: Callable[[Symbol], str]
) -> list[tuple[Symbol, Symbol]]:
    """Return pairs for which `same` is equal and alone on both sides."""
    there: dict[str, list[Symbol]] = defaultdict(list)
    here: dict[str, list[Symbol]] = defaultdict(list)
    for symbol in right:
        there[same(symbol)].append(symbol)
    for symbol in left:
        here[same(symbol)].append(symbol)
    return [
        (here[key][0], there[key][0])
        for key in here
        if len(here[key]) == 1 and len(there.get(key, ())) == 1
    ]


def _without(every: Sequence[Symbol], some: Iterable[Symbol]) -> list[Symbol]:
    taken = {id(symbol) for symbol in some}
    return [symbol for symbol in every if id(symbol) not in taken]


def _differs(old: Symbol, new: Symbol) -> bool:
    """Whether a kept symbol changed in more than where it stands."""
    if old.name != new.name:
        return True
    if old.ordinal or new.ordinal:
        return old.declaration.body_hash != new.declaration.body_hash
    return True


def _still_there(symbol: Symbol, other: FileVersion) -> bool:
    """Whether a member that is set in several places is still (was before) set in another one."""
    if not symbol.declaration.through_receiver:
        return False
    return any(
        light.through_receiver and light.name == symbol.declaration.name
        for at, place in enumerate(other.blob.placements)
        if place.name.startswith(f"{symbol.above}.")
        for light in other.regions[at].declarations[1:]
    )


def _doubt(found: Pool) -> None:
    """Put kept pairs that hardly share anything, or whose text stands elsewhere, into the pool."""
    before: dict[str, set[QualifiedName]] = defaultdict(set)
    after: dict[str, set[QualifiedName]] = defaultdict(set)
    for index, every in (
        (before, (*(old for old, _ in found.kept), *found.old)),
        (after, (*(new for _, new in found.kept), *found.new)),
    ):
        for one in every:
            if one.group == FUNCTION and one.size >= _TELLING:
                index[one.declaration.code_hash].add(one.name)
    context = Context({}, ())
    for old, new in found.kept:
        if old.group in (MODULE, VALUE) or old.name != new.name:
            continue
        elsewhere = (before.get(new.declaration.code_hash, set()) - {old.name}) or (
            after.get(old.declaration.code_hash, set()) - {new.name}
        )
        if old.group != new.group or _is_doubtful(old, new, context, elsewhere=bool(elsewhere)):
            found.doubtful.append((old, new))
            old.kept, new.kept = new, old
            old.went = bool(after.get(old.declaration.code_hash, set()) - {new.name})
            found.old.append(old)
            found.new.append(new)


def _is_doubtful(old: Symbol, new: Symbol, context: Context, *, elsewhere: bool) -> bool:
    """Whether a kept name may be another symbol. What is tiny says too little to doubt it."""
    one, other = old.declaration, new.declaration
    if one.code_hash == other.code_hash or one.shape_hash == other.shape_hash:
        return False
    if elsewhere:
        return True
    if min(old.size, new.size) < _TELLING:
        return False
    return evidence(old, new, context)["body"] < (_ALIKE / 2 if old.group == CLASS else _ALIKE)
