"""Lineage that is not identity: extract, inline, split, merge, copy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from topomem.lineage.calibration import Calibration
from topomem.lineage.symbols import CLASS, FUNCTION, FilePair, Symbol
from topomem.model.history import Alias, SymbolAt
from topomem.model.ids import CommitId, RegionKey

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


def derived(left: Leftover, commit: CommitId, parent: CommitId, model: Calibration) -> Derived:
    """Return what came out of, or went into, what."""
    found = Derived()
    survivors = [*left.stayed, *((one, other) for one, other, _ in left.moved)]
    functions = [pair for pair in survivors if pair[0].group == FUNCTION]
    came = [symbol for symbol in left.came if symbol.group == FUNCTION]
    gone = [symbol for symbol in left.gone if symbol.group == FUNCTION]

    def say(kind: str, old: SymbolAt, new: SymbolAt, share: float) -> None:
        sure = round(min(0.99, 0.5 + 0.5 * share), 4)
        found.aliases.append(
            Alias(commit, parent, old, new, kind, sure, (("part", round(share, 3)),), sure)
        )

    told: set[int] = set()
    for new, old, share in _drawn(came, functions, forward=True):
        if share >= model.derived:
            say("extract", old.at, new.at, share)
            told.add(id(new))
    for old, new, share in _drawn(gone, functions, forward=False):
        if share >= model.derived:
            say("inline", old.at, new.at, share)
            told.add(id(old))
    rest = [symbol for symbol in came if id(symbol) not in told]
    for one, other, alias in left.moved:
        if one.group == FUNCTION and alias.confidence < _SURE:
            for sibling, share in _pieces(one, other, rest):
                say("split", one.at, sibling.at, share)
                told.add(id(sibling))
                if id(alias) not in found.replaced:
                    found.replaced.add(id(alias))
                    say("split", one.at, other.at, share)
    lost = [symbol for symbol in gone if id(symbol) not in told]
    for one, other, alias in left.moved:
        if one.group == FUNCTION and alias.confidence < _SURE and id(alias) not in found.replaced:
            for sibling, share in _pieces(other, one, lost):
                say("merge", sibling.at, other.at, share)
                if id(alias) not in found.replaced:
                    found.replaced.add(id(alias))
                    say("merge", one.at, other.at, share)
    alive = _alive(left)
    for new in left.came:
        if new.group in (CLASS, FUNCTION) and id(new) not in told and new.size >= _SMALLEST:
            source = alive.get(new.file.blob.placements[new.place].region)
            if source is not None:
                say("copy", source, new.at, 1.0)
    return found


_SURE = 0.97
"""Identities surer than that are not looked at again."""


def _drawn(
    open_ends: Sequence[Symbol], pairs: Sequence[tuple[Symbol, Symbol]], *, forward: bool
) -> Iterator[tuple[Symbol, Symbol, float]]:
    """Yield (symbol, the survivor it came out of or went into, share of its text from there).

    Only survivors that began (ceased) to mention it count.
    """
    if not open_ends:
        return
    names: dict[str, list[tuple[Symbol, Symbol]]] = defaultdict(list)
    wanted = {symbol.simple for symbol in open_ends}
    for old, new in pairs:
        before, after = (old, new) if forward else (new, old)
        for name in wanted & after.mentioned - before.mentioned:
            names[name].append((old, new))
    for symbol in open_ends:
        if symbol.size < _SMALLEST:
            continue
        for old, new in names.get(symbol.simple, ()):
            before, after = (old, new) if forward else (new, old)
            share = _share(symbol, before, after)
            yield symbol, before, share


def _share(symbol: Symbol, before: Symbol, after: Symbol) -> float:
    """Return how much of a symbol's text is what `before` has and `after` has not."""
    lost = before.statements - after.statements
    whole = sum(symbol.statements.values())
    common = sum((lost & symbol.statements).values()) / whole if whole else 0.0
    words = 0.0
    every = sum(symbol.words.values())
    if every:
        less = {
            word: count - after.words.get(word, 0.0)
            for word, count in before.words.items()
            if count > after.words.get(word, 0.0)
        }
        words = (
            sum(min(count, less[word]) for word, count in symbol.words.items() if word in less)
            / every
        )
    return max(common, words)


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
