from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.history import History, build, git

from topomem.git.repository import open_repository
from topomem.git.worktree import WorktreeChange, blob_id


@pytest.fixture
def history(tmp_path: Path) -> History:
    text = "=== c1\n--- a.py\na\n--- pkg/b.py\nb\n--- c.py\nc\n--- .gitignore\nbuild/\n"
    made = build(text, tmp_path / "r")
    made.checkout()
    return made


def changes(folder: Path) -> dict[str, WorktreeChange]:
    return {change.path: change for change in open_repository(folder).worktree_changes()}


def test_a_clean_tree_has_none(history: History) -> None:
    assert changes(history.folder) == {}


def test_staged_unstaged_and_untracked_count_and_ignored_does_not(history: History) -> None:
    top = history.folder
    (top / "a.py").write_text("a2\n")
    (top / "pkg/b.py").write_text("b2\n")
    git(top, "add", "pkg/b.py")
    (top / "new").mkdir()
    (top / "new/d.py").write_text("d\n")
    (top / "build").mkdir()
    (top / "build/e.py").write_text("e\n")
    (top / "c.py").unlink()
    found = changes(top)
    assert list(found) == ["a.py", "c.py", "new/d.py", "pkg/b.py"]
    assert found["c.py"].new is None
    assert found["new/d.py"].source == b"d\n"
    for path in ("a.py", "new/d.py", "pkg/b.py"):
        entry = found[path].new
        assert entry
        assert entry.blob == git(top, "hash-object", "--no-filters", path).strip()


def test_what_is_on_disk_wins_over_what_is_staged(history: History) -> None:
    (history.folder / "a.py").write_text("staged\n")
    git(history.folder, "add", "a.py")
    (history.folder / "a.py").write_text("later\n")
    assert changes(history.folder)["a.py"].source == b"later\n"


def test_an_undecodable_name_is_spelled(history: History) -> None:
    place = os.fsencode(history.folder) + b"/\xe9l.py"
    try:
        with open(place, "wb") as file:  # noqa: PTH123 - bytes
            file.write(b"x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert list(changes(history.folder)) == [r"\xE9l.py"]


def test_a_link_is_not_followed(history: History) -> None:
    (history.folder / "up").symlink_to("../outside.py")
    found = changes(history.folder)["up"]
    assert found.new
    assert (found.new.mode, found.source) == (0o120000, b"../outside.py")


def test_mode_alone(history: History) -> None:
    (history.folder / "a.py").chmod(0o755)
    found = changes(history.folder)["a.py"]
    assert found.new
    assert (found.new.mode, found.source) == (0o100755, b"a\n")


def test_exclude_rules_of_the_common_folder_hold_in_a_linked_worktree(history: History) -> None:
    (history.folder / ".git/info").mkdir(exist_ok=True)
    (history.folder / ".git/info/exclude").write_text("scratch/\n")
    git(history.folder, "worktree", "add", "-q", "-b", "feature", "../linked")
    linked = history.folder.parent / "linked"
    (linked / "scratch").mkdir()
    (linked / "scratch/junk.py").write_text("junk\n")
    (linked / "kept.py").write_text("kept\n")
    assert list(changes(linked)) == ["kept.py"]


def test_line_ends_changed_by_attributes_are_no_change(history: History) -> None:
    (history.folder / ".gitattributes").write_text("*.py text eol=crlf\n")
    (history.folder / "a.py").write_bytes(b"a\r\n")
    assert list(changes(history.folder)) == [".gitattributes"]


def test_ids_of_bytes() -> None:
    assert blob_id(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
