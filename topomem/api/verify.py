"""Read every citation of a bundle again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from topomem.api.answers import CheckReport, Finding
from topomem.api.opening import Opened
from topomem.errors import UnknownRevision, UsageError
from topomem.model.bundle import Bundle, Citation, Detail
from topomem.model.ids import BlobId, CommitId, FilePath
from topomem.retrieve.verify import Mismatch, Quote
from topomem.retrieve.verify import verify as verify_quotes


def verify(opened: Opened, bundle: Bundle | Mapping[str, Any]) -> CheckReport:
    """Return which citations do not hold.

    One holds when its blob stands at that path of that commit, and the cited lines are word for
    word what was shown. Takes a bundle or its document; raises UsageError for one that is none.
    """
    quotes = _of_bundle(bundle) if isinstance(bundle, Bundle) else _of_document(bundle)

    def read(path: FilePath, blob: BlobId) -> bytes | None:
        data = opened.repository.read(blob)
        return opened.repository.read_worktree(path, blob) if data is None else data

    misplaced = {
        index: finding
        for index, quote in enumerate(quotes)
        if (finding := _misplaced(opened, quote.citation)) is not None
    }
    checked = [quote for index, quote in enumerate(quotes) if index not in misplaced]
    failed = [_finding(mismatch) for mismatch in verify_quotes(checked, read)]
    return CheckReport(len(quotes), (*misplaced.values(), *failed))


def _misplaced(opened: Opened, citation: Citation) -> Finding | None:
    """Return what is wrong with the place of a citation, None when the blob stands there."""
    repository, where = opened.repository, citation.text()
    if citation.commit is None:
        if repository.read_worktree(citation.path, citation.blob) is None:
            return Finding("changed", "the file has changed since, or is gone", where)
        return None
    try:
        entry = repository.entry(repository.commit(citation.commit), citation.path)
    except UnknownRevision:
        return Finding("commit", f"no commit {citation.commit[:12]} is here", where)
    if entry is None:
        return Finding("path", "the commit has no such file", where)
    if entry.blob != citation.blob:
        return Finding("blob", f"the file is blob {entry.blob[:12]} at this commit", where)
    return None


def _finding(mismatch: Mismatch) -> Finding:
    return Finding(mismatch.code, mismatch.message, mismatch.quote.citation.text())


def _of_bundle(bundle: Bundle) -> list[Quote]:
    return [
        Quote(item.citation, item.text, item.detail)
        for item in bundle.items
        if item.citation is not None
    ]


def _of_document(document: Mapping[str, Any]) -> list[Quote]:
    items = document.get("items")
    if not isinstance(items, list):
        raise UsageError("this is no bundle: it has no list of items", "pass what --json printed")
    quotes = []
    for number, item in enumerate(items, 1):
        try:
            if item["citation"] is not None:
                quotes.append(_quote(item))
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"item {number} of the bundle cannot be read: {error!r}") from error
    return quotes


def _quote(item: Mapping[str, Any]) -> Quote:
    """Return the quote of an item. Raises KeyError, TypeError, ValueError for what it lacks."""
    cited = item["citation"]
    texts = {key: cited[key] for key in ("path", "blob", "sha256")} | {"text": item["text"]}
    wrong = [key for key, value in texts.items() if not isinstance(value, str)]
    lines = cited["start_line"], cited["end_line"]
    if wrong or not all(type(line) is int for line in lines):
        raise TypeError(", ".join([*wrong, "lines"]))
    if not _is_id(texts["blob"]) or not (cited["commit"] is None or _is_id(cited["commit"])):
        raise ValueError("commit and blob are full ids")
    if item["detail"] not in get_args(Detail):
        raise ValueError(f"detail {item['detail']!r}")
    citation = Citation(
        path=FilePath(texts["path"]),
        start_line=lines[0],
        end_line=lines[1],
        blob=BlobId(texts["blob"]),
        sha256=texts["sha256"],
        commit=None if cited["commit"] is None else CommitId(cited["commit"]),
    )
    return Quote(citation, texts["text"], item["detail"])


def _is_id(value: object) -> bool:
    lengths = (40, 64)  # digits of SHA-1 and SHA-256
    return (
        isinstance(value, str) and len(value) in lengths and set(value) <= set("0123456789abcdef")
    )
