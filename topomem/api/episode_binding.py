"""What a recorded event is bound to: the commit, what was not committed, and what was changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from topomem.api.environment import is_lock_file
from topomem.api.view import WORKTREE, open_view
from topomem.errors import NotIndexed, UnknownRevision
from topomem.evidence.pull_requests import person
from topomem.git.patch import patched_lines
from topomem.git.reach import changed_lines
from topomem.languages.load import Languages, load_languages
from topomem.model.code import SymbolKind
from topomem.model.ids import CommitId, FilePath
from topomem.store.snapshot import SymbolFilter

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.git.repository import Repository
    from topomem.model.answer import Symbol
    from topomem.model.history import TreeEntry

MOST_PATHS = 500
MOST_SYMBOLS = 300
"""So many links are kept of one change."""

_MOST_BYTES = 1 << 20
"""Longer files are compared as a whole."""

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bound:
    """The state of the code an event belongs to; `dirty` is a digest of what was not committed.

    `authored_at` is the commit's author date: rebasing and amending leave it as it is.
    """

    commit: str
    dirty: str = ""
    authored_at: int = 0

    def body(self) -> dict[str, object]:
        """Return the fields of an event's body that say what it is bound to."""
        return {
            "commit_id": self.commit,
            "dirty": self.dirty,
            "authored_at": self.authored_at,
        }


@dataclass(frozen=True, slots=True)
class Changed:
    """What a change touched: paths, and the innermost symbols around its lines."""

    paths: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    left_out: int = 0
    is_indexed: bool = True  # False: its symbols are not known, only its paths


def bind(opened: Opened, commit: str | None) -> Bound:
    """Return what an event is bound to: a commit that is named, else what is here now.

    Raises UnknownRevision.
    """
    repository = opened.repository
    if commit:
        return bound_to(repository, repository.resolve(commit))
    return bound_to(repository, repository.head(), dirty_digest(repository))


def bound_to(repository: Repository, commit: CommitId | None, dirty: str = "") -> Bound:
    """Return what is bound to a commit, or to none."""
    if commit is None:
        return Bound("", dirty)
    return Bound(commit, dirty, repository.commit(commit).author_date)


def dirty_digest(repository: Repository) -> str:
    """Return 16 digits that tell what on disk differs from HEAD, "" where nothing does.

    New files that are no code do not count: reports and logs are written while work goes on.
    """
    if repository.top is None:
        return ""
    head = repository.head()
    at_head = repository.commit(head) if head else None
    told = []
    for change in repository.worktree_changes():
        is_known = at_head is not None and repository.entry(at_head, change.path) is not None
        if is_known or is_code(change.path):
            new = f"{change.new.mode:o} {change.new.blob}" if change.new else ""
            told.append(f"{change.path}\0{new}")
    return sha256("\n".join(told).encode()).hexdigest()[:16] if told else ""


def is_code(path: FilePath) -> bool:
    """Whether a file is of a language that is known, or pins what is depended on."""
    return is_lock_file(path) or _languages().for_path(path) is not None


@cache
def _languages() -> Languages:
    return load_languages()


def recorded_author(opened: Opened, author: str) -> str:
    """Return how a person's name is kept, as configured."""
    return person(author or opened.repository.author(), opened.configuration.authors)


def changed_in_commit(opened: Opened, commit: str) -> Changed:
    """Return what a commit changed against its first parent."""
    repository = opened.repository
    here = repository.commit(CommitId(commit))
    parents = here.present_parents
    if not parents and here.parents:
        return Changed()  # history is cut here: everything would seem to be new
    before = repository.commit(parents[0]) if parents else None
    ranges = {
        change.path: _lines(repository, change.old, change.new)
        for change in repository.changes(before, here)
    }
    return linked(opened, commit, ranges)


def changed_since(opened: Opened, commit: str) -> Changed:
    """Return what differs on disk (or at HEAD, in a bare repository) from a commit."""
    repository = opened.repository
    head = repository.head()
    if head is None:
        return Changed()
    try:
        before = repository.commit(CommitId(commit)) if commit else None
    except UnknownRevision:
        return Changed()
    ranges: dict[FilePath, list[Lines]] = {}
    if commit != head and (not commit or repository.behind([head], [commit])):
        for change in repository.changes(before, repository.commit(head)):
            ranges[change.path] = _lines(repository, change.old, change.new)
    if repository.top is None:
        return linked(opened, head, ranges)
    base = repository.commit(head)
    changes = repository.worktree_changes()
    for found in changes:
        old = repository.entry(base, found.path)
        source = repository.read(old.blob) if old else b""
        ranges[found.path] = ranges.get(found.path, []) + _differing(source, found.source)
    return linked(opened, WORKTREE if changes else head, ranges)


def changed_by_text(opened: Opened, text: str, commit: str) -> Changed:
    """Return what a patch, given as text, would change at a commit: by the lines it takes out."""
    return linked(opened, commit, patched_lines(text))


def _lines(repository: Repository, old: TreeEntry | None, new: TreeEntry | None) -> list[Lines]:
    sources = [repository.read(one.blob) if one else b"" for one in (old, new)]
    return _differing(*sources)


def _differing(old: bytes | None, new: bytes | None) -> list[Lines]:
    if new is None or old is None or max(len(old), len(new)) > _MOST_BYTES:
        return []
    return changed_lines(old, new)


def linked(opened: Opened, moment: str, ranges: Mapping[FilePath, list[Lines]]) -> Changed:
    """Return the paths and symbols of changed lines; paths alone where nothing is indexed."""
    if not ranges:
        return Changed()
    paths = sorted(ranges)
    kept = paths[:MOST_PATHS]
    symbols: list[str] = []
    is_indexed = True
    try:
        with open_view(opened, moment) as view:
            if view.snapshot is not None:
                found = view.snapshot.symbols(SymbolFilter(paths=tuple(kept)))
                for path in kept:
                    mine = [one for one in found if one.path == path]
                    symbols += sorted({one.id for one in innermost(mine, ranges[path])})
    except (NotIndexed, UnknownRevision):
        is_indexed = False
    left_out = len(paths) - len(kept) + max(0, len(symbols) - MOST_SYMBOLS)
    return Changed(tuple(kept), tuple(symbols[:MOST_SYMBOLS]), left_out, is_indexed)


def innermost(symbols: Iterable[Symbol], ranges: Iterable[Lines]) -> list[Symbol]:
    """Return the symbols that are the innermost ones around some line of the ranges."""
    left = {line for start, end in ranges for line in range(start, end + 1)}
    found = []
    by_size = sorted(symbols, key=lambda one: (one.end_line - one.start_line, one.id))
    for symbol in by_size:
        if symbol.kind is SymbolKind.MODULE:
            continue
        own = left.intersection(range(symbol.start_line, symbol.end_line + 1))
        if own:
            found.append(symbol)
            left -= own
    return found
