"""Classes by where their methods went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from topomem.lineage.symbols import FUNCTION, Symbol
from topomem.model.history import Alias
from topomem.model.ids import FilePath, QualifiedName

Key = tuple[FilePath, QualifiedName]


def by_members(
    pairs: Sequence[tuple[Symbol, Symbol, Alias]],
    gone: Mapping[Key, Symbol],
    came: Mapping[Key, Symbol],
) -> Iterator[tuple[tuple[Key, Key], float]]:
    """Yield classes that went and came with the share of their methods that are in both.

    The largest share first; each class once. `pairs` are what is one thing already.
    """
    common: Counter[tuple[Key, Key]] = Counter()
    for old, new, _ in pairs:
        ends = (old.path, old.above), (new.path, new.above)
        if old.group == FUNCTION and ends[0] in gone and ends[1] in came:
            common[ends] += 1
    shares = {
        (old, new): 2 * count / (len(gone[old].inside) + len(came[new].inside) or 1)
        for (old, new), count in common.items()
    }
    taken: set[Key] = set()
    for pair in sorted(shares, key=lambda pair: (-shares[pair], pair)):
        if taken.isdisjoint(pair):
            taken.update(pair)
            yield pair, min(1.0, shares[pair])
