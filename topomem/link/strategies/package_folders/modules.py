"""Which folder the path of an import means."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from topomem.link.interfaces import statements
from topomem.model.ids import FilePath

if TYPE_CHECKING:
    from topomem.link.world import World

MODULE_FILE = "go.mod"

WORDS = "module replace"
"""Statements of a module file that decide how names resolve."""

_VERSION = re.compile(r"v\d+")


class ModuleFile(NamedTuple):
    """A module: its folder, its path, and which other paths it takes from which folders."""

    folder: FilePath
    path: str
    replaced: tuple[tuple[str, str], ...]


def read_module(path: FilePath, lines: tuple[str, ...]) -> ModuleFile:
    """Read the statements of a module file; what cannot be read is left out."""
    folder = FilePath(path.rpartition("/")[0])
    module = ""
    replaced = []
    for line in lines:
        word, *rest = line.replace('"', " ").split()
        if word == "module" and rest:
            module = module or rest[0]
        elif "=>" in rest:
            cut = rest.index("=>")
            old, new = rest[:cut], rest[cut + 1 :]
            if old and new and new[0].startswith("."):
                place = posixpath.normpath(posixpath.join(folder, new[0]))
                replaced.append((old[0], "" if place == "." else place))
    return ModuleFile(folder, module, tuple(sorted(set(replaced))))


def _module_at(world: World, path: FilePath) -> ModuleFile:
    world.asked.append(("config_statements", path, WORDS))
    return read_module(path, statements(world.config_text(path), WORDS))


def folders_for(world: World, importer: FilePath, path: str) -> list[FilePath]:
    """Return the folders that an import may mean, the likeliest first, whether they exist or not.

    The module around the importer comes first, with what it replaces; then its vendored packages;
    then the other modules of the repository, the nearest to the importer first.
    """
    found: list[FilePath] = []
    around = _module_around(world, importer)
    if around is not None:
        for source, target in around.replaced:
            _add(found, path, source, target)
        _add(found, path, around.path, around.folder)
        found.append(FilePath(posixpath.join(around.folder, "vendor", path)))
    modules = [_module_at(world, place) for place in world.configs_named(MODULE_FILE)]
    modules.sort(key=lambda one: (-len(one.path), -shared(one.folder, importer), one.folder))
    for module in modules:
        _add(found, path, module.path, module.folder)
    return list(dict.fromkeys(found))


def _add(found: list[FilePath], path: str, module: str, folder: str) -> None:
    if module and (path == module or path.startswith(f"{module}/")):
        found.append(FilePath(posixpath.join(folder, path[len(module) :].lstrip("/")).rstrip("/")))


def _module_around(world: World, importer: FilePath) -> ModuleFile | None:
    folder = importer.rpartition("/")[0]
    while True:
        place = FilePath(posixpath.join(folder, MODULE_FILE))
        if world.has_config(place):
            return _module_at(world, place)
        if not folder:
            return None
        folder = folder.rpartition("/")[0]


def shared(path: str, other: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for one, two in zip(path.split("/"), other.split("/"), strict=False):
        if one != two:
            break
        count += 1
    return count


@lru_cache(1 << 12)
def likely_name(path: str) -> str:
    """Return the name that a package outside the repository most likely has."""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    last = parts[-1] if parts else ""
    head, dot, version = last.rpartition(".")
    if dot and _VERSION.fullmatch(version):
        last = head
    last = last.removeprefix("go-").removesuffix("-go").removesuffix(".go")
    return last.replace("-", "").replace(".", "")
