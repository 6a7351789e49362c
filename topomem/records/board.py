"""All records of one snapshot together: what each is called, and which other records it means."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from topomem.model.code import Diagnostic
from topomem.model.decision import Decision, Relation, RelationKind, Status
from topomem.model.ids import BlobId, FilePath
from topomem.records.places import number_of, slug_of

_OPPOSITE: dict[RelationKind, RelationKind] = {
    "supersedes": "superseded_by",
    "superseded_by": "supersedes",
    "amends": "amended_by",
    "amended_by": "amends",
}
_REPLACED: frozenset[Status] = frozenset({"superseded", "deprecated", "rejected", "withdrawn"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A record in its file. Its number is that of the file's name, else that of its title."""

    path: FilePath
    blob: BlobId
    decision: Decision

    @property
    def id(self) -> str:
        """16 hex digits that stay as long as the file stays where it is."""
        return record_id(self.path)

    @property
    def number(self) -> int | None:
        """What the record is called by."""
        number = number_of(self.path)
        return self.decision.number if number is None else number

    @property
    def title(self) -> str:
        """The title without the number before it; the file's name where there is no title."""
        number = self.number
        title = self.decision.title
        if number is not None:
            title = re.sub(rf"^\W*0*{number}(?!\d)[\s.:)\-–—]*", "", title)
        return title or self.decision.title or slug_of(self.path)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What could not be read, the file's name included."""
        told, named = self.decision.number, number_of(self.path)
        if told is None or named is None or told == named:
            return self.decision.diagnostics
        words = f"the title says {told}, the file's name {named}"
        return (*self.decision.diagnostics, Diagnostic("number_mismatch", words))


@dataclass(frozen=True, slots=True)
class Link:
    """A relation with the record it means; `path` None: no record of this snapshot.

    `told_by` is the file that says so: a link read from the other side is told by the other one.
    """

    kind: RelationKind
    path: FilePath | None
    text: str
    line: int
    partly: bool
    external: bool
    told_by: FilePath


@dataclass(frozen=True, slots=True)
class Entry:
    """A record with its links, those that others have to it included."""

    placed: Placed
    status: Status
    partly_superseded: bool
    links: tuple[Link, ...] = ()

    def linked(self, *kinds: RelationKind) -> list[Link]:
        """Return the links of these kinds."""
        return [link for link in self.links if link.kind in kinds]


@dataclass(frozen=True, slots=True)
class Board:
    """The records of one snapshot by path, in order of their paths."""

    entries: Mapping[FilePath, Entry] = field(default_factory=dict)

    def find(self, text: str) -> list[Entry]:
        """Return the records a text means: an id, a path, a number, a file's name, a title."""
        wanted = text.strip()
        digits = re.fullmatch(r"(?:M?ADR[-_ #]*)?0*(\d{1,6})", wanted, re.IGNORECASE)
        tests = (
            lambda one: wanted in (one.placed.id, one.placed.path),
            lambda one: bool(digits) and one.placed.number == int(digits[1] if digits else 0),
            lambda one: slug_of(one.placed.path) == wanted,
            lambda one: one.placed.title.casefold() == wanted.casefold(),
            lambda one: wanted != "" and wanted.casefold() in one.placed.title.casefold(),
        )
        for test in tests:
            if found := [entry for entry in self.entries.values() if test(entry)]:
                return found
        return []


def record_id(path: FilePath) -> str:
    """Return the id of the record in a file."""
    return sha256(f"decision\0{path}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def board(records: Iterable[Placed]) -> Board:
    """Return the records with their links resolved, from either side."""
    placed = {one.path: one for one in sorted(records, key=lambda one: one.path)}
    finder = _Finder(placed)
    own = {
        path: [_link(one, relation, finder) for relation in _said(one)]
        for path, one in placed.items()
    }
    mirrored: dict[FilePath, list[Link]] = defaultdict(list)
    for path, links in own.items():
        for link in links:
            opposite = _OPPOSITE.get(link.kind)
            if link.path is not None and opposite is not None:
                mirrored[link.path].append(replace(link, kind=opposite, path=path))
    return Board({path: _entry(one, own[path], mirrored[path]) for path, one in placed.items()})


def _said(placed: Placed) -> list[Relation]:
    """Return a record's relations; what it was given up in favour of is its successor."""
    replaced = placed.decision.status in _REPLACED
    return [
        replace(one, kind="superseded_by" if replaced else "relates")
        if one.kind == "in_favour_of"
        else one
        for one in placed.decision.relations
    ]


def _link(placed: Placed, relation: Relation, finder: _Finder) -> Link:
    found = finder.find(placed.path, relation)
    external = found is None and "://" in relation.target
    return Link(
        relation.kind, found, relation.text, relation.line, relation.partly, external, placed.path
    )


def _entry(placed: Placed, own: list[Link], mirrored: list[Link]) -> Entry:
    known = {(link.kind, link.path) for link in own}
    links = [*own, *(link for link in mirrored if (link.kind, link.path) not in known)]
    decision = placed.decision
    partly = decision.partly_superseded
    if not partly and decision.status in ("accepted", "implemented"):
        partly = any(link.kind == "superseded_by" and link.partly for link in links)
    return Entry(placed, decision.status, partly, tuple(links))


class _Finder:
    """Finds the record that a link or a number means."""

    def __init__(self, placed: Mapping[FilePath, Placed]) -> None:
        self._placed = placed
        self._by_number: dict[int, list[FilePath]] = defaultdict(list)
        self._by_slug: dict[str, list[FilePath]] = defaultdict(list)
        for path, one in placed.items():
            self._by_slug[slug_of(path).casefold()].append(path)
            if one.number is not None:
                self._by_number[one.number].append(path)

    def find(self, source: FilePath, relation: Relation) -> FilePath | None:
        address = relation.target.partition("#")[0]
        if address:
            found = self._by_address(source, address)
            if found is not None or "://" in address:
                return found
        if relation.number is not None:
            return _nearest(source, self._by_number.get(relation.number, []))
        return None

    def _by_address(self, source: FilePath, address: str) -> FilePath | None:
        if "://" in address:
            ends = [p for p in self._placed if address.endswith(f"/{p}")]
            return ends[0] if len(ends) == 1 else None
        base = "" if address.startswith("/") else posixpath.dirname(source)
        path = FilePath(posixpath.normpath(posixpath.join(base, address.lstrip("/"))))
        if path in self._placed and path != source:
            return path
        slug = re.sub(r"\.(?:md|markdown|mdx|rst|adoc|html)$", "", address.rsplit("/", 1)[-1])
        return _nearest(source, self._by_slug.get(slug.casefold(), []))


def _nearest(source: FilePath, paths: Iterable[FilePath]) -> FilePath | None:
    """Return the one path that shares the longest folder with the source; None where several do."""
    others = [path for path in paths if path != source]
    if not others:
        return None
    shared = {
        path: len(posixpath.commonprefix([_folders(source), _folders(path)])) for path in others
    }
    best = max(shared.values())
    nearest = [path for path, length in shared.items() if length == best]
    return nearest[0] if len(nearest) == 1 else None


def _folders(path: FilePath) -> list[str]:
    return path.split("/")[:-1]
