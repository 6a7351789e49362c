"""Episodes that git tells of by itself: changes that were taken back, repairs, releases.

Nobody recorded them: they are read from messages and tags of the commits behind the one that is
asked about, each with how that was concluded and how surely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from topomem.api.at_the_door import clean
from topomem.api.episode_answers import EpisodeAnswer
from topomem.episodes.fold import LONGEST_TITLE
from topomem.evidence.claims import title_of
from topomem.evidence.from_git import links_of_history
from topomem.model.bundle import Provenance
from topomem.model.episode import Episode, Event, Outcome
from topomem.model.evidence import HistoryLink, Tag
from topomem.model.ids import CommitId
from topomem.store.claims import commits_behind, taking_back

if TYPE_CHECKING:
    from topomem.api.opening import Opened
    from topomem.model.history import Commit
    from topomem.model.ids import FilePath, QualifiedName
    from topomem.store.reader import Reader

MOST_TOUCHES = 30
"""So many of the last changes of a symbol are looked at."""

LEAST_SURE = 0.5
"""Links that are less sure are not told."""

_LONGEST_REASON = 600


@dataclass(frozen=True, slots=True)
class Derived:
    """What git tells as of a commit: episodes, the latest first."""

    answers: tuple[EpisodeAnswer, ...]

    def about(self, commits: Iterable[str]) -> tuple[EpisodeAnswer, ...]:
        """Return those in which one of these commits takes part."""
        wanted = set(commits)
        return tuple(
            one
            for one in self.answers
            if any(event.commit_id in wanted for event in one.episode.events)
        )


def derived(opened: Opened, reader: Reader, at: CommitId) -> Derived:
    """Return what git tells as of a stored commit. Raises NotIndexed."""
    behind = reader.ancestors(at)
    commits = {one.id: one for one in commits_behind(reader.connection, behind)}
    tags = [
        Tag(name.removeprefix(_TAGS), commit)
        for name, commit in opened.repository.references().items()
        if name.startswith(_TAGS) and commit in commits
    ]
    links = [
        link
        for link in links_of_history(list(commits.values()), tags)
        if link.is_resolved and link.provenance.confidence >= LEAST_SURE
    ]
    found = [*_taken_back(links, commits), *_repairs(links, commits), *_releases(links, commits)]
    found.sort(key=lambda one: (-one.episode.last.recorded_at, one.episode.id))
    return Derived(tuple(found))


def derived_of_symbols(
    opened: Opened, reader: Reader, at: CommitId, keys: Sequence[tuple[FilePath, QualifiedName]]
) -> tuple[EpisodeAnswer, ...]:
    """Return the changes of some symbols that were taken back, as git tells, the latest first.

    Costs little where no commit that changed them takes anything back. Raises NotIndexed.
    """
    suspects = taking_back(reader.connection, reader.ancestors(at))
    if not suspects:
        return ()
    touched = reader.last_touches(keys, at, MOST_TOUCHES)
    commits = {commit for some in touched.values() for commit in some}
    if not commits & suspects:
        return ()
    told = derived(opened, reader, at).about(commits)
    return tuple(one for one in told if one.episode.kind == ROLLBACK)


ROLLBACK, FIX, RELEASE = "rollback", "fix", "release"
"""Kinds of episodes that git tells of."""

_TAGS = "refs/tags/"


def _taken_back(
    links: Sequence[HistoryLink], commits: Mapping[CommitId, Commit]
) -> Iterable[EpisodeAnswer]:
    """Yield every change that was taken back, with how that went on."""
    by_target: dict[str, list[HistoryLink]] = defaultdict(list)
    for link in links:
        if link.kind in ("reverts", "relands") and link.target_kind == "commit":
            by_target[link.target].append(link)
    speakers = {link.commit for some in by_target.values() for link in some}
    for target, some in by_target.items():
        if target not in commits or target in speakers:
            continue  # what is done to a revert is told of what that took back
        if all(link.kind != "reverts" for link in some):
            continue
        first = commits[CommitId(target)]
        surest = {
            link.commit: link for link in sorted(some, key=lambda one: one.provenance.confidence)
        }
        later = sorted(
            surest.values(), key=lambda link: (commits[link.commit].committer_date, link.commit)
        )
        outcome: Outcome = "rolled_back" if later[-1].kind == "reverts" else "succeeded"
        events = [_event("patch", first, first.message)]
        events += [
            _event(ROLLBACK if link.kind == "reverts" else "patch", one, one.message)
            for link in later
            for one in (commits[link.commit],)
        ]
        last = next(link for link in reversed(later) if link.kind == "reverts")
        said = title_of(first.message), _reason(commits[last.commit].message)
        yield _answer(ROLLBACK, outcome, events, last, said)


def _repairs(
    links: Sequence[HistoryLink], commits: Mapping[CommitId, Commit]
) -> Iterable[EpisodeAnswer]:
    for link in links:
        if link.kind in ("fixes", "amends", "follows_up") and link.target in commits:
            broken, repair = commits[CommitId(link.target)], commits[link.commit]
            events = [_event("patch", broken, broken.message), _event(FIX, repair, repair.message)]
            repaired = f"repairs {broken.id[:12]}: {title_of(broken.message)}"
            said = title_of(repair.message), repaired
            yield _answer(FIX, "succeeded", events, link, said)


def _releases(
    links: Sequence[HistoryLink], commits: Mapping[CommitId, Commit]
) -> Iterable[EpisodeAnswer]:
    for link in links:
        if link.kind == "releases":
            event = _event(RELEASE, commits[link.commit], link.target)
            yield _answer(RELEASE, "succeeded", [event], link, (link.target, ""))


def _answer(
    kind: str,
    outcome: Outcome,
    events: Sequence[Event],
    link: HistoryLink,
    said: tuple[str, str],
) -> EpisodeAnswer:
    """Return an episode of events; `said` are its title and what is to be learnt."""
    title, conclusion = said
    key = sha256(f"{kind}\0{events[0].commit_id}\0{link.target}".encode()).hexdigest()[:16]
    first = replace(events[0], id=key)
    episode = Episode(
        id=key,
        kind=kind,
        title=clean(title, LONGEST_TITLE),
        outcome=outcome,
        finished_as=outcome,
        relevance="normal",
        events=(first, *events[1:]),
        conclusion=clean(conclusion),
    )
    told = link.provenance
    source = f"git: {told.source}"
    return EpisodeAnswer(episode, told=Provenance(told.method, source, told.confidence))


def _event(kind: str, commit: Commit, text: str) -> Event:
    body = {"kind": kind, "commit_id": commit.id, "text": clean(text.strip())}
    key = sha256(f"{kind}\0{commit.id}".encode()).hexdigest()[:16]
    return Event(key, "", kind, commit.committer_date * 1000, commit.id, body, "git")


def _reason(message: str) -> str:
    """Return what a message says beside its title and the line that git writes."""
    _, _, rest = message.strip().partition("\n")
    lines = [line for line in rest.splitlines() if not line.startswith("This reverts commit")]
    return " ".join(" ".join(lines).split())[:_LONGEST_REASON]
