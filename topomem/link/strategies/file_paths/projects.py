"""What the configuration around a file says of imports: compiler options and package manifests."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from topomem.link.json_text import object_of, text_of, texts_of
from topomem.link.paths import parent_folder
from topomem.link.strategies.file_paths.candidates import folders_above, join
from topomem.model.ids import FilePath

OPTION_FILES = ("tsconfig.json", "jsconfig.json")
MANIFEST = "package.json"
MAX_EXTENDS = 16
"""Configurations that one may be built from."""


class Snapshot(Protocol):
    """What resolution asks of the files of a snapshot; every question is written down."""

    def first_of(self, paths: Sequence[str]) -> FilePath | None:
        """Return the first of these paths that is a source file."""

    def has_config(self, path: str) -> bool:
        """Tell whether a configuration file stands at `path`."""

    def field(self, path: str, key: str) -> Any:  # noqa: ANN401  # whatever is written there
        """Return a field of the object in a configuration file, None without one."""

    def packages(self, name: str) -> Sequence[FilePath]:
        """Return the manifests that give this name to their package."""


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """Options that decide where imports lead; folders are paths from the root of the repository."""

    base: str | None = None
    aliases: tuple[tuple[str, tuple[str, ...]], ...] = ()
    output: str | None = None
    sources: str | None = None
    roots: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """A package manifest, by the folder it stands in; fields are asked for one by one."""

    folder: str
    snapshot: Snapshot

    def field(self, key: str) -> Any:  # noqa: ANN401  # whatever stands in a manifest
        """Return one field."""
        return self.snapshot.field(posixpath.join(self.folder, MANIFEST), key)


def options_for(importer: str, snapshot: Snapshot) -> list[CompilerOptions]:
    """Return the options that may apply to a file.

    Those of the nearest configuration come first, then those of the ones it refers to.
    """
    for folder in folders_above(importer):
        for name in OPTION_FILES:
            path = posixpath.join(folder, name)
            if snapshot.has_config(path):
                return [_options(one, snapshot) for one in _with_referred(path, snapshot)]
    return []


def _with_referred(path: str, snapshot: Snapshot) -> Iterator[str]:
    yield path
    references = snapshot.field(path, "references")
    for reference in references if isinstance(references, list) else ():
        target = join(parent_folder(path), text_of(object_of(reference).get("path")) or ".")
        if target is None:
            continue
        for one in (target, posixpath.join(target, OPTION_FILES[0])):
            if one != path and one.endswith(".json"):
                yield one


def _options(path: str, snapshot: Snapshot) -> CompilerOptions:
    fields: dict[str, Any] = {}
    for folder, options in _chain(path, snapshot):
        for key in ("baseUrl", "outDir", "rootDir"):
            if key not in fields and text_of(options.get(key)):
                fields[key] = join(folder, options[key])
        if "paths" not in fields and object_of(options.get("paths")):
            fields["paths"] = (folder, object_of(options["paths"]))
        if "rootDirs" not in fields and options.get("rootDirs"):
            roots = [join(folder, one) for one in texts_of(options["rootDirs"])]
            fields["rootDirs"] = tuple(root for root in roots if root is not None)
        if "customConditions" not in fields and options.get("customConditions"):
            fields["customConditions"] = tuple(texts_of(options["customConditions"]))
    base = fields.get("baseUrl")
    folder, paths = fields.get("paths", ("", {}))
    home = base if base is not None else folder
    aliases = [
        (pattern, tuple(t for one in texts_of(targets) if (t := join(home, one)) is not None))
        for pattern, targets in paths.items()
    ]
    return CompilerOptions(
        base=base,
        aliases=tuple(sorted(aliases, key=lambda alias: (-len(alias[0].partition("*")[0]), alias))),
        output=fields.get("outDir"),
        sources=fields.get("rootDir"),
        roots=fields.get("rootDirs", ()),
        conditions=fields.get("customConditions", ()),
    )


def _chain(path: str, snapshot: Snapshot) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (folder, compiler options) of a configuration and of what it extends, nearest first."""
    waiting, seen = [path], set[str]()
    while waiting and len(seen) < MAX_EXTENDS:
        one = waiting.pop()
        if one in seen or not snapshot.has_config(one):
            continue
        seen.add(one)
        yield parent_folder(one), object_of(snapshot.field(one, "compilerOptions"))
        waiting += [
            target
            for written in texts_of(snapshot.field(one, "extends"))
            if (target := _extended(one, written, snapshot)) is not None
        ]


def _extended(path: str, written: str, snapshot: Snapshot) -> str | None:
    if written.startswith("."):
        target = join(parent_folder(path), written)
    else:
        name, inner = split_package(written)
        manifests = snapshot.packages(name)
        if not manifests:
            return None
        target = join(parent_folder(manifests[0]), inner or OPTION_FILES[0])
    if target is None or target.endswith(".json"):
        return target
    file = f"{target}.json"
    return file if snapshot.has_config(file) else posixpath.join(target, OPTION_FILES[0])


def split_package(specifier: str) -> tuple[str, str]:
    """Return (package, path inside it): `@scope/name/a/b` -> (`@scope/name`, `a/b`)."""
    parts = specifier.split("/")
    count = 2 if specifier.startswith("@") else 1
    return "/".join(parts[:count]), "/".join(parts[count:])


def manifest_at(folder: str, snapshot: Snapshot) -> Manifest | None:
    """Return the manifest right in a folder."""
    here = snapshot.has_config(posixpath.join(folder, MANIFEST))
    return Manifest(folder, snapshot) if here else None


def manifest_around(importer: str, snapshot: Snapshot) -> Manifest | None:
    """Return the nearest manifest above a file."""
    for folder in folders_above(importer):
        manifest = manifest_at(folder, snapshot)
        if manifest is not None:
            return manifest
    return None


def manifest_named(name: str, importer: str, snapshot: Snapshot) -> Manifest | None:
    """Return the package of this name: the one around the file, else the one nearest the root."""
    around = manifest_around(importer, snapshot)
    if around is not None and around.field("name") == name:
        return around
    paths = sorted(snapshot.packages(name), key=lambda path: (path.count("/"), path))
    return manifest_at(parent_folder(paths[0]), snapshot) if paths else None


def exported(entries: Any, wanted: str, conditions: Sequence[str]) -> list[str]:  # noqa: ANN401
    """Return the targets that a manifest's `exports` or `imports` has for `wanted`, best first.

    Targets of custom conditions and of those that speak of sources come before built ones.
    """
    if isinstance(entries, dict) and any(key.startswith((".", "#")) for key in entries):
        best = None
        for pattern in entries:
            star = match(pattern, wanted)
            if star is not None and (best is None or len(pattern) > len(best[0])):
                best = pattern, star
            if pattern == wanted:
                best = pattern, ""
                break
        if best is None:
            return []
        return [t.replace("*", best[1]) for t in _leaves(entries[best[0]], conditions)]
    return _leaves(entries, conditions) if wanted == "." else []


def match(pattern: str, text: str) -> str | None:
    """Return what a pattern's `*` stands for in `text`, `` without a star, None for no match."""
    head, star, tail = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    fits = text.startswith(head) and text.endswith(tail) and len(text) >= len(head) + len(tail)
    return text[len(head) : len(text) - len(tail)] if fits else None


def _leaves(entry: Any, conditions: Sequence[str]) -> list[str]:  # noqa: ANN401
    """Return all targets below an entry of conditions, those of preferred conditions first."""
    found: list[tuple[int, int, str]] = []
    stack: list[tuple[Any, int]] = [(entry, 1)]
    while stack:
        one, rank = stack.pop()
        if isinstance(one, str):
            found.append((rank, len(found), one))
        elif isinstance(one, list):
            stack.extend((item, rank) for item in reversed(one))
        elif isinstance(one, dict):
            stack.extend(
                (item, 0 if key in conditions or "source" in key or key == "src" else rank)
                for key, item in reversed(one.items())
            )
    return list(dict.fromkeys(target for _, _, target in sorted(found)))
