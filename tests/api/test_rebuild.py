"""Everything that comes from git is made anew; what was recorded stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import answer, topomem
from support.history import git
from support.shop import shop


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shop(tmp_path)
    answer("index", "--jobs", "1", cwd=tmp_path)
    answer("episode", "start", "Round the tax", cwd=tmp_path)
    return tmp_path


def derived(folder: Path) -> Path:
    return folder / ".git" / "topomem" / "derived.duckdb"


def check_whole(folder: Path) -> None:
    assert answer("doctor", "--sample", "2", cwd=folder)["failed"] == []
    assert answer("symbols", "=tax", cwd=folder)["symbols"]
    (episode,) = answer("episode", "list", cwd=folder)["episodes"]
    assert episode["title"] == "Round the tax"


def break_header(folder: Path) -> None:
    with derived(folder).open("r+b") as file:
        file.write(b"\xff" * 16384)


def break_pages(folder: Path) -> None:
    size = derived(folder).stat().st_size
    with derived(folder).open("r+b") as file:
        for place in range(12288, size, 65536):
            file.seek(place)
            file.write(b"\xff" * 64)


def test_all_commits_are_indexed_once_more(folder: Path) -> None:
    before = answer("symbols", cwd=folder)
    report = answer("rebuild", "--jobs", "1", cwd=folder)
    assert report["commits"] == {"indexed": 2, "total": 2}
    assert report["warnings"] == []
    assert answer("symbols", cwd=folder) == before
    check_whole(folder)
    assert not (derived(folder).parent / "building").exists()


@pytest.mark.parametrize("damage", [break_header, break_pages])
def test_a_damaged_store_is_healed(folder: Path, damage: object) -> None:
    assert callable(damage)
    damage(folder)
    done = topomem("symbols", "=tax", "--json", cwd=folder)
    assert (done.code, done.document["error"]["hint"]) == (6, "run: topomem rebuild")
    report = answer("rebuild", "--jobs", "1", cwd=folder)
    assert report["commits"]["indexed"] == 2
    assert any("cannot be read" in one for one in report["warnings"])
    check_whole(folder)


def test_an_index_that_heals_says_so(folder: Path) -> None:
    break_header(folder)
    report = answer("index", "--jobs", "1", cwd=folder)
    assert any("made anew: the store cannot be read" in one for one in report["warnings"])
    assert answer("index", "--jobs", "1", cwd=folder)["warnings"] == []
    check_whole(folder)


def test_it_does_what_the_last_index_did(folder: Path) -> None:
    git(folder, "checkout", "-q", "-b", "side", "HEAD~1")
    (folder / "side.py").write_text("def side(): ...\n")
    git(folder, "add", "side.py")
    git(folder, "commit", "-q", "-m", "side")
    answer("index", "--jobs", "1", "--all-refs", cwd=folder)
    assert answer("rebuild", "--jobs", "1", cwd=folder)["commits"] == {"indexed": 3, "total": 3}


def test_nothing_indexed_and_nothing_there(tmp_path: Path) -> None:
    shop(tmp_path / "shop")
    assert answer("rebuild", "--jobs", "1", cwd=tmp_path / "shop")["commits"]["indexed"] == 2
    git(tmp_path, "init", "-q", "empty")
    assert answer("rebuild", "--jobs", "1", cwd=tmp_path / "empty")["commits"] == {
        "indexed": 0,
        "total": 0,
    }


def test_a_revision_that_is_not_there(folder: Path) -> None:
    assert topomem("rebuild", "no-such", cwd=folder).code == 3
    check_whole(folder)
