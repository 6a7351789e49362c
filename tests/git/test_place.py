"""Finding a repository by its files alone says what git says."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import History, build, git

from topomem.git.place import common_dir, git_dir, head_commit
from topomem.git.repository import open_repository

TEXT = """
=== c1
--- a/b.py
x = 1
"""


@pytest.fixture(name="history")
def _history(tmp_path: Path) -> History:
    history = build(TEXT, tmp_path / "repository")
    history.checkout()
    return history


def check(path: Path) -> None:
    """Check against what the library finds."""
    found = git_dir(path)
    repository = open_repository(path)
    assert found is not None
    assert found.resolve() == repository.git_dir.resolve()
    assert common_dir(found).resolve() == repository.common_dir.resolve()
    assert head_commit(found) == repository.head()


def test_a_plain_repository_and_a_folder_in_it(history: History) -> None:
    check(history.folder)
    check(history.folder / "a")


def test_packed_references(history: History) -> None:
    git(history.folder, "pack-refs", "--all")
    check(history.folder)


def test_a_detached_head(history: History) -> None:
    git(history.folder, "checkout", "-q", "--detach")
    check(history.folder)


def test_a_linked_worktree(history: History, tmp_path: Path) -> None:
    git(history.folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    check(tmp_path / "linked")


def test_a_bare_repository(tmp_path: Path) -> None:
    build(TEXT, tmp_path / "bare.git", bare=True)
    check(tmp_path / "bare.git")


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    assert git_dir(tmp_path) is None


def test_an_unborn_head_stands_on_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    found = git_dir(tmp_path)
    assert found is not None
    assert head_commit(found) is None
