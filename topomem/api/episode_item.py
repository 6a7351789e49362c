"""One episode, and one event, as plain documents."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from topomem.api.episode_answers import event_provenance

if TYPE_CHECKING:
    from topomem.api.episode_answers import EpisodeAnswer
    from topomem.model.bundle import Provenance
    from topomem.model.episode import Event, Links

Document = dict[str, Any]


def episode_document(answer: EpisodeAnswer) -> Document:
    """Return the document of one episode without its events."""
    one = answer.episode
    stale = {event: list(reasons) for event, reasons in answer.stale.items() if reasons}
    return {
        "id": one.id,
        "kind": one.kind,
        "title": one.title,
        "outcome": one.outcome,
        "finished_as": one.finished_as,
        "relevance": one.relevance,
        "request": one.first.text or None,
        "conclusion": one.conclusion or None,
        "commit": one.first.commit_id or None,
        "dirty": one.first.dirty or None,
        "last_commit": one.last.commit_id or None,
        "started_at": moment_text(one.first.recorded_at),
        "last_at": moment_text(one.last.recorded_at),
        "author": one.first.body.get("author") or None,
        "principal": one.first.body.get("principal") or None,
        "event_count": len(one.events),
        "superseded_by": list(one.superseded_by),
        "supersedes": list(answer.supersedes),
        "archived": answer.is_put_away,
        "links": links_document(one.links),
        "conflicts": list(one.conflicts),
        "stale": stale,
        "score": answer.score,
        "why": list(answer.why),
        "notes": list(answer.notes),
        "provenance": provenance_document(answer.provenance),
    }


def event_document(event: Event, stale: tuple[str, ...] | None, *, replaced: bool) -> Document:
    """Return the document of one event; `stale` None where it is no evidence."""
    document: Document = {
        "id": event.id,
        "kind": event.kind,
        "recorded_at": moment_text(event.recorded_at),
        "commit": event.commit_id or None,
        "dirty": event.dirty or None,
        "text": event.text,
        "author": event.body.get("author") or None,
        "principal": event.body.get("principal") or None,
        "outcome": event.body.get("outcome"),
        "by": event.body.get("by"),
        "relevance": event.body.get("relevance"),
        "superseded": replaced,
        "data": dict(event.data),
        "provenance": provenance_document(event_provenance(event)),
    }
    for kind in ("symbol", "path", "issue", "decision", "episode"):
        document[f"{kind}s"] = list(event.names(kind))
    if stale is not None:
        document["current"] = not stale
        document["stale"] = list(stale)
    return document


def links_document(links: Links) -> Document:
    """Return the document of what an episode is linked to."""
    return {
        "symbols": [{"id": one.symbol, "commit": one.commit} for one in links.symbols],
        "paths": list(links.paths),
        "issues": list(links.issues),
        "decisions": list(links.decisions),
        "episodes": list(links.episodes),
    }


def provenance_document(provenance: Provenance) -> dict[str, Any]:
    """Return the document of a provenance."""
    return {
        "method": provenance.method,
        "source": provenance.source,
        "confidence": provenance.confidence,
    }


def moment_text(milliseconds: int) -> str:
    """Return a time as text: ISO 8601 in UTC, to the second."""
    try:
        moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return ""
    return moment.isoformat(timespec="seconds")
