"""What speaks for two symbols being one thing: numbers between 0 and 1, each with a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from math import log2

from topomem.lineage.symbols import CLASS, MODULE, VALUE, Symbol
from topomem.model.ids import FilePath, QualifiedName
from topomem.model.words import parts

Features = Mapping[str, float]
Containers = Mapping[tuple[FilePath, QualifiedName], tuple[FilePath, QualifiedName]]

_WORD = re.compile(r"[A-Za-z_]\w+")
_LARGE = 96
"""Ops from which on a symbol counts as large: what it holds is hardly so by accident."""


@dataclass(frozen=True, slots=True)
class Context:
    """What is known of the whole change while two symbols are compared.

    `files` and `containers` are those already found to be one thing, old to new. `weights` tell how
    rare a word is among the symbols compared.
    """

    weights: Mapping[str, float]
    said: Collection[str]  # words of the commit's message that are names
    files: Mapping[FilePath, FilePath] = field(default_factory=dict)
    containers: Containers = field(default_factory=dict)


def word_weights(symbols: Iterable[Symbol]) -> dict[str, float]:
    """Return how much each word says: less the more symbols hold it."""
    held: Counter[str] = Counter()
    for symbol in symbols:
        held.update(symbol.words.keys())
    return {word: 1.0 / (1.0 + log2(1.0 + count)) for word, count in held.items()}


def names_in(message: str) -> frozenset[str]:
    """Return the words of a message that may be names of symbols."""
    return frozenset(_WORD.findall(message))


def evidence(old: Symbol, new: Symbol, context: Context) -> dict[str, float]:
    """Return what speaks for `old` and `new` being one thing."""
    body, part = _content(old, new, context)
    exact = _exact(old, new)
    moved = context.files.get(old.path, old.path)
    above = context.containers.get((old.path, old.above), (moved, old.above))
    same_name = old.simple == new.simple
    if old.group == CLASS and old.above == new.above == "" and not same_name:
        same_name = _named_after_files(old, new)
    size = min(1.0, log2(1 + min(old.size, new.size)) / log2(_LARGE))
    said = sum(one.simple in context.said for one in (old, new)) / 2
    return {
        "body": body,
        "part": part,
        "exact": exact * (0.3 + 0.7 * size),
        "name": 1.0 if same_name else 0.0,
        "name_like": name_likeness(old.simple, new.simple),
        "parameters": _parameters(old, new),
        "container": float(above == (new.path, new.above)),
        "file": float(moved == new.path),
        "kind": float(old.kind is new.kind),
        "small": 1.0 - size,
        "place": 1.0 - min(1.0, abs(old.order - new.order) * 4) if moved == new.path else 0.0,
        "said": said,
        "kept": float(old.key == new.key),
    }


def _content(old: Symbol, new: Symbol, context: Context) -> tuple[float, float]:
    """Return how much of both is shared, and how much of the smaller one stands in the other."""
    shared, both, least = _overlap(old.words, new.words, context.weights)
    words = 2 * shared / both if both else 0.0
    part = shared / least if least else 0.0
    if old.group in (MODULE, CLASS):
        common, all_of, fewest = _overlap(old.members, new.members, {})
        if all_of:
            members = 2 * common / all_of
            weight = min(0.7, all_of / 20)
            return (
                (1 - weight) * words + weight * members,
                (1 - weight) * part + weight * common / max(1e-9, fewest),
            )
        return words, part
    if old.group == VALUE:
        return words, part
    common, all_of, fewest = _overlap(old.statements, new.statements, {})
    if not all_of:
        return (words, part) if both else (float(not old.size and not new.size), 0.0)
    weight = 0.5 if both else 1.0
    return (
        (1 - weight) * words + weight * 2 * common / all_of,
        (1 - weight) * part + weight * common / max(1e-9, fewest),
    )


def _overlap(
    old: Mapping[str, float] | Mapping[int, int],
    new: Mapping[str, float] | Mapping[int, int],
    weights: Mapping[str, float],
) -> tuple[float, float, float]:
    """Return what two bags share, what both hold together, and what the lesser holds."""
    weigh: Callable[[object], float] = (
        (lambda key: weights.get(key, 1.0)) if weights else (lambda _: 1.0)  # type: ignore[call-overload]
    )
    one: Mapping[object, float] = old  # type: ignore[assignment]
    other: Mapping[object, float] = new  # type: ignore[assignment]
    shared = sum(weigh(key) * min(count, other[key]) for key, count in one.items() if key in other)
    first = sum(weigh(key) * count for key, count in one.items())
    second = sum(weigh(key) * count for key, count in other.items())
    return shared, first + second, min(first, second)


def _exact(old: Symbol, new: Symbol) -> float:
    """Return 1 for equal text, less where only names inside differ, 0 otherwise."""
    one, other = old.declaration, new.declaration
    if old.group == MODULE:
        return float(old.file.blob.blob == new.file.blob.blob)
    if old.ordinal or new.ordinal:
        return 1.0 if one.shape_hash == other.shape_hash else 0.0
    if [region.key for region in old.subtree[1:]] != [region.key for region in new.subtree[1:]]:
        if [_code(region.declarations[0]) for region in old.subtree[1:]] != [
            _code(region.declarations[0]) for region in new.subtree[1:]
        ]:
            return 0.0
    if one.code_hash == other.code_hash:
        return 1.0
    return 0.8 if one.shape_hash == other.shape_hash else 0.0


def _code(declaration: object) -> str:
    return str(getattr(declaration, "body_hash", ""))


def _parameters(old: Symbol, new: Symbol) -> float:
    one, other = old.parameters, new.parameters
    if not one and not other:
        return 0.5
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other))


def _named_after_files(old: Symbol, new: Symbol) -> bool:
    """Whether both are called as their files are: they are renamed together."""
    stems = [one.path.rpartition("/")[2].partition(".")[0] for one in (old, new)]
    return [old.simple, new.simple] == stems


@lru_cache(1 << 14)
def name_likeness(old: str, new: str) -> float:
    """Return how alike two names are, by their words or by their letters."""
    if old == new:
        return 1.0
    one, other = set(_parts(old)), set(_parts(new))
    words = 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0
    letters = SequenceMatcher(None, old.lower(), new.lower(), autojunk=False).ratio()
    return max(words, letters if letters > 0.6 else 0.5 * letters)  # noqa: PLR2004  chance likeness


def _parts(name: str) -> tuple[str, ...]:
    found = parts(name)
    return found[1:] if len(found) > 1 else found
