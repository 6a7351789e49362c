from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from support.command import answer, topomem
from support.history import build, git

ALL = ["post-commit", "post-merge", "post-checkout", "post-rewrite"]
SHELL = b'#!/bin/sh\nset -eu\necho "$0 $*" >>ran.txt\ncat >>ran.txt\nexit 3\n'
PROGRAM = b"#!/usr/bin/env python3\nimport sys\nsys.stdout.write('ran')\nsys.exit(3)\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "a shop"
    build("=== c1\n--- a.py\ndef a(): ...\n", folder).checkout()
    return folder


@pytest.fixture
def hooks(shop: Path) -> Path:
    return shop / ".git" / "hooks"


def listing(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Return everything below a folder: mode, and text or where a link leads."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            str(path.readlink()) if path.is_symlink() else path.read_bytes(),
        )
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def write(path: Path, text: bytes, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    path.chmod(mode)
    return path


def states(*words: str, cwd: Path) -> dict[str, str]:
    return {hook["name"]: hook["state"] for hook in answer("hook", *words, cwd=cwd)["hooks"]}


def execute(hook: Path, *arguments: str, cwd: Path, text: bytes = b"") -> tuple[int, bytes]:
    done = subprocess.run(
        [hook, *arguments], cwd=cwd, input=text, capture_output=True, check=False, timeout=20
    )
    assert done.stderr == b""
    return done.returncode, done.stdout


def test_installed_and_taken_away(shop: Path, hooks: Path) -> None:
    before = listing(hooks)
    assert states("install", cwd=shop) == dict.fromkeys(ALL, "installed")
    assert set(listing(hooks)) == set(before) | set(ALL)
    assert all(os.access(hooks / name, os.X_OK) for name in ALL)
    assert states("uninstall", cwd=shop) == dict.fromkeys(ALL, "absent")
    assert listing(hooks) == before


def test_twice_is_once(shop: Path, hooks: Path) -> None:
    write(hooks / "post-commit", SHELL)
    states("install", cwd=shop)
    once = listing(hooks)
    states("install", cwd=shop)
    assert listing(hooks) == once


@pytest.mark.parametrize(
    ("text", "mode"),
    [(SHELL, 0o755), (SHELL, 0o700), (PROGRAM, 0o755), (SHELL, 0o644), (b"exit 3\n", 0o755)],
)
def test_what_was_there_comes_back(shop: Path, text: bytes, mode: int) -> None:
    write(shop / ".git/hooks/post-commit", text, mode)
    before = listing(shop / ".git")
    states("install", cwd=shop)
    assert listing(shop / ".git") != before
    states("uninstall", cwd=shop)
    after = listing(shop / ".git")
    assert {name: after[name] for name in before} == before
    assert not [name for name in after.keys() - before.keys() if "hooks" in name]


def test_a_hook_that_was_there_keeps_its_arguments_input_and_exit_code(
    shop: Path, hooks: Path
) -> None:
    hook = write(hooks / "post-rewrite", SHELL)
    states("install", cwd=shop)
    assert execute(hook, "rebase", "x y", cwd=shop, text=b"old new\n") == (3, b"")
    assert (shop / "ran.txt").read_bytes() == b"%s rebase x y\nold new\n" % os.fsencode(hook)


def test_a_program_that_was_there_is_gone_on_with(shop: Path, hooks: Path) -> None:
    hook = write(hooks / "post-commit", PROGRAM)
    states("install", cwd=shop)
    assert execute(hook, cwd=shop) == (3, b"ran")
    assert (hooks.parent / "hooks.before-topomem/post-commit").read_bytes() == PROGRAM


def test_a_hook_that_git_did_not_run_is_still_not_run(shop: Path, hooks: Path) -> None:
    hook = write(hooks / "post-commit", SHELL, 0o644)
    states("install", cwd=shop)
    assert execute(hook, cwd=shop) == (0, b"")


@pytest.mark.parametrize("target", ["../../tools/hook", "beside"])
def test_a_link_that_was_there_is_neither_written_through_nor_lost(
    shop: Path, hooks: Path, target: str
) -> None:
    text = b'#!/bin/sh\necho "${0##*/}"\nexit 3\n'
    led_to = write(hooks / target, text)
    (hooks / "post-commit").symlink_to(target)
    before = listing(hooks)
    states("install", cwd=shop)
    assert led_to.read_bytes() == text
    assert execute(hooks / "post-commit", cwd=shop) == (3, b"post-commit\n")
    states("uninstall", cwd=shop)
    assert listing(hooks) == before


def test_lines_added_later_are_kept(shop: Path, hooks: Path) -> None:
    states("install", cwd=shop)
    own = hooks / "post-commit"
    own.write_bytes(own.read_bytes() + b"echo mine\n")
    assert states("install", cwd=shop)["post-commit"] == "installed"
    states("uninstall", cwd=shop)
    assert own.read_bytes() == b"#!/bin/sh\necho mine\n"


def test_an_edited_hook_is_left_and_told(shop: Path, hooks: Path) -> None:
    write(hooks / "post-commit", PROGRAM)
    states("install", cwd=shop)
    own = hooks / "post-commit"
    edited = own.read_bytes() + b"echo mine\n"
    own.write_bytes(edited)
    done = topomem("hook", "uninstall", "--json", cwd=shop)
    assert (done.code, own.read_bytes()) == (1, edited)
    assert {hook["name"]: hook["state"] for hook in done.document["hooks"]} == {
        **dict.fromkeys(ALL, "absent"),
        "post-commit": "edited",
    }
    assert execute(own, cwd=shop) == (3, b"ran")


def test_a_block_cut_in_half_is_left_and_told(shop: Path, hooks: Path) -> None:
    states("install", cwd=shop)
    half = (hooks / "post-commit").read_bytes().replace(b"# <<< topomem <<<\n", b"")
    write(hooks / "post-commit", half)
    for word in ("install", "uninstall"):
        done = topomem("hook", word, cwd=shop)
        assert (done.code, (hooks / "post-commit").read_bytes()) == (1, half)


def test_a_bare_repository_is_pushed_to(shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(shop), "bare.git")
    assert states("install", cwd=tmp_path / "bare.git") == dict.fromkeys(
        [*ALL, "post-receive"], "installed"
    )


def test_a_linked_worktree_shares_the_hooks(shop: Path, hooks: Path) -> None:
    git(shop, "worktree", "add", "-q", "--detach", "../linked")
    states("install", cwd=shop.parent / "linked")
    assert (hooks / "post-commit").exists()
    assert states("status", cwd=shop) == dict.fromkeys(ALL, "installed")


@pytest.mark.parametrize(
    ("configured", "edited"),
    [(".githooks", ".githooks"), (".husky/_", ".husky"), ("../shared hooks", "../shared hooks")],
)
def test_hooks_of_the_project_are_not_taken_over(shop: Path, configured: str, edited: str) -> None:
    git(shop, "config", "core.hooksPath", configured)
    write(shop / configured / "post-commit", b"#!/bin/sh\necho theirs >theirs.txt\n")
    before = {**listing(shop), **listing(shop.parent)}
    done = topomem("hook", "install", "--json", cwd=shop)
    error = done.document["error"]
    assert (done.code, error["code"]) == (1, "hooks_managed")
    assert f"{shop / edited / 'post-commit'}: (topomem " in error["hint"]
    assert topomem("hook", "uninstall", cwd=shop).code == 0
    assert {**listing(shop), **listing(shop.parent)} == before
    git(shop, "commit", "-q", "--allow-empty", "-m", "x")
    assert (shop / "theirs.txt").exists()


def test_a_folder_that_is_a_link_to_the_projects_own_is_not_taken_over(
    shop: Path, hooks: Path
) -> None:
    shutil.rmtree(hooks)
    write(shop / "githooks/post-commit", SHELL)
    hooks.symlink_to("../githooks")
    before = listing(shop / "githooks")
    assert topomem("hook", "install", cwd=shop).code == 1
    assert topomem("hook", "uninstall", cwd=shop).code == 0
    assert listing(shop / "githooks") == before


def test_hooks_elsewhere_in_the_git_folder_are_the_repositorys_own(shop: Path) -> None:
    git(shop, "config", "core.hooksPath", ".git/mine")
    states("install", cwd=shop)
    assert (shop / ".git/mine/post-commit").exists()
    assert not (shop / ".git/hooks/post-commit").exists()


def test_the_home_folder_is_understood(shop: Path) -> None:
    git(shop, "config", "core.hooksPath", "~/hooks")
    folder = answer("hook", "status", cwd=shop)["managed_folder"]
    assert folder == f"{os.environ['HOME']}/hooks"


def test_a_hook_replaced_behind_our_back_loses_nothing(shop: Path, hooks: Path) -> None:
    write(hooks / "post-commit", PROGRAM)
    states("install", cwd=shop)
    write(hooks / "post-commit", PROGRAM + b"# another\n")
    before = listing(shop / ".git")
    assert topomem("hook", "install", cwd=shop).code == 1
    assert listing(shop / ".git") == before


def test_another_store_is_named_in_the_hook(shop: Path, hooks: Path, tmp_path: Path) -> None:
    states("install", "--store", str(tmp_path / "it's a store"), cwd=shop)
    assert subprocess.run(["sh", "-n", hooks / "post-commit"], check=False).returncode == 0
    assert b"--store" in (hooks / "post-commit").read_bytes()


def test_the_settings_of_an_agent_are_printed_and_nothing_is_installed(
    shop: Path, hooks: Path
) -> None:
    done = topomem("hook", "install", "--agent", "generic", cwd=shop)
    assert done.document["session_start"]["command"][-1] == "brief"
    told = done.document["message"]
    assert (told["command"][-1], told["standard_input"]) == ("-", "{message}")
    assert not (hooks / "post-commit").exists()
    assert topomem("hook", "install", "--agent", "no-such", cwd=shop).code == 2


def test_a_mode_is_kept(shop: Path, hooks: Path) -> None:
    write(hooks / "post-commit", SHELL, 0o750)
    states("install", cwd=shop)
    assert stat.S_IMODE((hooks / "post-commit").stat().st_mode) == 0o750
