from __future__ import annotations

import os
from pathlib import Path

import pygit2
import pytest
from support.history import History, build, git, start
from support.indexed import Indexed, check_equals_one_run, check_trees

from topomem.git.repository import open_repository
from topomem.index.configuration import Configuration
from topomem.index.events import BatchStored, BlobParsed, CommitIndexed, Event
from topomem.index.pipeline import IndexOptions, index
from topomem.index.plan import Scope
from topomem.model.ids import CommitId

SHOP = """
=== c1
--- shop/__init__.py
--- shop/cart.py
from shop.tax import tax


def total(lines):
    return tax(sum(lines))
--- shop/tax.py
def tax(amount):
    return amount * 2
--- README.md
A shop.
=== s1 < c1
--- shop/cart.py
from shop.tax import tax


def total(lines):
    return tax(sum(lines)) + 1


def empty():
    return total([])
=== c2 < c1
--> shop/tax.py -> shop/duty.py
--- shop/cart.py
from shop.duty import tax


def total(lines):
    return tax(sum(lines))
=== c3 < c2, s1
--- shop/cart.py
from shop.duty import tax


def total(lines):
    return tax(sum(lines)) + 1


def empty():
    return total([])
=== c4 < c3
--x shop/duty.py
"""


@pytest.fixture
def shop(tmp_path: Path) -> History:
    return build(SHOP, tmp_path / "shop")


@pytest.fixture
def indexed(shop: History, tmp_path: Path) -> Indexed:
    return Indexed(shop, tmp_path / "store")


def skipped(indexed: Indexed) -> dict[str, str]:
    return {file.path: file.reason for file in indexed.run().skipped}


def test_every_commit_lists_what_git_lists(indexed: Indexed, shop: History) -> None:
    report = indexed.run()
    assert (report.commits_indexed, report.commits_total) == (5, 5)
    assert indexed.commits() == set(shop.ids.values())
    check_trees(indexed)


def test_symbols_are_those_of_the_commit(indexed: Indexed, shop: History) -> None:
    indexed.run()
    names = {name: indexed.names(commit) for name, commit in shop.ids.items()}
    assert "shop/tax.py#tax" in names["c1"]
    assert "shop/duty.py#tax" not in names["c1"]
    assert "shop/duty.py#tax" in names["c3"]
    assert "shop/cart.py#empty" in names["c3"]
    assert "shop/cart.py#empty" not in names["c2"]
    assert "shop/duty.py#tax" not in names["c4"]


def test_only_head(indexed: Indexed, shop: History) -> None:
    report = indexed.run(Scope(head_only=True))
    assert indexed.commits() == {shop.ids["c4"]}
    assert (report.commits_indexed, report.symbols > 0, report.edges > 0) == (1, True, True)
    check_trees(indexed)


def test_a_second_run_does_nothing(indexed: Indexed) -> None:
    first = indexed.run()
    log: list[Event] = []
    second = indexed.run(emit=log.append)
    assert (second.commits_indexed, second.blobs_parsed) == (0, 0)
    assert (second.symbols, second.edges) == (first.symbols, first.edges)
    assert not [event for event in log if isinstance(event, (BlobParsed, CommitIndexed))]


def test_a_later_run_parses_only_what_is_new(indexed: Indexed, shop: History) -> None:
    indexed.run()
    shop.add("c5", ["c4"], {"shop/new.py": "def new(): ...\n", "copy.py": "def tax(): ...\n"})
    shop.add("c6", ["c5"], {"again.py": "def tax(): ...\n"})
    shop.branch("main", "c6")
    log: list[Event] = []
    report = indexed.run(emit=log.append)
    assert [event.path for event in log if isinstance(event, BlobParsed)] == [
        "copy.py",
        "shop/new.py",
    ]
    assert (report.commits_indexed, report.blobs_reused) == (2, 1)
    check_trees(indexed)


@pytest.mark.parametrize("head_only_at", ["c1", "c3", "c4"])
def test_older_commits_may_arrive_later(
    indexed: Indexed, shop: History, tmp_path: Path, head_only_at: str
) -> None:
    shop.branch("main", head_only_at)
    indexed.run(Scope(head_only=True))
    shop.branch("main", "c4")
    indexed.run()
    check_trees(indexed)
    check_equals_one_run(indexed, tmp_path / "other")
    with indexed.store.read() as reader:
        behind = reader.ancestors(shop.ids["c4"])
        positions = [reader.position(commit) for commit in shop.ids.values()]
        assert all(at.seq <= behind.get(at.track, -1) for at in positions)
        assert not any(commit.boundary for commit in reader.commits())


class Interrupt(Exception):
    pass


@pytest.mark.parametrize("after", range(1, 12, 2))
def test_an_interrupted_run_is_gone_on_with(indexed: Indexed, tmp_path: Path, after: int) -> None:
    seen = 0

    def emit(event: Event) -> None:
        nonlocal seen
        seen += isinstance(event, (BlobParsed, CommitIndexed, BatchStored))
        if seen == after:
            raise Interrupt

    with pytest.raises(Interrupt):
        indexed.run(emit=emit)
    indexed.run()
    check_trees(indexed)
    check_equals_one_run(indexed, tmp_path / "other")


def test_batches_of_any_size_give_the_same_answers(
    indexed: Indexed, shop: History, tmp_path: Path
) -> None:
    for name in shop.ids:
        shop.branch("main", name)
        indexed.run(room_seconds=0.0)
    check_trees(indexed)
    check_equals_one_run(indexed, tmp_path / "other")


def test_all_references(tmp_path: Path) -> None:
    history = build(
        SHOP + "=== p1\n--- page.py\ndef page(): ...\n=== main = c4\n=== pages = p1\n",
        tmp_path / "r",
    )
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    assert history.ids["p1"] not in indexed.commits()
    indexed.run(Scope(all_refs=True))
    assert indexed.commits() == set(history.ids.values())
    check_trees(indexed)


def test_no_commits_yet(tmp_path: Path) -> None:
    indexed = Indexed(start(tmp_path / "r"), tmp_path / "store")
    report = indexed.run()
    assert (report.commits_indexed, report.commits_total) == (0, 0)
    assert not indexed.store.exists()


def test_head_that_names_a_missing_branch_writes_nothing(shop: History, tmp_path: Path) -> None:
    (shop.folder / ".git" / "HEAD").write_text("ref: refs/heads/nope\n")
    indexed = Indexed(shop, tmp_path / "store")
    assert indexed.run().commits_total == 0
    assert not indexed.store.exists()


def test_detached_head_is_where_a_run_starts(shop: History, tmp_path: Path) -> None:
    (shop.folder / ".git" / "HEAD").write_text(shop.ids["c2"] + "\n")
    indexed = Indexed(shop, tmp_path / "store")
    indexed.run()
    assert indexed.commits() == {shop.ids["c1"], shop.ids["c2"]}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_shallow_clone(shop: History, tmp_path: Path, depth: int) -> None:
    git(tmp_path, "clone", "-q", f"--depth={depth}", f"file://{shop.folder}", "down")
    indexed = Indexed(tmp_path / "down", tmp_path / "store")
    indexed.run()
    check_trees(indexed)
    with indexed.store.read() as reader:
        cut = {commit.id for commit in reader.commits() if commit.boundary}
    assert cut == set(open_repository(tmp_path / "down").shallow_boundary)


def test_a_shallow_clone_that_is_deepened(shop: History, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{shop.folder}", "down")
    indexed = Indexed(tmp_path / "down", tmp_path / "store")
    indexed.run()
    git(tmp_path / "down", "fetch", "-q", "--unshallow")
    indexed.run()
    assert indexed.commits() == set(shop.ids.values())
    check_trees(indexed)
    check_equals_one_run(indexed, tmp_path / "other")


def test_a_partial_clone_says_what_is_missing(shop: History, tmp_path: Path) -> None:
    git(shop.folder, "config", "uploadpack.allowFilter", "true")
    url = f"file://{shop.folder}"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", url, "down")
    indexed = Indexed(tmp_path / "down", tmp_path / "store")
    report = indexed.run()
    assert {file.reason for file in report.skipped} == {"missing"}
    assert any("missing" in warning for warning in report.warnings)
    check_trees(indexed)


def test_a_submodule_is_listed_and_not_entered(tmp_path: Path) -> None:
    history = start(tmp_path / "r")
    main = {"main.py": (0o100644, history.blob(b"def main(): ...\n"))}
    for number in (1, 2):
        pin = pygit2.Oid(hex=f"{number}" * 40)
        history.put(
            f"c{number}", [f"c{number - 1}"] * (number - 1), {**main, "sub": (0o160000, pin)}
        )
        main = {"main.py": (0o100644, history.blob(b"def main(): return 1\n"))}
    history.branch("main", "c2")
    indexed = Indexed(history, tmp_path / "store")
    assert indexed.run().skipped == ()
    check_trees(indexed)
    assert indexed.names(history.ids["c2"]) == ["main.py#main"]


def test_links_are_listed_and_not_followed(tmp_path: Path) -> None:
    history = start(tmp_path / "r")
    links = {"down.py": "main.py", "loop": ".", "abs.py": "/nonexistent/x.py", "up.py": "../o.py"}
    tree = {name: (0o120000, history.blob(target.encode())) for name, target in links.items()}
    tree["main.py"] = (0o100644, history.blob(b"def main(): ...\n"))
    history.put("c1", [], tree)
    history.branch("main", "c1")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    check_trees(indexed)
    assert indexed.names(history.ids["c1"]) == ["main.py#main"]


def test_a_case_only_rename(tmp_path: Path) -> None:
    text = "=== c1\n--- Helper.py\ndef hello(): ...\n=== c2 < c1\n--> Helper.py -> helper.py\n"
    history = build(text, tmp_path / "r")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    check_trees(indexed)
    assert indexed.names(history.ids["c2"]) == ["helper.py#hello"]


def test_a_path_that_is_not_utf8(tmp_path: Path) -> None:
    history = start(tmp_path / "r")
    source = history.blob(b"def odd(): ...\n")
    history.put("c1", [], {os.fsdecode(b"d\xe9/l.py"): (0o100644, source)})
    history.branch("main", "c1")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run()
    check_trees(indexed)
    assert indexed.names(history.ids["c1"]) == [r"d\xE9/l.py#odd"]


def test_odd_commits_are_stored_with_what_is_odd_about_them(shop: History, tmp_path: Path) -> None:
    tree = shop.library[pygit2.Oid(hex=shop.ids["c4"])].peel(pygit2.Tree).id
    data = b"tree %s\nparent %s\nauthor \xc3\x28 <a@x> 5 +051800\ncommitter C <c@x> 7 \n\ncaf\xe9\n"
    shop.raw("odd", data % (str(tree).encode(), shop.ids["c4"].encode()))
    shop.branch("main", "odd")
    indexed = Indexed(shop, tmp_path / "store")
    indexed.run()
    with indexed.store.read() as reader:
        (odd,) = reader.commits([shop.ids["odd"]])
    assert odd == open_repository(shop.folder).commit(shop.ids["odd"])
    assert odd.message == "caf\\xE9\n"
    assert (odd.author_date, odd.author_offset) == (5, None)


def test_replacements_change_nothing_and_are_told(shop: History, tmp_path: Path) -> None:
    other = shop.add("other", [], {"z.py": "def z(): ...\n"})
    git(shop.folder, "replace", shop.ids["c2"], other)
    indexed = Indexed(shop, tmp_path / "store")
    report = indexed.run()
    assert any("refs/replace" in warning for warning in report.warnings)
    check_trees(indexed)
    git(shop.folder, "replace", "-d", shop.ids["c2"])
    assert indexed.run().warnings == ()
    check_trees(indexed)


def test_files_that_no_person_wrote_are_listed_with_the_reason(tmp_path: Path) -> None:
    history = start(tmp_path / "r")
    bundle = "".join(f"function a{number}(){{}}" for number in range(3000))
    files: dict[str, bytes | str] = {f"src/f{n}.js": f"function f{n}() {{}}\n" for n in range(3)}
    files["public/app.js"] = bundle
    files["docs/jquery.min.js"] = bundle + ";"
    files["src/data.py"] = b"x = '\0\0\0'\n" * 4
    files["src/big.py"] = "x = 1\n" * 2000
    files["big.mp4"] = b"\0\xff" * 5000
    files["src/app.js"] = 'import movie from "../big.mp4";\n'
    history.add("c1", [], files)
    history.branch("main", "c1")
    indexed = Indexed(history, tmp_path / "store", Configuration(max_blob_bytes=10_000))
    bundles = Configuration(max_blob_bytes=100_000)
    assert skipped(indexed)["src/big.py"] == "too_large"
    again = Indexed(history, tmp_path / "other", bundles)
    assert skipped(again) == {
        "docs/jquery.min.js": "minified",
        "public/app.js": "minified",
        "src/data.py": "binary",
    }
    functions = [name for name in again.names(history.ids["c1"]) if name.startswith("src/f")]
    assert functions == [f"src/f{n}.js#f{n}" for n in range(3)]
    check_trees(again)


def test_excluded_paths_are_not_there(shop: History, tmp_path: Path) -> None:
    indexed = Indexed(shop, tmp_path / "store", Configuration(exclude=("shop/d*", "*.md")))
    indexed.run()
    tree = indexed.answers()[shop.ids["c3"]][0]
    assert list(tree) == ["shop/__init__.py", "shop/cart.py"]


def test_another_configuration_fills_the_store_anew(shop: History, tmp_path: Path) -> None:
    Indexed(shop, tmp_path / "store").run()
    indexed = Indexed(shop, tmp_path / "store", Configuration(exclude=("shop/duty.py",)))
    assert indexed.run().commits_indexed == 5
    assert "shop/duty.py" not in indexed.answers()[shop.ids["c3"]][0]


def test_the_store_is_never_part_of_what_is_indexed(shop: History) -> None:
    indexed = Indexed(shop, shop.folder / "store")
    indexed.run()
    check_trees(indexed)
    assert indexed.run().commits_indexed == 0


def test_a_bare_repository_and_a_linked_worktree_answer_alike(
    shop: History, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(shop.folder), "bare.git")
    shop.checkout()
    git(shop.folder, "worktree", "add", "-q", "--detach", "../linked", shop.ids["c3"])
    stores = {}
    for name in ("bare.git", "linked"):
        indexed = Indexed(tmp_path / name, tmp_path / f"store-{name}")
        indexed.run()
        stores[name] = indexed.answers()
    assert stores["linked"].keys() == stores["bare.git"].keys() - {shop.ids["c4"]}
    assert all(
        stores["bare.git"][commit] == stores["linked"][commit] for commit in stores["linked"]
    )


def test_commits_no_reference_leads_to_are_marked(shop: History, tmp_path: Path) -> None:
    indexed = Indexed(shop, tmp_path / "store")
    indexed.run()
    shop.add("amended", ["c3"], {"shop/duty.py": None, "more.py": "def more(): ...\n"})
    shop.branch("main", "amended")
    report = indexed.run()
    assert (report.commits_indexed, report.blobs_parsed) == (1, 1)
    with indexed.store.read() as reader:
        assert reader.unreachable_commits() == [shop.ids["c4"]]
    shop.branch("main", "c4")
    indexed.run()
    with indexed.store.read() as reader:
        assert reader.unreachable_commits() == [shop.ids["amended"]]


def names_of(history: History, commits: set[CommitId]) -> set[str]:
    return {name for name, commit in history.ids.items() if commit in commits}


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(max_commits=1), "c4"),
        (Scope(max_commits=3), "c4 c3 c2"),
        (Scope(since="main~1"), "c4 c3"),
    ],
)
def test_part_of_history_then_all(
    indexed: Indexed, shop: History, tmp_path: Path, scope: Scope, expected: str
) -> None:
    indexed.run(scope)
    assert names_of(shop, indexed.commits()) == set(expected.split())
    check_trees(indexed)
    indexed.run()
    check_equals_one_run(indexed, tmp_path / "other")


def follow(indexed: Indexed, *refs: str) -> int:
    options = IndexOptions(Scope(refs=refs), jobs=1, follow=True)
    return index(indexed.repository, indexed.store, Configuration(), options).commits_indexed


def test_following_goes_on_from_one_commit_forward_only(indexed: Indexed, shop: History) -> None:
    shop.branch("main", "c2")
    indexed.run(Scope(head_only=True))
    shop.branch("main", "c4")
    assert follow(indexed) == 3
    assert names_of(shop, indexed.commits()) == {"s1", "c2", "c3", "c4"}
    check_trees(indexed)


def test_following_a_head_that_does_not_connect_indexes_it_alone(
    indexed: Indexed, shop: History
) -> None:
    shop.branch("main", "c4")
    indexed.run(Scope(head_only=True))
    shop.branch("main", "c1")
    assert follow(indexed) == 1
    assert names_of(shop, indexed.commits()) == {"c1", "c4"}


def test_following_all_references(tmp_path: Path) -> None:
    history = build(SHOP + "=== p1\n--- p.py\nx = 1\n=== main = c3\n=== p = p1\n", tmp_path / "r")
    indexed = Indexed(history, tmp_path / "store")
    indexed.run(Scope(all_refs=True))
    history.add("p2", ["p1"], {"q.py": "y = 1\n"})
    history.branch("p", "p2")
    history.branch("main", "c4")
    assert follow(indexed) == 2
    assert follow(indexed) == 0


def test_following_further_references(indexed: Indexed, shop: History) -> None:
    indexed.run()
    shop.add("side", ["c2"], {"z.py": "z = 1\n"})
    shop.branch("side", "side")
    assert follow(indexed) == 0
    assert follow(indexed, "side") == 1


def test_following_without_a_store_indexes_all(indexed: Indexed) -> None:
    assert follow(indexed) == 5
