"""Where a session starts: what the branch is about, what it changed, and what is known of that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from topomem.api.answers import AsOf
from topomem.api.decisions import Records, is_active, read_records
from topomem.api.episodes import EpisodeQuery, episodes
from topomem.api.notice import find_subjects, open_subjects
from topomem.api.opening import Opened
from topomem.api.view import View, open_view
from topomem.model.answer import SymbolRef
from topomem.model.code import EdgeKind
from topomem.model.history import Commit
from topomem.model.ids import CommitId, FilePath
from topomem.model.messages import tickets
from topomem.model.subjects import BEST, Known, Subject
from topomem.records.board import Entry
from topomem.secrets.scan import redact
from topomem.store.snapshot import EdgeFilter

MOST_FILES = 12
"""So many changed files are told of; the rest is counted."""

_MOST_COMMITS = 200
"""So many commits of a branch are looked at."""

_MOST_ABANDONED = 10
_MOST_EPISODES = 5
_MOST_ASKED = 6
_MAIN = ("refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master", "refs/heads/trunk")
_BRANCH_NUMBER = re.compile(r"(?<![\w.])(?:\w+[-_/])?(\d{1,7})(?![\w.])")
_HOP = (EdgeKind.CALLS, EdgeKind.INHERITS, EdgeKind.OVERRIDES, EdgeKind.CONSTRUCTS)


@dataclass(frozen=True, slots=True)
class Brief:
    """What a session should know at its start.

    `subjects`: tickets, what the branch's name names, changed files with what was tried on them,
    the decisions that govern them and their neighbours. `episodes`: the latest that are current.
    `abandoned`: records that hold and that nothing links to.
    """

    as_of: AsOf
    branch: str
    changed: tuple[FilePath, ...]
    commits: int
    subjects: tuple[Subject, ...]
    abandoned: tuple[Known, ...]
    episodes: tuple[Known, ...] = ()
    left_out: int = 0
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def brief(opened: Opened) -> Brief:
    """Return what to know before work on the current branch begins.

    Raises NotIndexed, StoreBusy, StoreDamaged.
    """
    branch = redact((opened.repository.head_branch() or "").removeprefix("refs/heads/"))
    recent = _episodes(opened, EpisodeQuery(limit=_MOST_EPISODES), "recent")
    with open_view(opened, None) as view:
        commits = _own_commits(opened)
        changed = _changed(opened, commits)
        records = read_records(opened, view)
        asked = dict.fromkeys([*_tickets(branch, commits), *_branch_words(branch)])
        subjects = [*find_subjects(open_subjects(opened.store.folder), asked)]
        shown = changed[:MOST_FILES]
        near = _neighbours(view, frozenset(shown))
        tried = _tried(opened, shown) if recent else {}
        subjects += [
            _file(records, path, [*tried.get(path, []), *near.get(path, [])]) for path in shown
        ]
        return Brief(
            view.as_of,
            branch,
            tuple(changed),
            len(commits),
            tuple(subject for subject in subjects if subject.total),
            tuple(islice(_abandoned(records), _MOST_ABANDONED)),
            tuple(recent),
            len(changed) - len(shown),
            view.partial,
            view.notes,
        )


def _episodes(opened: Opened, query: EpisodeQuery, why: str) -> list[Known]:
    """Return current episodes, the latest first."""
    found = episodes(opened, query, None).episodes
    current = (answer.episode for answer in found if answer.episode.is_current)
    return [Known("episode", one.title, one.id, why, one.outcome) for one in current]


def _tried(opened: Opened, paths: Sequence[FilePath]) -> dict[FilePath, list[Known]]:
    """Return what was tried on files: on the first of them only, each is a question of its own."""
    return {
        path: _episodes(opened, EpisodeQuery(path=path, limit=BEST), "tried on it")
        for path in paths[:_MOST_ASKED]
    }


def _own_commits(opened: Opened) -> list[Commit]:
    """Return what the branch has and the main line has not, newest first."""
    repository = opened.repository
    head = repository.head()
    references = repository.references()
    branch = repository.head_branch()
    bases = [references[name] for name in _MAIN if name in references and name != branch]
    if head is None or not bases or head in bases:
        return []
    found: list[Commit] = []
    behind = {commit.id for commit in repository.walk([bases[0]])}
    waiting = [head]
    seen: set[CommitId] = set()
    while waiting and len(found) < _MOST_COMMITS:
        commit = waiting.pop()
        if commit in seen or commit in behind:
            continue
        seen.add(commit)
        found.append(repository.commit(commit))
        waiting += reversed(found[-1].present_parents)
    return found


def _changed(opened: Opened, commits: Sequence[Commit]) -> list[FilePath]:
    """Return the files that differ on disk, then those that the branch changed."""
    repository = opened.repository
    found: dict[FilePath, None] = {}
    if repository.top is not None:
        found.update(dict.fromkeys(change.path for change in repository.worktree_changes()))
    for commit in commits:
        parents = commit.present_parents
        if len(parents) == 1:
            changes = repository.changes(repository.commit(parents[0]), commit)
            found.update(dict.fromkeys(change.path for change in changes))
    return list(found)


def _tickets(branch: str, commits: Iterable[Commit]) -> Iterator[str]:
    """Yield the tickets that the branch's name and its commits name."""
    yield from tickets(branch.replace("/", " ").replace("_", " ").upper())
    yield from (f"#{int(number)}" for number in _BRANCH_NUMBER.findall(branch))
    for commit in commits:
        yield from tickets(commit.message)


def _branch_words(branch: str) -> list[str]:
    """Return what the last part of a branch's name may name: itself as an identifier."""
    last = branch.rpartition("/")[2]
    return [last.replace("-", "_")] if re.search(r"\w[-_]\w", last) else []


def _file(records: Records, path: FilePath, beside: Sequence[Known]) -> Subject:
    """Return what is known of a changed file: what governs it, and what stands beside."""
    known = list(_governing(records, path))
    return Subject(path, len(known) + len(beside), (*known, *beside)[: 2 * BEST])


def _governing(records: Records, path: FilePath) -> Iterator[Known]:
    for entry in records.board.entries.values():
        if not is_active(entry):
            continue
        governs = [one for one in records.governed(entry) if one.covers(path)]
        inside = [
            one
            for one in records.governed(entry)
            if one.kind == "symbol" and one.target.startswith(f"{path}#")
        ]
        if governs or inside:
            yield _record(entry, "governs")


def _neighbours(view: View, paths: frozenset[FilePath]) -> dict[FilePath, list[Known]]:
    """Return, for each file, those whose code uses its, those with most uses first."""
    if view.snapshot is None or not paths:
        return {}
    uses: dict[FilePath, dict[FilePath, list[SymbolRef]]] = {}
    for edge in view.snapshot.edges(EdgeFilter(kinds=_HOP, unresolved=False, external=False)):
        target, source = edge.target, edge.source
        if isinstance(target, SymbolRef) and target.path in paths and source.path != target.path:
            uses.setdefault(target.path, {}).setdefault(source.path, []).append(source)
    return {
        path: [
            Known("file", user, f"{user}:{places[0].start_line}", f"uses it {len(places)} times")
            for user, places in sorted(users.items(), key=lambda one: (-len(one[1]), one[0]))
        ]
        for path, users in uses.items()
    }


def _abandoned(records: Records) -> Iterator[Known]:
    """Yield records that hold, link to nothing, and govern nothing that is there."""
    for entry in records.board.entries.values():
        links = [link for link in entry.links if link.path is not None]
        governs = [one for one in records.governed(entry) if one.found]
        if is_active(entry) and not links and not governs:
            yield _record(entry, "nothing links to it")


def _record(entry: Entry, why: str) -> Known:
    return Known("decision", entry.placed.title, entry.placed.path, why, entry.status)
