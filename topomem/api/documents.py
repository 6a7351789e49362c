"""Answers as plain documents: dictionaries, lists, text and numbers, in the words of the contract.

Every face that sends answers elsewhere uses these, so that all say the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import topomem
from topomem.api.answers import (
    AliasAnswer,
    AliasesAnswer,
    AsOf,
    CheckReport,
    EdgesAnswer,
    Empty,
    Finding,
    HistoryAnswer,
    HistoryEvent,
    Neighbour,
    RefsAnswer,
    ShowAnswer,
    Status,
    SymbolsAnswer,
)
from topomem.api.episode_answers import CaseAnswer
from topomem.api.episode_item import episode_document, moment_text
from topomem.index.report import IndexReport
from topomem.model.answer import Edge, Symbol, SymbolRef
from topomem.model.bundle import Bundle, Citation, Passage, Provenance
from topomem.model.code import EdgeKind, External, Method, SymbolKind, Unresolved
from topomem.model.ids import QualifiedName
from topomem.model.structure import FoundTest, Ownership, TestsEdge
from topomem.records.board import Entry
from topomem.records.governs import Governed

Document = dict[str, Any]
_Answer = SymbolsAnswer | EdgesAnswer | RefsAnswer | ShowAnswer | HistoryAnswer | AliasesAnswer

ECHO = 200
"""Characters of a task that its answer repeats."""

_NUMBER = re.compile(r"\+\d+(?=\.|$)")

EDGE_WORDS: Mapping[EdgeKind, tuple[str, str]] = {
    EdgeKind.READS: ("references", "reads"),
    EdgeKind.WRITES: ("references", "writes"),
    EdgeKind.USES_TYPE: ("references", "uses_type"),
    EdgeKind.CONSTRUCTS: ("instantiates", "constructs"),
}
"""Kinds whose word in documents is another: (kind, role). All other kinds go by their own name."""

INFERRED = frozenset({Method.FLOW, Method.UNIQUE_NAME, Method.UNRESOLVED})
"""Ways of resolving that conclude; all others read what is written."""


def plain_name(name: QualifiedName) -> str:
    """Return a name without the numbers that tell definitions of one name apart: ids have them."""
    return _NUMBER.sub("", name) if "+" in name else name


def kinds_of(word: str) -> tuple[EdgeKind, ...]:
    """Return the kinds a word of documents stands for, by kind or role; () for an unknown one."""
    return tuple(
        kind for kind in EdgeKind if word == kind.value or word in EDGE_WORDS.get(kind, ())
    )


def edge_words() -> tuple[str, ...]:
    """Return every word that `kinds_of` understands."""
    words = {kind.value for kind in EdgeKind}
    return tuple(sorted(words | {word for pair in EDGE_WORDS.values() for word in pair}))


def symbols_document(answer: SymbolsAnswer) -> Document:
    """Return the document of a list of definitions."""
    found = [symbol_document(symbol) for symbol in answer.symbols]
    return _frame(answer.as_of, {"symbols": found}, answer)


def edges_document(answer: EdgesAnswer) -> Document:
    """Return the document of a list of edges."""
    found = [edge_document(edge) for edge in answer.edges]
    found += [tests_document(edge) for edge in answer.tests]
    found += [owns_document(one) for one in answer.owns]
    return _frame(answer.as_of, {"edges": found}, answer)


def refs_document(answer: RefsAnswer) -> Document:
    """Return the document of a symbol's neighbours."""
    body = {
        "symbol": symbol_document(answer.symbol) if answer.symbol else None,
        "edges": [_neighbour(neighbour) for neighbour in answer.neighbours],
    }
    return _frame(answer.as_of, body, answer)


def show_document(answer: ShowAnswer) -> Document:
    """Return the document of one symbol."""
    body = {
        "symbol": symbol_document(answer.symbol),
        "source": answer.source,
        "members": [symbol_document(member) for member in answer.members],
        "edges": {
            "in": [edge_document(edge) for edge in answer.incoming],
            "out": [edge_document(edge) for edge in answer.outgoing],
        },
        "episodes": [episode_document(one) for one in answer.episodes],
        "episode_count": answer.episode_count,
        "decisions": [governing_document(entry, governed) for entry, governed in answer.decisions],
        "tests": [
            tests_document(edge) | {"last_result": _result(answer.results.get(edge.source.id))}
            for edge in answer.tests
        ],
        "owners": [owns_document(one) for one in answer.owners],
    }
    return _frame(answer.as_of, body, answer)


def _result(found: CaseAnswer | None) -> Document | None:
    if found is None:
        return None
    return {
        "outcome": found.outcome,
        "event": found.event,
        "commit": found.commit or None,
        "recorded_at": moment_text(found.recorded_at),
        "current": not found.stale,
        "stale": list(found.stale),
    }


def governing_document(entry: Entry, governed: Governed) -> Document:
    """Return the document of a record, in short, with what it governs."""
    return {
        "id": entry.placed.id,
        "path": entry.placed.path,
        "number": entry.placed.number,
        "title": entry.placed.title,
        "status": entry.status,
        "partly_superseded": entry.partly_superseded,
        "governs": {"kind": governed.kind, "target": governed.target},
        "confidence": governed.confidence,
        "line": governed.line,
        "provenance": {
            "method": "authored" if governed.origin == "field" else "inferred",
            "source": f"{governed.origin} in a decision record",
            "confidence": governed.confidence,
        },
    }


def history_document(answer: HistoryAnswer) -> Document:
    """Return the document of a symbol's history."""
    gone = {
        "id": f"{answer.path}#{answer.qualified_name}",
        "path": answer.path,
        "qualified_name": plain_name(answer.qualified_name),
        "commit": None,
    }
    body = {
        "symbol": symbol_document(answer.symbol) if answer.symbol else gone,
        "events": [_event(event) for event in answer.events],
        "confidence": round(answer.confidence, 4),
        "weakest": answer.weakest,
        "cut": answer.cut,
    }
    return _frame(answer.as_of, body, answer)


def aliases_document(answer: AliasesAnswer) -> Document:
    """Return the document of a list of aliases."""
    body = {
        "aliases": [_alias(alias) for alias in answer.aliases],
        "files": [_alias(alias) for alias in answer.files],
    }
    return _frame(answer.as_of, body, answer)


def _event(event: HistoryEvent) -> Document:
    return {
        "commit": event.commit,
        "author_date": event.author_date,
        "changes": list(event.changes),
        "path": event.path,
        "qualified_name": plain_name(event.qualified_name),
        "id": f"{event.path}#{event.qualified_name}",
        "start_line": event.start_line,
        "end_line": event.end_line,
        "confidence": event.confidence,
        "evidence": list(event.evidence),
        "alias": event.alias,
    }


def _alias(alias: AliasAnswer) -> Document:
    return {
        "id": alias.id,
        "commit": alias.commit,
        "parent": alias.parent,
        "from": end_document(alias.old),
        "to": end_document(alias.new),
        "kind": alias.kind,
        "followed": alias.followed,
        "confidence": round(alias.confidence, 4),
        "evidence": list(alias.evidence),
        "verdict": alias.verdict,
        "provenance": {
            "method": "authored" if alias.verdict else "inferred",
            "source": "lineage",
            "confidence": round(alias.confidence, 4),
        },
    }


def symbol_document(symbol: Symbol) -> Document:
    """Return the document of a symbol."""
    document: Document = {
        "id": symbol.id,
        "repository": symbol.repository,
        "commit": symbol.commit,
        "path": symbol.path,
        "language": symbol.language,
        "kind": symbol.kind.value,
        "qualified_name": plain_name(symbol.qualified_name),
        "signature": symbol.signature,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
        "name_line": symbol.name_line,
        "blob": symbol.blob,
        "docstring": symbol.docstring,
        "modifiers": list(symbol.modifiers),
        "provenance": _parsed(symbol.language),
    }
    if symbol.commit is None:
        document |= {"base_commit": symbol.base_commit, "uncommitted": True}
    return document


def edge_document(edge: Edge) -> Document:
    """Return the document of an edge."""
    kind, role = EDGE_WORDS.get(edge.kind, (edge.kind.value, ""))
    document: Document = {
        "kind": kind,
        "source": end_document(edge.source),
        "target": end_document(edge.target),
        "path": edge.path,
        "line": edge.line,
        "confidence": round(edge.confidence, 4),
        "method": edge.method.value,
        "provenance": {
            "method": "inferred" if edge.method in INFERRED else "parsed",
            "source": edge.method.value,
            "confidence": round(edge.confidence, 4),
        },
    }
    return document | {"role": role} if role else document


def tests_document(edge: TestsEdge) -> Document:
    """Return the document of an edge from a test to what it tests."""
    return {
        "kind": EdgeKind.TESTS.value,
        "source": test_document(edge.source),
        "target": end_document(edge.target),
        "path": edge.source.path,
        "line": edge.line,
        "confidence": edge.confidence,
        "method": edge.reach,
        "distance": edge.distance,
        "provenance": {
            "method": "inferred" if edge.reach == "naming" else "parsed",
            "source": edge.reach,
            "confidence": edge.confidence,
        },
    }


def test_document(test: FoundTest) -> Document:
    """Return a test as the end of an edge: a symbol, with a title where it has no name itself."""
    end = end_document(SymbolRef(test.path, test.qualified_name, test.kind, test.start_line))
    title = {"title": test.title} if test.title else {}
    return end | {"end_line": test.end_line} | title


def owns_document(one: Ownership) -> Document:
    """Return the document of an edge from an owner to a file."""
    section = {"section": one.section} if one.section else {}
    return {
        "kind": EdgeKind.OWNS.value,
        "source": {"owner": one.owner},
        "target": end_document(SymbolRef(one.path, QualifiedName(""), SymbolKind.MODULE, 1)),
        "path": one.source,
        "line": one.line,
        "confidence": 1.0,
        "method": "codeowners",
        "provenance": {"method": "authored", "source": one.source, "confidence": 1.0},
    } | section


def index_document(report: IndexReport) -> Document:
    """Return the document of an index run."""
    return {
        "commits": {"indexed": report.commits_indexed, "total": report.commits_total},
        "blobs": {
            "parsed": report.blobs_parsed,
            "reused": report.blobs_reused,
            "skipped": [{"path": file.path, "reason": file.reason} for file in report.skipped],
        },
        "symbols": report.symbols,
        "edges": report.edges,
        "aliases": report.aliases,
        "seconds": round(report.seconds, 3),
        "store_bytes": report.store_bytes,
        "warnings": list(report.warnings),
    }


def status_document(status: Status) -> Document:
    """Return the document of the state of the index."""
    return {
        "repository": status.repository,
        "top": status.top,
        "head": status.head,
        "indexed_head": status.indexed_head,
        "behind": status.behind,
        "indexed_commits": status.indexed_commits,
        "unreachable_commits": status.unreachable_commits,
        "missing_blobs": status.missing_blobs,
        "shallow": status.shallow,
        "files": status.files,
        "languages": status.languages,
        "unavailable": status.unavailable,
        "unread": [
            {"path": file.path, "blob": file.blob, "reason": file.reason, "message": file.message}
            for file in status.unread
        ],
        "changed_files": status.changed_files,
        "store": status.store,
        "store_bytes": status.store_bytes,
        "notes": list(status.notes),
    }


def bundle_document(bundle: Bundle) -> Document:
    """Return the document of a bundle; `verify` reads it back."""
    body: Document = {
        "task": _echo(bundle.task),
        "budget_tokens": bundle.budget_tokens,
        "used_tokens": bundle.used_tokens,
        "evidence": round(bundle.evidence, 4),
        "items": [passage_document(item) for item in bundle.items],
        "left_out": [
            {"kind": left.kind, "count": left.count, "best": list(left.best)}
            for left in bundle.left_out
        ],
        "conflicts": list(bundle.conflicts),
        "stale": list(bundle.stale),
        "mode": bundle.mode,
        "notes": list(bundle.notes),
    }
    uncommitted = bundle.as_of is None and bundle.base_commit is not None
    return moment_document(AsOf(bundle.as_of, bundle.base_commit, uncommitted=uncommitted)) | body


def _echo(task: str) -> str:
    """Return enough of a task to know it by: whoever asked has it, and it counts in the budget."""
    return task if len(task) <= ECHO else task[:ECHO] + "..."


def passage_document(passage: Passage) -> Document:
    """Return the document of one item of a bundle."""
    return {
        "kind": passage.kind,
        "path": passage.path,
        "qualified_name": plain_name(passage.qualified_name),
        "start_line": passage.start_line,
        "end_line": passage.end_line,
        "detail": passage.detail,
        "text": passage.text,
        "score": round(passage.score, 4),
        "why": list(passage.why),
        "commits": list(passage.commits),
        "citation": citation_document(passage.citation) if passage.citation else None,
        "provenance": _provenance(passage.provenance),
    }


def citation_document(citation: Citation) -> Document:
    """Return the document of a citation."""
    return {
        "commit": citation.commit,
        "path": citation.path,
        "start_line": citation.start_line,
        "end_line": citation.end_line,
        "blob": citation.blob,
        "sha256": citation.sha256,
    }


def check_document(report: CheckReport) -> Document:
    """Return the document of a check."""
    return {
        "checked": report.checked,
        "failed": [_finding(finding) for finding in report.failed],
        "notes": list(report.notes),
    }


def _finding(finding: Finding) -> Document:
    return {"code": finding.code, "message": finding.message, "where": finding.where}


def _neighbour(neighbour: Neighbour) -> Document:
    extra = {"direction": neighbour.direction, "distance": neighbour.distance}
    return edge_document(neighbour.edge) | extra


def end_document(end: SymbolRef | External | Unresolved) -> Document:
    """Return the document of one end of an edge."""
    if isinstance(end, External):
        return {"external": end.name}
    if isinstance(end, Unresolved):
        return {"unresolved": end.name, "candidates": list(end.candidates)}
    document: Document = {
        "path": end.path,
        "qualified_name": plain_name(end.qualified_name),
        "kind": end.kind.value,
        "start_line": end.start_line,
    }
    if document["qualified_name"] != end.qualified_name:
        document["id"] = f"{end.path}#{end.qualified_name}"
    return document


def _frame(as_of: AsOf, body: Document, answer: _Answer) -> Document:
    """Put moment, partiality and notes around an answer; keys that say nothing are left out."""
    empty = getattr(answer, "empty", None)
    return with_remarks(moment_document(as_of) | body, empty, answer.partial, answer.notes)


def with_remarks(
    document: Document, empty: Empty | None, partial: tuple[str, ...], notes: tuple[str, ...]
) -> Document:
    """Put why there is nothing, partiality and notes into a document; none that says nothing."""
    if empty is not None:
        document["empty"] = empty_document(empty)
    if partial:
        document["partial"] = list(partial)
    if notes:
        document["notes"] = list(notes)
    return document


def moment_document(as_of: AsOf) -> Document:
    """Return the keys that say what an answer is as of."""
    if as_of.uncommitted:
        return {"as_of": "WORKTREE", "base_commit": as_of.base_commit, "uncommitted": True}
    return {"as_of": as_of.commit}


def empty_document(empty: Empty) -> Document:
    """Return the document of why a list is empty."""
    return {
        "reason": empty.reason,
        "indexed_commit": empty.indexed_commit,
        "detail": empty.detail,
    }


def _provenance(provenance: Provenance) -> Document:
    return {
        "method": provenance.method,
        "source": provenance.source,
        "confidence": round(provenance.confidence, 4),
    }


def _parsed(language: str) -> Document:
    return {
        "method": "parsed",
        "source": f"{language} grammar, topomem {topomem.__version__}",
        "confidence": 1.0,
    }
