from __future__ import annotations

from pathlib import Path

import pytest
from support.history import History, build, git, start

from topomem.errors import UnknownRevision
from topomem.git.repository import open_repository
from topomem.index.plan import Known, Plan, Scope, plan
from topomem.model.ids import CommitId

SHAPE = """
=== c1
--- a.py
=== c2 < c1
--- b.py
=== s1 < c1
--- s.py
=== c3 < c2, s1
--- c.py
=== p1
--- index.html
=== main = c3
=== pages = p1
"""


@pytest.fixture
def history(tmp_path: Path) -> History:
    return build(SHAPE, tmp_path)


def planned(history: History, scope: Scope, known: str = "", cut: str = "") -> Plan:
    ids = history.ids
    stored = Known(
        frozenset(ids[name] for name in known.split()), frozenset(ids[name] for name in cut.split())
    )
    return plan(open_repository(history.folder), scope, stored)


def names(history: History, commits: tuple[CommitId, ...] | frozenset[CommitId]) -> list[str]:
    by_id = {commit: name for name, commit in history.ids.items()}
    return [by_id[commit] for commit in commits]


def check(history: History, scope: Scope, expected: str, known: str = "", cut: str = "") -> Plan:
    found = planned(history, scope, known, cut)
    assert names(history, tuple(commit.id for commit in found.commits)) == expected.split()
    return found


def test_all_that_head_reaches(history: History) -> None:
    found = check(history, Scope(), "c1 s1 c2 c3")
    assert sorted(names(history, found.continues)) == ["c2", "c3"]
    assert not any(commit.boundary for commit in found.commits)


def test_all_references(history: History) -> None:
    found = planned(history, Scope(all_refs=True))
    assert {*names(history, tuple(c.id for c in found.commits))} == {"c1", "c2", "s1", "c3", "p1"}
    assert names(history, found.tips) == ["c3", "p1"]


def test_head_alone_is_a_boundary(history: History) -> None:
    found = check(history, Scope(head_only=True), "c3")
    assert found.commits[0].boundary


def test_what_is_known_is_not_done_again(history: History) -> None:
    check(history, Scope(), "", known="c1 c2 s1 c3")
    check(history, Scope(), "c3", known="c1 c2 s1")
    check(history, Scope(head_only=True), "", known="c3")


def test_older_commits_join_where_history_was_cut(history: History) -> None:
    found = check(history, Scope(), "c1 s1 c2", known="c3", cut="c3")
    assert not found.cut
    assert not found.boundaries


def test_since_a_revision_keeps_that_one(history: History) -> None:
    found = check(history, Scope(since=history.ids["c2"]), "c2 s1 c3")
    assert {c.id for c in found.commits if c.boundary} == {history.ids["c2"], history.ids["s1"]}


def test_since_a_date(tmp_path: Path) -> None:
    history = start(tmp_path)
    day = 86_400
    for number in range(10):
        parents = [f"c{number - 1}"] if number else []
        date = 1_640_995_200 + day * (-200 if number == 5 else number)  # from 2022-01-01 on
        history.add(f"c{number}", parents, {"a.py": str(number)}, date=date)
    history.branch("main", "c9")
    check(history, Scope(since="2022-01-01"), " ".join(f"c{number}" for number in range(10)))
    check(history, Scope(since="2022-01-09"), "c8 c9")


def test_since_what_is_neither(history: History) -> None:
    with pytest.raises(UnknownRevision):
        planned(history, Scope(since="yesterday-ish"))


def test_at_most_so_many(history: History) -> None:
    found = check(history, Scope(max_commits=2), "s1 c3")
    assert found.commits[0].boundary


def test_the_boundary_of_a_shallow_clone(history: History, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.folder}", "down")
    found = plan(open_repository(tmp_path / "down"), Scope(), Known())
    assert [(commit.id, commit.boundary) for commit in found.commits] == [(history.ids["c3"], True)]


def test_no_commits_no_plan(tmp_path: Path) -> None:
    start(tmp_path)
    assert plan(open_repository(tmp_path), Scope(), Known()).commits == ()


def test_further_starting_points(history: History) -> None:
    found = planned(history, Scope(head_only=True, refs=("pages",)))
    assert names(history, found.tips) == ["c3", "p1"]
