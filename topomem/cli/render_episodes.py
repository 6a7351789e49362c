"""Episodes for people: plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from topomem.cli.output import say
from topomem.cli.render import tell_empty, tell_notes

if TYPE_CHECKING:
    from topomem.api.episode_answers import EpisodeAnswer
    from topomem.api.episode_evidence import Imported
    from topomem.api.episode_writing import Recorded
    from topomem.api.episodes import EpisodesAnswer, EpisodeShown
    from topomem.model.episode import Event

MOST_LINKS = 12


def episode_lines(answer: EpisodesAnswer) -> Iterator[str]:
    """Yield one line per episode: id, outcome, date, title."""
    tell_notes(answer.notes, answer.partial)
    if answer.empty:
        tell_empty(answer.empty)
    for one in answer.episodes:
        yield episode_line(one)
        yield from (f"    {line}" for line in _beneath(one))


def episode_line(answer: EpisodeAnswer) -> str:
    """Return id, outcome, date, commit and title."""
    from topomem.api.episode_item import moment_text

    one = answer.episode
    date = moment_text(one.last.recorded_at)[:10]
    kind = "" if one.kind == "episode" else f"{one.kind.replace('_', ' ')}: "
    commit = one.first.commit_id[:12] + ("+" if one.first.dirty else "")
    tag = "" if one.relevance == "normal" else f" [{one.relevance}]"
    return f"{one.id}  {one.outcome:<11} {date}  {commit:<13}{tag} {kind}{one.title}".rstrip()


def shown_lines(answer: EpisodeShown) -> Iterator[str]:
    """Yield the head of an episode, what it is linked to, then its events."""
    tell_notes(answer.notes, answer.partial)
    one = answer.answer.episode
    yield episode_line(answer.answer)
    yield from _beneath(answer.answer)
    for title, names in (
        ("symbol", [link.symbol for link in one.links.symbols]),
        ("path", list(one.links.paths)),
        ("issue", list(one.links.issues)),
        ("decision", list(one.links.decisions)),
        ("episode", list(one.links.episodes)),
    ):
        yield from (f"{title} {name}" for name in names[:MOST_LINKS])
        if len(names) > MOST_LINKS:
            yield f"{title} {len(names) - MOST_LINKS} more"
    for event in one.events:
        yield ""
        yield from _event_lines(answer.answer, event)


def recorded_lines(recorded: Recorded) -> Iterator[str]:
    """Yield the id of what was recorded, for scripts; the rest goes to standard error."""
    tell_notes(recorded.notes)
    if recorded.replaced:
        say(f"topomem: took the place of {', '.join(recorded.replaced)}")
    if recorded.rivals:
        say(f"topomem: may contradict {', '.join(recorded.rivals)}; both are kept")
    yield recorded.id


def imported_lines(found: Sequence[Imported]) -> Iterator[str]:
    """Yield one line per file that was read; what could not be read goes to standard error."""
    for one in found:
        for trouble in one.troubles:
            say(f"topomem: {one.name}: {trouble}")
        if one.kind:
            yield f"{one.name}  {one.kind.replace('_', ' ')}  {one.summary}  {' '.join(one.events)}"


def _beneath(answer: EpisodeAnswer) -> Iterator[str]:
    one = answer.episode
    if one.superseded_by:
        yield f"superseded by {', '.join(one.superseded_by)} (was {one.finished_as})"
    if one.conclusion:
        yield f"concluded: {' '.join(one.conclusion.split())[:200]}"
    yield from (f"conflict: {text}" for text in one.conflicts)
    stale = sorted({reason for reasons in answer.stale.values() for reason in reasons})
    yield from (f"stale: {text}" for text in stale)
    yield from answer.notes


def _event_lines(answer: EpisodeAnswer, event: Event) -> Iterator[str]:
    from topomem.api.episode_item import moment_text

    commit = event.commit_id[:12] + ("+" if event.dirty else "")
    marks = [str(event.body.get("outcome") or "")]
    if event.id in answer.episode.replaced:
        marks.append("(a later wording took its place)")
    if event.id in answer.stale:
        reasons = answer.stale[event.id]
        marks.append(f"stale: {'; '.join(reasons)}" if reasons else "current")
    if event.origin:
        marks.append(f"from {event.origin}")
    said = " ".join(mark for mark in marks if mark)
    author = str(event.body.get("author") or "")
    head = (event.id, event.kind, moment_text(event.recorded_at), commit, author, said)
    yield "  ".join(part for part in head if part)
    yield from (f"    {line}" for line in event.text.splitlines())
    summary = str(event.data.get("summary") or "")
    yield from (f"    {line}" for line in summary.splitlines())
    for line in str(event.data.get("output_tail") or "").splitlines():
        yield f"    | {line}"
