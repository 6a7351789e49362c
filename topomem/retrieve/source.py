"""Text of blobs by lines, as git counts them, and citations of it.

Lines end at LF; a CR before it belongs to the line. The hash of a citation is that of the bytes
from the start of its first line to the end of its last, without the last LF. Text in UTF-16 or
UTF-32 is taken as UTF-8 first, because its line ends are not single bytes. Bytes that are not UTF-8
show as U+FFFD; the hash is of the bytes themselves. What looks like a secret shows as a mark that
says so; the hash is still that of the text in git.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Callable
from functools import cached_property

from topomem.model.bundle import Citation
from topomem.model.ids import BlobId, CommitId, FilePath
from topomem.secrets.scan import redact

ReadBlob = Callable[[FilePath, BlobId], bytes | None]
"""Gives the bytes of a file's blob, None where they cannot be had."""

_WIDE = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


_CONTEXT = 3
"""Lines before a passage that say what its first values are given to."""


class SourceLines:
    """The lines of one blob; numbers are 1-based and inclusive."""

    def __init__(self, source: bytes) -> None:
        data = _narrow(source)
        self._raw = data.split(b"\n")
        if not self._raw[-1]:
            self._raw.pop()
        self.lines = [line.decode("utf-8", "replace") for line in self._raw]
        self._has_keys = b"PRIVATE KEY" in data or b"PuTTY-User" in data
        """Whether a key over many lines may stand here: a passage may be in the middle of it."""
        self._shown: dict[tuple[int, int], str] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def text(self, start: int, end: int) -> str:
        """Return lines as they stand, without the last LF; secrets are masked, line for line."""
        shown = self._shown.get((start, end))
        if shown is None:
            shown = self._shown[start, end] = self._text(start, end)
        return shown

    def written(self, start: int, end: int) -> str:
        """Return lines as they were written, to be weighed and never to be shown."""
        return "\n".join(self.lines[start - 1 : end])

    def _text(self, start: int, end: int) -> str:
        first = max(1, start - _CONTEXT)
        if self._has_keys:
            return "\n".join(self._masked[start - 1 : end])
        raw = "\n".join(self.lines[first - 1 : end])
        clean = redact(raw).split("\n")
        return "\n".join(clean[start - first :])

    @cached_property
    def _masked(self) -> list[str]:
        return redact("\n".join(self.lines)).split("\n")

    def digest(self, start: int, end: int) -> str:
        """Return the SHA-256 of the bytes of lines."""
        return hashlib.sha256(b"\n".join(self._raw[start - 1 : end])).hexdigest()

    def is_blank(self, line: int) -> bool:
        """Return whether a line holds nothing but white space."""
        return not self.lines[line - 1].strip()


def masking_told(text: str) -> tuple[str, ...]:
    """Return what is to be said of a text that is shown, where something in it is masked."""
    return ("secrets are masked",) if "[secret: " in text else ()


def cite(
    lines: SourceLines,
    place: tuple[FilePath, BlobId],
    span: tuple[int, int],
    commit: CommitId | None,
) -> Citation:
    """Return the citation of lines `span` of a blob that stands at a path of a commit."""
    path, blob = place
    return Citation(path, *span, blob, lines.digest(*span), commit)


def _narrow(source: bytes) -> bytes:
    for mark, encoding in _WIDE:
        if source.startswith(mark):
            return source.decode(encoding, "replace").encode()
    return source
