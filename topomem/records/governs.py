"""From what a record names to what it governs in one snapshot.

What a field says is taken at its word, found or not. What is only mentioned becomes a claim where
it resolves to one thing, with a confidence that depends on how it was named.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from topomem.model.decision import Mention, Origin
from topomem.model.ids import FilePath, Moniker, split_moniker
from topomem.records.places import is_prose

CONFIDENCE: Mapping[Origin, float] = {"field": 1.0, "link": 0.9, "code": 0.85, "text": 0.7}
"""How sure a mention that resolves as written is what the record is about."""

SUFFIX_FACTOR = 0.8
"""A path that only ends like the one that was written."""

NAME_FACTOR = 0.7
"""A symbol that was named by its last part alone: right in 19 of 24 in a repository of 26 records,
where all 27 paths and all 6 longer names were."""

PLAIN_FACTOR = 0.5
"""A symbol whose name is a plain word, or that stands in a test."""

_PLAIN = re.compile(r"^[A-Za-z][a-z]*$")
_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|testutil|mocks?)/|[_.-]test[_.]|^test_|/test_"
)

_PICTURE = re.compile(r"\.(?:png|jpe?g|svg|gif|pdf|drawio|puml|webp|ico|mp4)$", re.IGNORECASE)
_LEAST_NAME = 4

SymbolsNamed = Callable[[Collection[str]], Mapping[str, Sequence[Moniker]]]
"""Returns the symbols whose names end in any of these parts, by that part."""


@dataclass(frozen=True, slots=True)
class Governed:
    """One thing a record governs. `found` is false where a field names what is not there.

    `kind`: path, folder, glob, symbol, build_unit, service, or component where nothing tells.
    """

    kind: str
    target: str
    confidence: float
    origin: Origin
    line: int
    found: bool = True
    moved_from: str = ""  # what was written, where that has another name by now

    def covers(self, path: FilePath) -> bool:
        """Return whether a file lies in what is governed."""
        if self.kind == "folder":
            return not self.target or path.startswith(f"{self.target}/")
        if self.kind == "glob":
            return bool(glob_pattern(self.target).fullmatch(path))
        if self.kind == "symbol":
            return False
        return path == self.target

    def covers_symbol(self, moniker: Moniker) -> bool:
        """Return whether a symbol, or what holds it, is governed."""
        path, name = split_moniker(moniker)
        if self.kind != "symbol":
            return self.covers(path)
        file, own = split_moniker(Moniker(self.target))
        return path == file and (name == own or not own or name.startswith(f"{own}."))


class Tree:
    """The files and symbols of one snapshot, as far as records ask for them."""

    def __init__(self, files: Collection[FilePath], symbols_named: SymbolsNamed) -> None:
        self._files = files
        self._symbols_named = symbols_named
        self._asked: dict[str, list[Moniker]] = {}
        self.was_asked = False

    def ask(self, mentions: Iterable[Mention]) -> None:
        """Look up all symbols that mentions name, at once."""
        self.was_asked = True
        wanted = {_last(one.target) for one in mentions if one.kind in ("symbol", "")}
        missing = {name for name in wanted if name} - self._asked.keys()
        found = self._symbols_named(missing) if missing else {}
        self._asked.update({name: list(found.get(name, ())) for name in missing})

    def path(self, path: str) -> tuple[str, str] | None:
        """Return ("path" or "folder", full path) of what stands at a path."""
        clean = posixpath.normpath(path.strip("/")) if path.strip("/") else ""
        if clean in self._files:
            return "path", clean
        if clean in self._folders:
            return "folder", clean
        return None

    def path_ending(self, path: str) -> tuple[str, str] | None:
        """Return the one file or folder whose path ends like this one."""
        clean = posixpath.normpath(path.strip("/"))
        if clean.startswith("..") or "/" not in clean:
            return None
        ends = [
            one
            for one in self._by_name.get(clean.rsplit("/", 1)[-1], ())
            if one.endswith(f"/{clean}")
        ]
        return self.path(ends[0]) if len(ends) == 1 else None

    def matches(self, glob: str) -> bool:
        """Return whether a glob matches any file."""
        pattern = glob_pattern(glob)
        return any(pattern.fullmatch(path) for path in self._files)

    def symbols(self, name: str) -> list[Moniker]:
        """Return the symbols a name may mean; `pkg.Name` may put its module before it."""
        _, hash_mark, inside = name.rpartition("#")
        found = self._asked.get(_last(name), [])
        if hash_mark:
            return [one for one in found if one == name or one.endswith(f"/{name}")]
        parts = inside.split(".")
        return [one for one in found if _means(parts, one)]

    def look_up(self, name: str) -> list[Moniker]:
        """Return the symbols a name may mean, asked for by itself."""
        last = _last(name)
        if last not in self._asked:
            self._asked[last] = list(self._symbols_named({last}).get(last, ()))
        return self.symbols(name)

    @cached_property
    def _folders(self) -> set[str]:
        folders = {""}
        for path in self._files:
            folder = posixpath.dirname(path)
            while folder not in folders:
                folders.add(folder)
                folder = posixpath.dirname(folder)
        return folders

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in [*sorted(self._files), *sorted(self._folders)]:
            found[path.rsplit("/", 1)[-1]].append(path)
        return found


def governed(path: FilePath, mentions: Iterable[Mention], tree: Tree) -> tuple[Governed, ...]:
    """Return what a record at `path` governs, surest first, each thing once."""
    best: dict[tuple[str, str], Governed] = {}
    for mention in mentions:
        for one in _resolve(path, mention, tree):
            known = best.get((one.kind, one.target))
            if known is None or known.confidence < one.confidence:
                best[one.kind, one.target] = one
    return tuple(sorted(best.values(), key=lambda one: (-one.confidence, one.kind, one.target)))


def glob_pattern(glob: str) -> re.Pattern[str]:
    """Return a glob as a pattern: `*` does not cross `/`, `**` does; a folder means all in it."""
    text = glob.strip("/")
    prefix = "" if "/" in text else r"(?:.*/)?"
    body = re.sub(r"\*\*/|\*\*|\*|\?|[^*?]+", _glob_part, text)
    return re.compile(f"{prefix}{body}(?:/.*)?", re.DOTALL)


def _glob_part(found: re.Match[str]) -> str:
    fixed = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return fixed.get(found.group()) or re.escape(found.group())


def _resolve(path: FilePath, mention: Mention, tree: Tree) -> Iterator[Governed]:
    if mention.origin == "field":
        yield _explicit(path, mention, tree)
        return
    sure = CONFIDENCE[mention.origin]
    if mention.kind == "symbol":
        yield from _symbol(mention, tree, sure)
        return
    if mention.kind == "glob":
        if tree.matches(mention.target):
            yield Governed("glob", mention.target.strip("/"), sure, mention.origin, mention.line)
        return
    found = _path(path, mention, tree)
    if found is not None and not _is_beside(path, found[1]):
        kind, target, factor = found
        yield Governed(kind, target, round(sure * factor, 2), mention.origin, mention.line)


def _explicit(path: FilePath, mention: Mention, tree: Tree) -> Governed:
    """Return what a field names; where nothing of that name is there it says so."""
    sure, where = CONFIDENCE["field"], (mention.origin, mention.line)
    if mention.kind in ("build_unit", "service"):
        return Governed(mention.kind, mention.target, sure, *where)
    if mention.kind == "glob":
        return Governed(
            "glob", mention.target.strip("/"), sure, *where, tree.matches(mention.target)
        )
    if mention.kind in ("path", "") and (found := _path(path, mention, tree)):
        return Governed(found[0], found[1], sure, *where)
    if mention.kind in ("symbol", ""):
        names = tree.symbols(mention.target)
        if len(names) == 1:
            return Governed("symbol", names[0], sure, *where)
    kind = mention.kind or ("path" if "." in mention.target else "component")
    return Governed(kind, mention.target, sure, *where, kind == "component")


def _symbol(mention: Mention, tree: Tree, sure: float) -> Iterator[Governed]:
    names = tree.symbols(mention.target)
    alone = "." not in mention.target and "#" not in mention.target
    if len(names) == 1 and (not alone or len(mention.target) >= _LEAST_NAME):
        weak = alone and (_PLAIN.match(mention.target) or _TEST.search(names[0]))
        factor = PLAIN_FACTOR if weak else NAME_FACTOR if alone else 1.0
        yield Governed("symbol", names[0], round(sure * factor, 2), mention.origin, mention.line)


def _path(path: FilePath, mention: Mention, tree: Tree) -> tuple[str, str, float] | None:
    """Return (kind, path, factor): for a link beside the record, else from the top, else an end."""
    written = mention.target
    own = posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
    tries = [own, written] if mention.origin == "link" or written.startswith(".") else [written]
    for attempt in tries:
        if not attempt.startswith("..") and attempt not in (".", "/"):
            found = tree.path(attempt)
            if found is not None and found[1]:
                return *found, 1.0
    ending = None if written.startswith("..") else tree.path_ending(written.removeprefix("./"))
    return (*ending, SUFFIX_FACTOR) if ending else None


def _is_beside(path: FilePath, target: str) -> bool:
    """Return whether a target is prose, a picture, or stands among the records themselves."""
    folder = posixpath.dirname(path)
    inside = bool(folder) and (target == folder or target.startswith(f"{folder}/"))
    around = folder.startswith(f"{target}/")
    return inside or around or is_prose(FilePath(target)) or bool(_PICTURE.search(target))


def _last(name: str) -> str:
    return name.rsplit("#", 1)[-1].rsplit(".", 1)[-1]


def _means(parts: list[str], moniker: Moniker) -> bool:
    """Return whether dotted parts are the end of a symbol's name, or of its module and name."""
    path, name = split_moniker(moniker)
    own = name.split(".")
    if parts == own[-len(parts) :]:
        return len(parts) > 1 or len(own) == 1
    if len(parts) <= len(own) or parts[-len(own) :] != own:
        return False
    before = parts[: -len(own)]
    stem = path.rpartition(".")[0].split("/")
    return before == stem[-len(before) :] or before == stem[:-1][-len(before) :]
