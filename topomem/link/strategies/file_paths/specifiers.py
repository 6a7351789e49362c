"""The file that an import names, by the rules of compilers and runtimes put together.

A name is looked for relative to the importing file, through the compiler's aliases, below its base
folder, and among the packages of the repository. What none of them finds is outside it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from topomem.link.json_text import text_of
from topomem.link.paths import parent_folder
from topomem.link.strategies.file_paths.candidates import (
    as_file,
    as_index,
    join,
    without_build_folder,
)
from topomem.link.strategies.file_paths.projects import (
    CompilerOptions,
    Manifest,
    Snapshot,
    exported,
    manifest_around,
    manifest_at,
    manifest_named,
    match,
    options_for,
    split_package,
)
from topomem.model.ids import FilePath

ENTRY_FIELDS = ("source", "types", "typings", "module", "main", "browser")
"""Fields of a manifest that name the package's first file, best first."""

MAX_TRIES = 200
"""Paths that one import may be looked for at."""


def resolve_specifier(importer: FilePath, specifier: str, snapshot: Snapshot) -> FilePath | None:
    """Return the file in the repository that `specifier` names in `importer`, None for none.

    Only the list of files and configuration texts are asked for, never the content of the target.
    """
    name = specifier.partition("?")[0]
    if not name or name.startswith(("node:", "http:", "https:", "data:", "/")):
        return None
    if is_relative(name):
        return _relative(importer, name, snapshot)
    options = options_for(importer, snapshot)
    for option in options:
        found = _through_options(name, option, snapshot)
        if found is not None:
            return found
    conditions = [one for option in options for one in option.conditions]
    if name.startswith("#"):
        manifest = manifest_around(importer, snapshot)
        entries = manifest.field("imports") if manifest else None
        return _targets(manifest, exported(entries, name, conditions), options, snapshot)
    package, inner = split_package(name)
    return _in_package(
        manifest_named(package, importer, snapshot), inner, conditions, options, snapshot
    )


def is_relative(specifier: str) -> bool:
    """Say whether a specifier is a path seen from the importing file."""
    return specifier in {".", ".."} or specifier.startswith(("./", "../"))


def _relative(importer: FilePath, name: str, snapshot: Snapshot) -> FilePath | None:
    base = join(parent_folder(importer), name)
    if base is None:
        return None
    folder = name.endswith(("/", "/.", "/..")) or name in {".", ".."}
    found = _at(base, snapshot, folder_only=folder)
    if found is not None:
        return found
    for option in options_for(importer, snapshot):
        for root in option.roots:
            if (base + "/").startswith(root + "/") or not root:
                rest = base[len(root) :].lstrip("/")
                for other in option.roots:
                    found = _at(posixpath.join(other, rest), snapshot) if other != root else None
                    if found is not None:
                        return found
    return None


def _through_options(name: str, options: CompilerOptions, snapshot: Snapshot) -> FilePath | None:
    for pattern, targets in options.aliases:
        star = match(pattern, name)
        if star is None:
            continue
        for target in targets:
            found = _at(posixpath.normpath(target.replace("*", star)), snapshot)
            if found is not None:
                return found
        break
    if options.base is None:
        return None
    base = join(options.base, name)
    return None if base is None else _at(base, snapshot)


def _at(base: str, snapshot: Snapshot, *, folder_only: bool = False) -> FilePath | None:
    """Return the file for a path: the file itself, else what stands for the folder."""
    base = "" if base == "." else base
    if not folder_only:
        found = snapshot.first_of(as_file(base))
        if found is not None:
            return found
    manifest = manifest_at(base, snapshot)
    if manifest is not None:
        found = _entry(manifest, (), (), snapshot)
        if found is not None:
            return found
    return snapshot.first_of(as_index(base))


def _in_package(
    manifest: Manifest | None,
    inner: str,
    conditions: Sequence[str],
    options: Sequence[CompilerOptions],
    snapshot: Snapshot,
) -> FilePath | None:
    if manifest is None:
        return None
    if not inner:
        return _entry(manifest, conditions, options, snapshot)
    entries = manifest.field("exports")
    if entries is not None:
        targets = exported(entries, f"./{inner}", conditions)
        found = _targets(manifest, targets, options, snapshot)
        if found is not None or not targets:
            return found
    tries: list[str] = []
    for path in (inner, *without_build_folder(inner, None, None)):
        base = posixpath.normpath(posixpath.join(manifest.folder, path))
        tries += [*as_file(base), *as_index(base)]
    return snapshot.first_of(tries[:MAX_TRIES])


def _entry(
    manifest: Manifest,
    conditions: Sequence[str],
    options: Sequence[CompilerOptions],
    snapshot: Snapshot,
) -> FilePath | None:
    """Return the file that a package is imported as."""
    targets = exported(manifest.field("exports"), ".", conditions)
    targets += [text for field in ENTRY_FIELDS if (text := text_of(manifest.field(field)))]
    found = _targets(manifest, targets, options, snapshot)
    if found is not None:
        return found
    source = posixpath.join(manifest.folder, "src")
    return snapshot.first_of([*as_index(manifest.folder), *as_index(source)])


def _targets(
    manifest: Manifest | None,
    targets: Sequence[str],
    options: Sequence[CompilerOptions],
    snapshot: Snapshot,
) -> FilePath | None:
    """Return the first source that a manifest's targets lead to, built files traced back."""
    if manifest is None or not targets:
        return None
    tries: list[str] = []
    for path in [one for target in targets for one in _sources_of(target, manifest, options)]:
        base = posixpath.normpath(posixpath.join(manifest.folder, path))
        tries += [*as_file(base), *as_index(base)]
    return snapshot.first_of(list(dict.fromkeys(tries))[:MAX_TRIES])


def _sources_of(
    target: str, manifest: Manifest, options: Sequence[CompilerOptions]
) -> Iterator[str]:
    path = posixpath.normpath(target)
    if path.startswith(("..", "/")):
        return
    yield path
    for option in options:
        output, sources = (_inside(manifest.folder, one) for one in (option.output, option.sources))
        if output is not None:
            yield from without_build_folder(path, output, sources if sources is not None else "src")
            return
    yield from without_build_folder(path, None, None)


def _inside(folder: str, path: str | None) -> str | None:
    if path is None:
        return None
    if not folder:
        return path
    if path == folder:
        return ""
    return path[len(folder) + 1 :] if path.startswith(folder + "/") else None
