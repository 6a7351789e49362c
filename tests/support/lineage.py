"""Two trees as texts, compared: what tests of lineage share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha1

from topomem.extract.facts import extract
from topomem.languages.load import Languages, load_languages
from topomem.lineage.aliases import Lineage, Step, trace
from topomem.lineage.symbols import FilePair, FileVersion
from topomem.model.history import IDENTITY
from topomem.model.ids import BlobId, CommitId, FilePath

Tree = Mapping[str, str]


@cache
def _languages() -> Languages:
    return load_languages()


@cache
def version(path: str, text: str) -> FileVersion:
    """Return a file as one commit has it."""
    data = text.encode()
    language = _languages().for_path(FilePath(path), data[:100])
    assert language is not None
    blob = BlobId(sha1(data, usedforsecurity=False).hexdigest())
    facts, regions = extract(blob, data, language)
    by_key = {region.key: region for region in regions}
    return FileVersion(FilePath(path), facts, [by_key[place.region] for place in facts.placements])


def compare(old: Tree, new: Tree, message: str = "") -> Lineage:
    """Return the lineage between two trees."""
    pairs = [
        FilePair(
            FilePath(path),
            version(path, old[path]) if path in old else None,
            version(path, new[path]) if path in new else None,
        )
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    ]
    return trace(Step(CommitId("2" * 40), CommitId("1" * 40), pairs, message))


def links(found: Lineage, *, least: float = 0.5) -> list[str]:
    """Return `kind old -> new` of symbols (not of files) from a confidence on, sorted."""
    return sorted(
        f"{alias.kind} {alias.old.path}#{alias.old.name} -> {alias.new.path}#{alias.new.name}"
        for alias in found.aliases
        if alias.confidence >= least and alias.old.name and alias.new.name
    )


def confidence(found: Lineage, old: str, new: str) -> float:
    """Return how sure the identity of two symbols is; 0 where it is not told."""
    return max(
        (
            alias.confidence
            for alias in found.aliases
            if alias.kind in IDENTITY
            and f"{alias.old.path}#{alias.old.name}" == old
            and f"{alias.new.path}#{alias.new.name}" == new
        ),
        default=0.0,
    )
