"""Reading citations again: is every cited line still what it was said to be?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from topomem.model.bundle import Citation, Detail
from topomem.retrieve.source import ReadBlob, SourceLines


@dataclass(frozen=True, slots=True)
class Quote:
    """A citation, and the text that was shown for it at some level of detail."""

    citation: Citation
    text: str = ""
    detail: Detail = "body"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A quote that does not hold. Codes: missing, lines, hash, text."""

    quote: Quote
    code: str
    message: str


def verify(quotes: Iterable[Quote], read: ReadBlob) -> tuple[Mismatch, ...]:
    """Return the quotes that do not hold, in order."""
    found = (_mismatch(quote, read) for quote in quotes)
    return tuple(mismatch for mismatch in found if mismatch is not None)


def _mismatch(quote: Quote, read: ReadBlob) -> Mismatch | None:
    citation = quote.citation
    data = read(citation.path, citation.blob)
    if data is None:
        state = "cannot be read" if citation.commit else "has changed since, or cannot be read"
        return Mismatch(quote, "missing", f"blob {citation.blob[:12]} {state}")
    lines = SourceLines(data)
    if not 1 <= citation.start_line <= citation.end_line <= len(lines):
        return Mismatch(quote, "lines", f"the blob has {len(lines)} lines")
    if lines.digest(citation.start_line, citation.end_line) != citation.sha256:
        return Mismatch(quote, "hash", "the lines are not those that were cited")
    if quote.text and quote.text != lines.text(citation.start_line, citation.end_line):
        return Mismatch(quote, "text", "the text shown is not that of the cited lines")
    return None
