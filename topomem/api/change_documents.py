"""Documents of answers about changes: what differs, and whom it concerns."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from topomem.api.documents import (
    EDGE_WORDS,
    Document,
    edge_document,
    end_document,
    governing_document,
    moment_document,
    symbol_document,
    test_document,
    with_remarks,
)
from topomem.model.answer import SymbolRef

if TYPE_CHECKING:
    from topomem.api.answers import AsOf, Empty
    from topomem.api.diff import DiffAnswer, FileDifference, SymbolDifference
    from topomem.api.impact import ImpactAnswer
    from topomem.api.outdated import Outdated
    from topomem.api.spreading import Affected, SelectedTest
    from topomem.model.answer import Edge


def diff_document(answer: DiffAnswer) -> Document:
    """Return the document of what differs."""
    body = {
        "files": [_file(one) for one in answer.files],
        "symbols": [difference_document(one) for one in answer.symbols],
        "edges": {
            "added": [edge_document(edge) for edge in answer.added_edges],
            "removed": [edge_document(edge) for edge in answer.removed_edges],
            "counts": _counts(answer.added_edges, answer.removed_edges),
        },
    }
    merge_base = {"merge_base": answer.merge_base} if answer.merge_base else {}
    said = (answer.partial, answer.notes)
    return framed(answer.base, answer.head, body | merge_base, answer.empty, said)


def impact_document(answer: ImpactAnswer) -> Document:
    """Return the document of whom a change concerns."""
    body: Document = {
        "changed": [
            {"id": one.symbol.id, "change": one.change, "kinds": list(one.kinds)}
            for one in answer.changed
        ],
        "affected": [_affected(one) for one in answer.affected],
        "tests": [_selected(one) for one in answer.tests],
        "owners": [
            {"owner": one.owner, "changed": list(one.changed), "affected": list(one.affected)}
            for one in answer.owners
        ],
        "decisions": [governing_document(*pair) for pair in answer.decisions],
        "stale": [_outdated(one) for one in answer.stale],
    }
    merge_base = {"merge_base": answer.merge_base} if answer.merge_base else {}
    said = (answer.partial, answer.notes)
    return framed(answer.base, answer.head, body | merge_base, answer.empty, said)


def _affected(one: Affected) -> Document:
    symbol = one.symbol
    end = SymbolRef(symbol.path, symbol.qualified_name, symbol.kind, symbol.start_line)
    return {
        "id": symbol.id,
        **end_document(end),
        "end_line": symbol.end_line,
        "distance": one.distance,
        "confidence": one.confidence,
        "kinds": list(one.kinds),
        "because": one.because,
        "provenance": _inferred("edges", one.confidence),
    }


def _selected(one: SelectedTest) -> Document:
    return {
        "id": one.test.id,
        **test_document(one.test),
        "distance": one.distance,
        "confidence": one.confidence,
        "method": one.method,
        "kinds": list(one.kinds),
        "because": one.because,
        "provenance": _inferred(one.method, one.confidence),
    }


def _outdated(one: Outdated) -> Document:
    return {
        "id": one.event.id,
        "episode": one.episode,
        "kind": one.event.kind,
        "title": one.title,
        "commit": one.event.commit_id,
        "reasons": list(one.reasons),
        "provenance": _inferred("comparison", 1.0),
    }


def _inferred(source: str, confidence: float) -> Document:
    return {"method": "inferred", "source": source, "confidence": confidence}


def difference_document(one: SymbolDifference) -> Document:
    """Return the document of one symbol that differs."""
    document: Document = {
        "change": one.change,
        "kinds": list(one.kinds),
        "symbol": symbol_document(one.symbol),
        "confidence": one.confidence,
        "commits": list(one.commits),
        "provenance": {
            "method": "inferred" if one.confidence < 1 else "parsed",
            "source": "lineage" if one.change in ("renamed", "moved") else "comparison",
            "confidence": one.confidence,
        },
    }
    if one.old is not None and one.new is not None:
        document["before"] = symbol_document(one.old)
    if one.aliases:
        document |= {"aliases": list(one.aliases), "evidence": list(one.evidence)}
    return document


def framed(
    base: AsOf,
    head: AsOf,
    body: Document,
    empty: Empty | None,
    said: tuple[tuple[str, ...], tuple[str, ...]],
) -> Document:
    """Put both moments, partiality and notes around an answer."""
    document: Document = {
        "base": moment_document(base)["as_of"],
        "head": moment_document(head)["as_of"],
    }
    if head.uncommitted:
        document |= {"base_commit": head.base_commit, "uncommitted": True}
    return with_remarks(document | body, empty, *said)


def _file(one: FileDifference) -> Document:
    old = {"old_path": one.old_path} if one.old_path else {}
    return {"path": one.path, "change": one.change} | old


def _counts(added: tuple[Edge, ...], removed: tuple[Edge, ...]) -> Document:
    """Return how many edges of each kind, in the words of documents, came and went."""
    came, went = (
        Counter(EDGE_WORDS.get(edge.kind, (edge.kind.value, ""))[0] for edge in edges)
        for edges in (added, removed)
    )
    return {kind: {"added": came[kind], "removed": went[kind]} for kind in sorted({*came, *went})}
