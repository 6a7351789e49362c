"""No answer knows of the future: as of a commit all is as in a clone that ends there."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.history import build, git

import topomem
from topomem.api.episode_writing import NewEvent
from topomem.api.memory import Memory
from topomem.model.episode import START

TEXT = """
=== c1
--- a.py
def one():
    return 1
=== c2 < c1
--- a.py
def one():
    return 2
=== c3 < c1
--- b.py
def two():
    return 1
=== c4 < c2, c3
--- a.py
def one():
    return 3
=== c5 < c4
--- b.py
def two():
    return 5
"""


def told(memory: Memory, as_of: str | None = None) -> list[object]:
    """Return all that is told: lists, searches, what a symbol and a task are told."""
    found: list[object] = []
    for query in (
        {"all": True},
        {"text": "try limit word3"},
        {"symbol": "a.py#one"},
        {"path": "b.py"},
    ):
        answer = memory.episodes(as_of=as_of, **query)
        found.append([(one.episode.id, one.episode.outcome, one.episode.title, one.why, one.notes,
                       [event.id for event in one.episode.events], dict(one.stale), one.score)
                      for one in answer.episodes])  # fmt: skip
        found.append((answer.total, answer.notes, answer.empty and answer.empty.reason))
    found.append([one.episode.id for one in memory.show("a.py#one", as_of=as_of).episodes])
    bundle = memory.bundle("try another limit in one", as_of=as_of)
    found.append([(one.qualified_name, one.text) for one in bundle.items if one.kind == "episode"])
    return found


@pytest.fixture(scope="module", name="memory")
def _memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """A repository with events on every commit, in an order that is not that of the commits."""
    folder = tmp_path_factory.mktemp("law")
    history = build(TEXT, folder)
    history.checkout()
    memory = topomem.open(folder)
    memory.index(jobs=1)
    names = ["c5", "c1", "c3", "c4", "c2"]
    ids = {}
    for name in names:
        event = NewEvent(START, f"try another limit, word{name[1]}", commit=history.ids[name])
        ids[name] = memory.start_episode(f"Try {name}", event).id
        memory.add_event(ids[name], NewEvent("patch", commit=history.ids[name]))
    for begun, ended, outcome in (("c1", "c2", "failed"), ("c3", "c4", "succeeded"),
                                  ("c1", "c5", "succeeded")):  # fmt: skip
        memory.finish_episode(ids[begun], outcome, f"at {ended}", commit=history.ids[ended])
    memory.supersede_episode(ids["c2"], ids["c4"], "better")
    return memory


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("c1", "c2", "c5")]


@pytest.mark.parametrize("name", ["c3", "c4", *SLOW])
def test_a_clone_that_ends_there_says_the_same(memory: Memory, name: str, tmp_path: Path) -> None:
    assert memory.top is not None
    commits = git(memory.top, "rev-list", "--all").split()
    (commit,) = [one for one in commits if _title(memory.top, one) == name]
    other = tmp_path / "clone"
    git(tmp_path, "init", "-q", "-b", "main", "clone")
    git(other, "fetch", "-q", str(memory.top), commit)
    git(other, "reset", "-q", "--hard", "FETCH_HEAD")
    clone = topomem.open(other)
    clone._opened.store.bring(
        [record for record in memory._opened.store.authored() if record.table == "episode.event"]
    )
    clone.index(jobs=1)
    ours, theirs = told(memory, as_of=commit), told(clone)
    absent = "commits with events are not in this repository"
    for mine, their in zip(ours, theirs, strict=True):
        if isinstance(their, tuple):
            total, notes, reason = their
            their = total, tuple(one for one in notes if absent not in one), reason  # noqa: PLW2901
        assert mine == their


def _title(folder: Path, commit: str) -> str:
    return git(folder, "log", "-1", "--format=%s", commit).strip()
