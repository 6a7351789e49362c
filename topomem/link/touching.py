"""What a change of files touches, as fine as regions: only there may answers differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from topomem.link.files import FileFacts
from topomem.link.paths import folders_above, last_part, parent_folder, stem
from topomem.link.probes import Probe
from topomem.link.views import CLASSES, Trees, own_name, without_number
from topomem.link.world import World, base_names
from topomem.model.code import BlobFacts
from topomem.model.ids import FilePath


def touch(world: World, final: Mapping[FilePath, object]) -> set[Probe]:
    """Return what is touched when `final` comes to stand at its paths in `world`."""
    found: set[Probe] = set()
    for path, facts in final.items():
        view = world.file(path)
        old = None if view is None else view.facts
        new = facts if isinstance(facts, FileFacts) else None
        if old is None or new is None or old.blob.language != new.blob.language:
            found.update(_of_a_path(path))
        if old is not None or new is not None:
            found.add(("folder", parent_folder(path)))
            found.update(_of_content(path, old, new, world.trees))
    return found


def _of_a_path(path: FilePath) -> Iterator[Probe]:
    yield ("path", path)
    yield ("stem", stem(path))
    for folder in folders_above(path):
        yield ("listing", folder)
        yield ("stem", last_part(folder))


def _of_content(
    path: FilePath, old: FileFacts | None, new: FileFacts | None, trees: Trees
) -> set[Probe]:
    """Return what the regions touch that one has and the other has not, or otherwise."""
    before = {} if old is None else _contents(old.blob)
    after = {} if new is None else _contents(new.blob)
    differing = {name for name, _ in before.items() ^ after.items()}
    found: set[Probe] = set()
    for name in differing:
        found.add(("region", path, name))
        above = name
        while above:
            found.add(("inside", path, above))
            above = above.rpartition(".")[0]
    found.add(("inside", path, ""))
    for facts in (old, new):
        if facts is not None:
            found.update(_of_names(facts, differing, trees))
            found.update(_of_package(parent_folder(path), facts))
    return found


def _contents(blob: BlobFacts) -> dict[str, tuple[object, ...]]:
    """Return, by name, each region with its place in the tree and the names of what it holds."""
    placements = blob.placements
    held: list[list[str]] = [[] for _ in placements]
    for place in placements:
        if place.parent >= 0:
            held[place.parent].append(place.name)
    return {
        place.name: (
            place.region,
            placements[place.parent].name if place.parent >= 0 else "",
            *held[number],
        )
        for number, place in enumerate(placements)
    }


def _of_package(folder: str, facts: FileFacts) -> Iterator[Probe]:
    """Yield what hangs on the names right inside a file, as members of a package.

    All of them: answers say where in its file a member stands.
    """
    placements = facts.blob.placements
    for place in placements:
        if place.parent == 0:
            name = without_number(place.name)
            yield ("member", folder, name)
            owner = name.rpartition(".")[0]
            if owner:
                yield ("methods", folder, owner)
    if placements:
        for light in facts.regions[0].declarations[1:]:
            yield ("member", folder, light.name)


def _of_names(facts: FileFacts, differing: set[str], trees: Trees) -> set[Probe]:
    """Return what hangs on the texts of regions that differ, and on the names right in them."""
    texts: set[str] = set()
    found: set[Probe] = set()
    placements = facts.blob.placements
    for number, place in enumerate(placements):
        differs = place.name in differing
        if differs:
            texts |= trees.names(facts.regions[number])
        if differs or (place.parent >= 0 and placements[place.parent].name in differing):
            found.add(("defined", own_name(place.name)))
            region = facts.regions[number]
            if region.declarations[0].kind in CLASSES:
                bases = base_names(trees.scope(region))
                found.update(("heirs", base) for base in bases)
    found.update(("uses", text) for text in texts)
    found.update(("name", text) for text in texts)
    return found
