"""What a change of files touches, as fine as regions: only there may answers differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from topomem.link.files import FileFacts
from topomem.link.paths import folders_above, last_part, stem
from topomem.link.questions import Probe, probe_of
from topomem.link.world import Question, World
from topomem.model.code import Placement
from topomem.model.ids import FilePath

OF_A_REGION = frozenset({"kind", "bound", "declares", "header", "results", "inner"})
"""Asked as (kind, path, region, ...): hang on the region and the names of what it holds."""

OF_THE_MODULE = frozenset({"stars", "exports", "exported", "given"})
"""Asked as (kind, path, ...): hang on the module's region and the names of what it holds."""

OF_ALL_INSIDE = frozenset({"attribute", "elements"})
"""Asked as (kind, path, region, ...): hang on the region and everything inside it."""


PRESENCE = frozenset({"exists", "folder", "files", "named"})
"""Hang on which files there are, and in which languages, alone."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What a change touches.

    `differing` has the names of regions that differ, for files that stay what they are; `replaced`
    the other files, `presence` the probes of what came or went. `restructured` are files whose
    definitions stand otherwise, whatever their texts.
    """

    probes: set[Probe] = field(default_factory=set)
    differing: dict[str, frozenset[str]] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    presence: set[Probe] = field(default_factory=set)
    restructured: set[str] = field(default_factory=set)

    def spares(self, question: Question) -> bool:
        """Return whether an answer is surely the same although its probe is touched."""
        kind = question[0]
        if kind in PRESENCE:
            return probe_of(question) not in self.presence
        differing = self.differing.get(question[1])
        if differing is None:
            return False
        if kind in OF_A_REGION:
            return question[2] not in differing
        if kind in OF_THE_MODULE:
            return "" not in differing
        if kind in OF_ALL_INSIDE and question[2]:
            inside = f"{question[2]}."
            return not any(name == question[2] or name.startswith(inside) for name in differing)
        return False


def touch(world: World, final: Mapping[FilePath, object]) -> Touched:
    """Return what is touched when `final` comes to stand at its paths in `world`."""
    found = Touched()
    for path, facts in final.items():
        view = world.view(path)
        old = None if view is None else view.facts
        new = facts if isinstance(facts, FileFacts) else None
        before, after = _contents(old), _contents(new)
        differing = {name for name, _ in before.items() ^ after.items()}
        around = _around(path)
        found.probes.update(around)
        found.probes.update(("name", name) for one in (old, new) for name in _names(one, differing))
        if old is not None and new is not None and old.blob.language == new.blob.language:
            found.differing[path] = frozenset(differing)
        else:
            found.replaced.add(path)
            found.presence.update(around)
        if _structure(before) != _structure(after):
            found.restructured.add(path)
    return found


def _around(path: FilePath) -> list[Probe]:
    """Return the probes of a path, of the folders above it, and of their names."""
    above = folders_above(path)
    return [
        ("path", path),
        ("stem", stem(path)),
        *(("folder", folder) for folder in above),
        *(("stem", last_part(folder)) for folder in above),
    ]


def _structure(contents: dict[str, tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [(name, *content[1:]) for name, content in contents.items()]


def _contents(facts: FileFacts | None) -> dict[str, tuple[object, ...]]:
    """Return, by name, each region with its place in the tree and the names of what it holds."""
    placements = () if facts is None else facts.blob.placements
    held: list[list[str]] = [[] for _ in placements]
    for place in placements:
        if place.parent >= 0:
            held[place.parent].append(place.name)
    return {
        place.name: (place.region, _name_of(placements, place.parent), *held[number])
        for number, place in enumerate(placements)
    }


def _name_of(placements: tuple[Placement, ...], number: int) -> str:
    return placements[number].name if number >= 0 else ""


def _names(facts: FileFacts | None, differing: set[str]) -> set[str]:
    """Return the texts of the reduced trees, and the own names, of the regions that differ."""
    names: set[str] = set()
    for number, place in enumerate(() if facts is None else facts.blob.placements):
        if place.name in differing:
            assert facts is not None  # noqa: S101  it has placements
            region = facts.regions[number]
            names.update(region.texts)
            names.update(declaration.name for declaration in region.declarations)
    return names
