"""Decision records for a bundle and for a symbol: what governs it, what speaks of the task."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from topomem.api.decisions import read_records
from topomem.api.opening import Opened
from topomem.api.view import View
from topomem.model.bundle import Detail, Passage, Provenance
from topomem.model.decision import ACTIVE
from topomem.model.ids import FilePath, Moniker, QualifiedName
from topomem.records.board import Entry
from topomem.records.check import contradictions
from topomem.records.governs import Governed
from topomem.records.recall import Recalled, governing, recall
from topomem.retrieve.beside import MOST, Aside
from topomem.retrieve.source import SourceLines, cite, masking_told

_WHOLE_LINES = 60
_PART_LINES = 40
_HEAD_LINES = 12
_MOST_STALE = 3


def beside(opened: Opened, view: View, stems: Collection[str], targets: Sequence[Moniker]) -> Aside:
    """Return the records that a task should know of, and those it must not take for current."""
    records = read_records(opened, view)
    if not records.board.entries:
        return Aside()
    found = recall(records.board, records.governed, stems, targets)
    shown = found.current[:MOST]
    return Aside(
        passages=tuple(forms for one in shown if (forms := tuple(_forms(opened, view, one)))),
        conflicts=contradictions(records.board, {one.entry.placed.path for one in shown}),
        stale=tuple(_passed(one) for one in found.passed[:_MOST_STALE]),
    )


def governing_records(
    opened: Opened, view: View, symbol: Moniker
) -> tuple[tuple[Entry, Governed], ...]:
    """Return the records that hold and govern a symbol, surest first."""
    records = read_records(opened, view)
    return tuple(governing(records.board, records.governed, symbol))


def records_on(
    opened: Opened, view: View, symbols: Sequence[Moniker], paths: Sequence[FilePath]
) -> tuple[tuple[Entry, Governed], ...]:
    """Return the records that hold and govern any of some symbols and files, surest first."""
    records = read_records(opened, view)
    found: dict[FilePath, tuple[Entry, Governed]] = {}
    for entry in records.board.entries.values():
        if entry.status not in ACTIVE:
            continue
        hits = [
            one
            for one in records.governed(entry)
            if any(map(one.covers, paths)) or any(map(one.covers_symbol, symbols))
        ]
        if hits:
            best = max(hits, key=lambda one: (one.confidence, one.target))
            found[entry.placed.path] = entry, best
    return tuple(
        sorted(found.values(), key=lambda pair: (-pair[1].confidence, pair[0].placed.path))
    )


def _forms(opened: Opened, view: View, one: Recalled) -> Iterator[Passage]:
    """Yield a record's passages, fullest first: all of it, its decision, its head, its name."""
    placed = one.entry.placed
    source = view.read_blob(opened, placed.path, placed.blob)
    if source is None:
        return
    lines = SourceLines(source)
    status = placed.decision.part("status")
    chosen = placed.decision.part("decision")
    spans: list[tuple[int, int, Detail]] = []
    if len(lines) <= _WHOLE_LINES:
        spans.append((1, len(lines), "body"))
    if chosen is not None:
        start = chosen.start_line
        spans.append((start, min(chosen.end_line, start + _PART_LINES), "body"))
    head = min(len(lines), max(status.end_line if status else 0, _HEAD_LINES), 2 * _HEAD_LINES)
    spans += [(1, head, "signature"), (1, 1, "name")]
    for start, end, detail in spans:
        if 1 <= start <= end <= len(lines):
            text = "" if detail == "name" else lines.text(start, end)
            yield Passage(
                kind="decision",
                path=placed.path,
                qualified_name=QualifiedName(placed.title),
                start_line=start,
                end_line=end,
                detail=detail,
                text=text,
                score=round(one.score, 4),
                why=(_state(one.entry), *one.why, *masking_told(text)),
                citation=cite(lines, (placed.path, placed.blob), (start, end), view.as_of.commit),
                provenance=Provenance("parsed", "decision record", 1.0),
            )


def _state(entry: Entry) -> str:
    since = f" since {entry.placed.decision.date}" if entry.placed.decision.date else ""
    return f"{entry.status}{since}" + (", partly superseded" if entry.partly_superseded else "")


def _passed(one: Recalled) -> str:
    """Return what to know of a record that does not hold: what it was, and what came after it."""
    entry = one.entry
    after = ", ".join(link.path or link.text for link in entry.linked("superseded_by"))
    by = f" by {after}" if after else ""
    return f"decision {entry.placed.path} ({entry.placed.title}) is {entry.status}{by}"
