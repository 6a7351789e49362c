"""A repository as one text; fixed author and dates make its commit ids equal on any machine.

    === c1
    --- billing/invoice.py
    def total(lines): ...
    === c2 < c1
    > a message of its own
    --- billing/invoice.py
    def grand_total(lines): ...
    === c3 < c2, side
    --x old.py
    --> from.py -> to.py
    --- run.sh (100755)
    echo
    === main = c3

A commit starts from the tree of its first parent, or from nothing. `=== name = commit` sets a
branch; without any, `main` is the last commit. HEAD names `main`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from topomem.model.ids import CommitId

AUTHOR = "Ada Example <ada@example.org>"
FIRST_DATE = 1_700_000_000
DAY = 86_400

Tree = dict[str, tuple[int, pygit2.Oid]]


@dataclass
class History:
    """A repository on disk that commits can be added to."""

    folder: Path
    library: pygit2.Repository
    ids: dict[str, CommitId] = field(default_factory=dict)
    trees: dict[str, Tree] = field(default_factory=dict)

    def blob(self, source: bytes) -> pygit2.Oid:
        return self.library.create_blob(source)

    def add(
        self,
        name: str,
        parents: Sequence[str],
        changes: Mapping[str, bytes | str | tuple[int, bytes] | None],
        *,
        message: str = "",
        date: int | None = None,
    ) -> CommitId:
        """Add a commit whose tree is that of its first parent with `changes` (None deletes)."""
        tree = dict(self.trees[parents[0]]) if parents else {}
        for path, content in changes.items():
            if content is None:
                tree.pop(path)
                continue
            mode, source = content if isinstance(content, tuple) else (0o100644, content)
            tree[path] = (mode, self.blob(source.encode() if isinstance(source, str) else source))
        return self.put(name, parents, tree, message=message, date=date)

    def put(
        self,
        name: str,
        parents: Sequence[str],
        tree: Tree,
        *,
        message: str = "",
        date: int | None = None,
    ) -> CommitId:
        """Add a commit with exactly this tree."""
        when = FIRST_DATE + DAY * len(self.ids) if date is None else date
        lines = [f"tree {write_tree(self.library, tree)}"]
        lines += [f"parent {self.ids[parent]}" for parent in parents]
        lines += [f"author {AUTHOR} {when} +0100", f"committer {AUTHOR} {when} +0100"]
        text = "\n".join([*lines, "", message or name, ""])
        self.trees[name] = tree
        return self.raw(name, text.encode())

    def raw(self, name: str, data: bytes) -> CommitId:
        """Add a commit object with these very bytes."""
        self.ids[name] = CommitId(str(self.library.odb.write(ObjectType.COMMIT, data)))
        return self.ids[name]

    def branch(self, branch: str, name: str) -> None:
        """Let a branch stand on a commit."""
        target = pygit2.Oid(hex=self.ids[name])
        self.library.create_reference_direct(f"refs/heads/{branch}", target, force=True)

    def checkout(self) -> None:
        """Write HEAD's tree to the work tree."""
        git(self.folder, "reset", "-q", "--hard")


def start(folder: Path, *, bare: bool = False) -> History:
    """Return a new, empty repository whose HEAD names `main`."""
    library = pygit2.init_repository(str(folder), bare=bare, initial_head="main")
    return History(folder, library)


def build(text: str, folder: Path, *, bare: bool = False) -> History:
    """Return the repository a text describes."""
    history = start(folder, bare=bare)
    branches: dict[str, str] = {}
    last = ""
    for block in _blocks(text):
        head, _, body = block.partition("\n")
        if "=" in head:
            branch, _, name = head.partition("=")
            branches[branch.strip()] = name.strip()
            continue
        name, _, parents = head.partition("<")
        last = name.strip()
        _commit(history, last, [p.strip() for p in parents.split(",") if p.strip()], body)
    for branch, name in (branches or {"main": last}).items():
        history.branch(branch, name)
    return history


def write_tree(library: pygit2.Repository, tree: Tree) -> pygit2.Oid:
    """Write the tree objects of a flat listing and return the id of the top one."""
    folders: dict[str, dict[bytes, tuple[int, pygit2.Oid]]] = {"": {}}
    for path, entry in tree.items():
        parts = path.split("/")
        for depth in range(1, len(parts)):
            folders.setdefault("/".join(parts[:depth]), {})
        folders["/".join(parts[:-1])][os.fsencode(parts[-1])] = entry
    for folder in sorted(folders, key=lambda name: (-name.count("/"), name), reverse=False):
        if folder:
            parent, _, name = folder.rpartition("/")
            folders[parent][os.fsencode(name)] = (0o40000, _tree_object(library, folders[folder]))
    return _tree_object(library, folders[""])


def _tree_object(
    library: pygit2.Repository, entries: dict[bytes, tuple[int, pygit2.Oid]]
) -> pygit2.Oid:
    ordered = sorted(entries.items(), key=lambda item: item[0] + b"/" * (item[1][0] == 0o40000))
    data = b"".join(b"%o %s\0%s" % (mode, name, oid.raw) for name, (mode, oid) in ordered)
    return library.odb.write(ObjectType.TREE, data)


def _blocks(text: str) -> list[str]:
    return [block.strip("\n") + "\n" for block in ("\n" + text).split("\n=== ")[1:]]


def _commit(history: History, name: str, parents: list[str], body: str) -> None:
    tree = dict(history.trees[parents[0]]) if parents else {}
    message: list[str] = []
    path, mode, content = "", 0o100644, list[str]()

    def close() -> None:
        if path:
            tree[path] = (mode, history.blob("".join(content).encode()))

    for line in body.splitlines(keepends=True):
        if not line.startswith(("--- ", "--x ", "--> ")):
            if path:
                content.append(line)
            elif line.startswith("> "):
                message.append(line[2:])
            continue
        close()
        path, mode, content = "", 0o100644, []
        rest = line[4:].strip()
        if line.startswith("--x "):
            tree.pop(rest)
        elif line.startswith("--> "):
            old, _, new = rest.partition(" -> ")
            tree[new] = tree.pop(old)
        else:
            path, _, octal = rest.partition(" (")
            mode = int(octal.rstrip(")"), 8) if octal else 0o100644
    close()
    history.put(name, parents, tree, message="".join(message))


def git(folder: Path, *arguments: str) -> str:
    """Run git with fixed author and dates and no configuration; return what it prints."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "Ada Example",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada Example",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": f"{FIRST_DATE} +0100",
        "GIT_COMMITTER_DATE": f"{FIRST_DATE} +0100",
    }
    command = ["git", "-c", "protocol.file.allow=always", "-C", str(folder), *arguments]
    done = subprocess.run(command, env=environment, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "surrogateescape")
