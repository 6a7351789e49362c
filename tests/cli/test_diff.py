"""`topomem diff` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import answer, topomem
from support.shop import shop


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    shop(folder)
    assert topomem("index", "--jobs", "1", cwd=folder).code == 0
    return folder


def test_the_document_of_a_diff(place: Path) -> None:
    document = answer("diff", "HEAD~1", "HEAD", cwd=place)
    assert [(one["change"], one["symbol"]["id"], one["kinds"]) for one in document["symbols"]] == [
        ("changed", "shop/prices.py#tax", ["body", "documentation"])
    ]
    assert document["files"] == [{"path": "shop/prices.py", "change": "changed"}]
    assert document["head"] == document["symbols"][0]["symbol"]["commit"]
    assert document["base"] == document["symbols"][0]["before"]["commit"]
    assert document["symbols"][0]["commits"] == [document["head"]]
    assert document["edges"]["counts"] == {"calls": {"added": 1, "removed": 0}}


@pytest.mark.parametrize("words", [["HEAD~1"], ["HEAD~1.."], ["HEAD~1...HEAD"]])
def test_ways_to_say_the_same(place: Path, words: list[str]) -> None:
    done = topomem("diff", *words, cwd=place)
    assert done.code == 0
    assert "~ function shop/prices.py#tax  body, documentation" in done.out


def test_what_cannot_be_compared(place: Path) -> None:
    assert topomem("diff", "HEAD~1", "nowhere", cwd=place).code == 3
    assert topomem("diff", "HEAD~1", "--as-of", "HEAD", cwd=place).code == 2
    same = answer("diff", "HEAD", "HEAD", cwd=place)
    assert same["empty"]["reason"] == "no_match"


def test_a_revision_that_is_not_indexed_is_refused(tmp_path: Path) -> None:
    shop(tmp_path)
    assert topomem("index", "--head-only", "--jobs", "1", cwd=tmp_path).code == 0
    done = topomem("diff", "HEAD~1", "HEAD", "--json", cwd=tmp_path)
    assert (done.code, done.document["error"]["code"]) == (4, "not_indexed")
    assert "topomem index" in done.document["error"]["hint"]


def test_before_the_first_commit(tmp_path: Path) -> None:
    from support.history import start

    start(tmp_path)
    (tmp_path / "a.py").write_text("def a(): pass\n")
    document = answer("diff", "HEAD", "WORKTREE", cwd=tmp_path)
    assert [one["symbol"]["id"] for one in document["symbols"]] == ["a.py#", "a.py#a"]
