"""Lineage that is not identity: extract, inline, split, merge, copy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

from topomem.lineage.calibration import Calibration
from topomem.lineage.symbols import CLASS, FUNCTION, FilePair, Symbol
from topomem.model.history import Alias, SymbolAt
from topomem.model.ids import CommitId, FilePath, QualifiedName, RegionKey

Key = tuple[FilePath, QualifiedName]

_LARGE = 96
"""Ops from which on a symbol counts as large."""

_SMALLEST = 6
"""Ops below which a text is too small to say where it came from."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """What identity left open, and what it settled."""

    gone: Sequence[Symbol]
    came: Sequence[Symbol]
    stayed: Sequence[tuple[Symbol, Symbol]]
    moved: Sequence[tuple[Symbol, Symbol, Alias]]
    files: Sequence[FilePair]


@dataclass(slots=True)
class Derived:
    """Aliases that are no identities; `replaced` are identities (by id) that turn into them."""

    aliases: list[Alias] = field(default_factory=list)
    replaced: set[int] = field(default_factory=set)
    told: set[int] = field(default_factory=set)  # symbols (by id) that have an origin now


@dataclass(frozen=True, slots=True)
class Drawn:
    """A symbol that came out of (went into) one that stayed, and what speaks for it."""

    symbol: Symbol
    other: Symbol
    evidence: Mapping[str, float]


def derived(
    left: Leftover, step: tuple[CommitId, CommitId], model: Calibration, watch: list[Drawn] | None
) -> Derived:
    """Return what came out of, or went into, what. `step` is commit and parent."""
    found = _Deriving(left, step, model, watch)
    found.draw()
    found.split(merging=False)
    found.split(merging=True)
    found.split_off()
    found.take_members()
    found.copy()
    return found.made


class _Deriving:
    """Works out one step."""

    def __init__(
        self,
        left: Leftover,
        step: tuple[CommitId, CommitId],
        model: Calibration,
        watch: list[Drawn] | None,
    ) -> None:
        self._left = left
        self._step = step
        self._model = model
        self._watch = watch
        self._came = [symbol for symbol in left.came if symbol.group == FUNCTION]
        self._gone = [symbol for symbol in left.gone if symbol.group == FUNCTION]
        self.made = Derived()

    def draw(self) -> None:
        """Find what was extracted and what was inlined."""
        pairs = [*self._left.stayed, *((one, other) for one, other, _ in self._left.moved)]
        functions = [pair for pair in pairs if pair[0].group == FUNCTION]
        for drawn in _drawn(self._came, functions, forward=True):
            self._draw("extract", drawn, drawn.other, drawn.symbol)
        for drawn in _drawn(self._gone, functions, forward=False):
            self._draw("inline", drawn, drawn.symbol, drawn.other)

    def _draw(self, kind: str, drawn: Drawn, old: Symbol, new: Symbol) -> None:
        if self._watch is not None:
            self._watch.append(drawn)
        sure = self._model.derivation(drawn.evidence)
        if sure >= self._model.threshold:
            self.made.told.add(id(drawn.symbol))
            self._say(kind, old.at, new.at, (sure, drawn.evidence))

    def split(self, *, merging: bool) -> None:
        """Turn identities of which only a part is the same into splits, or merges."""
        rest = [
            symbol
            for symbol in (self._gone if merging else self._came)
            if id(symbol) not in self.made.told
        ]
        kind = "merge" if merging else "split"
        for old, new, alias in self._left.moved:
            if old.group != FUNCTION or alias.confidence >= _SURE:
                continue
            whole, piece = (new, old) if merging else (old, new)
            for sibling, share in _pieces(whole, piece, rest):
                if id(alias) not in self.made.replaced:
                    self.made.replaced.add(id(alias))
                    self._say(kind, old.at, new.at, (alias.confidence, {"part": share}))
                ends = (sibling.at, new.at) if merging else (old.at, sibling.at)
                self.made.told.add(id(sibling))
                self._say(kind, *ends, (0.5 + 0.5 * share, {"part": share}))

    def split_off(self) -> None:
        """Find what was cut off from something beside it that goes on under its name."""
        for new in self._came:
            if id(new) in self.made.told or new.size < _SMALLEST:
                continue
            for before, after in self._left.stayed:
                beside = (before.path, before.above) == (new.path, new.above)
                if beside and before.group == FUNCTION and before.kind is new.kind:
                    evidence = _drawn_evidence(new, before, after)
                    share = evidence["moved_statements"]
                    if share >= _MOST and len(new.statements) > 1:
                        self._say("split", before.at, new.at, (0.5 + 0.5 * share, evidence))
                        self.made.told.add(id(new))
                        break

    def take_members(self) -> None:
        """Find classes that came to hold members of a class that goes on without them."""
        taken: dict[Key, Counter[Key]] = defaultdict(Counter)
        for old, new, _ in self._left.moved:
            if old.group != CLASS and old.above:
                taken[new.path, new.above][old.path, old.above] += 1
        versions = {pair.path: pair for pair in self._left.files}
        for new in self._left.came:
            if new.group != CLASS:
                continue
            for (path, name), count in sorted(taken[new.key].items()):
                source = _still_stands(versions[path], name)
                share = count / max(1, len(new.inside))
                if source is not None and (count > 1 or share >= _MOST):
                    self._say("split", source, new.at, (_FEW + share / 2, {"members": share}))
                    self.made.told.add(id(new))

    def copy(self) -> None:
        """Find what is a copy of something that is still there."""
        alive = _alive(self._left)
        for new in self._left.came:
            big = new.group in (CLASS, FUNCTION) and new.size >= _SMALLEST
            if big and id(new) not in self.made.told:
                source = alive.get(new.file.blob.placements[new.place].region)
                if source is not None:
                    self._say("copy", source, new.at, (0.99, {"exact": 1.0}))

    def _say(
        self, kind: str, old: SymbolAt, new: SymbolAt, sure: tuple[float, Mapping[str, float]]
    ) -> None:
        confidence = round(min(0.99, sure[0]), 4)
        evidence = tuple((name, round(value, 3)) for name, value in sorted(sure[1].items()))
        commit, parent = self._step
        self.made.aliases.append(
            Alias(commit, parent, old, new, kind, confidence, evidence, confidence)
        )


_MOST = 0.6
"""Share of statements from which on a symbol was cut off from another one."""

_FEW = 0.45
"""How sure it is that a class came out of another one, that a few of its members came from."""

_SURE = 0.97
"""Identities surer than that are not looked at again."""


def _still_stands(file: FilePair, name: QualifiedName) -> SymbolAt | None:
    """Return a definition that is in both versions of a file, as the older one has it."""
    if file.old is None or file.new is None:
        return None
    if all(place.name != name for place in file.new.blob.placements):
        return None
    for at, place in enumerate(file.old.blob.placements):
        if place.name == name:
            return SymbolAt(file.path, name, file.old.regions[at].declarations[0].body_hash)
    return None


def _drawn(
    open_ends: Sequence[Symbol], pairs: Sequence[tuple[Symbol, Symbol]], *, forward: bool
) -> Iterator[Drawn]:
    """Yield symbols with the survivors they came out of (went into).

    Only survivors that began (ceased) to use them count.
    """
    if not open_ends:
        return
    names: dict[str, list[tuple[Symbol, Symbol]]] = defaultdict(list)
    wanted: dict[str, set[str]] = defaultdict(set)
    for symbol in open_ends:
        if symbol.size >= _SMALLEST:
            wanted[symbol.simple] |= symbol.mentioned
    for old, new in pairs:
        before, after = (old, new) if forward else (new, old)
        for name in _reached(before, after, wanted):
            names[name].append((before, after))
    for symbol in open_ends:
        if symbol.size >= _SMALLEST:
            for before, after in names.get(symbol.simple, ()):
                evidence = _drawn_evidence(symbol, before, after)
                evidence["users"] = min(1.0, (len(names[symbol.simple]) - 1) / 4)
                evidence["direct"] = float(symbol.simple in after.mentioned)
                yield Drawn(symbol, before, evidence)


def _reached(before: Symbol, after: Symbol, wanted: Mapping[str, set[str]]) -> list[str]:
    """Return the wanted names that `after` uses more than `before`, itself or through such ones.

    `wanted` holds for each name what its own text uses.
    """
    found = [name for name in sorted(wanted) if after.mentions[name] > before.mentions[name]]
    for name in found:
        found += [inner for inner in sorted(wanted[name] & wanted.keys()) if inner not in found]
    return found


def _drawn_evidence(symbol: Symbol, before: Symbol, after: Symbol) -> dict[str, float]:
    """Return how much of a symbol's text is what `before` has and `after` has not."""
    lost = before.statements - after.statements
    whole = sum(symbol.statements.values())
    shed = {
        word: count - after.words.get(word, 0.0)
        for word, count in before.words.items()
        if count > after.words.get(word, 0.0)
    }
    every, less = sum(symbol.words.values()), sum(shed.values())
    common = sum(min(count, shed[word]) for word, count in symbol.words.items() if word in shed)
    size = min(1.0, log2(1 + symbol.size) / log2(_LARGE))
    return {
        "moved_statements": sum((lost & symbol.statements).values()) / whole if whole else 0.0,
        "moved_words": common / every if every else 0.0,
        "of_what_went": common / less if less else 0.0,
        "moved_shapes": _shed_shapes(symbol, before, after),
        "held": sum(min(count, before.words.get(word, 0.0)) for word, count in symbol.words.items())
        / every
        if every
        else 0.0,
        "large": size,
        "same_file": float(symbol.path == before.path),
    }


def _shed_shapes(symbol: Symbol, before: Symbol, after: Symbol) -> float:
    """Return the share of the shapes of its statements that `before` has and `after` has not."""
    every = sum(symbol.shapes.values())
    lost = before.shapes - after.shapes
    return sum((lost & symbol.shapes).values()) / every if every else 0.0


def _pieces(
    whole: Symbol, piece: Symbol, others: Sequence[Symbol]
) -> Iterator[tuple[Symbol, float]]:
    """Yield others that hold what `piece` lacks of `whole`, with the share of their text."""
    rest = whole.statements - piece.statements
    size = sum(whole.statements.values())
    if sum(rest.values()) * 4 < size or size < 3:  # noqa: PLR2004  a quarter of something
        return
    for other in others:
        if (other.path, other.above) != (piece.path, piece.above):
            continue
        common: Counter[int] = rest & other.statements
        amount = sum(common.values())
        count = sum(other.statements.values())
        if count and amount * 2 >= count and amount * 4 >= size:
            yield other, amount / count


def _alive(left: Leftover) -> dict[RegionKey, SymbolAt]:
    """Return regions that stand in both versions of a file, with a symbol that has them."""
    if not left.came:
        return {}
    wanted = {
        symbol.file.blob.placements[symbol.place].region
        for symbol in left.came
        if not symbol.ordinal
    }
    found: dict[RegionKey, SymbolAt] = {}
    for pair in left.files:
        if pair.old is None or pair.new is None:
            continue
        there = {(place.name, place.region) for place in pair.new.blob.placements}
        for at, place in enumerate(pair.old.blob.placements):
            if place.region in wanted and (place.name, place.region) in there:
                own = pair.old.regions[at].declarations[0]
                found.setdefault(place.region, SymbolAt(pair.path, place.name, own.body_hash))
    return found
