"""The commands of the episode plane: ids for scripts, words for people, documents for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import answer, topomem
from support.history import build, git

TEXT = """
=== c1
--- shop.py
def tax(amount):
    return amount
=== c2 < c1
--- shop.py
def tax(amount):
    return round(amount)
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    build(TEXT, tmp_path).checkout()
    return tmp_path


@pytest.fixture(scope="module", name="shared")
def _shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared")
    build(TEXT, folder).checkout()
    return folder


def said(folder: Path, *words: str, text: str = "") -> str:
    done = topomem(*words, cwd=folder, text=text)
    assert done.code == 0, done.err
    return done.out.strip()


def test_a_whole_episode_without_an_index(folder: Path) -> None:
    key = said(folder, "episode", "start", "Round the tax", "--request", "-", "--issue", "#7",
               "--relevance", "high", text="customers pay cents\n")  # fmt: skip
    assert len(key) == 16
    done = topomem("episode", "add", key, "--kind", "patch", "--commit", "HEAD", cwd=folder)
    assert "paths alone" in done.err
    said(folder, "episode", "add", key[:6], "--kind", "note", "--text", "-", text="half done")
    (folder / ".git/log").write_bytes(b"\xff log of the build")
    said(folder, "episode", "add", key, "--kind", "tool_result", "--file", ".git/log")
    said(folder, "episode", "finish", key, "--outcome", "failed", "--conclusion", "cents are lost")
    line = said(folder, "episode", "list").splitlines()
    assert line[0].startswith(f"{key}  failed")
    assert "[high] Round the tax" in line[0]
    assert "cents are lost" in line[1]
    shown = answer("episode", "show", key, cwd=folder)["episode"]
    assert (shown["request"], shown["links"]["issues"]) == ("customers pay cents", ["#7"])
    assert [event["kind"] for event in shown["events"]] == [
        "start",
        "patch",
        "note",
        "tool_result",
        "finish",
    ]
    assert shown["events"][3]["text"] == "\\xff log of the build"
    assert all(event["provenance"]["method"] == "authored" for event in shown["events"])
    assert {event["commit"] for event in shown["events"]} == {
        git(folder, "rev-parse", "HEAD").strip()
    }


def test_lists_are_documents(folder: Path) -> None:
    assert answer("episode", "list", cwd=folder)["empty"]["reason"] == "no_match"
    old, new = (said(folder, "episode", "start", title) for title in ("Old way", "New way"))
    said(folder, "episode", "supersede", old, "--by", new, "--reason", "better")
    listed = answer("episode", "list", cwd=folder)
    assert [one["title"] for one in listed["episodes"]] == ["New way"]
    assert listed["notes"] == ["1 superseded or archived; see --all"]
    every = answer("episode", "list", "--all", cwd=folder)["episodes"]
    assert {one["outcome"] for one in every} == {"superseded", "open"}
    said(folder, "episode", "archive", new)
    assert answer("episode", "list", cwd=folder)["episodes"] == []
    found = answer("episode", "list", "--text", "new ways", cwd=folder)["episodes"]
    assert [one["archived"] for one in found] == [True]


def test_a_note_of_its_own_may_take_the_place_of_another(folder: Path) -> None:
    text = "The connection pool of the client is drained by the health check every few seconds"
    first = said(folder, "episode", "add", "none", "--kind", "note", "--text", text,
                 "--path", "shop.py")  # fmt: skip
    done = topomem("episode", "add", "none", "--kind", "note", "--text", f"{text}.",
                   "--path", "shop.py", cwd=folder)  # fmt: skip
    assert f"took the place of {first}" in done.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("episode", "show", "0" * 16), 3),
        (("episode", "add", "0" * 16, "--kind", "note", "--text", "x"), 3),
        (("episode", "add", "none", "--kind", "musing", "--text", "x"), 2),
        (("episode", "finish", "0" * 16, "--outcome", "failed"), 3),
        (("episode", "list", "--outcome", "fine"), 2),
        (("episode", "list", "--as-of", "nowhere"), 3),
        (("episode", "start", " "), 2),
        (("run",), 2),
        (("run", "--episode", "0" * 16, "--", "true"), 3),
        (("share", "pull", "nowhere"), 8),
        (("share", "sideways"), 2),
        (("import", "no-such-file"), 2),
        (("import", "."), 2),
        (("episode", "import", "no-such-file"), 2),
        (("export", "no-such-folder/rows"), 2),
        (("ci", "HEAD", "--artifact", "no-such-folder/made"), 2),
    ],
)
def test_what_is_wrong_has_its_code(shared: Path, words: tuple[str, ...], code: int) -> None:
    done = topomem(words[0], "--json", *words[1:], cwd=shared)
    assert done.code == code
    error = json.loads(done.out)["error"]
    assert set(error) == {"code", "message", "hint"}
    assert "Errno" not in error["message"]


def test_the_password_of_a_remote_is_not_told(shared: Path) -> None:
    address = "https://bob:S3cr3tPw9xQ@localhost:1/x.git"
    done = topomem("share", "push", address, cwd=shared)
    assert done.code == 8
    assert "S3cr3tPw9xQ" not in done.out + done.err
    assert "localhost:1" in done.err


def test_a_file_without_rows_is_no_import(folder: Path) -> None:
    done = topomem("import", "-", cwd=folder, text="hello\nworld\n")
    assert done.code == 1
    assert "no line is a row" in done.err
    assert topomem("import", "-", cwd=folder, text="").code == 0
    said(folder, "episode", "start", "Round the tax")
    lines = topomem("export", "-", cwd=folder).out
    assert topomem("import", "-", cwd=folder, text=f"{lines}hello\n").code == 0


def test_rows_travel_through_pipes(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    said(folder, "episode", "start", "Round the tax")
    lines = topomem("export", "-", cwd=folder).out
    other = tmp_path_factory.mktemp("other")
    build(TEXT, other).checkout()
    assert answer("import", "-", cwd=other, text=lines)["rows"] == 1
    said(folder, "export", str(other / ".git/rows"))
    assert answer("import", str(other / ".git/rows"), cwd=other)["rows"] == 0
    assert answer("episode", "list", cwd=other)["total"] == 1


def test_before_the_first_commit_nothing_is_an_error(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert answer("episode", "list", cwd=tmp_path)["episodes"] == []
    key = said(tmp_path, "episode", "start", "Begin")
    assert answer("episode", "show", key, cwd=tmp_path)["episode"]["commit"] is None
    assert topomem("run", "--", "true", cwd=tmp_path).code == 0
    assert answer("episode", "list", cwd=tmp_path)["total"] == 2
