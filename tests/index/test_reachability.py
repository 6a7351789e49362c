from __future__ import annotations

from pathlib import Path

import pytest
from support.growth import grow
from support.history import History, build, git
from support.indexed import Indexed, check_equals_one_run, check_trees

from topomem.git.expiry import DAY
from topomem.index.configuration import Configuration
from topomem.index.events import BlobParsed, Event
from topomem.index.pipeline import IndexOptions, index
from topomem.index.plan import Scope
from topomem.index.report import IndexReport
from topomem.model.ids import CommitId
from topomem.store.doctor import check_rows

FACTS = ("topology.blob", "topology.region", "topology.placement", "topology.edge", "meta.track")
LINE = "=== c0\n--- a.py\ndef a0(): ...\n" + "".join(
    f"=== c{n} < c{n - 1}\n--- f{n}.py\nfrom a import a0\ndef f{n}(): a0()\n" for n in range(1, 6)
)


def run(
    indexed: Indexed, now: int = 0, scope: Scope | None = None, log: list[Event] | None = None
) -> IndexReport:
    options = IndexOptions(scope or Scope(), jobs=1, now=now, follow=scope is None)
    events = [] if log is None else log
    return index(indexed.repository, indexed.store, indexed.configuration, options, events.append)


def unreachable(indexed: Indexed) -> set[CommitId]:
    with indexed.store.read() as reader:
        return set(reader.unreachable_commits())


def counts(indexed: Indexed) -> list[int]:
    with indexed.store.read() as reader:
        rows = [
            reader.connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
            for table in FACTS
        ]
        assert check_rows(reader) == []
    return [row[0] for row in rows if row]


@pytest.fixture
def line(tmp_path: Path) -> History:
    return build(LINE, tmp_path / "r")


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_branches_that_are_gone_leave_nothing_behind(tmp_path: Path, seed: int) -> None:
    history = grow(tmp_path / "r", seed + 3, 8)
    indexed = Indexed(history, tmp_path / "store", Configuration())
    run(indexed, 0, Scope(all_refs=True))
    for name in git(history.folder, "branch", "--list", "b*", "--format=%(refname:short)").split():
        git(history.folder, "branch", "-q", "-D", name)
    run(indexed, 1)
    gone = unreachable(indexed)
    assert gone == set(history.ids.values()) - reachable(history)
    run(indexed, 30 * DAY)
    assert indexed.commits() == set(history.ids.values())
    run(indexed, 1 + 30 * DAY)
    assert indexed.commits() == reachable(history)
    check_trees(indexed)
    check_equals_one_run(indexed, tmp_path / "other")
    assert counts(indexed) == counts(Indexed(history, tmp_path / "other"))
    for name in history.ids:
        history.branch(name, name)
    run(indexed, 40 * DAY, Scope(all_refs=True))
    check_equals_one_run(indexed, tmp_path / "all", Scope(all_refs=True))


def reachable(history: History) -> set[str]:
    return set(git(history.folder, "rev-list", "--all").split())


def test_an_amended_commit(line: History, tmp_path: Path) -> None:
    indexed = Indexed(line, tmp_path / "store")
    run(indexed)
    line.add("amended", ["c4"], {"f5.py": "def f5(): return 5\n"})
    line.branch("main", "amended")
    log: list[Event] = []
    assert run(indexed, log=log).commits_indexed == 1
    assert len([event for event in log if isinstance(event, BlobParsed)]) == 1
    assert unreachable(indexed) == {line.ids["c5"]}
    line.branch("main", "c5")
    run(indexed)
    assert unreachable(indexed) == {line.ids["amended"]}


def test_a_rebase_parses_nothing_again(line: History, tmp_path: Path) -> None:
    line.add("base", ["c0"], {"base.py": "def base(): ...\n"})
    indexed = Indexed(line, tmp_path / "store")
    run(indexed, scope=Scope(refs=(line.ids["base"],)))
    parent = "base"
    for number in range(1, 6):
        files = {f"f{number}.py": f"from a import a0\ndef f{number}(): a0()\n"}
        line.add(f"r{number}", [parent], files)
        parent = f"r{number}"
    line.branch("main", parent)
    report = run(indexed)
    assert (report.commits_indexed, report.blobs_parsed) == (5, 0)
    assert unreachable(indexed) == {line.ids[f"c{number}"] for number in range(1, 6)}
    check_trees(indexed)


def test_a_branch_switched_to_and_a_reset(line: History, tmp_path: Path) -> None:
    line.branch("side", "c2")
    indexed = Indexed(line, tmp_path / "store")
    run(indexed)
    (line.folder / ".git/HEAD").write_text("ref: refs/heads/side\n")
    assert run(indexed).commits_indexed == 0
    assert unreachable(indexed) == set()
    line.branch("main", "c3")
    assert run(indexed).commits_indexed == 0
    assert unreachable(indexed) == {line.ids["c4"], line.ids["c5"]}


def test_a_commit_named_by_its_id_alone_is_not_reachable(line: History, tmp_path: Path) -> None:
    indexed = Indexed(line, tmp_path / "store")
    run(indexed)
    lost = line.add("lost", ["c2"], {"lost.py": "def lost(): ...\n"})
    run(indexed, scope=Scope(refs=(lost,)))
    assert unreachable(indexed) == {lost}


@pytest.mark.parametrize("scope", [Scope(), Scope(head_only=True)])
def test_what_git_has_lost_hinders_nothing(line: History, tmp_path: Path, scope: Scope) -> None:
    indexed = Indexed(line, tmp_path / "store")
    run(indexed, scope=scope)
    line.add("amended", ["c3"], {"f5.py": "def f5(): return 5\n"})
    line.branch("main", "amended")
    git(line.folder, "reflog", "expire", "--expire=now", "--all")
    git(line.folder, "gc", "-q", "--prune=now")
    with pytest.raises(KeyError):
        line.library[line.ids["c5"]]
    run(indexed)
    run(indexed)
    assert unreachable(indexed) >= {line.ids["c5"]}
    assert line.ids["amended"] in indexed.commits()
    run(indexed, scope=Scope())
    run(indexed, 31 * DAY)
    assert indexed.commits() == reachable(line)
    check_trees(indexed)


def test_nothing_is_dropped_while_others_index(line: History, tmp_path: Path) -> None:
    indexed = Indexed(line, tmp_path / "store")
    run(indexed)
    line.branch("main", "c3")
    run(indexed)
    with indexed.store.indexing():
        run(indexed, 31 * DAY)
        assert line.ids["c5"] in indexed.commits()
    run(indexed, 31 * DAY)
    assert line.ids["c5"] not in indexed.commits()


@pytest.mark.parametrize(
    ("configured", "days", "kept"),
    [("never", 1000, True), ("3 days", 2, True), ("3.days.ago", 3, False), ("now", 0, False)],
)
def test_git_says_how_long_they_stay(
    line: History, tmp_path: Path, configured: str, days: int, kept: object
) -> None:
    git(line.folder, "config", "gc.reflogExpireUnreachable", configured)
    indexed = Indexed(line, tmp_path / "store")
    run(indexed)
    line.branch("main", "c3")
    run(indexed, 100)
    run(indexed, 100 + days * DAY)
    assert (line.ids["c5"] in indexed.commits()) is kept


def test_what_is_reached_through_commits_that_are_not_stored(line: History, tmp_path: Path) -> None:
    indexed = Indexed(line, tmp_path / "store")
    for name in ("c1", "c5"):
        line.branch("main", name)
        run(indexed, scope=Scope(head_only=True))
    assert indexed.commits() == {line.ids["c1"], line.ids["c5"]}
    assert unreachable(indexed) == set()
    line.branch("main", "c0")
    run(indexed, scope=Scope(head_only=True))
    assert unreachable(indexed) == {line.ids["c1"], line.ids["c5"]}
    line.branch("other", "c2")
    run(indexed, scope=Scope(head_only=True))
    assert unreachable(indexed) == {line.ids["c5"]}
