"""Small made-up facts and commits for tests of what stands above the stages."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha1

from topomem.model.code import (
    BlobFacts,
    Declaration,
    EdgeKind,
    FileLinks,
    LinkedEdge,
    Method,
    Op,
    Placement,
    RegionFacts,
    RegionLinks,
    Span,
    SymbolKind,
    Target,
)
from topomem.model.history import Commit, Mode, TreeEntry
from topomem.model.ids import (
    BlobId,
    CommitId,
    FilePath,
    LanguageName,
    QualifiedName,
    RegionKey,
    TreeId,
)

LANGUAGE = LanguageName("sample")


def hexadecimal(text: str, digits: int = 40) -> str:
    """Return a made-up id that follows from a text."""
    return sha1(text.encode(), usedforsecurity=False).hexdigest()[:digits]


def commit(name: str, *parents: str, boundary: bool = False) -> Commit:
    """Return a commit called `name`; parents are names too."""
    return Commit(
        id=CommitId(hexadecimal(name)),
        tree=TreeId(hexadecimal(f"tree of {name}")),
        parents=tuple(CommitId(hexadecimal(parent)) for parent in parents),
        author_name="A. Author",
        author_email="author@example.org",
        author_date=1_700_000_000,
        author_offset=None if boundary else 60,
        committer_date=1_700_000_001,
        committer_offset=0,
        message=f"{name}: a change\n",
        boundary=boundary,
    )


def entry(text: str, mode: Mode = Mode.FILE) -> TreeEntry:
    """Return the tree entry of a blob with this text."""
    return TreeEntry(mode, BlobId(hexadecimal(text)))


def region(
    name: str, kind: SymbolKind, *light: Declaration, nested: tuple[int, ...] = ()
) -> RegionFacts:
    """Return a region of ten rows; placeholders stand at the offsets `nested`.

    Its reduced tree has the placeholders and one call at each of the offsets 5, 15, ... 95, in rows
    0, 1, ... 9.
    """
    calls = [(offset, Op.CALL) for offset in range(5, 100, 10)]
    ops = sorted([*calls, *((offset, Op.DEFINE) for offset in nested)])
    own = Declaration(
        kind, name, f"{kind.value} {name}", 0, 100, 0, 9, 0, body_hash=hexadecimal(name)
    )
    return RegionFacts(
        key=RegionKey(hexadecimal(f"{name} {kind} {light} {nested}", 32)),
        language=LANGUAGE,
        declarations=(own, *light),
        docstring=f"About {name}." if name else "",
        kinds=bytes(kind for _, kind in ops),
        parents=tuple(-1 for _ in ops),
        starts=tuple(offset for offset, _ in ops),
        ends=tuple(offset + 1 for offset, _ in ops),
        rows=tuple(offset // 10 for offset, _ in ops),
        texts=tuple("" for _ in ops),
        words=(("name", name or "module", 1), ("body", "sample", 3)),
        value_hash=hexadecimal(name, 16),
        size=100,
        row_count=10,
    )


def variable(name: str, offset: int, *, through_receiver: bool = False) -> Declaration:
    """Return a light declaration of one row at an offset of its region."""
    row = offset // 10
    return Declaration(
        SymbolKind.VARIABLE, name, name, offset, offset + 2, row, row, row,
        through_receiver=through_receiver,
    )  # fmt: skip


def placed(facts: RegionFacts, name: str, parent: int, lines: tuple[int, int]) -> Placement:
    """Return a placement with made-up bytes."""
    start, end = lines
    return Placement(
        facts.key, parent, QualifiedName(name), Span(start * 100, end * 100 + 90, start, end), start
    )


def blob(text: str, *placements: Placement, lines: int = 10) -> BlobFacts:
    """Return the facts of a blob with this text."""
    return BlobFacts(BlobId(hexadecimal(text)), LANGUAGE, placements, (), lines, len(text))


def calls(
    path: str, facts: BlobFacts, edges: Mapping[int, tuple[tuple[int, Target], ...]]
) -> FileLinks:
    """Return links of a file: for each placement the (op, target) pairs of its calls."""
    return FileLinks(
        FilePath(path),
        facts.blob,
        tuple(
            RegionLinks(
                placement.region,
                tuple(
                    LinkedEdge(EdgeKind.CALLS, op, target, 0.9, Method.MODULE)
                    for op, target in edges.get(ordinal, ())
                ),
            )
            for ordinal, placement in enumerate(facts.placements)
        ),
    )
