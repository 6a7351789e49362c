"""Answers about episodes as plain documents, in the words of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from topomem.api.documents import Document, moment_document, with_remarks
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
    return with_remarks(document, answer.empty, answer.partial, answer.notes)


def shown_document(answer: EpisodeShown) -> Document:
    """Return the document of one episode with all its events."""
    one = answer.answer
    events = [
        event_document(event, one.stale.get(event.id), replaced=event.id in one.episode.replaced)
        for event in one.episode.events
    ]
    body = {"episode": episode_document(one) | {"events": events}}
    document = moment_document(answer.as_of) | body
    return with_remarks(document, None, answer.partial, answer.notes)


def recorded_document(recorded: Recorded) -> Document:
    """Return the document of what was recorded."""
    document: Document = {"id": recorded.id, "episode": recorded.episode}
    document["replaced"] = list(recorded.replaced)
    document["conflicts_with"] = list(recorded.rivals)
    return with_remarks(document, None, (), recorded.notes)


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
