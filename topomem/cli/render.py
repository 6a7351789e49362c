"""Answers for people: plain lines, the same on a terminal and in a pipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from topomem.cli.output import json_text, one_line, say, write

if TYPE_CHECKING:
    from topomem.api.answers import (
        AliasesAnswer,
        CheckReport,
        EdgesAnswer,
        Empty,
        HistoryAnswer,
        RefsAnswer,
        ShowAnswer,
        Status,
        SymbolsAnswer,
    )
    from topomem.api.episode_answers import EpisodeAnswer
    from topomem.cli.settings import Settings
    from topomem.index.report import IndexReport
    from topomem.model.answer import Edge, Symbol, SymbolRef
    from topomem.model.code import External, Unresolved
    from topomem.model.structure import Ownership, TestsEdge
    from topomem.records.board import Entry
    from topomem.records.governs import Governed

MOST_EDGES_SHOWN = 20
MOST_NAMED = 5


def answer_with(
    said: Settings, document: Callable[[], dict[str, Any]], lines: Callable[[], Iterable[str]]
) -> None:
    """Write an answer in the form that was asked for; only that form is made."""
    if said.json:
        write(json_text(document()))
        return
    text = "\n".join(one_line(line) for line in lines())
    if text:
        write(text)


def tell_notes(*groups: tuple[str, ...]) -> None:
    """Write remarks on an answer to standard error."""
    for group in groups:
        for note in group:
            say(one_line(f"topomem: {note}"))


def symbol_lines(answer: SymbolsAnswer) -> Iterator[str]:
    """Yield one line per definition: place, kind, name, signature."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    for symbol in answer.symbols:
        yield symbol_line(symbol)


def symbol_line(symbol: Symbol) -> str:
    """Return place, kind, name and signature."""
    place = f"{symbol.path}:{symbol.start_line}-{symbol.end_line}"
    words = symbol.signature or symbol.qualified_name
    return f"{place}  {symbol.kind.value} {symbol.qualified_name or symbol.path}  {words}"


def edge_lines(answer: EdgesAnswer) -> Iterator[str]:
    """Yield one line per edge."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    for edge in answer.edges:
        yield edge_line(edge)
    yield from map(tests_line, answer.tests)
    yield from map(owns_line, answer.owns)


def tests_line(edge: TestsEdge) -> str:
    """Return place, test, what it tests, steps, confidence and way of an edge."""
    title = f" ({edge.source.title})" if edge.source.title else ""
    return (
        f"{edge.source.path}:{edge.line}  {edge.source.id}{title} tests {_end(edge.target)}"
        f"  {edge.distance} {edge.confidence:.2f} {edge.reach}"
    )


def owns_line(one: Ownership) -> str:
    """Return place, owner and file of an edge."""
    return f"{one.source}:{one.line}  {one.owner} owns {one.path}"


def edge_line(edge: Edge) -> str:
    """Return place, source, kind, target, confidence and method."""
    return (
        f"{edge.path}:{edge.line}  {_end(edge.source)} {edge.kind.value} {_end(edge.target)}"
        f"  {edge.confidence:.2f} {edge.method.value}"
    )


def refs_lines(answer: RefsAnswer) -> Iterator[str]:
    """Yield one line per neighbour, steps away first."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    for neighbour in answer.neighbours:
        yield f"{neighbour.direction} {neighbour.distance}  {edge_line(neighbour.edge)}"


def show_lines(answer: ShowAnswer) -> Iterator[str]:
    """Yield heading, source with line numbers, members, and the first edges each way."""
    tell_notes(answer.notes, answer.partial)
    symbol = answer.symbol
    moment = symbol.commit[:12] if symbol.commit else "worktree"
    yield f"{symbol.kind.value} {symbol.id}@{moment}  lines {symbol.start_line}-{symbol.end_line}"
    yield ""
    for number, line in enumerate(answer.source.splitlines(), symbol.start_line):
        yield f"{number:>6}  {line}"
    for title, lines in (
        ("members", [symbol_line(member) for member in answer.members]),
        ("used by", [edge_line(edge) for edge in answer.incoming]),
        ("uses", [edge_line(edge) for edge in answer.outgoing]),
        ("tested by", [_tested_line(edge, answer) for edge in answer.tests]),
        ("owned by", [owns_line(one) for one in answer.owners]),
        ("governed by", [governing_line(*pair) for pair in answer.decisions]),
        ("tried before", [_episode_line(one) for one in answer.episodes]),
    ):
        if lines:
            yield ""
            yield f"{title} ({len(lines)})"
            yield from (f"  {line}" for line in lines[:MOST_EDGES_SHOWN])
            if len(lines) > MOST_EDGES_SHOWN:
                yield f"  ... and {len(lines) - MOST_EDGES_SHOWN} more"


def _tested_line(edge: TestsEdge, answer: ShowAnswer) -> str:
    """Return the line of a test, with what it came to last."""
    last = answer.results.get(edge.source.id)
    if last is None:
        return tests_line(edge)
    state = f"stale: {'; '.join(last.stale)}" if last.stale else "current"
    return f"{tests_line(edge)}  last {last.outcome} ({state})"


def _episode_line(answer: EpisodeAnswer) -> str:
    one = answer.episode
    learnt = f": {' '.join(one.conclusion.split())[:120]}" if one.conclusion else ""
    return f"{one.outcome:<11} {one.title}{learnt}  {one.id}"


def governing_line(entry: Entry, governed: Governed) -> str:
    """Return a record in short, with what it governs."""
    title = f"{entry.placed.path}  {entry.status} {entry.placed.title}"
    return f"{title}  ({governed.kind} {governed.target}, {governed.confidence:.2f})"


def history_lines(answer: HistoryAnswer) -> Iterator[str]:
    """Yield one line per event: commit, day, changes, name, confidence; evidence below."""
    tell_notes(answer.notes, answer.partial)
    for event in answer.events:
        day = datetime.fromtimestamp(event.author_date, UTC).date().isoformat()
        name = f"{event.path}#{event.qualified_name}"
        sure = "" if event.confidence == 1 else f"  {event.confidence:.2f}"
        yield f"{event.commit[:12]} {day}  {', '.join(event.changes)}  {name}{sure}"
        for reason in event.evidence:
            yield f"    {reason}"


def aliases_lines(answer: AliasesAnswer) -> Iterator[str]:
    """Yield one line per alias: id, commit, kind, ends, confidence; evidence below."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    for alias in (*answer.files, *answer.aliases):
        words = alias.verdict or ("followed" if alias.followed else "candidate")
        yield (
            f"{alias.id} {alias.commit[:12]}  {alias.kind}  {_end(alias.old)} -> {_end(alias.new)}"
            f"  {alias.confidence:.2f} {words}"
        )
        for reason in alias.evidence:
            yield f"    {reason}"


def index_lines(report: IndexReport) -> Iterator[str]:
    """Yield what was done, and what was not read."""
    yield (
        f"{report.commits_indexed} of {report.commits_total} commits indexed, "
        f"{report.blobs_parsed} blobs parsed, {report.blobs_reused} reused, "
        f"in {report.seconds:.1f} s"
    )
    yield f"{report.symbols} symbols and {report.edges} edges at HEAD, {report.aliases} new aliases"
    yield f"{report.store_bytes:,} bytes in the store"
    reasons = Counter(file.reason for file in report.skipped)
    for reason, count in sorted(reasons.items()):
        files = [file.path for file in report.skipped if file.reason == reason]
        more = ", ..." if count > MOST_NAMED else ""
        yield f"not read, or not wholly ({reason}): {count}  {', '.join(files[:MOST_NAMED])}{more}"


def status_lines(status: Status) -> Iterator[str]:
    """Yield what is indexed, a fact a line."""
    tell_notes(status.notes)
    yield f"repository      {status.repository or '(no commits yet)'}"
    yield f"work tree at    {status.top or '(bare)'}"
    yield f"head            {status.head or '(no commits yet)'}"
    yield f"indexed head    {status.indexed_head or '(nothing is indexed)'}"
    if status.behind is not None:
        yield f"behind          {status.behind} commits"
    yield f"commits indexed {status.indexed_commits}" + ("  (shallow)" if status.shallow else "")
    if status.unreachable_commits:
        yield f"unreachable     {status.unreachable_commits} commits that no reference leads to"
    if status.missing_blobs:
        yield f"missing         {status.missing_blobs} blobs that this clone does not have"
    languages = ", ".join(f"{name} {count}" for name, count in sorted(status.languages.items()))
    yield f"files           {status.files}" + (f"  ({languages})" if languages else "")
    if status.changed_files is not None:
        yield f"work tree       {status.changed_files} files differ from HEAD"
    yield f"store           {status.store}  ({status.store_bytes:,} bytes)"
    for name, wanted in sorted(status.unavailable.items()):
        yield f"unavailable     {name}: pip install {wanted}"
    for file in status.unread:
        yield f"not read        {file.path}: {file.reason}  {file.message}"


def check_lines(report: CheckReport) -> Iterator[str]:
    """Yield what failed, then how many were checked."""
    tell_notes(report.notes)
    for finding in report.failed:
        yield f"{finding.code}  {finding.where}  {finding.message}"
    yield f"{report.checked} checked, {len(report.failed)} failed"


def tell_empty(empty: Empty) -> None:
    """Say why nothing follows."""
    moment = f" at {empty.indexed_commit[:12]}" if empty.indexed_commit else ""
    say(f"topomem: nothing ({empty.reason}{moment}) {empty.detail}".rstrip())


def _end(end: SymbolRef | External | Unresolved) -> str:
    path = getattr(end, "path", None)
    if path is None:
        return f"<{getattr(end, 'name', '')}>"
    return f"{path}#{getattr(end, 'qualified_name', '')}"
