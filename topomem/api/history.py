"""The history of one symbol: every commit that changed it, through renames and moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from topomem.api.answers import AsOf, HistoryAnswer, HistoryEvent
from topomem.api.descent import Descent, Passed
from topomem.api.find import split_commit
from topomem.api.later import Later
from topomem.api.lost import lost_notes
from topomem.api.past_symbol import locate
from topomem.api.verdicts import verdicts_of
from topomem.api.view import WORKTREE, no_commits_note, not_indexed, resolve
from topomem.errors import NotIndexed, UnknownSymbol, UsageError
from topomem.lineage.calibration import calibration
from topomem.lineage.changes import Version, changes
from topomem.lineage.reasons import reasons

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.model.code import RegionFacts
    from topomem.model.history import Position
    from topomem.model.ids import CommitId
    from topomem.store.past import CommitRow, Past, Standing
    from topomem.store.reader import Reader

_NOT_COMMITTED = "history ends at HEAD: changes of the work tree are in no commit yet"
_OF_ALIAS = {
    "rename": ("rename",),
    "move": ("move",),
    "rename_move": ("rename", "move"),
    "container": ("container_renamed",),
}
_ORDER = ("removed", "introduced", "split", "merge", "rename", "move", "container_renamed")


def history(
    opened: Opened, text: str, as_of: str | None, *, layout: bool = False, forward: bool = False
) -> HistoryAnswer:
    """Return what happened to a symbol, newest first, as far as it is known at a revision.

    A symbol that is gone is looked for under its later names, then where it was last. With
    `layout` commits are told that changed nothing but layout, or the comment before it. With
    `forward` the symbol is the one of that name at the revision, and its history goes on to HEAD.
    Raises UnknownSymbol, AmbiguousSymbol, UnknownRevision, NotIndexed, UsageError where HEAD does
    not come after the revision.
    """
    text, as_of = split_commit(text, as_of)
    if as_of == WORKTREE:
        return _up_to_worktree(opened, text, layout=layout, forward=forward)
    commit = resolve(opened, as_of)
    if commit is None:
        raise UnknownSymbol(f"no symbol {text!r}", no_commits_note(opened.repository))
    with opened.store.read() as reader:
        try:
            reader.position(commit)
        except NotIndexed as error:
            raise not_indexed(opened, commit) from error
        head = resolve(opened, None) if forward else None
        found = _history(reader, (commit, head or commit), text, layout=layout)
        if as_of is None:
            return found
        return replace(found, notes=(*lost_notes(opened, reader, commit), *found.notes))


def _up_to_worktree(opened: Opened, text: str, *, layout: bool, forward: bool) -> HistoryAnswer:
    """Answer as of the commit under the work tree, and say so."""
    try:
        found = history(opened, text, None, layout=layout, forward=forward)
    except UnknownSymbol as error:
        why = "history ends at HEAD; what is only in the work tree has none yet"
        raise UnknownSymbol(str(error), why) from error
    return replace(found, partial=(*found.partial, _NOT_COMMITTED))


def _history(
    reader: Reader, commits: tuple[CommitId, CommitId], text: str, *, layout: bool
) -> HistoryAnswer:
    """Answer for a text as it is meant at the first commit, up to the second one."""
    asked, commit = commits
    key, symbol = locate(reader, asked, text)
    verdicts, threshold = verdicts_of(reader), calibration().threshold
    if symbol is None:
        before = Descent(reader.past, verdicts, threshold).walk(key, reader.position(asked))
        if not before:
            raise UnknownSymbol(f"no symbol {text!r} at {asked[:12]}", "it came later or elsewhere")
    notes: list[str] = []
    position = reader.position(commit)
    if symbol is None or asked != commit:
        later = Later(reader.past, verdicts, threshold, reader.ancestors_at, position)
        start = reader.position(asked)
        if start.seq > reader.ancestors_at(position).get(start.track, -1):
            raise UsageError("HEAD does not come after that revision", "leave out --forward")
        name = later.of_gone(key) if symbol is None else later.after(key, start)
        if name != key:
            notes.append(f"{key[0]}#{key[1]} is now {name[0]}#{name[1]}")
        key = name
        outline = reader.outline(commit, key[0])
        symbol = outline.symbol(key[1]) if outline else None
    descent = Descent(reader.past, verdicts, threshold)
    passed = descent.walk(key, position)
    events = _Telling(reader.past).events(passed, layout=layout)
    if descent.cut:
        notes.append("history is cut: what came before is not indexed")
    least = min((one.step for one in passed if one.step < 1.0), default=1.0)
    weakest = next((one for one in passed if one.step == least and one.alias), None)
    return HistoryAnswer(
        as_of=AsOf(commit),
        path=key[0],
        qualified_name=key[1],
        symbol=symbol,
        events=tuple(events),
        confidence=min((event.confidence for event in events), default=1.0),
        weakest=weakest.alias.id if weakest and weakest.alias else None,
        cut=descent.cut,
        notes=tuple(notes),
    )


class _Telling:
    """Makes events of what a walk passed."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._facts: dict[int, RegionFacts] = {}
        self._bodies: dict[int, str] = {}

    def events(self, passed: list[Passed], *, layout: bool) -> list[HistoryEvent]:
        """Return events, newest first, each commit and key once."""
        standings = [
            one
            for step in passed
            if None in step.told and not step.removed
            for one in (step.standing, *step.before)
        ]
        self._facts = self._past.facts(one.regions[0] for one in standings)
        self._bodies = self._past.bodies(region for one in standings for region in one.regions[1:])
        commits = self._past.commits([one.position for one in passed])
        found = []
        for step in _newest_first(passed, commits):
            kinds = self._kinds(step)
            if kinds == ["format"] and not layout:
                continue
            if kinds:
                found.append(self._event(step, kinds, commits[step.position]))
        return found

    def _kinds(self, step: Passed) -> list[str]:
        if step.removed:
            return ["removed"]
        if not step.before:
            if step.cut:
                return []
            return ["introduced", *(kind for kind in step.derived if kind in ("split", "merge"))]
        versions = [
            set(self._changes(old, step.standing) if told is None else told)
            | set(_OF_ALIAS.get(alias.kind, ()) if alias else ())
            for old, told, alias in zip(step.before, step.told, step.renames, strict=True)
        ]
        told = set.intersection(*versions) if versions else set()
        if step.alias is not None and told - {"format"}:
            told -= {"format"}
        first = [kind for kind in _ORDER if kind in told]
        return first + sorted(told - set(first), key=lambda kind: (kind == "format", kind))

    def _changes(self, old: Standing, new: Standing) -> list[str]:
        return changes(self._version(old), self._version(new))

    def _version(self, standing: Standing) -> Version:
        nested = [self._bodies.get(region, "") for region in standing.regions[1:]]
        return Version(self._facts[standing.regions[0]], standing.ordinal, nested)

    def _event(self, step: Passed, kinds: list[str], commit: CommitRow) -> HistoryEvent:
        alias = step.alias
        evidence = reasons(alias.evidence) if alias else []
        evidence += [f"{kind} of {path}#{name}" for kind, path, name in step.sources]
        return HistoryEvent(
            commit=commit.id,
            author_date=commit.author_date,
            changes=tuple(kinds),
            path=step.key[0],
            qualified_name=step.key[1],
            start_line=step.standing.start_line,
            end_line=step.standing.end_line,
            confidence=round(step.confidence, 4),
            evidence=tuple(evidence),
            alias=alias.id if alias else None,
        )


def _newest_first(passed: list[Passed], commits: dict[Position, CommitRow]) -> Iterable[Passed]:
    """Yield steps by date, but none before all that follow it in time."""
    waiting = dict.fromkeys(range(len(passed)), 0)
    for step in passed:
        for earlier in step.earlier:
            waiting[earlier] += 1
    heap = [
        (-commits[step.position].committer_date, number)
        for number, step in enumerate(passed)
        if not waiting[number]
    ]
    heap.sort()
    while heap:
        _, number = heappop(heap)
        yield passed[number]
        for earlier in passed[number].earlier:
            waiting[earlier] -= 1
            if not waiting[earlier]:
                date = commits[passed[earlier].position].committer_date
                heappush(heap, (-date, earlier))
