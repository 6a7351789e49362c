"""Which files a path without (or with another) suffix may mean, best first."""

from __future__ import annotations

import posixpath

from topomem.link.paths import parent_folder

SOURCE_SUFFIXES = (
    ".ts", ".tsx", ".d.ts", ".mts", ".d.mts", ".cts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs",
)  # fmt: skip
"""Suffixes that an import may leave out, in the order in which they are tried."""

WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    ".jsx": (".tsx", ".jsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts", ".mjs"),
    ".cjs": (".cts", ".d.cts", ".cjs"),
    ".d.ts": (".d.ts", ".ts", ".tsx"),
    ".d.mts": (".d.mts", ".mts"),
    ".d.cts": (".d.cts", ".cts", ".ts"),
}
"""A name of compiled output -> the sources that it may have been compiled from."""


def join(folder: str, path: str) -> str | None:
    """Return `path` seen from `folder`, both inside the repository; None when it leads outside."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined == ".":
        return ""
    return None if joined.startswith(("..", "/")) else joined


def folders_above(path: str) -> list[str]:
    """Return the folder of a file and all folders above it, innermost first; the root is ``."""
    folder = parent_folder(path)
    found = [folder]
    while folder:
        folder = parent_folder(folder)
        found.append(folder)
    return found


def as_file(base: str) -> list[str]:
    """Return the files that `base` may mean: itself, its source, or itself with a suffix."""
    if not base:
        return []
    swapped = [
        base.removesuffix(suffix) + source
        for suffix in sorted(WRITTEN_FOR, key=len, reverse=True)
        if base.endswith(suffix)
        for source in WRITTEN_FOR[suffix]
    ]
    exact = [] if swapped or not base.endswith(SOURCE_SUFFIXES) else [base]
    return list(dict.fromkeys([*exact, *swapped, *(base + suffix for suffix in SOURCE_SUFFIXES)]))


def as_index(base: str) -> list[str]:
    """Return the files that stand for the folder `base`."""
    stem = f"{base}/index" if base else "index"
    return [stem + suffix for suffix in SOURCE_SUFFIXES]


def without_build_folder(path: str, output: str | None, sources: str | None) -> list[str]:
    """Return where the source of a built file may stand, as paths inside its package.

    `output` and `sources` are the folders that the compiler was told, when they are known.
    """
    found = []
    if output and sources is not None and (path + "/").startswith(output + "/"):
        found.append(posixpath.join(sources, path[len(output) :].lstrip("/")))
    parts = path.split("/")
    for at, part in enumerate(parts[:-1]):
        if part in BUILD_FOLDERS:
            rest = parts[at + 1 :]
            while rest[:-1] and rest[0] in BUILD_FOLDERS:
                rest = rest[1:]
            found += ["/".join([*parts[:at], *inner, *rest]) for inner in (["src"], [])]
            break
    else:
        found.append("/".join(["src", *parts]))
    return [posixpath.normpath(one) for one in found]


BUILD_FOLDERS = frozenset(
    {
        "dist",
        "build",
        "lib",
        "out",
        "output",
        "esm",
        "cjs",
        "es",
        "umd",
        "types",
        "module",
        "commonjs",
    }
)
"""Folders that hold what a build made of the sources."""
