"""Documents of what is known by name. Apart from the others, because it loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topomem.api.brief import Brief
    from topomem.api.notice import Notice
    from topomem.model.subjects import Known, Subject

Document = dict[str, Any]

_METHODS = {"decision": "authored", "episode": "authored", "commit": "observed"}


def notice_document(notice: Notice) -> Document:
    """Return the document of an answer to a message."""
    document: Document = {
        "as_of": notice.as_of,
        "subjects": [subject_document(one) for one in notice.subjects],
        "left_out": notice.left_out,
    }
    return document | ({"notes": list(notice.notes)} if notice.notes else {})


def brief_document(brief: Brief) -> Document:
    """Return the document of what a session starts with."""
    document: Document = {
        "as_of": brief.as_of.commit,
        "branch": brief.branch,
        "commits": brief.commits,
        "changed": list(brief.changed),
        "subjects": [subject_document(one) for one in brief.subjects],
        "episodes": [known_document(one) for one in brief.episodes],
        "abandoned": [known_document(one) for one in brief.abandoned],
        "left_out": brief.left_out,
    }
    for key in ("partial", "notes"):
        if getattr(brief, key):
            document[key] = list(getattr(brief, key))
    return document


def subject_document(subject: Subject) -> Document:
    """Return the document of a subject."""
    return {
        "subject": subject.subject,
        "total": subject.total,
        "best": [known_document(one) for one in subject.best],
    }


def known_document(known: Known) -> Document:
    """Return the document of one thing that is known."""
    method = _METHODS.get(known.kind, "parsed")
    document: Document = {
        "kind": known.kind,
        "name": known.name,
        "where": known.where,
        "why": known.why,
        "provenance": {"method": method, "source": known.kind, "confidence": 1.0},
    }
    return document | ({"state": known.state} if known.state else {})


def subject_lines(subjects: tuple[Subject, ...]) -> Iterator[str]:
    """Yield one line for each subject, and one for each thing known of it."""
    for subject in subjects:
        more = subject.total - len(subject.best)
        yield f"{_line(subject.subject)}" + (f"  (and {more} more)" if more > 0 else "")
        for known in subject.best:
            yield f"  {known_line(known)}"


def known_line(known: Known) -> str:
    """Return one thing that is known, as one line."""
    state = f" {known.state}" if known.state else ""
    where = known.where[:12] if known.kind == "commit" else known.where
    name = "" if known.name == where else f"  {_line(known.name)}"
    why = "" if known.why == "name" else f"  ({known.why})"
    return f"{known.kind}{state}  {_line(where)}{name}{why}"


def _line(text: str) -> str:
    return " ".join(text.split())
