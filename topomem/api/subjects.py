"""Publishing what is known by name, for `notice`: after each index, by rename."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from topomem.api.decisions import is_active, read_records
from topomem.api.folders import SUBJECTS
from topomem.api.opening import Opened
from topomem.api.view import View, open_view
from topomem.errors import NotIndexed
from topomem.model.ids import FilePath, Moniker, split_moniker
from topomem.model.subjects import BEST, Known, encode, subject_key
from topomem.records.board import Entry
from topomem.records.governs import Governed
from topomem.retrieve.roles import Role, role_of
from topomem.store.subjects import NameRow, SaidRow, file_paths, said, symbol_names

_SHORTEST_MENTIONED = 3
"""Letters of the shortest name that is looked for in messages."""

_KINDS = {"decision": 0, "episode": 1, "symbol": 2, "file": 3, "commit": 4}


@dataclass(slots=True)
class _Gathered:
    """What is known, by key; things that come first are better among their like."""

    things: dict[str, list[Known]] = field(default_factory=lambda: defaultdict(list))
    totals: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, texts: Iterable[str], known: Known, total: int = 1) -> None:
        """Put a thing under all these keys."""
        for key in {subject_key(text) for text in texts}:
            self.things[key].append(known)
            self.totals[key] += total

    def subjects(self) -> dict[str, tuple[int, list[Known]]]:
        """Return totals and the best things by key: what is named first, decisions first."""
        return {
            key: (self.totals[key], sorted(things, key=_order)[:BEST])
            for key, things in self.things.items()
        }


def _order(known: Known) -> tuple[bool, int, bool]:
    beside = known.kind in ("symbol", "file") and role_of_place(known.where) is not Role.SOURCE
    return not known.is_named, _KINDS.get(known.kind, len(_KINDS)), beside


def role_of_place(where: str) -> Role:
    """Return what the file of a place (`path:line`, or a path) is for."""
    path, _, line = where.rpartition(":")
    return role_of(FilePath(path if path and line.isdigit() else where))


def publish(opened: Opened) -> bool:
    """Write the subject file of HEAD; False where HEAD is not indexed.

    Raises StoreBusy, StoreDamaged, OSError.
    """
    try:
        with open_view(opened, None) as view:
            if view.snapshot is None or view.reader is None or view.as_of.commit is None:
                return False
            gathered = _gather(opened, view)
            head = {"commit": view.as_of.commit}
    except NotIndexed:
        return False
    write_subjects(opened, SUBJECTS[0], head, gathered.subjects())
    return True


def write_subjects(
    opened: Opened,
    name: str,
    head: Mapping[str, str],
    subjects: Mapping[str, tuple[int, Iterable[Known]]],
) -> None:
    """Let a subject file take the place of the one before. Raises OSError."""
    file = opened.store.folder / name
    fresh = file.with_name(f".{name}-{os.getpid()}")
    try:
        fresh.write_bytes(encode(head, subjects))
        fresh.replace(file)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def _gather(opened: Opened, view: View) -> _Gathered:
    assert view.snapshot is not None  # noqa: S101 - the caller looked
    assert view.reader is not None  # noqa: S101 - the caller looked
    assert view.as_of.commit is not None  # noqa: S101 - the caller looked
    found = _Gathered()
    _ = view.snapshot.has_symbols  # makes the table
    connection = view.snapshot.connection
    for row in symbol_names(connection):
        found.add(_names_of(row), Known("symbol", row.name, f"{row.path}:{row.line}"))
    for path in file_paths(connection):
        found.add((path, path.rpartition("/")[2]), Known("file", path, path))
    _add_decisions(found, opened, view)
    named = [key for key in found.things if len(key) >= _SHORTEST_MENTIONED]
    behind = view.reader.ancestors(view.as_of.commit)
    tickets, mentions = said(connection, behind, named)
    for one in tickets:
        _add_commits(found, one, "says")
    for one in mentions:
        _add_commits(found, one, "mentions")
    return found


def _names_of(row: NameRow) -> Iterator[str]:
    """Yield what a symbol is called by: its last name, and that with what holds it."""
    parts = row.name.split("+")[0].split(".")
    yield parts[-1]
    if len(parts) > 1:
        yield ".".join(parts[-2:])


def _add_commits(found: _Gathered, row: SaidRow, why: str) -> None:
    for place, (commit, title) in enumerate(row.latest):
        total = row.count - len(row.latest) + 1 if place == 0 else 1
        found.add((row.what,), Known("commit", title, commit, why), total)


def _add_decisions(found: _Gathered, opened: Opened, view: View) -> None:
    records = read_records(opened, view)
    for entry in records.board.entries.values():
        placed = entry.placed
        calls = [placed.path, placed.path.rpartition("/")[2], placed.title, placed.id]
        if placed.number is not None:
            calls += [f"ADR-{placed.number}", f"ADR-{placed.number:04}"]
        found.add(calls, _known(entry, "name"))
        if not is_active(entry):
            continue
        for one in records.governed(entry):
            found.add(_governed_names(one), _known(entry, "governs"))


def _known(entry: Entry, why: str) -> Known:
    return Known("decision", entry.placed.title, entry.placed.path, why, entry.status)


def _governed_names(one: Governed) -> tuple[str, ...]:
    if one.kind == "symbol":
        parts = split_moniker(Moniker(one.target))[1].split(".")
        return parts[-1], ".".join(parts[-2:])
    return one.target, one.target.rpartition("/")[2]
