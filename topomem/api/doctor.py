"""Is the store sound, and does it say what git says?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from topomem.api.answers import CheckReport, Finding
from topomem.api.opening import Opened
from topomem.errors import UsageError
from topomem.index.pipeline import languages_of
from topomem.index.selection import Selection
from topomem.model.history import TreeEntry
from topomem.model.ids import CommitId, FilePath
from topomem.store import doctor as store_doctor
from topomem.store.search import Search

if TYPE_CHECKING:
    from topomem.store.reader import Reader

_OF_THE_STORE = 3  # rows, journal, canary


def doctor(opened: Opened, sample: int) -> CheckReport:
    """Return what is wrong with the store, and with `sample` commits against git.

    The sample is spread over all indexed commits and is the same for the same store. Raises
    StoreBusy, StoreDamaged, UsageError.
    """
    if sample < 0:
        raise UsageError(f"the sample must be a number of commits from 0 on, not {sample}")
    if not opened.store.exists():
        return CheckReport(0, (), ("nothing is indexed yet; run: topomem index",))
    with opened.store.read() as reader:
        commits = spread(reader.known_commits(), sample)
        found = [
            *_rows(store_doctor.check_rows(reader), ""),
            *_rows(store_doctor.check_journal(reader, opened.store.journal), ""),
            *_canary(opened, reader),
        ]
        for commit in commits:
            found += _of_commit(opened, reader, commit)
    return CheckReport(_OF_THE_STORE + len(commits), tuple(found))


def spread(commits: Iterable[CommitId], count: int) -> list[CommitId]:
    """Return `count` of the commits, evenly spaced by their ids; all where there are less."""
    ordered = sorted(commits)
    if count >= len(ordered):
        return ordered
    return [ordered[index * len(ordered) // count] for index in range(count)]


def _rows(findings: Iterable[store_doctor.Finding], where: str) -> Iterator[Finding]:
    for finding in findings:
        example = f", such as {finding.example}" if finding.example else ""
        yield Finding("store", f"{finding.check}: {finding.count}{example}", where)


def _canary(opened: Opened, reader: Reader) -> Iterator[Finding]:
    """Ask for a word that is known to be there."""
    head = opened.repository.head()
    if head not in reader.known_commits():
        return
    search = Search(reader.open_snapshot(head).connection)
    if not search.answers_canary():
        yield Finding("canary", "the word index does not find a word that is there", head or "")


def _of_commit(opened: Opened, reader: Reader, commit: CommitId) -> Iterator[Finding]:
    wanted = _wanted(opened, commit)
    stored = reader.tree(commit)
    for path in sorted(wanted.keys() | stored.keys()):
        if wanted.get(path) != stored.get(path):
            message = f"{path} is {_words(stored.get(path))}, in git {_words(wanted.get(path))}"
            yield Finding("tree", message, commit)
    yield from _rows(store_doctor.check_snapshot(reader.open_snapshot(commit)), commit)


def _wanted(opened: Opened, commit: CommitId) -> dict[FilePath, TreeEntry]:
    repository = opened.repository
    selection = Selection(
        languages_of(opened.configuration), opened.configuration, repository.read, repository.size
    )
    tree = repository.tree(repository.commit(commit))
    return {path: entry for path, entry in tree.items() if selection.wants(path)}


def _words(entry: TreeEntry | None) -> str:
    return f"{entry.mode:o} {entry.blob[:12]}" if entry else "absent"
