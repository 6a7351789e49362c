"""Symbols of one side of a change, with what is compared of them, made when first needed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

from topomem.model.code import BlobFacts, Declaration, Op, RegionFacts, SymbolKind
from topomem.model.history import SymbolAt
from topomem.model.ids import FilePath, QualifiedName
from topomem.model.words import parts

CLASSES = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.TRAIT,
        SymbolKind.ENUM,
        SymbolKind.STRUCT,
        SymbolKind.NAMESPACE,
    }
)
FUNCTIONS = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.MACRO}
)
MODULE, CLASS, FUNCTION, VALUE = range(4)
"""Groups of kinds; only symbols of one group can be one thing."""

CONSTRUCTOR = "<constructor>"
"""Stands for the name of a constructor that is called as its class."""

_OVERLOAD = re.compile(r"\+\d+$")
_ROLES_END = Op.NAME
_HEADER_OPS = frozenset(
    {
        Op.PARAMETER,
        Op.RETURN_TYPE,
        Op.DECORATOR,
        Op.TYPE_PARAMETER,
        Op.BOUND,
        Op.INHERIT,
        Op.IMPLEMENT,
        Op.HEAD,
        Op.DEFINE,
        Op.PACKAGE,
    }
)
_BLOCKS = frozenset({Op.ITERATE, Op.ENTER, Op.CATCH, Op.SCOPE, Op.EXPORT, Op.EXPORT_DEFAULT})
MEMBER_WEIGHT = 2
"""How much the text of a member tells of what it stands in; its name counts once."""

_TELLING = 40
"""Bytes of a text above which it tells something."""

_SHORT = 3
"""Ops up to which the shape of a statement tells nothing."""

_CONTENT = frozenset({"body", "signature"})


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A file on one side; `regions` are parallel to the placements of its blob."""

    path: FilePath
    blob: BlobFacts
    regions: Sequence[RegionFacts]


@dataclass(frozen=True, slots=True)
class FilePair:
    """A path whose file differs between commit and parent; a side is None where it is absent."""

    path: FilePath
    old: FileVersion | None
    new: FileVersion | None


@dataclass(eq=False)
class Symbol:
    """A definition on one side. `place` is the placement it stands in, `ordinal` its number there.

    Not frozen and compared by identity: what is derived of it is kept on it.
    """

    file: FileVersion
    place: int
    ordinal: int
    name: QualifiedName
    declaration: Declaration
    order: float = 0.0  # where it stands in its file, 0 to 1
    kept: Symbol | None = field(default=None, repr=False)  # of the same key on the other side
    went: bool = False  # it keeps its key, but its text stands under another name now

    @property
    def path(self) -> FilePath:
        """The file."""
        return self.file.path

    @property
    def key(self) -> tuple[FilePath, QualifiedName]:
        """File and qualified name."""
        return self.file.path, self.name

    @property
    def kind(self) -> SymbolKind:
        """What it is."""
        return self.declaration.kind

    @cached_property
    def group(self) -> int:
        """Which symbols it can be compared with."""
        kind = self.declaration.kind
        if kind is SymbolKind.MODULE:
            return MODULE
        if kind in CLASSES or (kind is SymbolKind.TYPE_ALIAS):
            return CLASS
        if kind in FUNCTIONS or (kind is SymbolKind.PROPERTY and not self.ordinal):
            return FUNCTION
        return VALUE

    @cached_property
    def base(self) -> str:
        """The qualified name without the mark that tells overloads apart."""
        return _OVERLOAD.sub("", self.name)

    @cached_property
    def simple(self) -> str:
        """The last part of the name; of a file its name without folders and suffix."""
        if not self.name:
            return self.file.path.rpartition("/")[2].partition(".")[0]
        above, _, last = self.base.rpartition(".")
        if self.kind is SymbolKind.CONSTRUCTOR and above.rpartition(".")[2] == last:
            return CONSTRUCTOR
        return last

    @cached_property
    def above(self) -> QualifiedName:
        """The qualified name of what it stands in; `` for the file."""
        return QualifiedName(self.base.rpartition(".")[0])

    @property
    def region(self) -> RegionFacts:
        """What its region says."""
        return self.file.regions[self.place]

    @property
    def at(self) -> SymbolAt:
        """It as an end of an alias."""
        return SymbolAt(self.file.path, self.name, self.declaration.body_hash)

    @cached_property
    def subtree(self) -> list[RegionFacts]:
        """Its region and those nested in it; none for a light definition."""
        if self.ordinal:
            return []
        placements = self.file.blob.placements
        end = placements[self.place].span.end_byte
        last = self.place + 1
        while last < len(placements) and placements[last].span.start_byte < end:
            last += 1
        return [self.file.regions[at] for at in range(self.place, last)]

    @cached_property
    def words(self) -> dict[str, float]:
        """Its words, weighted by the root of how often they stand in it; own name left out."""
        if self.ordinal:
            found = Counter(_light_words(self))
        else:
            found = Counter()
            for region in self.subtree:
                for part, word, count in region.words:
                    if part in _CONTENT:
                        found[word] += count
        for word in parts(self.simple):
            found.pop(word, None)
        return {word: sqrt(count) for word, count in found.items() if count > 0}

    @cached_property
    def statements(self) -> Counter[int]:
        """Its statements, by digest of their reduced trees (alike in one process only)."""
        found: Counter[int] = Counter()
        for region in self.subtree:
            found.update(statements(region))
        return found

    @cached_property
    def shapes(self) -> Counter[bytes]:
        """Its statements with all names and values left out; those too short to tell are none."""
        found: Counter[bytes] = Counter()
        for region in self.subtree:
            found.update(shape for shape in _shapes(region) if len(shape) > _SHORT)
        return found

    @cached_property
    def size(self) -> int:
        """How much there is to compare: ops of its reduced tree."""
        return sum(len(region.kinds) for region in self.subtree) if not self.ordinal else 4

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters, in order."""
        if self.ordinal:
            return ()
        region = self.region
        return tuple(
            region.texts[at]
            for at, kind in enumerate(region.kinds)
            if kind == Op.PARAMETER_NAME and _top(region, at)
        )

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """The names it uses."""
        return frozenset(self.mentions)

    @cached_property
    def mentions(self) -> Counter[str]:
        """The names it uses, with how often."""
        return Counter(
            text
            for region in self.subtree
            for kind, text in zip(region.kinds, region.texts, strict=True)
            if kind in (Op.NAME, Op.MEMBER_NAME)
        )

    @cached_property
    def word_total(self) -> float:
        """The weights of its words together, rareness left out."""
        return sum(self.words.values())

    @cached_property
    def members(self) -> Counter[str]:
        """The code digests and names of what is nested in it, for classes and files."""
        found: Counter[str] = Counter()
        for region in self.subtree[1:]:
            own = region.declarations[0]
            found[f"{own.name}"] += 1
            found[own.code_hash] += MEMBER_WEIGHT if region.size > _TELLING else 0
        for region in self.subtree[:1]:
            for light in region.declarations[1:]:
                found[light.name] += 1
        return +found

    @cached_property
    def inside(self) -> dict[str, RegionFacts]:
        """What is nested in it by its own name, the first of several, tiny texts left out."""
        found: dict[str, RegionFacts] = {}
        for region in self.subtree[1:]:
            if region.size > _TELLING:
                found.setdefault(region.declarations[0].name, region)
        return found


def symbols(file: FileVersion, places: Iterator[int] | Sequence[int]) -> list[Symbol]:
    """Return the definitions of some placements of a file, each name once, the regions first."""
    placements = file.blob.placements
    count = max(1, len(placements))
    found: dict[QualifiedName, Symbol] = {}
    chosen = list(places)
    taken = Counter(_OVERLOAD.sub("", place.name) for place in placements[1:])
    for place in chosen:
        name = placements[place].name
        own = file.regions[place].declarations[0]
        found.setdefault(name, Symbol(file, place, 0, name, own, place / count))
    for place in chosen:
        for ordinal, light in enumerate(file.regions[place].declarations[1:], 1):
            owner = _owner(file, place) if light.through_receiver else placements[place].name
            name = QualifiedName(f"{owner}.{light.name}" if owner else light.name)
            if place and not light.through_receiver and name in taken:
                name = QualifiedName(f"{name}+{taken[name] + 1}")
            found.setdefault(name, Symbol(file, place, ordinal, name, light, place / count))
    return list(found.values())


def statements(region: RegionFacts) -> list[int]:
    """Return a digest of each statement, blocks without what is inside them."""
    kinds, texts = region.kinds, region.texts
    return [hash((kinds[at:end], texts[at:end])) for at, end in _ranges(region)]


def _shapes(region: RegionFacts) -> Iterator[bytes]:
    return (region.kinds[at:end] for at, end in _ranges(region))


def _ranges(region: RegionFacts) -> Iterator[tuple[int, int]]:
    """Yield the ops of each statement as (first, behind the last)."""
    kinds, parents = region.kinds, region.parents
    for at, kind in enumerate(kinds):
        if kind < _ROLES_END or kind in _HEADER_OPS or kind == Op.SCOPE:
            continue
        parent = parents[at]
        if parent < 0 or kinds[parent] in _BLOCKS:
            yield at, _end(region, at)


def _end(region: RegionFacts, at: int) -> int:
    """Return the op after those of a statement; of a block only its head counts."""
    starts, ends, kinds = region.starts, region.ends, region.kinds
    last = bisect_left(starts, ends[at], at + 1)
    if kinds[at] not in _BLOCKS:
        return last
    end = at + 1
    while end < last and kinds[end] < _ROLES_END:
        end = bisect_left(starts, ends[end], end + 1)
    return end


def _top(region: RegionFacts, at: int) -> bool:
    parent = region.parents[at]
    return parent >= 0 and region.kinds[parent] == Op.PARAMETER and region.parents[parent] < 0


def _owner(file: FileVersion, place: int) -> QualifiedName:
    """Return the name of the innermost class around or at a placement; its own where none is."""
    placements = file.blob.placements
    at = place
    while at >= 0:
        if file.regions[at].declarations[0].kind in CLASSES - {SymbolKind.NAMESPACE}:
            return placements[at].name
        at = placements[at].parent
    return placements[place].name


def _light_words(symbol: Symbol) -> Iterator[str]:
    for run in re.findall(r"\w+", symbol.declaration.signature):
        yield from parts(run) or (run,)
