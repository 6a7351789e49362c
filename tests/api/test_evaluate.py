"""Questions out of a history, and what is measured with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import answer, topomem
from support.history import build

from topomem.api.replay import question_of

BODY = "    value = first\n    return value"

TEXT = f"""
=== c1
> begin with parcels and letters
--- post/parcels.py
def weigh_parcel(first):
{BODY}

def stamp_parcel(first):
{BODY}
--- post/letters.py
def fold_letter(first):
{BODY}
--- tests/test_post.py
def test_parcel():
    pass
=== c2 < c1
> weigh every parcel twice before it leaves (#12)
--- post/parcels.py
def weigh_parcel(first):
    value = first * 2
    return value

def stamp_parcel(first):
{BODY}
=== c3 < c2
> letters are folded along their longer side, see post/letters.py
--- post/letters.py
def fold_letter(first):
    value = first + 1
    return value
=== c4 < c3
> bump version
--- post/letters.py
def fold_letter(first):
    value = first + 2
    return value
=== c5 < c4
> tests of the parcel become stricter everywhere
--- tests/test_post.py
def test_parcel():
    assert True
=== c6 < c5
> parcels need heavier stamps during winter months
--- post/parcels.py
def weigh_parcel(first):
    value = first * 2
    return value

def stamp_parcel(first):
    value = first
    heavy = value
    return heavy
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("eval")
    build(TEXT, made).checkout()
    answer("index", cwd=made)
    return made


@pytest.fixture(name="document", scope="module")
def _document(folder: Path) -> dict[str, object]:
    return answer("eval", "--foreign", str(folder), cwd=folder)


def test_only_commits_that_ask_something_are_asked(document: dict[str, object]) -> None:
    assert document["cases"] == 3  # not a version, not tests alone, not the first commit


def test_figures_are_shares_and_citations_hold(document: dict[str, object]) -> None:
    figures = document["figures"]
    assert isinstance(figures, dict)
    assert set(figures) == {"ours", "tree", "bm25-files", "bm25-functions", "words"}
    for way in figures.values():
        for name, value in way.items():
            assert "tokens" in name or 0.0 <= value <= 1.0, name
    ours = figures["ours"]
    assert ours["unsupported citations"] == ours["stale claims"] == 0.0
    assert ours["lines 4000"] == 1.0  # everything fits
    assert ours["files@1"] == 1.0
    assert ours["foreign told apart"] == pytest.approx(0.5, abs=0.4)  # its own questions


def test_ways_are_compared_and_channels_left_out(document: dict[str, object]) -> None:
    against, channels = document["against"], document["channels"]
    assert isinstance(against, dict)
    assert isinstance(channels, list)
    assert set(against) == {"tree", "bm25-files", "bm25-functions", "words"}
    assert [one["channel"] for one in channels] == [
        "history", "records", "edges", "guesses", "names",
    ]  # fmt: skip
    assert all(one["line_recall"]["low"] <= one["line_recall"]["high"] for one in channels)


def test_the_same_seed_says_the_same(folder: Path, document: dict[str, object]) -> None:
    assert answer("eval", "--foreign", str(folder), cwd=folder) == document
    done = topomem("eval", "--cases", "1", cwd=folder)
    assert done.code == 0
    assert done.out.startswith("1 questions, seed 7")


def test_a_history_that_asks_nothing_is_refused(tmp_path: Path) -> None:
    build("=== c1\n--- a.py\nx = 1\n", tmp_path).checkout()
    answer("index", cwd=tmp_path)
    assert topomem("eval", cwd=tmp_path).code == 2


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("fix a/b/c.py and c.py: weigh twice (#12)", "fix and : weigh twice"),
        ("LANG-12 trim names\n\nSigned-off-by: A <a@b.c>", "trim names"),
        ("see https://example.org/x and call weigh_parcel()", "see and call weigh_parcel()"),
    ],
)
def test_a_question_does_not_name_its_answer(message: str, wanted: str) -> None:
    assert question_of(message) == wanted
