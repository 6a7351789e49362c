"""Identifiers, one type each; all are readable strings at the API."""

from typing import NewType

CommitId = NewType("CommitId", str)
"""Full hexadecimal id of a commit (40 or 64 digits)."""

TreeId = NewType("TreeId", str)
"""Full hexadecimal id of a tree."""

BlobId = NewType("BlobId", str)
"""Full hexadecimal id of a blob."""

FilePath = NewType("FilePath", str)
"""Path in the repository with `/`; bytes not in UTF-8 are spelled `\\xNN`, a backslash `\\\\`."""

QualifiedName = NewType("QualifiedName", str)
"""Dotted name inside one file: `Class.method`, `outer.inner`; the file itself is ``.

Overloads end in `+2`, `+3`.
"""

Moniker = NewType("Moniker", str)
"""Readable name inside the repository: `pkg/mod.py#Class.method`; a file is `pkg/mod.py#`."""

RegionKey = NewType("RegionKey", str)
"""32 hexadecimal digits: digest of language fingerprint, surroundings and text of a region."""

LanguageName = NewType("LanguageName", str)
"""Name of the folder in `grammars/`."""


def moniker(path: FilePath, name: QualifiedName) -> Moniker:
    """Return the moniker of a name in a file."""
    return Moniker(f"{path}#{name}")


def split_moniker(text: Moniker) -> tuple[FilePath, QualifiedName]:
    """Return file and name; paths may contain `#`, names only before a part (`Class.#name`)."""
    at = text.rfind("#")
    while at > 0 and text[at - 1] == ".":
        at = text.rfind("#", 0, at)
    return FilePath(text[:at]), QualifiedName(text[at + 1 :])
