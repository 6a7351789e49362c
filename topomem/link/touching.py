"""What a change of files touches, as fine as regions: only there may answers differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from topomem.link.files import FileFacts
from topomem.link.paths import folders_above, last_part, stem
from topomem.link.questions import Probe
from topomem.link.views import FileView
from topomem.link.world import Question, World
from topomem.model.code import BlobFacts, Placement
from topomem.model.ids import FilePath

_OF_A_REGION = frozenset({"kind", "bound", "declares", "header", "results", "inner"})
"""Asked as (kind, path, region, ...): hang on the region and the names of what it holds."""

_OF_THE_MODULE = frozenset({"stars", "exports", "exported", "given"})
"""Asked as (kind, path, ...): hang on the module's region and the names of what it holds."""

_OF_ALL_INSIDE = frozenset({"attribute", "elements"})
"""Asked as (kind, path, region, ...): hang on the region and everything inside it."""


@dataclass(frozen=True, slots=True)
class Touched:
    """Probes that a change touches, and in files that stay: the names of regions that differ."""

    probes: set[Probe] = field(default_factory=set)
    differing: dict[str, frozenset[str]] = field(default_factory=dict)

    def spares(self, question: Question) -> bool:
        """Return whether an answer is surely the same although its probe is touched."""
        differing = self.differing.get(question[1])
        if differing is None:
            return False
        kind = question[0]
        if kind in _OF_A_REGION:
            return question[2] not in differing
        if kind in _OF_THE_MODULE:
            return "" not in differing
        if kind in _OF_ALL_INSIDE and question[2]:
            inside = f"{question[2]}."
            return not any(name == question[2] or name.startswith(inside) for name in differing)
        return False


def touch(world: World, final: Mapping[FilePath, object]) -> Touched:
    """Return what is touched when `final` comes to stand at its paths in `world`."""
    found = Touched()
    for path, facts in final.items():
        above = folders_above(path)
        found.probes.add(("path", path))
        found.probes.add(("stem", stem(path)))
        found.probes.update(("folder", folder) for folder in above)
        found.probes.update(("stem", last_part(folder)) for folder in above)
        view = world.view(path)
        new = facts if isinstance(facts, FileFacts) else None
        differing = _differing(view, new)
        if view is not None and new is not None and view.language == new.blob.language:
            found.differing[path] = frozenset(differing)
        old = None if view is None else view.facts
        for one in (old, new):
            if one is not None:
                found.probes.update(("name", name) for name in _names(one, differing))
    return found


def _differing(view: FileView | None, new: FileFacts | None) -> set[str]:
    """Return the names of the regions that one has and the other has not, or otherwise."""
    before = {} if view is None else _contents(view.blob)
    after = {} if new is None else _contents(new.blob)
    return {name for name, _ in before.items() ^ after.items()}


def _contents(blob: BlobFacts) -> dict[str, tuple[object, ...]]:
    """Return, by name, each region with its place in the tree and the names of what it holds."""
    placements = blob.placements
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


def _names(facts: FileFacts, differing: set[str]) -> set[str]:
    """Return the texts of the reduced trees, and the own names, of the regions that differ."""
    names: set[str] = set()
    for number, place in enumerate(facts.blob.placements):
        if place.name in differing:
            region = facts.regions[number]
            names.update(region.texts)
            names.update(declaration.name for declaration in region.declarations)
    return names
