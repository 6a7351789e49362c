"""Which lines a patch changes, read from its text; git's own diffs are the measure."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from support.history import build, git

from topomem.git.patch import patched_lines
from topomem.git.reach import changed_lines

OLD = "".join(f"line {number}\n" for number in range(1, 21))


def check(folder: Path, new: str, expected: list[tuple[int, int]]) -> None:
    build(f"=== c1\n--- a b.txt\n{OLD}", folder).checkout()
    (folder / "a b.txt").write_text(new)
    assert patched_lines(git(folder, "diff")) == {"a b.txt": expected}


def test_lines_taken_out_and_put_in(tmp_path: Path) -> None:
    new = OLD.replace("line 3\n", "other\n").replace("line 17\n", "line 17\nmore\n")
    check(tmp_path, new, [(3, 3), (17, 17)])


def test_lines_that_look_like_headers(tmp_path: Path) -> None:
    check(tmp_path, OLD.replace("line 5\n", "++ b/other.txt\n-- a/x\n@@ -1 +1 @@\n"), [(5, 5)])


def test_new_removed_and_quoted_files() -> None:
    text = (
        "diff --git a/new b/new\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+x\n+y\n"
        'diff --git "a/\\321\\217" "b/\\321\\217"\n--- "a/\\321\\217"\n+++ /dev/null\n'
        "@@ -1,2 +0,0 @@\n-x\n-y\n\\ No newline at end of file\n"
    )
    assert patched_lines(text) == {"new": [(1, 1)], "я": [(1, 1), (2, 2)]}


@given(st.text(max_size=200), st.text(alphabet="@-+ 0123456789,\n/ab", max_size=200))
def test_any_text_is_read(one: str, other: str) -> None:
    for text in (one, other, f"--- a/x\n+++ b/x\n{other}"):
        for ranges in patched_lines(text).values():
            assert all(1 <= start <= end for start, end in ranges)


lines = st.lists(st.sampled_from("abcd"), max_size=8)


@given(lines, lines)
def test_changed_lines_stand_in_the_new_text(old: list[str], new: list[str]) -> None:
    before, after = ("".join(f"{one}\n" for one in some).encode() for some in (old, new))
    found = changed_lines(before, after)
    assert bool(found) == (before != after)
    assert all(1 <= start <= end <= max(1, len(new)) for start, end in found)
