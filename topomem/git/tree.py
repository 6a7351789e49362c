"""Trees: what a commit holds, and what differs between two of them.

Tree objects are shared between commits, so the parsed ones are kept while they are in use; a whole
history is then compared at the cost of the trees that changed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from topomem.git.objects import TREE_MODE, tree_entries
from topomem.git.text import spell_path
from topomem.model.history import Mode, PathChange, TreeEntry
from topomem.model.ids import BlobId, FilePath

Entries = dict[bytes, tuple[int, bytes]]

_KEPT_ENTRIES = 400_000
_NOTHING: Entries = {}


class TreeReader:
    """Reads trees by raw id through `read`, which gives None for one that is not there."""

    def __init__(self, read: Callable[[bytes], bytes | None]) -> None:
        self._read = read
        self._kept: OrderedDict[bytes, Entries] = OrderedDict()
        self._kept_entries = 0
        self.missing: set[bytes] = set()
        self._whole: set[bytes] = set()

    def listing(self, tree: bytes) -> dict[FilePath, TreeEntry]:
        """Return every entry below `tree` that is no tree, in order of path."""
        return {change.path: change.new for change in self.changes(None, tree) if change.new}

    def changes(self, old: bytes | None, new: bytes | None) -> list[PathChange]:
        """Return the paths whose entry differs, in order of path; None is the empty tree."""
        found: list[PathChange] = []
        pending: list[tuple[bytes | None, bytes | None, bytes]] = [(old, new, b"")]
        while pending:
            old_tree, new_tree, folder = pending.pop()
            before, after = self._entries(old_tree), self._entries(new_tree)
            for name in _differing(before, after):
                old_entry, new_entry = before.get(name), after.get(name)
                old_folder, old_file = _apart(old_entry)
                new_folder, new_file = _apart(new_entry)
                if old_folder or new_folder:
                    pending.append((old_folder, new_folder, folder + name + b"/"))
                if old_file or new_file:
                    path = spell_path(folder + name)
                    found.append(PathChange(path, _entry(old_file), _entry(new_file)))
        found.sort(key=_path)
        return found

    def entry(self, tree: bytes | None, path: bytes) -> TreeEntry | None:
        """Return the entry of one path; None where there is none, or a folder."""
        *folders, name = path.split(b"/")
        for folder in folders:
            tree = _apart(self._entries(tree).get(folder))[0]
        return _entry(_apart(self._entries(tree).get(name))[1])

    def is_whole(self, tree: bytes) -> bool:
        """Return whether a tree and all trees below it are there."""
        seen: set[bytes] = set()
        waiting = [tree]
        while waiting:
            at = waiting.pop()
            if at in seen or at in self._whole:
                continue
            seen.add(at)
            entries = self._entries(at)
            if at in self.missing:
                return False
            folders = (_apart(entry)[0] for entry in entries.values())
            waiting.extend(folder for folder in folders if folder is not None)
        self._whole |= seen
        return True

    def _entries(self, tree: bytes | None) -> Entries:
        if tree is None:
            return _NOTHING
        kept = self._kept.get(tree)
        if kept is not None:
            self._kept.move_to_end(tree)
            return kept
        data = self._read(tree)
        if data is None:
            self.missing.add(tree)
            return _NOTHING
        entries = tree_entries(data)
        self._kept[tree] = entries
        self._kept_entries += len(entries)
        while self._kept_entries > _KEPT_ENTRIES and len(self._kept) > 1:
            self._kept_entries -= len(self._kept.popitem(last=False)[1])
        return entries


def _differing(before: Entries, after: Entries) -> list[bytes]:
    if not before:
        return list(after)
    if not after:
        return list(before)
    return list({name for name, _ in before.items() ^ after.items()})


def _apart(entry: tuple[int, bytes] | None) -> tuple[bytes | None, tuple[int, bytes] | None]:
    """Return (tree id, None) for a folder and (None, entry) for anything else."""
    if entry is None:
        return None, None
    return (entry[1], None) if entry[0] == TREE_MODE else (None, entry)


def _entry(entry: tuple[int, bytes] | None) -> TreeEntry | None:
    return TreeEntry(Mode(entry[0]), BlobId(entry[1].hex())) if entry else None


def _path(change: PathChange) -> FilePath:
    return change.path
