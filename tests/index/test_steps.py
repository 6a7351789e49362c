from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.history import History, build, start

from topomem.git.repository import open_repository
from topomem.index.plan import Known, Scope, plan
from topomem.index.steps import FileStep, Step, Stepper
from topomem.model.history import TreeEntry
from topomem.model.ids import FilePath, LanguageName

GRAPH = """
=== c1
--- a.py
1
--- b.py
1
=== s1 < c1
--x a.py
--- s.py
1
=== c2 < c1
--- a.py
2
=== c3 < c2, s1
--- c.py
1
"""


def language(path: FilePath, entry: TreeEntry) -> LanguageName:
    del path, entry
    return LanguageName("some")


def steps_of(history: History, scope: Scope | None = None) -> list[Step]:
    repository = open_repository(history.folder)
    planned = plan(repository, scope or Scope(), Known())
    stepper = Stepper(repository, lambda path: not path.startswith("hidden/"), language)
    return list(stepper.steps(planned.commits, set(), None))


def apply(state: dict[FilePath, TreeEntry], files: tuple[FileStep, ...]) -> None:
    for file in files:
        if file.entry is None:
            del state[file.path]
        else:
            state[file.path] = file.entry


def check_walk(history: History, scope: Scope | None = None) -> None:
    repository = open_repository(history.folder)
    state: dict[FilePath, TreeEntry] = {}
    for step in steps_of(history, scope):
        apply(state, step.back)
        before = repository.tree(repository.commit(step.parent)) if step.parent else {}
        assert state == before
        apply(state, step.own)
        assert state == repository.tree(step.commit)


def test_the_state_goes_back_to_where_a_line_leaves(tmp_path: Path) -> None:
    history = build(GRAPH, tmp_path)
    check_walk(history)
    moves = {
        step.commit.message.strip(): [file.path for file in step.back] for step in steps_of(history)
    }
    assert moves == {"c1": [], "s1": [], "c2": ["a.py", "s.py"], "c3": []}


def test_a_second_root_starts_from_nothing(tmp_path: Path) -> None:
    history = build(GRAPH + "=== p1\n--- index.html\nx\n=== main = c3\n=== pages = p1\n", tmp_path)
    check_walk(history, Scope(all_refs=True))


def test_paths_that_do_not_count_are_in_no_step(tmp_path: Path) -> None:
    history = build("=== c1\n--- hidden/a.py\n1\n--- a.py\n1\n", tmp_path)
    (step,) = steps_of(history)
    assert [file.path for file in step.own] == ["a.py"]


@given(data=st.data())
def test_any_history_is_walked_through_every_tree(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    history = start(tmp_path_factory.mktemp("r"))
    for number in range(data.draw(st.integers(1, 8))):
        names = list(history.ids)
        parents = (
            data.draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
        )
        paths = data.draw(st.sets(st.sampled_from(["a.py", "d/b.py", "d/c.py"]), min_size=1))
        tree = {path: (0o100644, history.blob(f"{number % 3}".encode())) for path in sorted(paths)}
        history.put(f"c{number}", parents, tree)
        history.branch(f"b{number}", f"c{number}")
    history.branch("main", f"c{number}")
    check_walk(history, Scope(all_refs=True))
