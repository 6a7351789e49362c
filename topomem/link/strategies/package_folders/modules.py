"""Which folder the path of an import means."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from topomem.model.ids import FilePath

if TYPE_CHECKING:
    from topomem.link.world import World

MODULE_FILE = "go.mod"

_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_BLOCK = re.compile(r"^\s*replace\s*\((.*?)^\s*\)", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^\s*replace\s+(.*=>.*)$", re.MULTILINE)
_COMMENT = re.compile(r"//.*")
_VERSION = re.compile(r"v\d+")


class ModuleFile(NamedTuple):
    """A module: its folder, its path, and which other paths it takes from which folders."""

    folder: FilePath
    path: str
    replaced: tuple[tuple[str, str], ...]


def read_module(path: FilePath, text: str) -> ModuleFile:
    """Read a module file; what cannot be read is left out."""
    text = _COMMENT.sub("", text)
    folder = FilePath(path.rpartition("/")[0])
    found = _MODULE.search(text)
    lines = [line for block in _BLOCK.findall(text) for line in block.splitlines()]
    replaced = []
    for line in lines + _LINE.findall(text):
        old, arrow, new = line.partition("=>")
        if arrow and old.split() and new.split():
            source, target = old.split()[0].strip('"'), new.split()[0].strip('"')
            if target.startswith("."):
                place = posixpath.normpath(posixpath.join(folder, target))
                replaced.append((source, "" if place == "." else place))
    return ModuleFile(folder, found[1] if found else "", tuple(sorted(set(replaced))))


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
    modules = [
        read_module(place, world.config(place) or "") for place in world.configs_named(MODULE_FILE)
    ]
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
            return read_module(place, world.config(place) or "")
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
