"""Answers about changes, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from topomem.cli.render import edge_line, governing_line, tell_empty, tell_notes

if TYPE_CHECKING:
    from topomem.api.diff import DiffAnswer, SymbolDifference
    from topomem.api.impact import Concerned, ImpactAnswer
    from topomem.api.outdated import Outdated
    from topomem.api.spreading import Affected, SelectedTest
    from topomem.model.answer import Edge

_MARKS = {"added": "+", "removed": "-", "changed": "~", "renamed": ">", "moved": ">"}
MOST_EDGES = 20
MOST_SHOWN = 50
MOST_PATHS = 3


def diff_lines(answer: DiffAnswer) -> Iterator[str]:
    """Yield one line per symbol that differs, then the edges that came and went, by kind."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    if answer.merge_base:
        yield f"since merge base {answer.merge_base[:12]}"
    for one in answer.symbols:
        yield difference_line(one)
    known = {one.symbol.path for one in answer.symbols}
    for file in answer.files:
        if file.path not in known:
            yield f"{_MARKS[file.change]} file {file.path}  {file.change}"
    for title, mark, edges in (
        ("edges added", "+", answer.added_edges),
        ("edges removed", "-", answer.removed_edges),
    ):
        if edges:
            yield ""
            yield f"{title} ({len(edges)})"
            yield from _edges(mark, edges)


def impact_lines(answer: ImpactAnswer) -> Iterator[str]:
    """Yield what changed, what depends on it, tests, owners and decisions, nearest first."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    for title, lines in (
        ("changed", [difference_line(one) for one in answer.changed]),
        ("affected", [_affected_line(one) for one in answer.affected]),
        ("tests to run", [_test_line(one) for one in answer.tests]),
        ("owners", [_owner_line(one) for one in answer.owners]),
        ("decisions", [governing_line(*pair) for pair in answer.decisions]),
        ("evidence that no longer holds", [_stale_line(one) for one in answer.stale]),
    ):
        if lines:
            yield f"{title} ({len(lines)})"
            yield from (f"  {line}" for line in lines[:MOST_SHOWN])
            if len(lines) > MOST_SHOWN:
                yield f"  ... and {len(lines) - MOST_SHOWN} more"


def _affected_line(one: Affected) -> str:
    way = " < ".join(one.kinds)
    return f"{one.distance}  {one.symbol.id}  {one.confidence:.2f}  {way} {one.because}"


def _test_line(one: SelectedTest) -> str:
    title = f" ({one.test.title})" if one.test.title else ""
    why = "" if one.method == "changed" else f"  {one.because}"
    return f"{one.distance}  {one.test.id}{title}  {one.confidence:.2f} {one.method}{why}"


def _stale_line(one: Outdated) -> str:
    return f"{one.event.id}  {one.title}  {'; '.join(one.reasons)}"


def _owner_line(one: Concerned) -> str:
    shown = ", ".join([*one.changed, *one.affected][:MOST_PATHS])
    return f"{one.owner}  {len(one.changed)} changed, {len(one.affected)} affected: {shown}"


def difference_line(one: SymbolDifference) -> str:
    """Return mark, kind, names, kinds of change, confidence and commits."""
    symbol = one.symbol
    name = symbol.id
    if one.old is not None and one.old.id != name:
        name = f"{one.old.id} -> {name}"
    kinds = f"  {', '.join(one.kinds)}" if one.kinds else f"  {one.change}"
    sure = f"  {one.confidence:.2f}" if one.confidence < 1 else ""
    commits = f"  ({' '.join(commit[:12] for commit in one.commits)})" if one.commits else ""
    return f"{_MARKS[one.change]} {symbol.kind.value} {name}{kinds}{sure}{commits}"


def _edges(mark: str, edges: Iterable[Edge]) -> Iterator[str]:
    shown = list(edges)
    for edge in shown[:MOST_EDGES]:
        yield f"  {mark} {edge_line(edge)}"
    if len(shown) > MOST_EDGES:
        yield f"  ... and {len(shown) - MOST_EDGES} more"
