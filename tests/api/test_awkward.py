"""Repositories that are not one folder with one branch: worktrees, orphans, stores inside, clones."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import build, git
from support.shop import shop

import topomem
from topomem.api.memory import Memory
from topomem.errors import NotIndexed
from topomem.index.loop import PENDING

RENAMED = """
=== c1
--- a.py
def old_fn(): ...
--- b.py
from a import old_fn
old_fn()
=== c2 < c1
--- a.py
def new_fn(): ...
--- b.py
from a import new_fn
new_fn()
=== main = c1
=== feature = c2
"""


def names(memory: Memory, as_of: str | None = None) -> set[str]:
    return {one.qualified_name for one in memory.symbols("_fn", as_of=as_of).symbols}


def test_a_worktree_inside_another_answers_for_its_own_head(tmp_path: Path) -> None:
    history = build(RENAMED, tmp_path / "r")
    history.checkout()
    git(history.folder, "worktree", "add", "-q", ".agents/wt", "feature")
    inner = history.folder / ".agents/wt"
    outer = topomem.open(history.folder)
    outer.index(jobs=1)
    for folder in (inner, inner / "."):
        memory = topomem.open(folder)
        assert names(memory) == {"new_fn"}
        assert names(memory, "WORKTREE") == {"new_fn"}
    assert names(outer) == {"old_fn"}
    topomem.open(inner).index(jobs=1)
    assert outer.status().store == topomem.open(inner).status().store
    assert names(topomem.open(inner)) == {"new_fn"}
    assert names(outer) == {"old_fn"}


def test_a_store_in_the_work_tree_is_no_change_of_it(tmp_path: Path) -> None:
    history = shop(tmp_path)
    memory = topomem.open(history.folder, store=history.folder / "tools/memory")
    memory.index(jobs=1)
    assert git(history.folder, "status", "--porcelain") == "?? tools/\n"
    for _ in range(2):
        assert memory.status().changed_files == 0
        assert memory.symbols(as_of="WORKTREE").notes == ()
        assert memory.reindex().commits_indexed == 0
    git(history.folder, "gc", "-q")
    assert memory.reindex().commits_indexed == 0
    (history.folder / "tools/memory.py").write_text("def memory(): ...\n")
    assert memory.status().changed_files == 1


def test_every_root_is_indexed_and_says_which_references_lead_to_it(tmp_path: Path) -> None:
    text = """
=== m1
--- a.py
def same(): return 1 + 2 + 3
=== m2 < m1
--- b.py
=== m3 < m2
--- c.py
=== p1
--- page.py
def same(): return 1 + 2 + 3
=== p2 < p1
--- more.py
=== t1
--- tagged.py
=== main = m3
=== pages = p2
"""
    history = build(text, tmp_path / "r")
    git(history.folder, "tag", "-a", "-m", "tag", "v1", history.ids["t1"])
    (history.folder / ".git/HEAD").write_text(history.ids["m2"] + "\n")
    memory = topomem.open(history.folder)
    assert memory.index(jobs=1).commits_total == 2
    assert memory.index(all_refs=True, jobs=1).commits_total == 6
    leading = {name: memory.commit(commit).references for name, commit in history.ids.items()}
    assert leading == {
        **dict.fromkeys(("m1", "m2", "m3"), ("refs/heads/main",)),
        **dict.fromkeys(("p1", "p2"), ("refs/heads/pages",)),
        "t1": ("refs/tags/v1",),
    }
    assert memory.aliases().aliases == ()
    assert memory.status().unreachable_commits == 0


def test_grafts_and_replacements_join_nothing(tmp_path: Path) -> None:
    text = "=== a1\n--- a.py\ndef a(): ...\n=== b1\n--- b.py\ndef b(): ...\n=== main = b1\n"
    history = build(text, tmp_path / "r")
    git(history.folder, "replace", "--graft", history.ids["b1"], history.ids["a1"])
    memory = topomem.open(history.folder)
    report = memory.index(jobs=1)
    assert (report.commits_total, memory.commit().parents) == (1, ())
    assert any("refs/replace" in warning for warning in report.warnings)
    assert any("replaced" in note for note in memory.status().notes)
    git(history.folder, "replace", "-d", history.ids["b1"])
    assert memory.index(jobs=1).warnings == ()
    assert memory.status().notes == ()


def test_files_that_a_partial_clone_lacks_are_not_taken_for_none(tmp_path: Path) -> None:
    history = shop(tmp_path)
    git(history.folder, "config", "uploadpack.allowFilter", "true")
    url = f"file://{history.folder}"
    git(tmp_path, "clone", "-q", "--filter=tree:0", url, "down")
    memory = topomem.open(tmp_path / "down")
    report = memory.index(jobs=1)
    assert report.symbols > 0
    with pytest.raises(NotIndexed, match="partial") as caught:
        memory.symbols(as_of="HEAD~1")
    assert "fetch" in caught.value.hint


def test_status_says_what_an_ended_run_left(tmp_path: Path) -> None:
    history = build("=== c0\n--- a.py\nx = 0\n", tmp_path / "r")
    memory = topomem.open(history.folder)
    memory.index(jobs=1)
    assert memory.status().notes == ()
    with memory._opened.store.write() as writer:
        writer.set_property(PENDING, "3")
    assert any("3 commits of the last index" in note for note in memory.status().notes)
    history.add("c1", ["c0"], {"a.py": "x = 1\n"})
    history.branch("main", "c1")
    memory.index(jobs=1)
    assert memory.status().notes == ()


def test_a_clone_that_is_deepened_while_it_is_open(tmp_path: Path) -> None:
    history = shop(tmp_path)
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.folder}", "down")
    memory = topomem.open(tmp_path / "down")
    assert memory.index(jobs=1).commits_total == 1
    assert memory.commit().is_boundary
    assert memory.history("Cart").cut
    git(tmp_path / "down", "fetch", "-q", "--unshallow")
    assert memory.index(jobs=1).commits_total == 2
    assert not memory.commit().is_boundary
    assert not memory.history("Cart").cut
