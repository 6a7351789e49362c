"""Decision records as of a revision: which there are, what one says, what it governs."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from topomem.api.answers import AsOf, Empty
from topomem.api.moves import Moves
from topomem.api.opening import Opened
from topomem.api.view import View, open_view
from topomem.errors import UnknownItem
from topomem.index.decisions import LARGEST, RecordPlaces, read_record
from topomem.model.bundle import Citation, Provenance
from topomem.model.code import Diagnostic
from topomem.model.decision import Decision, Part, read_decision
from topomem.model.ids import BlobId, FilePath, Moniker
from topomem.records.board import Board, Entry, Placed, board
from topomem.records.governs import Governed, Tree, governed
from topomem.records.parse import has_status
from topomem.retrieve.source import SourceLines, cite
from topomem.store import decision as plane

ADR_DIR = ".adr-dir"
_UNREAD = Decision(
    "", None, "unknown", "", partly_superseded=False, date="", date_text="", owners=(),
    review_date="", parts=(), relations=(), mentions=(), invariants=(), diagnostics=(), words=(),
    line_count=0,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Records:
    """All records of one moment, and what stood among them without being one."""

    board: Board
    beside: tuple[FilePath, ...]
    tree: Tree
    follow: Callable[[Governed], Governed]

    def governed(self, entry: Entry) -> tuple[Governed, ...]:
        """Return what one record governs; the symbols that any record names are asked for once."""
        if not self.tree.was_asked:
            entries = self.board.entries.values()
            self.tree.ask(m for entry in entries for m in entry.placed.decision.mentions)
        found = governed(entry.placed.path, entry.placed.decision.mentions, self.tree)
        return tuple(self.follow(one) for one in found)


@dataclass(frozen=True, slots=True)
class DecisionPart:
    """A part of a record with its text, word for word."""

    name: str
    title: str
    text: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    """One record at one commit. `parts` have texts only where the record itself was asked for."""

    entry: Entry
    governs: tuple[Governed, ...]
    citation: Citation | None
    parts: tuple[DecisionPart, ...] = ()
    text: str = ""

    @property
    def provenance(self) -> Provenance:
        """Where this comes from."""
        return Provenance("parsed", "decision record", 1.0)


@dataclass(frozen=True, slots=True)
class DecisionsAnswer:
    """Records, by path."""

    as_of: AsOf
    decisions: tuple[DecisionAnswer, ...]
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """One record with its texts."""

    as_of: AsOf
    decision: DecisionAnswer
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Which = Literal["active", "all"]


def decisions(opened: Opened, which: Which, as_of: str | None) -> DecisionsAnswer:
    """Return the records that held at a revision, or all there were.

    Raises UnknownRevision, NotIndexed.
    """
    with open_view(opened, as_of) as view:
        if view.snapshot is None:
            return DecisionsAnswer(view.as_of, (), view.empty(), view.partial, view.notes)
        records = read_records(opened, view)
        entries = list(records.board.entries.values())
        wanted = [entry for entry in entries if which == "all" or is_active(entry)]
        found = tuple(_answer(opened, view, records, entry) for entry in wanted)
        return DecisionsAnswer(
            view.as_of,
            found,
            None if found else view.empty(detail=_why_none(entries)),
            view.partial,
            (*view.notes, *_beside_notes(records.beside)),
        )


def show_decision(opened: Opened, text: str, as_of: str | None) -> DecisionShown:
    """Return one record with its parts; `text` is an id, path, number, file name or title.

    Raises UnknownItem, UnknownRevision, NotIndexed.
    """
    with open_view(opened, as_of) as view:
        records = read_records(opened, view)
        entry = the_one(records.board, text)
        answer = _answer(opened, view, records, entry, with_text=True)
        return DecisionShown(view.as_of, answer, view.partial, view.notes)


def the_one(records: Board, text: str) -> Entry:
    """Return the record a text means. Raises UnknownItem where none, or several, are meant."""
    found = records.find(text)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnknownItem(f"no decision {text!r}", "topomem decision list --all")
    choices = ", ".join(entry.placed.path for entry in found[:20])
    raise UnknownItem(f"{text!r} means several decisions", f"one of: {choices}")


def is_active(entry: Entry) -> bool:
    """Return whether a decision holds."""
    return entry.status in ("accepted", "implemented")


def read_records(opened: Opened, view: View) -> Records:
    """Return all records of a moment: those stored, and those the index did not look for."""
    snapshot = view.snapshot
    if snapshot is None:
        return Records(Board(), (), Tree((), lambda _: {}), lambda one: one)
    files = plane.paths(snapshot.connection)
    stored = {record.path: record for record in plane.records(snapshot.connection)}
    places = RecordPlaces(opened.configuration.decision_paths)
    folders = named_folders(opened, view, files)
    placed: list[Placed] = []
    beside: list[FilePath] = []
    for path, blob in files.items():
        at = places.at(path, folders)
        record = stored.get(path)
        known = record is not None and (at or record.origin == "front_matter")
        if at == "beside" or not (at or known):
            beside += [path] if at else []
            continue
        found = read_decision(record.body) if record else _parsed(opened, view, path, blob)
        if at == "maybe" and not has_status(found):
            beside.append(path)
        else:
            placed.append(Placed(path, blob, found))

    def symbols_named(names: Iterable[str]) -> dict[str, list[Moniker]]:
        return plane.symbols_named(snapshot.connection, sorted(names))

    tree = Tree(files.keys(), symbols_named)
    return Records(board(placed), tuple(beside), tree, Moves(view, tree).follow)


def _parsed(opened: Opened, view: View, path: FilePath, blob: BlobId) -> Decision:
    """Read a record that is not stored; one whose text is not to be had says so."""
    source = view.read_blob(opened, path, blob)
    if source is None:
        return replace(
            _UNREAD, diagnostics=(Diagnostic("missing", "its content is not available"),)
        )
    if len(source) > LARGEST:
        return replace(_UNREAD, diagnostics=(Diagnostic("too_large", f"{len(source)} bytes"),))
    return read_record(source)


def named_folders(
    opened: Opened, view: View, files: dict[FilePath, BlobId]
) -> tuple[FilePath, ...]:
    """Return the folders that `.adr-dir` files of this moment name."""
    found = []
    for path, blob in files.items():
        if path.rpartition("/")[2] == ADR_DIR:
            source = view.read_blob(opened, path, blob) or b""
            text = source[:4096].decode("utf-8", "replace").strip()
            if text:
                joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), text))
                found.append(FilePath(joined))
    return tuple(found)


def _answer(
    opened: Opened, view: View, records: Records, entry: Entry, *, with_text: bool = False
) -> DecisionAnswer:
    placed = entry.placed
    source = view.read_blob(opened, placed.path, placed.blob)
    governs = records.governed(entry)
    if source is None:
        return DecisionAnswer(entry, governs, None)
    lines = SourceLines(source)
    citation = cite(lines, (placed.path, placed.blob), (1, max(1, len(lines))), view.as_of.commit)
    parts = tuple(_part(lines, part) for part in placed.decision.parts) if with_text else ()
    text = lines.text(1, len(lines)) if with_text else ""
    return DecisionAnswer(entry, governs, citation, parts, text)


def _part(lines: SourceLines, part: Part) -> DecisionPart:
    text = lines.text(part.start_line, min(part.end_line, len(lines)))
    return DecisionPart(part.name, part.title, text, part.start_line, part.end_line)


def _why_none(entries: list[Entry]) -> str:
    return f"{len(entries)} records, none of them active; see --all" if entries else ""


def _beside_notes(beside: tuple[FilePath, ...]) -> tuple[str, ...]:
    if not beside:
        return ()
    shown = ", ".join(beside[:10]) + (", ..." if len(beside) > 10 else "")  # noqa: PLR2004
    return (f"{len(beside)} texts among the records are none (indexes, templates): {shown}",)
