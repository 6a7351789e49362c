"""What differs between two moments: files, symbols and edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from topomem.api.answers import Empty
from topomem.api.pairing import Paired, pair_up
from topomem.api.sides import Side
from topomem.api.view import open_views
from topomem.errors import UsageError
from topomem.lineage.changes import changes
from topomem.lineage.remainder import causes
from topomem.model.answer import SymbolRef
from topomem.model.code import EdgeKind, External
from topomem.model.ids import BlobId, CommitId, FilePath, QualifiedName
from topomem.store.snapshot import EdgeFilter

if TYPE_CHECKING:
    from topomem.api.answers import AsOf
    from topomem.api.opening import Opened
    from topomem.api.pairing import Pair
    from topomem.api.view import View
    from topomem.model.answer import Edge, Symbol
    from topomem.model.structure import Key

MOST_CREDITED = 1_000
"""Symbols past which commits are not looked up."""

_MOST_TOUCHES = 50
_SHOWN_COMMITS = 3

ChangeWord = Literal["added", "removed", "changed", "renamed", "moved"]


@dataclass(frozen=True, slots=True)
class DiffQuery:
    """What is compared. `merge_base`: HEAD with where it left BASE, not with BASE itself."""

    base: str
    head: str
    merge_base: bool = False
    layout: bool = False


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A file that differs; `old_path` where it is another file's continuation."""

    path: FilePath
    change: ChangeWord
    old_path: FilePath | None = None


@dataclass(frozen=True, slots=True)
class SymbolDifference:
    """A symbol that differs: `old` as BASE has it, `new` as HEAD has it.

    `kinds` are those of a history. `commits` are the latest up to HEAD, and not up to BASE, that
    changed its own lines, else what is nested in it, or the one that removed it: a merge that took
    that over is none of them.
    """

    change: ChangeWord
    old: Symbol | None
    new: Symbol | None
    kinds: tuple[str, ...] = ()
    confidence: float = 1.0
    aliases: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    commits: tuple[CommitId, ...] = ()

    @property
    def symbol(self) -> Symbol:
        """The symbol, as HEAD has it where it is there."""
        found = self.new or self.old
        assert found is not None  # noqa: S101 - one side has it
        return found


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """What differs, sorted by path and line. Edges are compared without their lines."""

    base: AsOf
    head: AsOf
    files: tuple[FileDifference, ...]
    symbols: tuple[SymbolDifference, ...]
    added_edges: tuple[Edge, ...]
    removed_edges: tuple[Edge, ...]
    merge_base: CommitId | None = None
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def diff(opened: Opened, query: DiffQuery) -> DiffAnswer:
    """Return what differs between two revisions, either of which may be WORKTREE.

    Raises UnknownRevision, NotIndexed, UsageError.
    """
    base, merge_base = start_of(opened, query)
    with open_views(opened, base, query.head) as (before, after):
        return answer(Comparison(before, after), query, merge_base)


def start_of(opened: Opened, query: DiffQuery) -> tuple[str, CommitId | None]:
    """Return the revision to compare with, and the merge base where that is asked for.

    Raises UsageError where there is none, or where it is beyond what a shallow clone has.
    """
    if not query.merge_base:
        return query.base, None
    from topomem.api.view import WORKTREE, resolve

    ends = [resolve(opened, one) for one in (query.base, query.head)]
    if ends[0] is None or ends[1] is None or query.base == WORKTREE:
        return query.base, None
    found = opened.repository.merge_base(ends[0], ends[1])
    if found is None:
        cut = opened.repository.is_shallow
        why = "history is cut off: this is a shallow clone" if cut else "they share no history"
        hint = "run: git fetch --unshallow" if cut else "compare them without a merge base"
        raise UsageError(f"{query.base} and {query.head} have no merge base here: {why}", hint)
    return found, found


def answer(found: Comparison, query: DiffQuery, merge_base: CommitId | None) -> DiffAnswer:
    """Return all that a comparison says."""
    symbols = [one for one in found.symbols if query.layout or one.kinds != ("format",)]
    added, removed = found.edges
    symbols = list(found.credited(symbols))
    views = found.base.view, found.head.view
    empty = None
    if not (symbols or found.files or added or removed):
        empty = views[1].empty("no_match", "nothing differs")
    return DiffAnswer(
        base=views[0].as_of,
        head=views[1].as_of,
        files=tuple(found.files),
        symbols=tuple(symbols),
        added_edges=tuple(added),
        removed_edges=tuple(removed),
        merge_base=merge_base,
        empty=empty,
        partial=(*views[0].partial, *views[1].partial, *found.paired.partial, *found.partial),
        notes=tuple(dict.fromkeys((*views[0].notes, *views[1].notes))),
    )


class Comparison:
    """Two moments side by side. Everything is made when first needed."""

    def __init__(self, base: View, head: View) -> None:
        self.base, self.head = Side(base), Side(head)
        self.partial: list[str] = []
        before, after = self.base.files, self.head.files
        self._texts = [
            path
            for path in sorted(before.keys() | after.keys())
            if _text(before.get(path)) != _text(after.get(path))
        ]
        self.base.paths = [path for path in self._texts if path in before]
        self.head.paths = [path for path in self._texts if path in after]

    @cached_property
    def paired(self) -> Paired:
        """What is one thing under two names."""
        old, new = self.base.symbols.keys(), self.head.symbols.keys()
        return pair_up(self.base, self.head, old - new, new - old)

    @cached_property
    def renamed(self) -> dict[Key, Key]:
        """The names of HEAD by those of BASE, where they differ."""
        return {pair.old: pair.new for pair in self.paired.pairs}

    @cached_property
    def files(self) -> list[FileDifference]:
        """The files whose text differs, those that are no code too."""
        before, after = self.base.files, self.head.files
        came = self._same_texts | {
            new[0]: old[0] for old, new in self.renamed.items() if not new[1]
        }
        gone = {path for path in came.values() if path not in after}
        found = []
        for path in self._texts:
            if path in gone:
                continue
            if path in came:
                moved = path.rpartition("/")[0] != came[path].rpartition("/")[0]
                found.append(FileDifference(path, "moved" if moved else "renamed", came[path]))
            elif path not in before:
                found.append(FileDifference(path, "added"))
            else:
                found.append(FileDifference(path, "changed" if path in after else "removed"))
        return found

    @cached_property
    def symbols(self) -> list[SymbolDifference]:
        """The symbols that differ, by path and line as HEAD has them."""
        return sorted(self._differences(), key=_order)

    @cached_property
    def edges(self) -> tuple[list[Edge], list[Edge]]:
        """The edges that are new, and those that are gone."""
        before, after = self.base.files, self.head.files
        paths = [
            path
            for path in sorted(before.keys() | after.keys())
            if before.get(path) != after.get(path)
        ]
        old, new = _edges(self.base.view, paths), _edges(self.head.view, paths)
        same = self._names_now
        there = {_relation(edge, same) for edge in old}
        here = {_relation(edge, _as_is) for edge in new}
        added = _first(new, lambda edge: _relation(edge, _as_is), there)
        removed = _first(old, lambda edge: _relation(edge, same), here)
        return added, removed

    def credited(self, found: Iterable[SymbolDifference]) -> Iterator[SymbolDifference]:
        """Yield differences with the commits that made them, as far as they are stored."""
        found = list(found)
        reader, ends = self.head.view.reader, (self.base.view.stored, self.head.view.stored)
        if reader is None or ends[0] is None or ends[1] is None:
            yield from found
            return
        if len(found) > MOST_CREDITED:
            self.partial.append(f"{len(found)} symbols differ: their commits were not looked up")
            yield from found
            return
        keys = {one: (one.symbol.path, one.symbol.qualified_name) for one in found}
        here = [key for one, key in keys.items() if one.new is not None]
        gone = [key for one, key in keys.items() if one.new is None]
        touches = reader.last_touches(here, ends[1], _MOST_TOUCHES, with_light=True)
        touches |= {key: (commit,) for key, commit in reader.removals(gone, ends[1]).items()}
        between = reader.commits_between(ends[1], ends[0])
        nested = [key for key in here if not between.intersection(touches.get(key, ()))]
        touches |= reader.whole_touches(nested, ends[1], _MOST_TOUCHES)
        for one in found:
            commits = [commit for commit in touches.get(keys[one], ()) if commit in between]
            yield replace(one, commits=tuple(commits[:_SHOWN_COMMITS]))

    @property
    def _same_texts(self) -> dict[FilePath, FilePath]:
        """The new files that are the only one, byte for byte, as the only one that is gone."""
        before, after = self.base.files, self.head.files
        gone: dict[BlobId, list[FilePath]] = {}
        came: dict[BlobId, list[FilePath]] = {}
        for path in self._texts:
            if path not in after:
                gone.setdefault(before[path].blob, []).append(path)
            elif path not in before:
                came.setdefault(after[path].blob, []).append(path)
        return {
            paths[0]: gone[blob][0]
            for blob, paths in came.items()
            if len(paths) == len(gone.get(blob, ())) == 1
        }

    def _names_now(self, key: Key) -> Key:
        return self.renamed.get(key, key)

    def _differences(self) -> Iterator[SymbolDifference]:
        old, new = self.base.symbols, self.head.symbols
        pairs = {pair.new: pair for pair in self.paired.pairs}
        gone = {pair.old for pair in self.paired.pairs}
        reused = self.paired.reused
        for key, symbol in old.items():
            if key not in gone and (key not in new or key in reused):
                yield SymbolDifference("removed", symbol, None)
        for key, symbol in new.items():
            if key in pairs:
                yield self._continued(pairs[key])
            elif key not in old or key in reused:
                yield SymbolDifference("added", None, symbol)
            elif kinds := self._kinds(key, key):
                yield SymbolDifference("changed", old[key], symbol, kinds)

    def _continued(self, pair: Pair) -> SymbolDifference:
        kinds = [kind for kind in self._kinds(pair.old, pair.new) if kind != "format"]
        renamed = _simple(pair.old) != _simple(pair.new)
        moved = pair.old[0] != pair.new[0] or _above(pair.old) != _above(pair.new)
        told = [*(["rename"] if renamed else []), *(["move"] if moved else []), *kinds]
        return SymbolDifference(
            "renamed" if renamed else "moved" if moved else "changed",
            self.base.symbols[pair.old], self.head.symbols[pair.new],
            tuple(told or ["signature"]), pair.confidence, pair.aliases, pair.evidence,
        )  # fmt: skip

    def _kinds(self, old: Key, new: Key) -> tuple[str, ...]:
        before, after = self.base.version(old), self.head.version(new)
        if (before.region.key, before.ordinal, before.nested) == (
            after.region.key,
            after.ordinal,
            after.nested,
        ):
            return ()
        if before.ordinal and after.ordinal and old == new:
            one, other = before.declaration, after.declaration
            if (one.body_hash, one.kind) == (other.body_hash, other.kind):
                return ()
        found = changes(before, after)
        if before.ordinal or after.ordinal:
            found = [kind for kind in found if kind != "format"]
        elif "body" in found and causes(before, after) == {"definitions"}:
            found.remove("body")  # what came and went in it is told by itself
        return tuple(found)


def _text(version: object) -> tuple[object, object]:
    """Return what tells the text of a file, without its edges."""
    return getattr(version, "blob", None), getattr(version, "language", None)


def _simple(key: Key) -> str:
    """Return the last part of a name; of a file its own name."""
    return (key[1].rpartition(".")[2] or key[0].rpartition("/")[2]).partition("+")[0]


def _above(key: Key) -> str:
    return key[1].rpartition(".")[0]


def _order(one: SymbolDifference) -> tuple[object, ...]:
    symbol = one.symbol
    return symbol.path, symbol.start_line, symbol.qualified_name, one.change


def _edges(view: View, paths: list[FilePath]) -> list[Edge]:
    if view.snapshot is None or not paths:
        return []
    return view.snapshot.edges(EdgeFilter(paths=tuple(paths)))


def _as_is(key: Key) -> Key:
    return key


Relative = tuple[EdgeKind, object, object]


def _relation(edge: Edge, name: Callable[[Key], Key]) -> Relative:
    """Return an edge without its place, under the names of one side."""
    target: object
    if isinstance(edge.target, SymbolRef):
        target = name((edge.target.path, edge.target.qualified_name))
    else:
        target = isinstance(edge.target, External), edge.target.name
    return edge.kind, name((edge.source.path, QualifiedName(edge.source.qualified_name))), target


def _first(
    edges: Iterable[Edge], relative: Callable[[Edge], Relative], others: set[Relative]
) -> list[Edge]:
    """Return the first edge of each relation that the other side does not have."""
    found: dict[Relative, Edge] = {}
    for edge in edges:
        relation = relative(edge)
        if relation not in others:
            found.setdefault(relation, edge)
    return list(found.values())
