"""Is the store sound, and does it say what git says?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from topomem.api.answers import CheckReport, Finding
from topomem.api.opening import Opened
from topomem.errors import UnknownRevision, UsageError
from topomem.index.reachability import is_reachable
from topomem.index.recheck import Recheck
from topomem.model.ids import CommitId
from topomem.store import doctor as store_doctor
from topomem.store.search import Search

if TYPE_CHECKING:
    from topomem.store.reader import Reader

_OF_THE_STORE = 3  # rows, journal, canary


def doctor(opened: Opened, sample: int) -> CheckReport:
    """Return what is wrong with the store, and with `sample` commits against git.

    Sampled commits are read, extracted and linked once more, from nothing. The sample is spread
    over all indexed commits and is the same for the same store. Raises StoreBusy, StoreDamaged,
    UsageError.
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
        gone = [one for one in commits if _is_let_go(opened, reader, one)]
        for commit in (one for one in commits if one not in gone):
            found += _of_commit(opened, reader, commit)
    notes = tuple(
        f"git has commit {commit[:12]} no more, and no reference leads to it" for commit in gone
    )
    return CheckReport(_OF_THE_STORE + len(commits) - len(gone), tuple(found), notes)


def _is_let_go(opened: Opened, reader: Reader, commit: CommitId) -> bool:
    """Return whether git rightly has a commit no more: nothing leads to it."""
    if opened.repository.has_commit(commit):
        return False
    return not is_reachable(opened.repository, reader, commit)


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
    """Make a commit's snapshot from nothing, and compare."""
    recheck = Recheck(opened.repository, reader, opened.configuration)
    try:
        differences = recheck.differences(commit)
    except UnknownRevision:
        yield Finding("gone", "git has this commit no more", commit)
        return
    for difference in differences:
        message = f"{difference.path}: {difference.what} stored is not what git gives"
        yield Finding(difference.what, message, commit)
    yield from _rows(store_doctor.check_snapshot(reader.open_snapshot(commit)), commit)
