"""Facts at hand: what was extracted or loaded, kept small.

The linker looks at regions again and again while history is walked. Recent ones are kept as values,
others packed; what fits in neither is loaded from the store, or extracted once more.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

from topomem.extract.frames import pack_blob, unpack_blob
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.ids import BlobId, LanguageName, RegionKey
from topomem.model.packing import unpack

BlobKey = tuple[BlobId, LanguageName]
Key = TypeVar("Key")
Value = TypeVar("Value")

_KEPT_REGIONS = 1_000
_KEPT_BLOBS = 500
_KEPT_BYTES = 64 << 20


class Recent(Generic[Key, Value]):
    """A mapping that forgets what was not asked for longest, above a total weight."""

    def __init__(self, limit: int, weight: Callable[[Value], int] = lambda _: 1) -> None:
        self._limit = limit
        self._weight = weight
        self._total = 0
        self._items: OrderedDict[Key, Value] = OrderedDict()

    def __contains__(self, key: Key) -> bool:
        return key in self._items

    def get(self, key: Key) -> Value | None:
        """Return a value and count it as asked for."""
        value = self._items.get(key)
        if value is not None:
            self._items.move_to_end(key)
        return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value, in place of an older one."""
        before = self._items.pop(key, None)
        self._total += self._weight(value) - (self._weight(before) if before is not None else 0)
        self._items[key] = value
        while self._total > self._limit and len(self._items) > 1:
            self._total -= self._weight(self._items.popitem(last=False)[1])


class FactCache:
    """Facts of blobs and regions by content; `load` brings those that are not at hand."""

    def __init__(self, load: Callable[[BlobKey], tuple[BlobFacts, list[RegionFacts]]]) -> None:
        self._load = load
        self._blobs: Recent[BlobKey, BlobFacts] = Recent(_KEPT_BLOBS)
        self._packed_blobs: Recent[BlobKey, bytes] = Recent(_KEPT_BYTES, len)
        self._regions: Recent[RegionKey, RegionFacts] = Recent(_KEPT_REGIONS)
        self._packed: Recent[RegionKey, bytes] = Recent(_KEPT_BYTES, len)

    def put(
        self,
        blob: BlobFacts,
        regions: Iterable[RegionFacts] = (),
        packed: Mapping[RegionKey, bytes] | None = None,
    ) -> None:
        """Keep the facts of a blob and of regions, which may also be given packed."""
        key = (blob.blob, blob.language)
        self._blobs.put(key, blob)
        self._packed_blobs.put(key, pack_blob(blob))
        for facts in regions:
            self._regions.put(facts.key, facts)
        self.put_packed(packed or {})

    def put_packed(self, packed: Mapping[RegionKey, bytes]) -> None:
        """Keep packed regions."""
        for key, data in packed.items():
            self._packed.put(key, data)

    def blob(self, key: BlobKey) -> BlobFacts:
        """Return what a blob says."""
        found = self._blobs.get(key)
        if found is not None:
            return found
        packed = self._packed_blobs.get(key)
        if packed is None:
            return self._reload(key)
        blob = unpack_blob(packed)
        self._blobs.put(key, blob)
        return blob

    def regions(self, blob: BlobFacts) -> tuple[RegionFacts, ...]:
        """Return the regions of a blob, parallel to its placements."""
        of = (blob.blob, blob.language)
        return tuple([self.region(place.region, of) for place in blob.placements])

    def region(self, key: RegionKey, of: BlobKey) -> RegionFacts:
        """Return what a region says; `of` is a blob that holds it."""
        found = self._regions.get(key)
        if found is not None:
            return found
        packed = self._packed.get(key)
        if packed is not None:
            facts = unpack(packed)
            self._regions.put(key, facts)
            return facts
        blob, regions = self._load(of)
        self.put(blob, regions)
        return next(facts for facts in regions if facts.key == key)

    def _reload(self, key: BlobKey) -> BlobFacts:
        blob, regions = self._load(key)
        self.put(blob, regions)
        return blob


class RegionList(Sequence[RegionFacts]):
    """The regions of one blob, parallel to its placements; each is fetched when asked for."""

    __slots__ = ("_blob", "_cache", "_held")

    def __init__(self, cache: FactCache, blob: BlobFacts) -> None:
        self._cache = cache
        self._blob = blob
        self._held: list[RegionFacts | None] = [None] * len(blob.placements)

    def __len__(self) -> int:
        return len(self._held)

    @overload
    def __getitem__(self, index: int) -> RegionFacts: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[RegionFacts]: ...

    def __getitem__(self, index: int | slice) -> RegionFacts | Sequence[RegionFacts]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        held = self._held[index]
        if held is None:
            key = self._blob.placements[index].region
            held = self._cache.region(key, (self._blob.blob, self._blob.language))
            self._held[index] = held
        return held


class RegionMap(Mapping[RegionKey, RegionFacts]):
    """The regions of one blob by key; each is fetched when asked for."""

    __slots__ = ("_blob", "_cache")

    def __init__(self, cache: FactCache, blob: BlobFacts) -> None:
        self._cache = cache
        self._blob = blob

    def __len__(self) -> int:
        return len(set(self))

    def __iter__(self) -> Iterator[RegionKey]:
        return iter(dict.fromkeys(place.region for place in self._blob.placements))

    def __getitem__(self, key: RegionKey) -> RegionFacts:
        return self._cache.region(key, (self._blob.blob, self._blob.language))
