"""Pairs worth comparing, found across all changed files without looking at every pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from topomem.lineage.evidence import Context
from topomem.lineage.symbols import CLASS, MODULE, Symbol
from topomem.model.ids import FilePath, QualifiedName

ALL_PAIRS = 400
"""Up to so many pairs all are compared."""

LONGEST_LIST = 48
"""What more symbols of one side share tells nothing apart: it is not looked up."""

MOST_PER_SYMBOL = 8
"""So many of the other side a symbol is compared with, those that share most."""

_CERTAIN = 1000.0


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs, in order, and how many were left out because a limit was reached."""

    pairs: list[tuple[Symbol, Symbol]]
    left_out: int


def candidates(old: Sequence[Symbol], new: Sequence[Symbol], context: Context) -> Candidates:
    """Return which of two sides (of one group) are to be compared."""
    if len(old) * len(new) <= ALL_PAIRS:
        return Candidates([(one, other) for one in old for other in new], 0)
    index: dict[object, list[int]] = defaultdict(list)
    for number, symbol in enumerate(new):
        for key in _keys(symbol):
            index[key].append(number)
    places = {symbol.key: number for number, symbol in enumerate(new)}
    found: list[tuple[Symbol, Symbol]] = []
    left_out = 0
    for symbol in old:
        shared: Counter[int] = Counter()
        expected = places.get(_expected(symbol, context))
        if expected is not None:
            shared[expected] += int(_CERTAIN)
            if _equal(symbol, new[expected]):
                found.append((symbol, new[expected]))
                continue
        for key, weight in _keys(symbol).items():
            numbers = index.get(key, ())
            if len(numbers) > LONGEST_LIST:
                left_out += key.__class__ is not str and len(numbers)
                continue
            for number in numbers:
                shared[number] += int(weight * 100 * context.weights.get(str(key), 1.0))
        best = sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:MOST_PER_SYMBOL]
        found += [(symbol, new[number]) for number, _ in best]
    return Candidates(found, left_out)


def _expected(symbol: Symbol, context: Context) -> tuple[FilePath, QualifiedName]:
    """Return the key a symbol has if it only came along with its file or class."""
    path, above = context.containers.get(
        (symbol.path, symbol.above), (context.files.get(symbol.path, symbol.path), symbol.above)
    )
    last = symbol.name.rpartition(".")[2]
    return path, QualifiedName(f"{above}.{last}" if above else last)


def _equal(old: Symbol, new: Symbol) -> bool:
    return old.declaration.body_hash == new.declaration.body_hash


def _keys(symbol: Symbol) -> Mapping[object, float]:
    """Return what a symbol is looked up by, with weights."""
    return dict(_weighted_keys(symbol))


def _weighted_keys(symbol: Symbol) -> Iterator[tuple[object, float]]:
    own = symbol.declaration
    yield ("name", symbol.simple), 4.0
    if not symbol.ordinal:
        yield ("code", own.code_hash), 6.0
        yield ("shape", own.shape_hash), 3.0
    if symbol.group in (MODULE, CLASS):
        for member, count in symbol.members.items():
            yield ("member", member), float(count)
    yield from symbol.words.items()
