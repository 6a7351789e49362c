"""New decision records, and successors: written into the work tree, on request alone."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from topomem.api.decisions import Records, named_folders, read_records, the_one
from topomem.api.opening import Opened
from topomem.api.view import View, open_view
from topomem.errors import UsageError
from topomem.model.decision import ACTIVE, Status
from topomem.model.ids import BlobId, FilePath
from topomem.model.words import stem, words
from topomem.records.board import Board, Entry, Placed, board
from topomem.records.edit import Draft, new_record, next_name, with_line, with_status
from topomem.records.parse import parse
from topomem.records.recall import recall
from topomem.records.status import WORDS
from topomem.store import decision as plane
from topomem.units.owners import PLACES, Owners

DEFAULT_FOLDER = FilePath("docs/decisions")
_MOST_RELATED = 3


@dataclass(frozen=True, slots=True)
class NewDecision:
    """What a new record begins with; `folder` "": where the others are. `today` is an ISO date."""

    title: str
    today: str
    folder: str = ""
    status: str = "proposed"
    governs: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """Files of the work tree that were written, and what was left undone."""

    paths: tuple[FilePath, ...]
    notes: tuple[str, ...] = ()


def new_decision(opened: Opened, wanted: NewDecision) -> Written:
    """Write a new record beside the others: next number, owners, components, related records.

    What it supersedes is marked so only where it is in force already. Raises UsageError (no work
    tree, no title, no such status), UnknownItem, NotIndexed.
    """
    top = _top(opened)
    if not wanted.title.strip() or "\n" in wanted.title:
        raise UsageError("a decision needs a title of one line")
    meaning = _status(wanted.status)
    with open_view(opened, None) as view:
        records = read_records(opened, view)
        folder = FilePath(posixpath.normpath(wanted.folder or _folder(opened, view, records)))
        old = [the_one(records.board, text) for text in wanted.supersedes]
        draft = Draft(
            title=wanted.title.strip(),
            status=wanted.status,
            date=wanted.today,
            owners=wanted.owners or _owners(top, wanted.governs),
            governs=wanted.governs,
            supersedes=tuple(_named(entry, folder) for entry in old),
            related=tuple(_related(records, wanted, folder, old)),
        )
    where = _inside(top, folder)
    names = [one.name for one in where.iterdir()] if where.is_dir() else []
    names += [one.rpartition("/")[2] for one in records.board.entries if _in(one, folder)]
    path = FilePath(posixpath.join(folder, next_name(names, draft.title, wanted.today)))
    texts = {path: new_record(draft)}
    if meaning not in ACTIVE:
        return _written(top, texts, tuple(_still_holds(entry, path) for entry in old))
    for entry in old:
        marked = entry.placed.path
        link = f"Superseded by [{draft.title}]({_relative(path, marked)})"
        texts[marked] = _with_status(marked, _read(top, marked), link)
    return _written(top, texts)


def supersede(opened: Opened, old: str, new: str) -> Written:
    """Mark one record as superseded by another, in both; each is read again before it is written.

    Raises UsageError (no work tree, or a text that cannot be changed so), UnknownItem, NotIndexed.
    """
    top = _top(opened)
    with open_view(opened, None) as view:
        records = read_records(opened, view)
        stored = [_on_disk(top, e.placed) for e in records.board.entries.values()]
        known = board([*stored, *_fresh(top, records)])
        before, after = the_one(known, old), the_one(known, new)
    if before.placed.path == after.placed.path:
        raise UsageError("a record cannot supersede itself")
    first, second = before.placed.path, after.placed.path
    if first in _successors(known, second):
        raise UsageError(f"{second} is superseded by {first} already", "nothing was changed")
    title = _titled(after.placed)
    old_text = _read(top, first)
    new_text = _read(top, second)
    link = f"Superseded by [{title}]({_relative(second, first)})"
    back = f"Supersedes [{_titled(before.placed)}]({_relative(first, second)})"
    changed = _with_status(first, old_text, link)
    marked = new_text if _says(new_text, first, second) else with_line(new_text, back)
    return _written(top, {first: changed, second: marked})


def _status(text: str) -> Status:
    """Return what a status of one word or two means. Raises UsageError where it means none."""
    said = text.strip().casefold()
    found = [status for status, known in WORDS.items() if said in known]
    if not found:
        raise UsageError(f"unknown status {text!r}", "one of: " + ", ".join(WORDS))
    return found[0]


def _still_holds(entry: Entry, path: FilePath) -> str:
    """Return what is left to do once a record is accepted that is to take the place of another."""
    old = entry.placed.path
    return f"{old} holds until {path} is accepted; then: topomem decision supersede {old} {path}"


def _on_disk(top: Path, placed: Placed) -> Placed:
    """Return a record as it is in the work tree now; as it was committed where it is not there."""
    try:
        return replace(placed, decision=parse(_inside(top, placed.path).read_bytes()))
    except (OSError, UsageError):
        return placed


def _successors(records: Board, path: FilePath) -> set[FilePath]:
    """Return the records that took the place of one as a whole, one after the other."""
    seen: set[FilePath] = set()
    waiting = [path]
    while waiting:
        for link in records.entries[waiting.pop()].linked("superseded_by"):
            if link.path is not None and not link.partly and link.path not in seen:
                seen.add(link.path)
                waiting.append(link.path)
    return seen


def _written(top: Path, texts: Mapping[FilePath, str], notes: tuple[str, ...] = ()) -> Written:
    for path, text in texts.items():
        _write(top, path, text)
    return Written(tuple(texts), notes)


def _with_status(path: FilePath, text: str, status: str) -> str:
    try:
        return with_status(text, status)
    except UsageError as error:
        raise UsageError(f"{path} cannot be marked: {error}", "edit it by hand") from error


def _fresh(top: Path, records: Records) -> list[Placed]:
    """Return records on disk, in the folders of the known ones, that are not committed yet."""
    folders = {posixpath.dirname(path) for path in records.board.entries}
    found = []
    for folder in sorted(folders):
        for file in sorted((top / folder).glob("*.md")):
            path = FilePath(posixpath.join(folder, file.name))
            if path not in records.board.entries and path not in records.beside:
                found.append(Placed(path, BlobId(""), parse(file.read_bytes())))
    return found


def _says(text: str, first: FilePath, second: FilePath) -> bool:
    """Return whether the record at `second` says already that it supersedes the one at `first`."""
    address = _relative(first, second)
    return any(
        one.kind == "supersedes" and posixpath.normpath(one.target) == address
        for one in parse(text.encode()).relations
    )


def _folder(opened: Opened, view: View, records: Records) -> FilePath:
    """Return the folder for a new record: that of `.adr-dir`, else where most records are."""
    if view.snapshot is not None:
        named = named_folders(opened, view, plane.paths(view.snapshot.connection))
        if named:
            return named[0]
    counts = Counter(posixpath.dirname(path) for path in records.board.entries)
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return FilePath(best[0][0]) if best else DEFAULT_FOLDER


def _owners(top: Path, governs: Sequence[str]) -> tuple[str, ...]:
    """Return the owners of what the record governs."""
    for place in PLACES:
        file = top / place
        if file.is_file():
            rules = Owners(file.read_text("utf-8", "replace"))
            return rules.of_all([FilePath(one.partition("#")[0]) for one in governs])
    return ()


def _related(
    records: Records, wanted: NewDecision, folder: FilePath, old: Sequence[Entry]
) -> list[tuple[str, str]]:
    """Return records that hold and speak of the same, or claim the same component."""
    stems = {stem(word) for word in words(wanted.title)}
    found = recall(records.board, records.governed, stems, ()).current
    near = [one.entry for one in found]
    near += [
        entry
        for entry in records.board.entries.values()
        if entry.status in ACTIVE
        and any(one.target in wanted.governs for one in records.governed(entry))
    ]
    gone = {entry.placed.path for entry in old}
    unique = {one.placed.path: one for one in near if one.placed.path not in gone}
    return [_named(entry, folder) for entry in list(unique.values())[:_MOST_RELATED]]


def _named(entry: Entry, folder: FilePath) -> tuple[str, str]:
    """Return title and address of a record, as seen from a folder."""
    return _titled(entry.placed), _relative(entry.placed.path, FilePath(f"{folder}/x"))


def _titled(placed: Placed) -> str:
    return placed.title if placed.number is None else f"{placed.number}. {placed.title}"


def _relative(path: FilePath, source: FilePath) -> str:
    return posixpath.relpath(path, posixpath.dirname(source) or ".")


def _in(path: FilePath, folder: FilePath) -> bool:
    return posixpath.dirname(path) == ("" if folder == "." else folder)


def _top(opened: Opened) -> Path:
    top = opened.repository.top
    if top is None:
        raise UsageError("a bare repository has no work tree to write to")
    return top


def _inside(top: Path, path: str) -> Path:
    """Return a path of the work tree. Raises UsageError for one that leads out of it."""
    found = top / path
    if not found.resolve().is_relative_to(top.resolve()):
        raise UsageError(f"{path} is outside the repository")
    return found


def _read(top: Path, path: FilePath) -> str:
    try:
        return _inside(top, path).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read in the work tree: {error}") from error


def _write(top: Path, path: FilePath, text: str) -> None:
    """Write a text in one step: a reader sees the old one or the new one."""
    file = _inside(top, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.new")
    mode = file.stat().st_mode & 0o777 if file.exists() else None
    beside.write_bytes(text.encode())
    if mode is not None:
        beside.chmod(mode)
    beside.replace(file)
