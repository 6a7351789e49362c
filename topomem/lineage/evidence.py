"""What speaks for two symbols being one thing: numbers between 0 and 1, each with a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from math import log2
from typing import Any

from topomem.lineage.symbols import CLASS, MEMBER_WEIGHT, MODULE, VALUE, Symbol, statements
from topomem.model.code import RegionFacts
from topomem.model.ids import FilePath, QualifiedName
from topomem.model.words import parts

Features = Mapping[str, float]
Containers = Mapping[tuple[FilePath, QualifiedName], tuple[FilePath, QualifiedName]]

_WORD = re.compile(r"[A-Za-z_]\w+")
_OUTSTANDING = {"body": 1.0, "exact": 0.5, "shape": 0.25, "name_like": 0.05, "path_like": 0.05}
"""What makes one pair stand out among others, and how much."""

_EQUAL = 1e-9
"""Differences up to that are rounding."""

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
    came: frozenset[str] = frozenset()  # names that there were not before


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
        "shape": _shape(old, new),
        "exact": exact * (0.3 + 0.7 * size),
        "whole": float(old.name == new.name and old.file.blob.blob == new.file.blob.blob),
        "name": 1.0 if same_name else 0.0,
        "name_like": name_likeness(old.simple, new.simple),
        "parameters": _parameters(old, new),
        "container": float(above == (new.path, new.above)),
        "file": float(moved == new.path),
        "path_like": _path_likeness(moved, new.path),
        "kind": float(old.kind is new.kind),
        "small": 1.0 - size,
        "place": 1.0 - min(1.0, abs(old.order - new.order) * 4) if moved == new.path else 0.0,
        "said": said,
        "kept": float(old.kept is new),
        "went": float(old.kept is new and old.went),
        "hands_on": float(old.kept is new and _hands_on(old, new, context)),
        "taken": float(not exact and _is_taken(old, new)),
        "calls": float(_calls(old, new)),
    }


def stand_out(pairs: Sequence[tuple[Symbol, Symbol]], every: Sequence[dict[str, float]]) -> None:
    """Add to the evidence of pairs which are the best their two symbols have.

    `best` is 1 where no other pair of either symbol has as much in common, less where some have,
    and less where that is little.
    """
    content = [
        sum(found[name] * weight for name, weight in _OUTSTANDING.items()) for found in every
    ]
    top: dict[int, list[float]] = {}
    for (old, new), amount in zip(pairs, content, strict=True):
        for symbol in (old, new):
            top.setdefault(id(symbol), []).append(amount)
    for amounts in top.values():
        amounts.sort(reverse=True)
    for (old, new), amount, found in zip(pairs, content, every, strict=True):
        equal = max(_as_good(top[id(symbol)], amount) for symbol in (old, new))
        found["best"] = round(min(1.0, 2 * found["body"]) / equal, 3)


def _as_good(amounts: Sequence[float], amount: float) -> int:
    """Return how many are as good as `amount`; very many where one is better."""
    if amounts[0] > amount + _EQUAL:
        return 1000
    return sum(1 for other in amounts if other > amount - _EQUAL)


def _shape(old: Symbol, new: Symbol) -> float:
    """Return how much of their statements is alike, names and values left out."""
    one, other = sum(old.shapes.values()), sum(new.shapes.values())
    if not one or not other:
        return 0.0
    return 2 * sum((old.shapes & new.shapes).values()) / (one + other)


def _hands_on(old: Symbol, new: Symbol, context: Context) -> bool:
    """Whether a kept name began to use what is new: its text may stand there now."""
    return not context.came.isdisjoint(new.mentioned - old.mentioned)


def _is_taken(old: Symbol, new: Symbol) -> bool:
    """Whether the old name goes on, or the new one was there before, for something else."""
    return old.kept is not new and (old.kept is not None or new.kept is not None)


def _calls(old: Symbol, new: Symbol) -> bool:
    """Whether one was taken out of the other, or put into it, rather than being the other.

    What keeps the old name uses the new symbol, or what had the new name used the old one.
    """
    if old.kept is new:
        return False
    stays, was = old.kept, new.kept
    taken_out = stays is not None and new.simple in stays.mentioned - old.mentioned
    put_in = was is not None and old.simple in was.mentioned - new.mentioned
    return taken_out or put_in


def _content(old: Symbol, new: Symbol, context: Context) -> tuple[float, float]:
    """Return how much of both is shared, and how much of the smaller one stands in the other."""
    shared, both, least = _overlap(old.words, new.words, context.weights)
    words = 2 * shared / both if both else 0.0
    part = shared / least if least else 0.0
    if old.group in (MODULE, CLASS):
        common, all_of, fewest = _common(old.members, new.members)
        common += _alike_inside(old, new)
        if all_of:
            members = 2 * common / all_of
            weight = min(0.7, all_of / 20)
            return (
                (1 - weight) * words + weight * members,
                (1 - weight) * part + weight * common / max(1e-9, fewest),
            )
        return (words, part) if both else (1.0, 1.0)
    if old.group == VALUE:
        return words, part
    common, all_of, fewest = _common(old.statements, new.statements)
    if not all_of:
        return (words, part) if both else (float(not old.size and not new.size), 0.0)
    weight = 0.5 if both else 1.0
    return (
        (1 - weight) * words + weight * 2 * common / all_of,
        (1 - weight) * part + weight * common / max(1e-9, fewest),
    )


def _alike_inside(old: Symbol, new: Symbol) -> float:
    """Return what definitions of one name, whose text differs, add to what two symbols share.

    Equal texts and names are counted already.
    """
    there = new.inside
    return MEMBER_WEIGHT * sum(
        _likeness(region, there[name])
        for name, region in old.inside.items()
        if name in there
        and region.declarations[0].code_hash != there[name].declarations[0].code_hash
    )


def _likeness(old: RegionFacts, new: RegionFacts) -> float:
    """Return how much of the statements of two definitions is the same, 0 to 1."""
    common, all_of, _ = _common(Counter(statements(old)), Counter(statements(new)))
    return 2 * common / all_of if all_of else 0.0


def _overlap(
    old: Mapping[str, float], new: Mapping[str, float], weights: Mapping[str, float]
) -> tuple[float, float, float]:
    """Return what two bags of words share, what both hold together, and what the lesser holds."""
    get = weights.get
    shared = 0.0
    less, more = (old, new) if len(old) <= len(new) else (new, old)
    for word, count in less.items():
        other = more.get(word)
        if other is not None:
            shared += get(word, 1.0) * min(count, other)
    first, second = _amount(old, weights), _amount(new, weights)
    return shared, first + second, min(first, second)


def _amount(words: Mapping[str, float], weights: Mapping[str, float]) -> float:
    get = weights.get
    return sum([get(word, 1.0) * count for word, count in words.items()])


def _common(old: Counter[Any], new: Counter[Any]) -> tuple[float, float, float]:
    """Return as `_overlap` for things that are counted."""
    less, more = (old, new) if len(old) <= len(new) else (new, old)
    shared = sum([min(count, more[key]) for key, count in less.items() if key in more])
    first, second = sum(old.values()), sum(new.values())
    return shared, first + second, min(first, second)


def _exact(old: Symbol, new: Symbol) -> float:
    """Return 1 for equal text, less where only names inside differ, 0 otherwise."""
    one, other = old.declaration, new.declaration
    if old.group == MODULE:
        return float(old.file.blob.blob == new.file.blob.blob)
    if old.ordinal or new.ordinal:
        return 1.0 if one.shape_hash == other.shape_hash else 0.0
    inside, there = old.subtree[1:], new.subtree[1:]
    if list(map(_key, inside)) != list(map(_key, there)) and list(map(_text, inside)) != list(
        map(_text, there)
    ):
        return 0.0
    if one.code_hash == other.code_hash:
        return 1.0
    return 0.8 if one.shape_hash == other.shape_hash else 0.0


def _key(region: RegionFacts) -> str:
    return region.key


def _text(region: RegionFacts) -> str:
    return region.declarations[0].body_hash


def _parameters(old: Symbol, new: Symbol) -> float:
    one, other = old.parameters, new.parameters
    if not one and not other:
        return 0.5
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other))


@lru_cache(1 << 14)
def _path_likeness(old: str, new: str) -> float:
    """Return how much two paths have in common from their tops and from their ends."""
    one, other = old.split("/"), new.split("/")
    least = min(len(one), len(other))
    top = next((at for at in range(least) if one[at] != other[at]), least)
    bottom = next((at for at in range(least - top) if one[-1 - at] != other[-1 - at]), least - top)
    return 2 * (top + bottom) / (len(one) + len(other))


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
