from __future__ import annotations

import pytest

from topomem.extract.facts import extract
from topomem.index import facts
from topomem.index.facts import BlobKey, FactCache, Recent, RegionMap
from topomem.languages.load import load_languages
from topomem.model.code import BlobFacts, RegionFacts
from topomem.model.ids import BlobId, LanguageName
from topomem.model.packing import pack

SOURCE = b"def a():\n    return b()\n\n\ndef b():\n    return 1\n"
KEY: BlobKey = (BlobId("1" * 40), LanguageName("python"))


class Loader:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, key: BlobKey) -> tuple[BlobFacts, list[RegionFacts]]:
        self.calls += 1
        return extract(key[0], SOURCE, load_languages()[key[1]])


def test_recent_forgets_what_was_not_asked_for_longest() -> None:
    recent: Recent[str, bytes] = Recent(10, len)
    recent.put("a", b"1234")
    recent.put("b", b"1234")
    assert recent.get("a") == b"1234"
    recent.put("c", b"1234")
    assert [key in recent for key in "abc"] == [True, False, True]
    recent.put("d", b"12345678901234")
    assert "d" in recent


def test_putting_again_does_not_weigh_twice() -> None:
    recent: Recent[str, bytes] = Recent(10, len)
    for _ in range(5):
        recent.put("a", b"1234")
        recent.put("b", b"1234")
    assert "a" in recent
    assert "b" in recent


def test_what_is_not_at_hand_is_loaded_once() -> None:
    loader = Loader()
    cache = FactCache(loader)
    blob = cache.blob(KEY)
    regions = cache.regions(blob)
    assert [one.declarations[0].name for one in regions] == ["", "a", "b"]
    assert [one.key for one in regions] == [place.region for place in blob.placements]
    assert loader.calls == 1


def test_packed_regions_are_unpacked_not_loaded() -> None:
    blob, regions = Loader()(KEY)
    loader = Loader()
    cache = FactCache(loader)
    cache.put(blob, (), {one.key: pack(one) for one in regions})
    by_key = RegionMap(cache, blob)
    assert dict(by_key) == {one.key: one for one in regions}
    assert loader.calls == 0


def test_a_region_that_was_forgotten_comes_from_its_blob() -> None:
    blob, _ = Loader()(KEY)
    loader = Loader()
    cache = FactCache(loader)
    cache.put(blob)
    assert cache.regions(blob)[2].declarations[0].name == "b"
    assert loader.calls == 1


def test_a_blob_of_more_regions_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "_KEPT_REGIONS", 1)
    monkeypatch.setattr(facts, "_KEPT_BYTES", 1)
    cache = FactCache(Loader())
    regions = cache.regions(cache.blob(KEY))
    assert [one.declarations[0].name for one in regions] == ["", "a", "b"]
