"""Answers about episodes as plain documents, in the words of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topomem.api.documents import Document, moment_document
from topomem.api.episode_item import episode_document, event_document

if TYPE_CHECKING:
    from topomem.api.episode_evidence import Imported
    from topomem.api.episode_writing import Recorded
    from topomem.api.episodes import EpisodesAnswer, EpisodeShown


def episodes_document(answer: EpisodesAnswer) -> Document:
    """Return the document of a list of episodes."""
    document = moment_document(answer.as_of) | {
        "episodes": [episode_document(one) for one in answer.episodes],
        "total": answer.total,
        "mode": answer.mode,
    }
    if answer.empty is not None:
        document["empty"] = {
            "reason": answer.empty.reason,
            "indexed_commit": answer.empty.indexed_commit,
            "detail": answer.empty.detail,
        }
    return _with_remarks(document, answer.partial, answer.notes)


def shown_document(answer: EpisodeShown) -> Document:
    """Return the document of one episode with all its events."""
    one = answer.answer
    events = [
        event_document(event, one.stale.get(event.id), replaced=event.id in one.episode.replaced)
        for event in one.episode.events
    ]
    body = {"episode": episode_document(one) | {"events": events}}
    return _with_remarks(moment_document(answer.as_of) | body, answer.partial, answer.notes)


def recorded_document(recorded: Recorded) -> Document:
    """Return the document of what was recorded."""
    document: Document = {"id": recorded.id, "episode": recorded.episode}
    document["replaced"] = list(recorded.replaced)
    document["conflicts_with"] = list(recorded.rivals)
    return _with_remarks(document, (), recorded.notes)


def imported_document(found: Sequence[Imported]) -> Document:
    """Return the document of reports that were read."""
    return {
        "imported": [
            {
                "file": one.name,
                "kind": one.kind or None,
                "events": list(one.events),
                "summary": one.summary,
                "troubles": list(one.troubles),
            }
            for one in found
        ]
    }


def _with_remarks(document: Document, partial: tuple[str, ...], notes: tuple[str, ...]) -> Document:
    if partial:
        document["partial"] = list(partial)
    if notes:
        document["notes"] = list(notes)
    return document
