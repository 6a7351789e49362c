"""Episodes as of a revision: listed, searched, shown.

Only events bound to the commit asked about, or to what is behind it, are there; so an episode is
told as it stood then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from topomem.api.answers import AsOf, Empty
from topomem.api.episode_answers import EpisodeAnswer
from topomem.api.episode_derived import derived, derived_of_symbols
from topomem.api.episode_linking import inside
from topomem.api.episode_moment import Moment, moment_of, open_best, open_plain
from topomem.api.episode_names import Names, symbol_key
from topomem.api.episode_stale import Staleness
from topomem.api.episode_writing import decision_names, find_root
from topomem.api.view import not_indexed, open_view
from topomem.episodes.duplicates import rivals
from topomem.episodes.fold import fold, rival_text
from topomem.episodes.recall import Asked, Match, ask, best, match, score, with_guesses
from topomem.errors import NotIndexed, UnknownItem, UsageError
from topomem.model.episode import OUTCOMES, PROSE, Episode
from topomem.model.words import stem, words
from topomem.retrieve.question import FUNCTION_WORDS

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.api.view import View
    from topomem.store.episode import Visible
    from topomem.store.reader import Reader

MOST_LISTED = 200
_WHOLE_ID = 16

MOST_READ = 500
"""So many of the episodes that speak of a question are looked at closely."""

MOST_HOT = 1_000
"""So many episodes are told unasked, the critical ones beside; older ones count as archived."""


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """Which episodes are wanted; an empty field means any. `all`: put away and superseded too."""

    outcome: str = ""
    symbol: str = ""
    path: str = ""
    issue: str = ""
    decision: str = ""
    text: str = ""
    all: bool = False
    derived: bool = False  # those that git tells of by itself, and only those
    limit: int = MOST_LISTED
    decisions: tuple[str, ...] = ()  # what `decision` may be linked by

    @property
    def is_search(self) -> bool:
        """Whether something is asked for, and not all there is."""
        return bool(self.text or self.symbol or self.path or self.issue or self.decision)


@dataclass(frozen=True, slots=True)
class EpisodesAnswer:
    """Episodes, the latest first, or the best for a question; `total` is before the limit."""

    as_of: AsOf
    episodes: tuple[EpisodeAnswer, ...]
    total: int
    mode: str = "all"
    empty: Empty | None = None
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeShown:
    """One episode with all its events."""

    as_of: AsOf
    answer: EpisodeAnswer
    partial: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plane:
    """The episode plane as of an opened view, for one reader."""

    opened: Opened
    view: View
    reader: Reader
    moment: Moment
    visible: Visible

    @classmethod
    def open(cls, opened: Opened, view: View) -> Plane | None:
        """Return the plane; None where there is no store to read from."""
        if view.reader is None:
            return None
        moment = moment_of(opened, view, view.reader)
        return cls(opened, view, view.reader, moment, view.reader.episodes(moment.commits))

    def all(self) -> list[Episode]:
        """Return every episode this reader may see."""
        return readable(self.opened, fold(self.visible.events()))

    def some(self, roots: Iterable[str]) -> list[Episode]:
        """Return these episodes, as far as this reader may see them."""
        wanted = set(roots)
        return readable(self.opened, fold(self.visible.events_of(wanted))) if wanted else []

    def answer(self, episode: Episode, found: Match | None = None, now: int = 0) -> EpisodeAnswer:
        """Return an episode with what is to be said of it."""
        why = ("speaks of " + ", ".join(found.stems[:5]),) if found and found.stems else ()
        return EpisodeAnswer(
            episode,
            score=round(score(episode, found.share if found else 0.0, now), 4),
            why=why,
            notes=self.labels(episode),
        )

    def labels(self, episode: Episode) -> tuple[str, ...]:
        """Return what is to be said of the commits of an episode."""
        commits = dict.fromkeys(event.commit_id for event in episode.events)
        found = [f"{one[:12]}: {self.moment.label(one)}" for one in commits if one
                 and self.moment.label(one)]  # fmt: skip
        return tuple(found)


def readable(opened: Opened, episodes: Sequence[Episode]) -> list[Episode]:
    """Return what the reader may see of episodes; without a policy that is everything."""
    del opened  # its principal decides, once there are rules
    return list(episodes)


def episodes(opened: Opened, query: EpisodeQuery, as_of: str | None) -> EpisodesAnswer:
    """Return the episodes that match, as of a revision.

    Raises UsageError, UnknownRevision, UnknownSymbol, NotIndexed.
    """
    if query.outcome and query.outcome not in OUTCOMES:
        raise UsageError(f"unknown outcome {query.outcome!r}", "one of: " + ", ".join(OUTCOMES))
    if query.derived:
        return _derived(opened, query, as_of)
    if query.decision:
        query = replace(query, decisions=tuple(decision_names(opened, query.decision)))
    by_name = query.symbol and "#" not in query.symbol
    with (open_view if by_name else open_plain)(opened, as_of) as view:
        plane = Plane.open(opened, view)
        if plane is None:
            return EpisodesAnswer(view.as_of, (), 0, empty=view.empty(), notes=view.notes)
        asked, every = _asked(plane, query.text)
        found = None if every is None else best(every, MOST_READ)
        chosen = _chosen(plane, query, found)
        now = plane.visible.latest()
        answers = [plane.answer(one, found.get(one.id) if found else None, now) for one in chosen]
        answers = _sorted(answers, by_score=bool(query.text))
        hot = plane.visible.hot(MOST_HOT)
        hidden = [one for one in answers if not _is_told(one, query, hot)]
        told = [one for one in answers if _is_told(one, query, hot)]
        stale = Staleness(opened, view)
        chosen_few = told[: query.limit]
        before = superseded_by(plane, [one.episode.id for one in chosen_few])
        shown = [_finished(stale, before, one, hot) for one in chosen_few]
        cold = 0 if query.is_search or query.all else plane.visible.count() - len(chosen)
        unseen = len(hidden) + (cold if not query.outcome else 0)
        unread = len(every or ()) - len(found or ())
        looked = [f"{unread} more speak of it, less than those looked at"] if unread else []
        notes = [*view.notes, *looked, *_remarks(plane, asked, unseen, len(told) - len(shown))]
        at = view.as_of.commit or view.as_of.base_commit
        empty = None if shown else Empty("no_match", at, _why_none(plane, hidden))
        return EpisodesAnswer(
            view.as_of, tuple(shown), len(told), _mode(query, asked), empty,
            view.partial, tuple(notes),
        )  # fmt: skip


def episode(opened: Opened, text: str, as_of: str | None) -> EpisodeShown:
    """Return one episode with all its events as of a revision; superseded ones too.

    Raises UnknownItem, UnknownRevision, NotIndexed.
    """
    with open_best(opened, as_of) as view:
        plane = Plane.open(opened, view)
        if plane is None:
            raise UnknownItem(f"no episode {text!r}", "nothing was recorded yet")
        if told := _derived_one(opened, view, text):
            return EpisodeShown(view.as_of, told, view.partial, view.notes)
        root = find_root(plane.reader, text)
        found = plane.some([root])
        if not found:
            raise UnknownItem(
                f"no episode {text!r} as of this revision", "it is bound to a later commit"
            )
        before = superseded_by(plane, [root])
        whole = with_rivals(found)[0]
        answer = _finished(Staleness(opened, view), before, plane.answer(whole), None)
        return EpisodeShown(view.as_of, answer, view.partial, view.notes)


def _derived(opened: Opened, query: EpisodeQuery, as_of: str | None) -> EpisodesAnswer:
    """Return what git tells by itself. Raises NotIndexed."""
    with (open_view if query.symbol else open_plain)(opened, as_of) as view:
        at = view.as_of.commit or view.as_of.base_commit
        if view.reader is None or at is None:
            return EpisodesAnswer(view.as_of, (), 0, empty=view.empty(), notes=view.notes)
        try:
            if query.symbol:
                key = symbol_key(view, query.symbol)
                found = derived_of_symbols(opened, view.reader, at, [key])
            else:
                found = derived(opened, view.reader, at).answers
        except NotIndexed as error:
            raise not_indexed(opened, at) from error
    told = [one for one in found if _is_wanted(one.episode, query)]
    shown = tuple(told[: query.limit])
    cut = len(told) - len(shown)
    notes = (*view.notes, *((f"{cut} more; say which, or raise --limit",) if cut else ()))
    empty = None if shown else Empty("no_match", at, "git tells of nothing like it")
    return EpisodesAnswer(view.as_of, shown, len(told), "derived", empty, notes=notes)


def _derived_one(opened: Opened, view: View, text: str) -> EpisodeAnswer | None:
    """Return the one episode that git tells of whose id this is; what was recorded goes first."""
    if view.reader is None or view.stored is None or len(text) < _WHOLE_ID:
        return None
    if view.reader.event_ids(text):
        return None
    told = derived(opened, view.reader, view.stored).answers
    return next((one for one in told if one.episode.id == text), None)


def _is_wanted(episode: Episode, query: EpisodeQuery) -> bool:
    if query.outcome not in ("", episode.outcome):
        return False
    wanted = ask(query.text, FUNCTION_WORDS).stems
    texts = (episode.title, episode.conclusion, *(event.text for event in episode.events))
    said = {stem(word) for text in texts for word in words(text)} if wanted else set()
    return all(one in said for one in wanted)


def _asked(plane: Plane, text: str) -> tuple[Asked, dict[str, Match] | None]:
    """Return what a text asks for and the episodes that answer; None where nothing was asked."""
    if not text.strip():
        return Asked((), {}), None
    return search(plane, ask(text, FUNCTION_WORDS))


def search(
    plane: Plane, asked: Asked, least: float | None = None
) -> tuple[Asked, dict[str, Match]]:
    """Return the episodes that answer: by the words as they are, else as they may be meant."""
    more = {} if least is None else {"least": least}
    hits = plane.visible.hits(asked.stems)
    total = plane.visible.count()
    found = match(hits, asked.stems, total, **more)
    if found:
        return asked, found
    meant = with_guesses(asked, {one for _, one in hits}, plane.visible.stems)
    if not meant.guessed:
        return asked, {}
    return meant, match(plane.visible.hits(meant.read), meant.read, total, **more)


def _chosen(plane: Plane, query: EpisodeQuery, found: Mapping[str, Match] | None) -> list[Episode]:
    roots: set[str] | None = None if found is None else set(found)
    for kind, targets in _targets(plane, query):
        linked = {root for root, _ in plane.visible.linked(kind, targets)}
        roots = linked if roots is None else roots & linked
    if roots is None and not query.all:
        roots = set(plane.visible.hot(MOST_HOT))
    chosen = plane.all() if roots is None else plane.some(roots)
    return [one for one in chosen if query.outcome in ("", one.outcome)]


def _targets(plane: Plane, query: EpisodeQuery) -> list[tuple[str, Sequence[str]]]:
    """Return what episodes must be linked to, by kind of link."""
    wanted: list[tuple[str, Sequence[str]]] = []
    names = Names(plane.view)
    if query.symbol:
        key = symbol_key(plane.view, query.symbol)
        wanted.append(("symbol" if key[1] else "path", names.of(*key)))
    if query.path:
        wanted.append(("path", names.of(inside(plane.opened, query.path), "")))
    if query.issue:
        wanted.append(("issue", _issue_spellings(query.issue)))
    if query.decision:
        wanted.append(("decision", query.decisions))
    return wanted


def _issue_spellings(issue: str) -> list[str]:
    bare = issue.strip().lstrip("#")
    return [bare, f"#{bare}", bare.lower(), bare.upper()]


def _sorted(answers: list[EpisodeAnswer], *, by_score: bool) -> list[EpisodeAnswer]:
    if by_score:
        return sorted(answers, key=lambda one: (-one.score, one.episode.id))
    return sorted(answers, key=lambda one: (-one.episode.last.recorded_at, one.episode.id))


def _is_told(answer: EpisodeAnswer, query: EpisodeQuery, hot: frozenset[str]) -> bool:
    """Whether an episode is told: what is put away is found when it is asked for, or with `all`."""
    one = answer.episode
    if query.all or query.outcome == one.outcome == "superseded":
        return True
    if one.superseded_by or one.outcome == "superseded":
        return False
    return query.is_search or (not one.archived and one.id in hot)


def with_rivals(episodes: Sequence[Episode]) -> list[Episode]:
    """Return episodes about one thing with the contradictions between their notes."""
    notes = [
        (event.id, event.text)
        for one in episodes
        for event in one.events
        if event.kind in PROSE and event.id not in one.replaced
    ]
    pairs = rivals(notes)
    return [
        replace(one, conflicts=tuple(dict.fromkeys((*one.conflicts, *_rivalry(one, pairs)))))
        for one in episodes
    ]


def _rivalry(episode: Episode, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    kinds = {event.id: event.kind for event in episode.events}
    for old, new in pairs:
        if new in kinds:
            yield rival_text(kinds[new], new, old)
        elif old in kinds:
            yield rival_text(kinds[old], old, new)


def superseded_by(plane: Plane, roots: Sequence[str]) -> dict[str, list[str]]:
    """Return the episodes that each of some episodes took the place of."""
    linked = {root for root, _ in plane.visible.linked("episode", roots)}
    found: dict[str, list[str]] = {}
    for old in plane.some(linked):
        for new in old.superseded_by:
            found.setdefault(new, []).append(old.id)
    return found


def _finished(
    stale: Staleness,
    before: Mapping[str, Sequence[str]],
    answer: EpisodeAnswer,
    hot: frozenset[str] | None,
) -> EpisodeAnswer:
    """Return an answer with what is costly to say, for those that are shown."""
    one = answer.episode
    put_away = one.archived or (hot is not None and one.id not in hot)
    return replace(
        answer,
        notes=(*answer.notes, *(("archived",) if put_away else ())),
        supersedes=tuple(sorted(before.get(one.id, ()))),
        stale=stale.of(one),
        is_put_away=put_away,
    )


def _remarks(plane: Plane, asked: Asked, hidden: int, cut: int) -> Iterable[str]:
    for word, meant in asked.guessed.items():
        yield f"{word!r} is not known; read as {meant!r}"
    if hidden:
        yield f"{hidden} superseded or archived; see --all"
    if cut:
        yield f"{cut} more; say which, or raise --limit"
    if plane.moment.absent:
        yield f"{plane.moment.absent} commits with events are not in this repository"


def _why_none(plane: Plane, hidden: Sequence[EpisodeAnswer]) -> str:
    if hidden:
        return f"{len(hidden)} match, all superseded or archived; see --all"
    return "" if plane.visible.count() else "nothing was recorded as of this revision"


def _mode(query: EpisodeQuery, asked: Asked) -> str:
    if not query.text:
        return "all"
    return "typo" if asked.guessed else "lexical"
