"""Notes: texts that git keeps beside objects, under a reference of their own.

A tree of notes has one blob per object, named by the object's id, perhaps cut into folders. What
stands there was written by others: names and sizes are checked, what is odd is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pygit2
from pygit2.enums import FileMode, ObjectType

from topomem.model.ids import CommitId

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""An object that every repository knows: what is bound to no commit stands beside it."""

MOST_BYTES = 1 << 26
"""Longer notes are not read."""

MOST_NOTES = 1 << 20
_HEX = frozenset("0123456789abcdef")
_LENGTHS = (40, 64)
_DEEPEST = 32


def tip(repository: pygit2.Repository, reference: str) -> CommitId | None:
    """Return the commit that a reference of notes stands on."""
    try:
        return CommitId(str(repository.lookup_reference(reference).peel(pygit2.Commit).id))
    except (KeyError, pygit2.GitError, ValueError):
        return None


def read_notes(
    repository: pygit2.Repository, commit: CommitId
) -> Iterator[tuple[str, bytes | None]]:
    """Yield (object id, text) of the notes of a commit; never raises.

    The text is None where it is too long, or not here; ("", None) says that there are too many.
    """
    found: object = repository.get(pygit2.Oid(hex=commit))
    if not isinstance(found, pygit2.Commit):
        return
    waiting: list[tuple[str, pygit2.Oid, int]] = [("", found.tree_id, 0)]
    count = 0
    while waiting:
        prefix, key, depth = waiting.pop()
        folder: object = repository.get(key)
        if not isinstance(folder, pygit2.Tree) or depth > _DEEPEST:
            continue
        for entry in folder:
            name = prefix + (entry.name or "")
            if not _HEX.issuperset(name) or len(name) > max(_LENGTHS):
                continue
            if entry.filemode == FileMode.TREE:
                waiting.append((name, entry.id, depth + 1))
            elif len(name) in _LENGTHS:
                count += 1
                if count > MOST_NOTES:
                    yield "", None
                    return
                yield name, _blob(repository, entry.id)


def write_notes(
    repository: pygit2.Repository,
    notes: Mapping[str, bytes],
    parents: Sequence[CommitId],
    message: str,
    when: int,
) -> CommitId:
    """Write a commit of notes; `when` is in seconds UTC. No reference is moved."""
    folders: dict[str, dict[str, bytes]] = {}
    for name, data in notes.items():
        folders.setdefault(name[:2], {})[name[2:]] = data
    root = repository.TreeBuilder()
    for folder, entries in sorted(folders.items()):
        builder = repository.TreeBuilder()
        for name, data in sorted(entries.items()):
            builder.insert(name, repository.create_blob(data), FileMode.BLOB)
        root.insert(folder, builder.write(), FileMode.TREE)
    who = pygit2.Signature("topomem", "topomem", when, 0)
    made = repository.create_commit(
        None, who, who, message, root.write(), [pygit2.Oid(hex=one) for one in parents]
    )
    return CommitId(str(made))


def move(repository: pygit2.Repository, reference: str, commit: CommitId) -> None:
    """Let a reference stand on a commit."""
    repository.create_reference_direct(reference, pygit2.Oid(hex=commit), force=True)


def is_behind(repository: pygit2.Repository, older: CommitId, newer: CommitId) -> bool:
    """Whether a commit is another one, or behind it."""
    if older == newer:
        return True
    try:
        return bool(repository.descendant_of(pygit2.Oid(hex=newer), pygit2.Oid(hex=older)))
    except (pygit2.GitError, KeyError, ValueError):
        return False


def _blob(repository: pygit2.Repository, key: pygit2.Oid) -> bytes | None:
    try:
        kind, size = repository.odb.read_header(key)
        if kind != ObjectType.BLOB or size > MOST_BYTES:
            return None
        return bytes(repository.odb.read(key)[1])
    except (KeyError, ValueError, pygit2.GitError):
        return None
