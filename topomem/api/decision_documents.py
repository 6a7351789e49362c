"""Answers about decision records as plain documents, in the words of the contract."""

from __future__ import annotations

from typing import Any

from topomem.api.decision_check import DecisionCheck
from topomem.api.decision_writing import Written
from topomem.api.decisions import DecisionAnswer, DecisionsAnswer, DecisionShown
from topomem.api.documents import Document, citation_document, moment_document, with_remarks
from topomem.records.board import Link, record_id
from topomem.records.governs import Governed


def decisions_document(answer: DecisionsAnswer) -> Document:
    """Return the document of a list of records."""
    document = moment_document(answer.as_of) | {
        "decisions": [decision_document(one) for one in answer.decisions]
    }
    return with_remarks(document, answer.empty, answer.partial, answer.notes)


def shown_document(answer: DecisionShown) -> Document:
    """Return the document of one record with its parts and its text."""
    body = {
        "decision": decision_document(answer.decision),
        "parts": [
            {
                "name": part.name,
                "title": part.title,
                "text": part.text,
                "start_line": part.start_line,
                "end_line": part.end_line,
            }
            for part in answer.decision.parts
        ],
        "text": answer.decision.text,
    }
    document = moment_document(answer.as_of) | body
    return with_remarks(document, None, answer.partial, answer.notes)


def decision_document(answer: DecisionAnswer) -> Document:
    """Return the document of one record."""
    entry, placed = answer.entry, answer.entry.placed
    decision = placed.decision
    return {
        "id": placed.id,
        "path": placed.path,
        "number": placed.number,
        "title": placed.title,
        "status": entry.status,
        "status_text": decision.status_text,
        "partly_superseded": entry.partly_superseded,
        "date": decision.date or None,
        "owners": list(decision.owners),
        "review_date": decision.review_date or None,
        "supersedes": [_link(link) for link in entry.linked("supersedes")],
        "superseded_by": [_link(link) for link in entry.linked("superseded_by")],
        "amends": [_link(link) for link in entry.linked("amends")],
        "amended_by": [_link(link) for link in entry.linked("amended_by")],
        "related": [_link(link) for link in entry.linked("relates")],
        "governs": [governed_document(one) for one in answer.governs],
        "invariants": [
            {"kind": one.kind, "target": one.target, "line": one.line}
            for one in decision.invariants
        ],
        "spans": [
            {"name": part.name, "start_line": part.start_line, "end_line": part.end_line}
            for part in decision.parts
        ],
        "diagnostics": [
            {"code": one.code, "message": one.message, "line": one.start_line}
            for one in placed.diagnostics
        ],
        "citation": citation_document(answer.citation) if answer.citation else None,
        "provenance": {
            "method": answer.provenance.method,
            "source": answer.provenance.source,
            "confidence": answer.provenance.confidence,
        },
    }


def check_document(report: DecisionCheck) -> Document:
    """Return the document of a check of all records."""
    return moment_document(report.as_of) | {
        "checked": report.checked,
        "failed": [
            {"code": one.code, "message": one.message, "path": one.path, "line": one.line}
            for one in report.failed
        ],
        "remarks": [
            {"code": one.code, "message": one.message, "path": one.path, "line": one.line}
            for one in report.remarks
        ],
        "invariants": [
            {
                "path": path,
                "kind": state.invariant.kind,
                "target": state.invariant.target,
                "found": state.found,
                "passed": state.passed,
                "ran_at": state.ran_at or None,
                "same_code": state.same_code,
            }
            for path, state in report.invariants
        ],
        "notes": list(report.notes),
    }


def written_document(written: Written) -> Document:
    """Return the document of what was written into the work tree."""
    return {"written": list(written.paths), "notes": list(written.notes)}


def governed_document(one: Governed) -> dict[str, Any]:
    """Return the document of one thing a record governs."""
    return {
        "kind": one.kind,
        "target": one.target,
        "confidence": one.confidence,
        "method": "authored" if one.origin == "field" else "inferred",
        "named_in": one.origin,
        "line": one.line,
        "found": one.found,
        "moved_from": one.moved_from or None,
    }


def _link(link: Link) -> dict[str, Any]:
    return {
        "id": record_id(link.path) if link.path else None,
        "path": link.path,
        "text": link.text,
        "line": link.line,
        "partly": link.partly,
        "told_by": link.told_by,
    }
