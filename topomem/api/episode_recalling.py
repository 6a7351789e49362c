"""Episodes for a bundle and for a symbol: what was tried before, and what came of it.

What failed comes first: it is what would be tried again. What was superseded is told by name, with
what took its place, and never as current.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from topomem.api.episode_answers import EpisodeAnswer
from topomem.api.episode_derived import derived_of_symbols
from topomem.api.episode_names import Names
from topomem.api.episode_stale import Staleness
from topomem.api.episodes import Plane, with_rivals
from topomem.episodes.recall import FILLERS, TEXT, Match, match
from topomem.model.bundle import Detail, Passage
from topomem.model.episode import Episode
from topomem.model.ids import CommitId, FilePath, Moniker, QualifiedName, split_moniker
from topomem.retrieve.beside import MOST, Aside

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.api.view import View

MOST_OF_SYMBOL = 10
"""So many episodes are told of one symbol."""

LEAST_OF_TASK = 0.4
"""Least share of a task's weight that the words of an episode must cover."""

VALUABLE = frozenset({"failed", "rolled_back"})
"""Outcomes that keep one from doing it again."""

_BONUS = 0.1
_RANK_STEP = 0.08
_BY_GIT = 0.3
_FOLLOWED = 3
"""So many of the best symbols are looked for under their earlier names, too."""

_MOST_STALE = 3
_LONGEST = 600


def episodes_of_symbol(
    opened: Opened, view: View, path: FilePath, name: QualifiedName
) -> tuple[tuple[EpisodeAnswer, ...], int]:
    """Return the current episodes about a symbol (or a file), failed ones first; and how many."""
    plane = Plane.open(opened, view)
    if plane is None:
        return (), 0
    taken_back = _taken_back(opened, view, [(path, name)] if name else [])
    if not plane.visible.count():
        return taken_back[:MOST_OF_SYMBOL], len(taken_back)
    kind = "symbol" if name else "path"
    roots = {root for root, _ in plane.visible.linked(kind, Names(view).of(path, name))}
    stale, now = Staleness(opened, view), plane.visible.latest()
    found = [one for one in plane.some(roots) if not one.superseded_by]
    found.sort(key=lambda one: (one.outcome not in VALUABLE, one.archived, -one.last.recorded_at))
    told = [
        replace(plane.answer(one, None, now), stale=stale.of(one), is_put_away=one.archived)
        for one in with_rivals(found[:MOST_OF_SYMBOL])
    ]
    every = (*told, *taken_back)
    return every[:MOST_OF_SYMBOL], len(found) + len(taken_back)


def beside_episodes(
    opened: Opened, view: View, stems: Collection[str], targets: Sequence[Moniker]
) -> Aside:
    """Return the episodes that a task should know of, and those it must not take for current."""
    plane = Plane.open(opened, view)
    if plane is None:
        return Aside()
    total = plane.visible.count()
    if not total:
        return _aside(opened, view, _by_git(opened, view, targets), ())
    wanted = tuple(stem for stem in stems if stem not in FILLERS)
    hits = plane.visible.hits(wanted)
    spoken = match(hits, wanted, total, LEAST_OF_TASK)
    touched = _touched(plane, targets, {root for root, _ in hits})
    now = plane.visible.latest()
    current: list[EpisodeAnswer] = []
    passed: list[EpisodeAnswer] = []
    for episode in plane.some({*spoken, *touched}):
        answer = _weighed(plane, episode, spoken.get(episode.id), touched.get(episode.id), now)
        if episode.superseded_by:
            passed.append(answer)
        elif not episode.archived:
            current.append(answer)
    current += _successors(plane, passed, {one.episode.id for one in current})
    current += _by_git(opened, view, targets)
    return _aside(opened, view, _best_first(current), _best_first(passed))


def joined(*asides: Aside) -> Aside:
    """Return several asides as one: the best of each in turn."""
    columns = [list(aside.passages) for aside in asides]
    longest = max(map(len, columns), default=0)
    return Aside(
        passages=tuple(
            column[at] for at in range(longest) for column in columns if at < len(column)
        ),
        conflicts=tuple(text for aside in asides for text in aside.conflicts),
        stale=tuple(text for aside in asides for text in aside.stale),
        totals=tuple(total for aside in asides for total in aside.totals),
    )


def _touched(
    plane: Plane, targets: Sequence[Moniker], spoken: Collection[str]
) -> dict[str, tuple[float, str]]:
    """Return episodes about the best symbols: how much that counts, and the symbol.

    But for the very best one they must speak of the task, too, with one word at least.
    """
    names = Names(plane.view)
    ranks: dict[str, tuple[int, Moniker]] = {}
    for rank, target in enumerate(targets):
        path, name = split_moniker(target)
        known = names.of(path, name) if rank < _FOLLOWED else [target]
        for one in known if name else ():
            ranks.setdefault(one, (rank, target))
    found: dict[str, tuple[float, str]] = {}
    for root, linked in plane.visible.linked("symbol", ranks):
        rank, target = ranks[linked]
        sure = max(0.0, 1 - _RANK_STEP * rank)
        if (rank == 0 or root in spoken) and sure > found.get(root, (0.0, ""))[0]:
            was = f" (was {linked})" if linked != target else ""
            found[root] = sure, f"about {target}{was}"
    return found


def _by_git(opened: Opened, view: View, targets: Sequence[Moniker]) -> list[EpisodeAnswer]:
    """Return changes of the very best symbols that were taken back, as git tells."""
    keys = [split_moniker(target) for target in targets[:_FOLLOWED]]
    found = _taken_back(opened, view, [key for key in keys if key[1]])
    return [
        replace(one, score=_BY_GIT, why=("git tells that a change of it was taken back",))
        for one in found[:1]
    ]


def _taken_back(
    opened: Opened, view: View, keys: Sequence[tuple[FilePath, QualifiedName]]
) -> tuple[EpisodeAnswer, ...]:
    at = view.stored
    if view.reader is None or at is None or not keys:
        return ()
    return derived_of_symbols(opened, view.reader, at, keys)


def _weighed(
    plane: Plane,
    episode: Episode,
    spoken: Match | None,
    touched: tuple[float, str] | None,
    now: int,
) -> EpisodeAnswer:
    """Return an episode with its score: words and what it touched, and more if it went wrong."""
    answer = plane.answer(episode, spoken, now)
    share = spoken.share if spoken else 0.0
    more = TEXT * max(0.0, (touched[0] if touched else 0.0) - share)
    bonus = _BONUS if episode.outcome in VALUABLE else 0.0
    why = ((touched[1],) if touched else ()) + answer.why
    return replace(answer, score=round(min(1.0, answer.score + more + bonus), 4), why=why)


def _successors(
    plane: Plane, passed: Sequence[EpisodeAnswer], known: set[str]
) -> Iterator[EpisodeAnswer]:
    """Yield what took the place of episodes that the task meets, at the end of each chain."""
    for old in passed:
        seen = {old.episode.id}
        waiting = list(old.episode.superseded_by)
        while waiting:
            key = waiting.pop()
            if key in seen:
                continue
            seen.add(key)
            for one in plane.some([key]):
                if one.superseded_by:
                    waiting += one.superseded_by
                elif key not in known and not one.archived:
                    known.add(key)
                    reason = f"took the place of {old.episode.id}"
                    yield replace(plane.answer(one), score=old.score, why=(reason,))


def _aside(
    opened: Opened, view: View, current: Sequence[EpisodeAnswer], passed: Sequence[EpisodeAnswer]
) -> Aside:
    stale = Staleness(opened, view)
    shown = [replace(one, stale=stale.of(one.episode)) for one in current[:MOST]]
    return Aside(
        passages=tuple(tuple(_forms(one)) for one in shown),
        conflicts=tuple(
            f"episode {one.episode.id}: {text}" for one in shown for text in one.episode.conflicts
        ),
        stale=tuple(_superseded(one) for one in passed[:_MOST_STALE]),
        totals=(("episode", len(current)),),
    )


def _forms(answer: EpisodeAnswer) -> Iterator[Passage]:
    """Yield an episode's passages, fullest first: what was wanted and learnt, then less of it."""
    one = answer.episode
    head = f"{one.outcome}: {one.title}"
    learnt = f"concluded: {_short(one.conclusion)}" if one.conclusion else ""
    wanted = (
        f"request: {_short(one.first.text)}" if one.kind == "episode" and one.first.text else ""
    )
    notes = [f"{event.kind}: {_short(event.text)}" for event in one.events[1:]
             if event.kind in _TOLD and event.text and event.id not in one.replaced]  # fmt: skip
    evidence = list(_evidence(answer))
    full = [head, wanted, *notes[-3:], learnt, *evidence, *answer.notes]
    forms: list[tuple[list[str], Detail]] = [
        (full, "body"),
        ([head, learnt, *evidence[:1]], "signature"),
        ([head], "name"),
    ]
    commit = one.last.commit_id
    for lines, detail in forms:
        yield Passage(
            kind="episode",
            path=FilePath(""),
            qualified_name=QualifiedName(one.id),
            start_line=0,
            end_line=0,
            detail=detail,
            text="\n".join(line for line in lines if line),
            score=answer.score,
            why=answer.why,
            citation=None,
            provenance=answer.provenance,
            commits=(CommitId(commit),) if commit else (),
        )


_TOLD = frozenset({"incident", "rollback", "review", "note", "plan"})


def _evidence(answer: EpisodeAnswer) -> Iterator[str]:
    """Yield a line for each piece of evidence, the last first, and whether it still holds."""
    for event in reversed(answer.episode.events):
        reasons = answer.stale.get(event.id)
        if reasons is not None:
            said = str(event.data.get("summary") or event.text)
            state = f"stale: {'; '.join(reasons)}" if reasons else "current"
            yield f"{event.kind.replace('_', ' ')}: {_short(said, 200)} ({state})"


def _superseded(answer: EpisodeAnswer) -> str:
    one = answer.episode
    after = ", ".join(one.superseded_by)
    return f"episode {one.id} ({one.title}), {one.finished_as}, is superseded by {after}"


def _short(text: str, longest: int = _LONGEST) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else plain[: longest - 3] + "..."


def _best_first(answers: Sequence[EpisodeAnswer]) -> list[EpisodeAnswer]:
    return sorted(answers, key=lambda one: (-one.score, one.episode.id))
