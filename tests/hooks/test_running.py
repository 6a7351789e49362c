from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import answer, topomem
from support.history import build, git

from topomem.hooks.running import forget_git_variables, run


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    build(
        "=== c1\n--- a.py\ndef a(): ...\n=== c2 < c1\n--- b.py\ndef b(): ...\n", folder
    ).checkout()
    answer("index", cwd=folder)
    return folder


def commit(folder: Path, name: str, *words: str) -> str:
    (folder / f"{name}.py").write_text(f"def {name}(): ...\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", name, *words)
    return git(folder, "rev-parse", "HEAD").strip()


def install(folder: Path, *words: str) -> None:
    answer("hook", "install", *words, cwd=folder)


def log(folder: Path) -> list[str]:
    file = folder / "hook.log"
    return file.read_text().splitlines() if file.exists() else []


def behind(folder: Path) -> Any:
    return answer("status", cwd=folder)["behind"]


def wait_until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_whatever_moves_head_is_indexed(shop: Path) -> None:
    git(shop, "checkout", "-q", "-b", "side", "HEAD~1")
    commit(shop, "c")
    install(shop, "--foreground")
    git(shop, "checkout", "-q", "main")
    commit(shop, "d", "--amend")
    assert behind(shop) == 0
    git(shop, "merge", "-q", "--no-edit", "side")
    assert behind(shop) == 0
    git(shop, "checkout", "-q", "side")
    assert behind(shop) == 0
    store = shop / ".git/topomem"
    assert not [line for line in log(store) if "failed" in line]
    assert (store / "hook.err").read_text() == ""


def test_git_does_not_wait_and_at_most_one_run_waits(shop: Path) -> None:
    install(shop)
    store = shop / ".git/topomem"
    with (store / "hook.running.lock").open("w") as running:
        fcntl.flock(running, fcntl.LOCK_EX)
        for name in ("c", "d", "e"):
            commit(shop, name)
        wait_until(lambda: len(log(store)) == 2)
        assert all("left to the run that waits" in line for line in log(store))
        assert behind(shop) == 3
    wait_until(lambda: len(log(store)) == 3)
    assert "3 commits, 3 blobs parsed" in log(store)[-1]
    assert behind(shop) == 0


def test_what_a_rebase_makes_is_indexed_once(shop: Path) -> None:
    git(shop, "checkout", "-q", "-b", "side", "HEAD~1")
    for name in ("c", "d", "e"):
        commit(shop, name)
    answer("reindex", cwd=shop)
    install(shop, "--foreground")
    git(shop, "rebase", "-q", "main")
    (line,) = log(shop / ".git/topomem")
    assert "post-rewrite: 3 commits, 0 blobs parsed" in line
    assert behind(shop) == 0


def test_files_taken_from_a_commit_are_no_new_commit(shop: Path) -> None:
    install(shop, "--foreground")
    git(shop, "checkout", "-q", "HEAD~1", "--", "a.py")
    assert log(shop / ".git/topomem") == []


def test_a_push_into_a_bare_repository(shop: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(shop), "bare.git")
    answer("index", cwd=bare)
    install(bare, "--foreground")
    commit(shop, "c")
    git(shop, "push", "-q", "../bare.git", "main")
    assert behind(bare) == 0
    assert "post-receive: 1 commits" in log(bare / "topomem")[-1]


def test_a_first_push_waits_for_nothing(shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "bare.git")
    store = tmp_path / "bare.git/topomem"
    install(tmp_path / "bare.git")
    with (store / "hook.running.lock").open("w") as running:
        fcntl.flock(running, fcntl.LOCK_EX)
        git(shop, "push", "-q", "../bare.git", "main")
        assert log(store) == []
    wait_until(lambda: len(log(store)) == 1)
    assert "post-receive: 2 commits" in log(store)[0]


def test_a_linked_worktree_and_no_other_repository(shop: Path, tmp_path: Path) -> None:
    install(shop, "--foreground")
    git(shop, "worktree", "add", "-q", "-b", "side", "../linked")
    head = commit(tmp_path / "linked", "c")
    assert answer("status", cwd=tmp_path / "linked")["indexed_head"] == head
    assert behind(shop) == 0
    assert not (tmp_path / "linked/.git/topomem").exists()


@pytest.mark.slow
def test_a_submodule(shop: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    build("=== c1\n--- w.py\ndef w(): ...\n", whole).checkout()
    git(whole, "submodule", "add", "-q", str(shop), "part")
    install(whole / "part", "--foreground")
    commit(whole / "part", "c")
    assert behind(whole / "part") == 0
    assert not (whole / ".git/topomem").exists()


def test_git_goes_on_without_topomem(shop: Path) -> None:
    install(shop, "--foreground")
    hook, store = shop / ".git/hooks/post-commit", shop / ".git/topomem"
    lines = hook.read_text().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "-P -m topomem" in line)
    lines[at] = '  { /no/such/python -P -m topomem "$@" || no-such-topomem "$@" ||\n'
    hook.write_text("".join(lines))
    head = commit(shop, "c")
    assert git(shop, "rev-parse", "HEAD").strip() == head
    assert "topomem cannot be run" in (store / "hook.err").read_text()
    assert "topomem cannot be run" in answer("hook", "status", cwd=shop)["error"]


def test_a_program_of_the_repository_is_never_run(shop: Path) -> None:
    install(shop, "--foreground")
    for name in ("topomem", "click", "pygit2", "tomllib"):
        (shop / f"{name}.py").write_text("open('taken', 'w')\n")
    commit(shop, "c")
    assert behind(shop) == 0
    assert not (shop / "taken").exists()


def test_what_goes_wrong_fails_no_commit(shop: Path) -> None:
    install(shop, "--foreground")
    store = shop / ".git/topomem"
    (shop / "topomem.toml").write_text("[nonsense]\n")
    commit(shop, "c")
    assert (store / "hook.err").read_text() == "topomem: topomem.toml: unknown key nonsense\n"
    assert (
        "unknown key nonsense"
        in answer("hook", "status", "--config", "/dev/null", cwd=shop)["error"]
    )
    (shop / "topomem.toml").unlink()
    (store / "derived.duckdb").unlink()
    (store / "derived.duckdb").mkdir()
    commit(shop, "d")
    assert "post-commit: failed: " in log(store)[-1]


def test_without_a_store_nothing_is_done(shop: Path) -> None:
    install(shop, "--foreground")
    shutil.rmtree(shop / ".git/topomem")
    commit(shop, "c")
    assert not (shop / ".git/topomem").exists()
    assert topomem("hook", "run", "post-commit", "--foreground", cwd=shop).code == 0
    assert not (shop / ".git/topomem").exists()


@pytest.mark.slow
def test_another_store(shop: Path, tmp_path: Path) -> None:
    store = tmp_path / "it's a store"
    answer("index", "--store", str(store), cwd=shop)
    install(shop, "--foreground", "--store", str(store))
    commit(shop, "c")
    assert answer("status", "--store", str(store), cwd=shop)["behind"] == 0
    assert behind(shop) == 1


def test_an_error_of_any_kind_is_told_in_the_log(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import topomem as package

    memory = package.open(shop)

    def broken() -> None:
        raise RuntimeError("no\nluck")

    monkeypatch.setattr(memory, "reindex", broken)
    run(lambda: memory, "post-commit", ())
    assert log(shop / ".git/topomem")[-1].endswith("failed: RuntimeError: no luck")


def test_the_variables_of_git_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, "environ", {"GIT_DIR": "/nowhere", "HOME": "/home"})
        forget_git_variables()
        assert os.environ == {"HOME": "/home"}
