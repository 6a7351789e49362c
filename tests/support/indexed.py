"""A history, indexed: what tests of whole runs share."""

from __future__ import annotations

from pathlib import Path

from support.history import History

from topomem.git.repository import Repository, open_repository
from topomem.index.configuration import Configuration
from topomem.index.events import Emit, unheard
from topomem.index.pipeline import IndexOptions, index
from topomem.index.plan import Scope
from topomem.index.report import IndexReport
from topomem.model.answer import Edge, Symbol
from topomem.model.history import TreeEntry
from topomem.model.ids import CommitId, FilePath
from topomem.store.store import Store

Answers = dict[CommitId, tuple[dict[FilePath, TreeEntry], list[Symbol], list[Edge]]]


class Indexed:
    """A repository and its store, both on disk; blobs are read in this process."""

    def __init__(
        self,
        source: History | Path,
        store: Path,
        configuration: Configuration | None = None,
    ) -> None:
        self.folder = source if isinstance(source, Path) else source.folder
        self.store = Store(store, "repository")
        self.configuration = configuration or Configuration()

    @property
    def repository(self) -> Repository:
        """The repository, opened anew: what was read before does not count."""
        return open_repository(self.folder)

    def run(
        self, scope: Scope | None = None, emit: Emit = unheard, *, room_seconds: float = 0.15
    ) -> IndexReport:
        """Index."""
        options = IndexOptions(scope or Scope(), jobs=1, room_seconds=room_seconds)
        return index(self.repository, self.store, self.configuration, options, emit)

    def commits(self) -> set[CommitId]:
        """Return what is stored."""
        with self.store.read() as reader:
            return reader.known_commits()

    def answers(self) -> Answers:
        """Return tree, symbols and edges of every stored commit."""
        found: Answers = {}
        with self.store.read() as reader:
            for commit in sorted(reader.known_commits()):
                snapshot = reader.open_snapshot(commit)
                found[commit] = (reader.tree(commit), snapshot.symbols(), snapshot.edges())
                snapshot.close()
        return found

    def names(self, commit: CommitId) -> list[str]:
        """Return the qualified names at a commit, with their paths."""
        with self.store.read() as reader:
            return [symbol.id for symbol in reader.open_snapshot(commit).symbols()]


def check_trees(indexed: Indexed) -> None:
    """Check that every stored commit lists what git lists."""
    repository = indexed.repository
    for commit, (tree, _, _) in indexed.answers().items():
        assert tree == repository.tree(repository.commit(commit))


def check_equals_one_run(indexed: Indexed, place: Path, scope: Scope | None = None) -> None:
    """Check that the answers are those of a store that was filled in one go."""
    other = Indexed(indexed.folder, place, indexed.configuration)
    other.run(scope)
    ours, theirs = indexed.answers(), other.answers()
    assert ours.keys() >= theirs.keys()
    for commit, answer in theirs.items():
        assert ours[commit] == answer
