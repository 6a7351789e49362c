"""Small snapshots given as texts, and their edges as lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha1

from topomem.extract.facts import extract
from topomem.languages.load import load_languages
from topomem.link.files import ConfigFile, FileChange, FileFacts
from topomem.link.linker import link_all
from topomem.model.code import EdgeKind, External, FileLinks, LinkedEdge, Unresolved
from topomem.model.ids import BlobId, FilePath

LANGUAGES = load_languages()
LOUD = frozenset(EdgeKind) - {EdgeKind.CONTAINS}


def change(path: str, text: str | None) -> FileChange:
    """Return the change that puts a text at a path, or removes what stands there."""
    name = FilePath(path)
    if text is None:
        return FileChange(name, None)
    language = LANGUAGES.for_path(name)
    if language is None:
        return FileChange(name, ConfigFile(name, text))
    source = text.encode()
    blob, regions = extract(BlobId(sha1(source).hexdigest()), source, language)  # noqa: S324  an id
    by_key = {region.key: region for region in regions}
    ordered = tuple(by_key[place.region] for place in blob.placements)
    return FileChange(name, FileFacts(name, 0o100644, blob, ordered))


def snapshot(files: Mapping[str, str]) -> list[FileChange]:
    """Return the files of a snapshot as the linker takes them."""
    return [change(path, text) for path, text in files.items()]


def edge_line(path: FilePath, source: str, edge: LinkedEdge) -> str:
    """Return an edge as `kind path#source -> target`; outside targets in angle brackets, unknown
    ones with a question mark."""
    target = edge.target
    if isinstance(target, External):
        shown = f"<{target.name}>"
    elif isinstance(target, Unresolved):
        shown = f"?{target.name}"
    else:
        shown = target
    return f"{edge.kind.value} {path}#{source} -> {shown}"


def edges_of(files: Mapping[str, str]) -> dict[str, LinkedEdge]:
    """Return all edges of a snapshot by their lines, those of containment left out."""
    changes = snapshot(files)
    return lines_of(changes, link_all(changes))


def lines_of(
    changes: Iterable[FileChange], links: Mapping[FilePath, FileLinks]
) -> dict[str, LinkedEdge]:
    """Return edges by their lines."""
    found: dict[str, LinkedEdge] = {}
    for one in changes:
        if not isinstance(one.facts, FileFacts):
            continue
        places = one.facts.blob.placements
        for place, region in zip(places, links[one.path].regions, strict=True):
            for edge in region.edges:
                if edge.kind in LOUD:
                    line = edge_line(one.path, place.name, edge)
                    known = found.get(line)
                    if known is None or known.confidence < edge.confidence:
                        found[line] = edge
    return found


def check_edges(
    files: Mapping[str, str], expected: Iterable[str] = (), absent: Iterable[str] = ()
) -> dict[str, LinkedEdge]:
    """Assert that all expected lines are there and that no line begins with an absent one."""
    found = edges_of(files)
    shown = "\n".join(sorted(found))
    for line in expected:
        assert line in found, f"{line}\nnot among\n{shown}"
    for start in absent:
        wrong = [line for line in found if line.startswith(start)]
        assert not wrong, f"{wrong}\nunexpected among\n{shown}"
    return found


def callers(found: Iterable[str], target: str) -> list[str]:
    """Return who calls a target, sorted."""
    return sorted(
        line.removeprefix("calls ").partition(" -> ")[0]
        for line in found
        if line.startswith("calls ") and line.endswith(f" -> {target}")
    )
