"""What is indexed, how fresh is it, and what is missing?"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from topomem.api.answers import Status, UnreadFile
from topomem.api.opening import Opened
from topomem.api.view import no_commits_note
from topomem.languages.load import load_languages
from topomem.model.ids import CommitId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topomem.store.reader import Reader
    from topomem.store.snapshot import FileRow


def status(opened: Opened) -> Status:
    """Return the state of the index. An empty repository or a missing store is no error.

    Raises StoreBusy, StoreDamaged.
    """
    repository = opened.repository
    head = repository.head()
    bare = Status(
        repository=opened.store.repository,
        top=None if repository.top is None else str(repository.top),
        head=head,
        indexed_head=None,
        behind=None,
        indexed_commits=0,
        shallow=repository.is_shallow,
        files=0,
        languages={},
        unavailable=_unavailable(),
        unread=(),
        changed_files=None if repository.top is None else len(repository.worktree_changes()),
        store=str(opened.store.folder),
        store_bytes=opened.store.store_bytes(),
        notes=_notes(opened, head),
    )
    with _reader(opened) as reader:
        return _indexed(opened, reader, bare) if reader else bare


@contextmanager
def _reader(opened: Opened) -> Iterator[Reader | None]:
    """Open the store; None where nothing was indexed yet."""
    if not opened.store.exists():
        yield None
        return
    with opened.store.read() as reader:
        yield reader


def _indexed(opened: Opened, reader: Reader, bare: Status) -> Status:
    known = reader.known_commits()
    nearest, behind = _nearest(opened, bare.head, known)
    found = replace(
        bare,
        indexed_head=nearest,
        behind=behind,
        indexed_commits=len(known),
        unreachable_commits=len(reader.unreachable_commits()),
        missing_blobs=len(reader.missing_blobs()),
        notes=(*bare.notes, *_unfinished(reader)),
    )
    if nearest is None:
        return found
    rows = reader.open_snapshot(nearest).files()
    return replace(
        found,
        files=len(rows),
        languages=dict(sorted(Counter(str(row.language) for row in rows if row.language).items())),
        unread=tuple(_unread(row) for row in rows if row.diagnostics),
    )


def _unfinished(reader: Reader) -> tuple[str, ...]:
    from topomem.index.loop import PENDING

    pending = reader.property(PENDING) or "0"
    if pending == "0":
        return ()
    return (f"{pending} commits of the last index are not stored yet; run: topomem index",)


def _nearest(
    opened: Opened, head: CommitId | None, known: set[CommitId]
) -> tuple[CommitId | None, int | None]:
    """Return the newest indexed commit on HEAD's line, and how many commits HEAD is ahead of it."""
    if head is None or not known:
        return None, None
    at: CommitId | None = head
    while at is not None and at not in known:
        parents = opened.repository.commit(at).present_parents
        at = parents[0] if parents else None
    return at, len(opened.repository.walk([head], known)) if at is not None else None


def _unread(row: FileRow) -> UnreadFile:
    first = row.diagnostics[0]
    return UnreadFile(row.path, row.entry.blob, first.code, first.message)


def _unavailable() -> dict[str, str]:
    return {
        str(language.name): language.spec.parser.requires
        for language in load_languages()
        if not language.available
    }


def _notes(opened: Opened, head: CommitId | None) -> tuple[str, ...]:
    repository = opened.repository
    notes = [] if head else [no_commits_note(repository)]
    if head and not opened.store.exists():
        notes.append("nothing is indexed yet; run: topomem index")
    if repository.replaced:
        notes.append(f"{len(repository.replaced)} replaced objects are read as they are")
    return tuple(notes)
