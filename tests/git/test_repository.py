from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest
from support.history import build, git, start

from topomem.errors import NotARepository, UnknownRevision, UsageError
from topomem.git.repository import Repository, open_repository
from topomem.model.ids import BlobId, CommitId

TWO = """
=== c1
--- pkg/a.py
def a(): ...
=== c2 < c1
--- pkg/b.py
def b(): ...
"""


def listing(repository: Repository, commit: CommitId) -> dict[str, tuple[str, str]]:
    tree = repository.tree(repository.commit(commit))
    return {path: (f"{entry.mode:06o}", entry.blob) for path, entry in tree.items()}


def git_listing(folder: Path, commit: str) -> dict[str, tuple[str, str]]:
    rows = git(folder, "ls-tree", "-r", "-z", commit).split("\0")[:-1]
    return {
        row.partition("\t")[2]: (row.split()[0], row.partition("\t")[0].split()[2]) for row in rows
    }


def check_not_a_repository(folder: Path, *words: str) -> None:
    with pytest.raises(NotARepository) as caught:
        open_repository(folder)
    text = f"{caught.value} {caught.value.hint}"
    assert all(word in text for word in words)
    assert "\n" not in str(caught.value)


def test_trees_are_those_git_lists(tmp_path: Path) -> None:
    history = build(
        """
=== c1
--- a.py
--- b/c/d.py
x = 1
--- b/run.sh (100755)
echo
--- link (120000)
b/c
=== c2 < c1
--x a.py
--- a.py/now_a_folder.py
--> b/c/d.py -> b/e.py
""",
        tmp_path,
    )
    repository = open_repository(tmp_path)
    for commit in history.ids.values():
        assert listing(repository, commit) == git_listing(tmp_path, commit)
    first, second = (repository.commit(commit) for commit in history.ids.values())
    changed = repository.changes(first, second)
    assert [change.path for change in changed] == [
        "a.py", "a.py/now_a_folder.py", "b/c/d.py", "b/e.py"
    ]  # fmt: skip
    assert [change.new is None for change in changed] == [True, False, True, False]


@pytest.mark.parametrize("place", [".", "pkg", ".git"])
def test_opened_from_anywhere_inside(tmp_path: Path, place: str) -> None:
    history = build(TWO, tmp_path)
    history.checkout()
    repository = open_repository(tmp_path / place)
    assert repository.head() == history.ids["c2"]
    assert repository.top == tmp_path
    assert repository.common_dir.resolve() == (tmp_path / ".git").resolve()


def test_bare_repository(tmp_path: Path) -> None:
    history = build(TWO, tmp_path / "r.git", bare=True)
    repository = open_repository(tmp_path / "r.git")
    assert repository.top is None
    assert repository.head() == history.ids["c2"]
    with pytest.raises(UsageError):
        repository.worktree_changes()


def test_linked_worktree_has_its_own_head_and_a_common_folder(tmp_path: Path) -> None:
    history = build(TWO + "=== main = c2\n=== feature = c1\n", tmp_path / "main")
    history.checkout()
    git(tmp_path / "main", "worktree", "add", "../linked", "feature")
    repository = open_repository(tmp_path / "linked")
    assert repository.head() == history.ids["c1"]
    assert repository.head_branch() == "refs/heads/feature"
    assert repository.common_dir == (tmp_path / "main" / ".git").resolve()
    assert set(repository.references()) == {"refs/heads/feature", "refs/heads/main"}
    assert repository.heads() == [history.ids["c1"], history.ids["c2"]]


def test_a_repository_without_commits(tmp_path: Path) -> None:
    for name, bare in (("plain", False), ("bare", True)):
        start(tmp_path / name, bare=bare)
        repository = open_repository(tmp_path / name)
        assert repository.head() is None
        assert repository.references() == {}
        assert repository.walk([]) == []
        with pytest.raises(UnknownRevision) as caught:
            repository.resolve("HEAD")
        assert caught.value.hint == "there are no commits yet"


def test_head_that_names_a_missing_branch(tmp_path: Path) -> None:
    history = build(TWO, tmp_path)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/nope\n")
    repository = open_repository(tmp_path)
    assert repository.head() is None
    assert repository.head_branch() == "refs/heads/nope"
    assert repository.references() == {"refs/heads/main": history.ids["c2"]}


def test_detached_head(tmp_path: Path) -> None:
    history = build(TWO, tmp_path)
    (tmp_path / ".git" / "HEAD").write_text(history.ids["c1"] + "\n")
    repository = open_repository(tmp_path)
    assert repository.head() == history.ids["c1"]
    assert repository.head_branch() is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("HEAD", "c2"),
        ("main", "c2"),
        ("HEAD~1", "c1"),
        ("main^", "c1"),
        ("light", "c1"),
        ("annotated", "c1"),
        ("refs/heads/main", "c2"),
    ],
)
def test_revision_texts(tmp_path: Path, text: str, name: str) -> None:
    history = build(TWO, tmp_path)
    git(tmp_path, "tag", "light", history.ids["c1"])
    git(tmp_path, "tag", "-a", "-m", "x", "annotated", history.ids["c1"])
    repository = open_repository(tmp_path)
    assert repository.resolve(text) == history.ids[name]
    assert repository.resolve(history.ids[name][:12]) == history.ids[name]


@pytest.mark.parametrize(
    "text", ["nope", "HEAD~9", "", "0" * 40, "main:pkg", "HEAD^{tree}", "\x00"]
)
def test_what_names_no_commit(tmp_path: Path, text: str) -> None:
    build(TWO, tmp_path)
    with pytest.raises(UnknownRevision):
        open_repository(tmp_path).resolve(text)


def test_references_that_lead_to_no_commit_do_not_count(tmp_path: Path) -> None:
    history = build(TWO, tmp_path)
    git(tmp_path, "tag", "tree", "HEAD^{tree}")
    git(tmp_path, "notes", "add", "-m", "x", history.ids["c1"])
    git(tmp_path, "symbolic-ref", "refs/heads/dangling", "refs/heads/gone")
    assert set(open_repository(tmp_path).references()) == {"refs/heads/main"}


def test_a_reference_whose_name_is_not_utf8(tmp_path: Path) -> None:
    history = build(TWO, tmp_path)
    packed = b"# pack-refs with: peeled fully-peeled sorted\n%s refs/heads/caf\xe9\n"
    (tmp_path / ".git" / "packed-refs").write_bytes(packed % history.ids["c1"].encode())
    found = open_repository(tmp_path).references()
    assert found == {"refs/heads/main": history.ids["c2"], r"refs/heads/caf\xE9": history.ids["c1"]}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_shallow_clone_says_where_history_is_cut(tmp_path: Path, depth: int) -> None:
    history = build(
        """
=== c1
--- a.py
=== s1 < c1
--- s.py
=== c2 < c1
--- b.py
=== c3 < c2, s1
--- c.py
=== c4 < c3
--- d.py
""",
        tmp_path / "up",
    )
    git(tmp_path, "clone", "-q", f"--depth={depth}", f"file://{tmp_path / 'up'}", "down")
    repository = open_repository(tmp_path / "down")
    walked = repository.walk([history.ids["c4"]])
    expected = {1: {"c4"}, 2: {"c4", "c3"}, 3: {"c4", "c3", "c2", "s1"}}[depth]
    assert {commit.id for commit in walked} == {history.ids[name] for name in expected}
    assert repository.is_shallow
    cut = {1: {"c4"}, 2: {"c3"}, 3: {"c2", "s1"}}[depth]
    assert {commit.id for commit in walked if commit.boundary} == {history.ids[n] for n in cut}
    for commit in walked:
        assert listing(repository, commit.id) == git_listing(tmp_path / "up", commit.id)


def test_a_partial_clone_lacks_blobs(tmp_path: Path) -> None:
    history = build(TWO, tmp_path / "up")
    git(tmp_path / "up", "config", "uploadpack.allowFilter", "true")
    url = f"file://{tmp_path / 'up'}"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", url, "down")
    git(tmp_path / "down", "config", "core.repositoryformatversion", "1")
    git(tmp_path / "down", "config", "extensions.partialClone", "origin")
    repository = open_repository(tmp_path / "down")
    commit = repository.commit(history.ids["c2"])
    assert len(repository.walk([commit.id])) == 2
    assert repository.has_files(commit)
    for entry in repository.tree(commit).values():
        assert repository.read(entry.blob) is None
        assert repository.size(entry.blob) is None


def test_blobs_are_read_and_measured(tmp_path: Path) -> None:
    history = build(TWO, tmp_path)
    repository = open_repository(tmp_path)
    entry = repository.tree(repository.commit(history.ids["c1"]))["pkg/a.py"]  # type: ignore[index]
    assert repository.read(entry.blob) == b"def a(): ...\n"
    assert repository.size(entry.blob) == 13
    assert repository.read(BlobId(history.ids["c1"])) is None
    assert repository.size(BlobId("1" * 40)) is None


def test_replacements_are_ignored_and_listed(tmp_path: Path) -> None:
    history = build(TWO, tmp_path)
    other = history.add("other", [], {"z.py": "z = 1\n"}, message="replaced")
    git(tmp_path, "replace", history.ids["c1"], other)
    repository = open_repository(tmp_path)
    assert repository.replaced == (history.ids["c1"],)
    assert repository.commit(history.ids["c1"]).message == "c1\n"
    assert [c.id for c in repository.walk([history.ids["c2"]])] == [
        history.ids["c1"],
        history.ids["c2"],
    ]


def test_a_grafted_parent_is_ignored(tmp_path: Path) -> None:
    history = build(TWO, tmp_path)
    history.add("root", [], {"z.py": "z = 1\n"})
    git(tmp_path, "replace", "--graft", history.ids["c1"], history.ids["root"])
    assert len(open_repository(tmp_path).walk([history.ids["c2"]])) == 2


def test_submodules_and_links_are_entries(tmp_path: Path) -> None:
    history = start(tmp_path)
    pin = pygit2.Oid(hex="12" * 20)
    links = {"down": "sub", "loop": ".", "abs": "/nonexistent/x", "up": "../outside.py"}
    tree = {name: (0o120000, history.blob(target.encode())) for name, target in links.items()}
    history.put(
        "c1", [], {**tree, "sub": (0o160000, pin), "main.py": (0o100644, history.blob(b""))}
    )
    found = listing(open_repository(tmp_path), history.ids["c1"])
    assert found["sub"] == ("160000", "12" * 20)
    assert all(found[name][0] == "120000" for name in links)
    assert found == git_listing(tmp_path, history.ids["c1"])


def test_a_case_only_rename_is_two_paths(tmp_path: Path) -> None:
    history = build("=== c1\n--- Helper.py\nx\n=== c2 < c1\n--> Helper.py -> helper.py\n", tmp_path)
    repository = open_repository(tmp_path)
    first, second = (repository.commit(commit) for commit in history.ids.values())
    assert [(c.path, c.new is None) for c in repository.changes(first, second)] == [
        ("Helper.py", True),
        ("helper.py", False),
    ]


def test_paths_that_are_not_utf8(tmp_path: Path) -> None:
    history = start(tmp_path)
    blob = history.blob(b"x = 1\n")
    history.put("c1", [], {os.fsdecode(b"d\xe9/l\\.py"): (0o100644, blob)})
    assert list(listing(open_repository(tmp_path), history.ids["c1"])) == [r"d\xE9/l\\.py"]


def test_alternates_are_followed(tmp_path: Path) -> None:
    history = build(TWO, tmp_path / "up")
    history.checkout()
    git(tmp_path, "clone", "-q", "-s", "up", "down")
    repository = open_repository(tmp_path / "down")
    assert len(repository.walk([history.ids["c2"]])) == 2


def test_the_environment_of_a_hook_does_not_lead_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = build(TWO, tmp_path / "named")
    other = build("=== z\n--- z.py\n", tmp_path / "other")
    elsewhere = tmp_path / "other" / ".git"
    for name, value in {
        "GIT_DIR": elsewhere,
        "GIT_COMMON_DIR": elsewhere,
        "GIT_WORK_TREE": tmp_path / "other",
        "GIT_INDEX_FILE": elsewhere / "index",
        "GIT_OBJECT_DIRECTORY": elsewhere / "objects",
    }.items():
        monkeypatch.setenv(name, str(value))
    repository = open_repository(tmp_path / "named")
    assert repository.head() == history.ids["c2"]
    with pytest.raises(UnknownRevision):
        repository.commit(other.ids["z"])


def test_outside_any_repository(tmp_path: Path) -> None:
    check_not_a_repository(tmp_path, "not inside a git repository")
    check_not_a_repository(tmp_path / "nope", "no such file")


def test_a_folder_of_repositories_names_them(tmp_path: Path) -> None:
    for name in ("r1", "r2"):
        start(tmp_path / name)
    check_not_a_repository(tmp_path, "r1", "r2")


def test_sha256_is_refused_by_name(tmp_path: Path) -> None:
    done = subprocess.run(
        ["git", "init", "-q", "--object-format=sha256", str(tmp_path / "r")], check=False
    )
    if done.returncode:
        pytest.skip("this git makes no sha256 repositories")
    check_not_a_repository(tmp_path / "r", "sha256")


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Path]:
    """The user's git settings: a file that does not exist yet."""
    level = pygit2.enums.ConfigLevel.GLOBAL
    before = pygit2.settings.search_path[level]
    pygit2.settings.search_path[level] = str(tmp_path)
    yield tmp_path / ".gitconfig"
    pygit2.settings.search_path[level] = before


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    build(TWO, tmp_path / "foreign")
    subprocess.run(["chown", "-R", "12345", str(tmp_path / "foreign")], check=True)
    return tmp_path / "foreign"


def test_a_repository_of_another_user_is_refused_by_that_name(
    foreign: Path, settings: Path
) -> None:
    check_not_a_repository(foreign, "owned by another user", "safe.directory")
    assert not settings.exists()


@pytest.mark.parametrize("trusted", ["*", "exact"])
def test_a_trusted_repository_of_another_user(foreign: Path, settings: Path, trusted: str) -> None:
    text = f"[safe]\n\tdirectory = {foreign if trusted == 'exact' else trusted}\n"
    settings.write_text(text)
    assert open_repository(foreign).head()
    assert settings.read_text() == text
