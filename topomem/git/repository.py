"""One git repository, read as values."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from topomem.errors import UnknownRevision, UsageError
from topomem.git import notes, reach
from topomem.git import walk as walking
from topomem.git.expiry import seconds_kept
from topomem.git.objects import parse_commit
from topomem.git.opening import open_library_repository
from topomem.git.text import path_bytes, spell_path
from topomem.git.tree import TreeReader
from topomem.git.worktree import WorktreeChange, read_path, worktree_changes
from topomem.model.history import Commit, PathChange, TreeEntry
from topomem.model.ids import BlobId, CommitId, FilePath

_IGNORED_REFERENCES = ("refs/replace/", "refs/notes/", "refs/stash")


def open_repository(path: str | Path) -> Repository:
    """Return the repository that `path` is, or is inside of. Raises NotARepository."""
    return Repository(open_library_repository(Path(path)))


class Repository:
    """A git repository: bare or not, a linked worktree, shallow or partial; empty ones too.

    Objects are read as they are: `refs/replace/*` and grafts are ignored, always (`replaced` lists
    what is ignored). Objects that are not there are None, never an error.
    """

    def __init__(self, library: pygit2.Repository) -> None:
        self._library = library
        self._odb = library.odb
        self._trees = TreeReader(lambda raw: self._bytes(raw, ObjectType.TREE))
        self.apart: Path | None = None
        """A folder whose files are no changes of the work tree: that of the store."""

    @cached_property
    def git_dir(self) -> Path:
        """The folder with this worktree's HEAD."""
        return Path(self._library.path)

    @cached_property
    def common_dir(self) -> Path:
        """The folder shared by all worktrees."""
        try:
            text = os.fsdecode((self.git_dir / "commondir").read_bytes()).strip()
        except OSError:
            return self.git_dir
        return (self.git_dir / text).resolve()

    @property
    def top(self) -> Path | None:
        """The work tree, None in a bare repository."""
        return Path(self._library.workdir) if self._library.workdir else None

    @cached_property
    def shallow_boundary(self) -> frozenset[CommitId]:
        """Commits whose parents a shallow clone cut off."""
        try:
            text = (self.common_dir / "shallow").read_text("ascii", "replace")
        except OSError:
            return frozenset()
        return frozenset(CommitId(line.strip()) for line in text.splitlines() if line.strip())

    def forget(self) -> None:
        """Forget what was read: a clone may be deepened, or fetched into, while it is open."""
        for name in ("shallow_boundary", "is_partial"):
            self.__dict__.pop(name, None)
        self._trees = TreeReader(lambda raw: self._bytes(raw, ObjectType.TREE))

    @property
    def is_shallow(self) -> bool:
        """Whether history is cut off somewhere."""
        return bool(self.shallow_boundary)

    @property
    def replaced(self) -> tuple[str, ...]:
        """Ids of objects for which git shows another one; that replacement is ignored here."""
        prefix = b"refs/replace/"
        names = self._library.raw_listall_references()
        return tuple(
            sorted(
                name[len(prefix) :].decode("ascii", "replace")
                for name in names
                if name.startswith(prefix)
            )
        )

    @property
    def hooks_path(self) -> Path | None:
        """The folder that `core.hooksPath` names, which may not exist; None where it is not set.

        A relative one starts where hooks run: at the top of the work tree, or in a bare repository.
        """
        text = self._configured("core.hooksPath")
        return (self.top or self.git_dir) / Path(text).expanduser() if text else None

    @property
    def seconds_kept(self) -> int | None:
        """How long git keeps what no reference leads to; None: for ever."""
        return seconds_kept(self._configured("gc.reflogExpireUnreachable"))

    def origin(self) -> str | None:
        """Return the address of the remote called origin, as configured."""
        return self._configured("remote.origin.url")

    def _configured(self, key: str) -> str | None:
        try:
            return str(self._library.config[key])
        except (KeyError, pygit2.GitError, UnicodeDecodeError):
            return None

    def author(self) -> str:
        """Return who commits here, as configured: `Name <address>`, or what there is of it."""
        found = []
        for key, form in (("user.name", "{}"), ("user.email", "<{}>")):
            try:
                found.append(form.format(str(self._library.config[key]).strip()))
            except (KeyError, pygit2.GitError, UnicodeDecodeError):
                continue
        return " ".join(found)

    def behind(self, tips: Iterable[CommitId], wanted: Iterable[str]) -> set[CommitId]:
        """Return which of the wanted commits are these tips or behind them."""
        return reach.behind(self._library, tips, wanted)

    def has_commit(self, text: str) -> bool:
        """Return whether a full id names a commit that is here."""
        return self._commit(CommitId(text)) is not None

    def reachable(self, wanted: Iterable[str]) -> set[CommitId]:
        """Return which of the wanted commits any reference or any worktree's HEAD leads to."""
        return self.behind([*self.references().values(), *self.heads()], wanted)

    def note_tip(self, reference: str) -> CommitId | None:
        """Return the commit that a reference of notes stands on."""
        return notes.tip(self._library, reference)

    def read_notes(self, commit: CommitId) -> Iterator[tuple[str, bytes | None]]:
        """Yield (object id, text) of the notes of a commit; None for what is not read."""
        return notes.read_notes(self._library, commit)

    def write_notes(
        self, texts: Mapping[str, bytes], parents: Sequence[CommitId], message: str, when: int
    ) -> CommitId:
        """Write a commit of notes; `when` is in seconds UTC. No reference is moved."""
        return notes.write_notes(self._library, texts, parents, message, when)

    def move_note(self, reference: str, commit: CommitId) -> None:
        """Let a reference of notes stand on a commit."""
        notes.move(self._library, reference, commit)

    def note_is_behind(self, older: CommitId, newer: CommitId) -> bool:
        """Whether a commit of notes is another one, or behind it."""
        return notes.is_behind(self._library, older, newer)

    def head(self) -> CommitId | None:
        """Return the commit HEAD stands on; None before the first commit."""
        try:
            target = self._library.head.peel(pygit2.Commit)
        except (pygit2.GitError, KeyError, ValueError):
            return None
        return CommitId(str(target.id))

    def heads(self) -> list[CommitId]:
        """Return the commits under the HEADs of all worktrees, this one's first, each once."""
        own = self.head()
        found = [own] if own else []
        named = self.references()
        places = [self.common_dir, *sorted((self.common_dir / "worktrees").glob("*"))]
        for place in places:
            try:
                text = (place / "HEAD").read_bytes().strip()
            except OSError:
                continue
            branch = spell_path(text.removeprefix(b"ref: "))
            commit = named.get(branch) if text.startswith(b"ref: ") else CommitId(branch)
            if commit and self._commit(commit):
                found.append(commit)
        return list(dict.fromkeys(found))

    def head_branch(self) -> str | None:
        """Return the full name of the branch HEAD names, existing or not; None when detached."""
        try:
            text = (self.git_dir / "HEAD").read_bytes()
        except OSError:
            return None
        prefix = b"ref: "
        return spell_path(text[len(prefix) :].strip()) if text.startswith(prefix) else None

    def references(self) -> dict[str, CommitId]:
        """Return every reference that leads to a commit, by full name.

        Notes, stashes and replacements do not count.
        """
        found: dict[str, CommitId] = {}
        for raw in self._library.raw_listall_references():
            name = spell_path(raw)
            if name.startswith(_IGNORED_REFERENCES):
                continue
            try:
                reference = self._library.lookup_reference(os.fsdecode(raw))
                found[name] = CommitId(str(reference.peel(pygit2.Commit).id))
            except (pygit2.GitError, KeyError, ValueError):
                continue  # a broken one, or one that leads to a tree or a blob
        return dict(sorted(found.items()))

    def resolve(self, revision: str) -> CommitId:
        """Return the commit a revision text names. Raises UnknownRevision."""
        try:
            found = self._library.revparse_single(revision).peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError) as error:
            unborn = revision.startswith(("HEAD", "@")) and self.head() is None
            hint = "there are no commits yet" if unborn else ""
            raise UnknownRevision(revision, hint) from error
        return CommitId(str(found.id))

    def has(self, commit_id: CommitId) -> bool:
        """Whether a commit is there."""
        return self._commit(commit_id) is not None

    def leads_to(self, tip: CommitId, commit: CommitId) -> bool:
        """Whether one commit is behind another; both must be there."""
        return bool(self._library.descendant_of(tip, commit))

    def commit(self, commit_id: CommitId) -> Commit:
        """Return a commit by its full id. Raises UnknownRevision where it is not there."""
        commit = self._commit(commit_id)
        if commit is None:
            raise UnknownRevision(commit_id)
        return commit

    def walk(self, tips: Iterable[CommitId], known: Container[CommitId] = ()) -> list[Commit]:
        """Return the commits reachable from `tips` without passing known ones, parents first.

        Side branches come before the line they leave goes on; the same input, the same order.
        """
        tips = list(tips)
        return walking.in_order(tips, walking.collect(tips, known, self._commit))

    def merge_base(self, one: CommitId, other: CommitId) -> CommitId | None:
        """Return the best common ancestor; None where history, as far as it is here, has none.

        Of several (criss-cross merges) the one that comes last in the order of `walk`.
        """
        behind = [walking.collect([tip], (), self._commit) for tip in (one, other)]
        shared = behind[0].keys() & behind[1].keys()
        inner = {parent for commit in shared for parent in behind[0][commit].present_parents}
        order = walking.in_order([one], behind[0])
        best = [commit.id for commit in order if commit.id in shared - inner]
        return best[-1] if best else None

    @cached_property
    def is_partial(self) -> bool:
        """Whether objects may be elsewhere: they were promised by a remote and are not fetched."""
        return any(
            entry.name.endswith(".promisor") or entry.name == "extensions.partialclone"
            for entry in self._library.config
        )

    def has_files(self, commit: Commit) -> bool:
        """Return whether all trees of a commit are there; only a partial clone lacks some."""
        return not self.is_partial or self._trees.is_whole(bytes.fromhex(commit.tree))

    def tree(self, commit: Commit) -> dict[FilePath, TreeEntry]:
        """Return what `git ls-tree -r` lists, in order of path."""
        return self._trees.listing(bytes.fromhex(commit.tree))

    def entry(self, commit: Commit, path: FilePath) -> TreeEntry | None:
        """Return the entry of one path; None where there is none, or a folder."""
        return self._trees.entry(bytes.fromhex(commit.tree), path_bytes(path))

    def changes(self, parent: Commit | None, commit: Commit) -> list[PathChange]:
        """Return the paths whose entry differs from `parent`'s (None: from nothing), by path."""
        return self._trees.changes(
            bytes.fromhex(parent.tree) if parent else None, bytes.fromhex(commit.tree)
        )

    def read(self, blob: BlobId) -> bytes | None:
        """Return the bytes of a blob; None where it is missing or no blob."""
        return self._bytes(bytes.fromhex(blob), ObjectType.BLOB)

    def size(self, blob: BlobId) -> int | None:
        """Return how many bytes a blob has, without reading them; None where it is missing."""
        try:
            kind, size = self._odb.read_header(pygit2.Oid(hex=blob))
        except (KeyError, pygit2.GitError):
            return None
        return size if kind == ObjectType.BLOB else None

    def worktree_changes(self) -> list[WorktreeChange]:
        """Return what differs on disk from HEAD. Raises UsageError in a bare repository."""
        if self.top is None:
            raise UsageError("a bare repository has no work tree", "name a revision instead")
        head = self.head()
        tree = bytes.fromhex(self.commit(head).tree) if head else None
        return worktree_changes(
            self._library,
            self.top,
            lambda path: self._trees.entry(tree, path_bytes(path)),
            self._name_apart(self.top),
        )

    def _name_apart(self, top: Path) -> str:
        """Return the path of `apart` below the work tree, as git spells it; empty if elsewhere."""
        if self.apart is None or not self.apart.resolve().is_relative_to(top.resolve()):
            return ""
        return self.apart.resolve().relative_to(top.resolve()).as_posix()

    def read_worktree(self, path: FilePath, blob: BlobId) -> bytes | None:
        """Return the bytes of a path on disk; None where they are not, or no longer, this blob."""
        if self.top is None:
            return None
        change = read_path(self.top, path)
        return change.source if change.new and change.new.blob == blob else None

    def _commit(self, commit_id: CommitId) -> Commit | None:
        try:
            data = self._bytes(bytes.fromhex(commit_id), ObjectType.COMMIT)
        except ValueError:
            return None
        if data is None:
            return None
        boundary = commit_id in self.shallow_boundary
        return parse_commit(commit_id, data, boundary=boundary)

    def _bytes(self, raw_id: bytes, kind: ObjectType) -> bytes | None:
        try:
            found, data = self._odb.read(pygit2.Oid(raw=raw_id))
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return data if found == kind else None
