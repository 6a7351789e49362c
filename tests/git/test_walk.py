from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.history import History, build, start

from topomem.git import walk
from topomem.git.repository import open_repository
from topomem.model.history import Commit
from topomem.model.ids import CommitId, TreeId


def check_order(
    tmp_path: Path, graph: str, expected: str, *, tips: str = "", known: str = ""
) -> None:
    """Each line of `graph` is `commit: parents`; the last commit is the tip."""
    history = start(tmp_path)
    for line in graph.strip().splitlines():
        name, _, parents = line.strip().partition(":")
        history.add(name, parents.split(), {f"{name}.py": name})
    names = {commit: name for name, commit in history.ids.items()}
    wanted = [history.ids[name] for name in (tips.split() or [name])]
    walked = open_repository(tmp_path).walk(wanted, {history.ids[name] for name in known.split()})
    assert [names[commit.id] for commit in walked] == expected.split()


def test_a_line(tmp_path: Path) -> None:
    check_order(tmp_path, "a:\nb: a\nc: b", "a b c")


def test_a_side_branch_comes_where_it_leaves(tmp_path: Path) -> None:
    graph = "a:\nb: a\ns: a\nt: s\nc: b\nm: c t\nn: m"
    check_order(tmp_path, graph, "a s t b c m n")


def test_known_commits_end_the_walk(tmp_path: Path) -> None:
    check_order(tmp_path, "a:\nb: a\nc: b\nd: c", "c d", known="b")


def test_octopus_and_criss_cross(tmp_path: Path) -> None:
    graph = "a:\nb: a\nc: a\nd: b c\ne: c b\nf: d e"
    history = start(tmp_path)
    for line in graph.splitlines():
        name, _, parents = line.partition(":")
        history.add(name, parents.split(), {f"{name}.py": name})
    walked = open_repository(tmp_path).walk([history.ids["f"]])
    assert_parents_first(walked)
    assert len(walked) == 6


def test_several_roots(tmp_path: Path) -> None:
    history = build(
        """
=== c1
--- a.py
=== p1
--- index.html
=== c2 < c1, p1
--- b.py
""",
        tmp_path,
    )
    walked = open_repository(tmp_path).walk([history.ids["c2"]])
    assert {commit.id for commit in walked} == set(history.ids.values())
    assert_parents_first(walked)


def test_dates_do_not_matter(tmp_path: Path) -> None:
    history = start(tmp_path)
    for number in range(10):
        parents = [f"c{number - 1}"] if number else []
        history.add(f"c{number}", parents, {"a.py": str(number)}, date=1_000_000 - 1000 * number)
    walked = open_repository(tmp_path).walk([history.ids["c9"]])
    assert [commit.id for commit in walked] == list(history.ids.values())


def test_an_old_date_in_the_middle_hides_nothing(tmp_path: Path) -> None:
    history = dated(tmp_path, [100, 110, 120, 130, 140, 5, 150, 160, 170, 180])
    walked = open_repository(tmp_path).walk([history.ids["c9"]])
    assert walk.since(walked, 100) == set(history.ids.values())
    assert walk.since(walked, 130) == {history.ids[f"c{number}"] for number in range(3, 10)}
    assert walk.since(walked, 175) == {history.ids["c9"]}


def test_the_newest_are_reached_through_each_other(tmp_path: Path) -> None:
    history = dated(tmp_path, [100, 110, 120, 5, 140])
    repository = open_repository(tmp_path)
    commits = {commit.id: commit for commit in repository.walk([history.ids["c4"]])}
    taken = walk.newest([history.ids["c4"]], commits, 3)
    assert taken == {history.ids[name] for name in ("c4", "c3", "c2")}


def dated(folder: Path, dates: list[int]) -> History:
    history = start(folder)
    for number, date in enumerate(dates):
        parents = [f"c{number - 1}"] if number else []
        history.add(f"c{number}", parents, {"a.py": str(number)}, date=date)
    return history


def assert_parents_first(commits: list[Commit]) -> None:
    seen: set[CommitId] = set()
    for commit in commits:
        assert seen.issuperset(commit.parents)
        seen.add(commit.id)


@st.composite
def graphs(draw: st.DrawFn) -> dict[CommitId, Commit]:
    commits: dict[CommitId, Commit] = {}
    for number in range(draw(st.integers(1, 14))):
        names = sorted(commits)
        parents = draw(st.lists(st.sampled_from(names), max_size=3, unique=True)) if names else []
        commit_id = CommitId(f"{number:02}")
        commits[commit_id] = Commit(commit_id, TreeId(""), tuple(parents), "", "", 0, 0, 0, 0, "")
    return commits


@given(graphs())
def test_any_graph_is_walked_once_parents_first(graph: dict[CommitId, Commit]) -> None:
    tips = sorted(graph, reverse=True)
    found = walk.collect(tips, (), graph.get)
    ordered = walk.in_order(tips, found)
    assert_parents_first(ordered)
    assert {commit.id for commit in ordered} == set(graph)


@given(graphs())
def test_walking_in_two_goes_finds_the_same(graph: dict[CommitId, Commit]) -> None:
    middle = sorted(graph)[len(graph) // 2]
    first = {c.id for c in walk.in_order([middle], walk.collect([middle], (), graph.get))}
    tips = sorted(graph)
    rest = {c.id for c in walk.in_order(tips, walk.collect(tips, first, graph.get))}
    assert first | rest == set(graph)
    assert not first & rest


def test_every_first_parent_line_is_claimed_once() -> None:
    def commit(name: str, *parents: str) -> Commit:
        ids = tuple(CommitId(parent) for parent in parents)
        return Commit(CommitId(name), TreeId(""), ids, "", "", 0, 0, 0, 0, "")

    graph = {
        c.id: c for c in (commit("a"), commit("b", "a"), commit("s", "a"), commit("m", "b", "s"))
    }
    continued = walk.main_lines([CommitId("m")], graph)
    assert continued == {"a": "b", "b": "m"}


@pytest.mark.parametrize("tips", [["m"], ["s", "m"]])
def test_the_first_tip_owns_the_line(tips: list[str]) -> None:
    def commit(name: str, *parents: str) -> Commit:
        ids = tuple(CommitId(parent) for parent in parents)
        return Commit(CommitId(name), TreeId(""), ids, "", "", 0, 0, 0, 0, "")

    graph = {c.id: c for c in (commit("a"), commit("s", "a"), commit("m", "a"))}
    assert walk.main_lines([CommitId(tip) for tip in tips], graph) == {"a": tips[0]}
