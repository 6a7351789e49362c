from __future__ import annotations

from pathlib import Path

import pytest
from support.history import FIRST_DATE, History, build

import topomem
from topomem.api.commits import shown_date
from topomem.api.memory import Memory
from topomem.errors import UnknownRevision

TEXT = """
=== c1
--- a.py
def a(): ...
=== c2 < c1
> Add b, see GH-7 and ABC-12
>
> Closes #9.
--- b.py
def b(): ...
"""


@pytest.fixture
def history(tmp_path: Path) -> History:
    history = build(TEXT, tmp_path / "r")
    taken_back = history.ids["c2"]
    message = f'Revert "Add b"\n\nThis reverts commit {taken_back[:10]}.\n'
    history.add("c3", ["c2"], {"b.py": None}, message=message)
    history.add(
        "c4", ["c3"], {"c.py": "x = 1\n"}, message="no more\n\nThis reverts commit 0123456789."
    )
    history.branch("main", "c4")
    return history


@pytest.fixture
def memory(history: History) -> Memory:
    opened = topomem.open(history.folder)
    opened.index(jobs=1)
    return opened


def test_all_that_a_commit_says_is_there(history: History, memory: Memory) -> None:
    found = memory.commit("HEAD~2")
    assert found.id == history.ids["c2"]
    assert found.parents == (history.ids["c1"],)
    assert found.author == "Ada Example <ada@example.org>"
    assert found.author_date == found.committer_date == "2023-11-15T23:13:20+01:00"
    assert found.message.startswith("Add b, see GH-7")
    assert found.tickets == ("#7", "ABC-12", "#9")
    assert found.reverts == ()
    assert not found.is_boundary


def test_a_revert_names_what_it_takes_back(history: History, memory: Memory) -> None:
    assert memory.commit("HEAD~1").reverts == (history.ids["c2"],)
    assert memory.commit("HEAD").reverts == ("0123456789",)


def test_names_are_kept_as_configured(history: History, tmp_path: Path) -> None:
    for word, expected in (("hash", 16), ("drop", 0)):
        config = tmp_path / "c.toml"
        config.write_text(f'[history]\nauthors = "{word}"\n')
        opened = topomem.open(history.folder, config=config)
        opened.index(jobs=1)
        author = opened.commit("HEAD").author
        assert (len(author), "Ada" in author) == (expected, False)


def test_a_commit_that_is_not_there(memory: Memory) -> None:
    with pytest.raises(UnknownRevision):
        memory.commit("no-such")


@pytest.mark.parametrize(
    ("seconds", "offset", "expected"),
    [
        (FIRST_DATE, 60, "2023-11-14T23:13:20+01:00"),
        (FIRST_DATE, -570, "2023-11-14T12:43:20-09:30"),
        (FIRST_DATE, None, "2023-11-14T22:13:20+00:00"),
        (-1, 0, "1969-12-31T23:59:59+00:00"),
        (2**62, 0, ""),
        (-(2**62), 0, ""),
    ],
)
def test_dates_have_their_zone(seconds: int, offset: int | None, expected: str) -> None:
    assert shown_date(seconds, offset) == expected
