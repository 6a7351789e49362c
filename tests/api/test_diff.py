"""What differs between two revisions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pygit2
import pytest
from support.growth import grow
from support.history import History, build, git
from support.indexed import Indexed

import topomem
from topomem.api.diff import DiffAnswer, SymbolDifference
from topomem.api.memory import Memory
from topomem.errors import UsageError
from topomem.index.plan import Scope
from topomem.model.answer import Edge, Symbol, SymbolRef
from topomem.model.code import SymbolKind

ALL_KINDS = tuple(kind.value for kind in SymbolKind)
Open = Callable[[str], tuple[History, Memory]]


@pytest.fixture
def open_text(tmp_path: Path) -> Open:
    def run(text: str) -> tuple[History, Memory]:
        history = build(text, tmp_path / "repository")
        history.checkout()
        Indexed(history, tmp_path / "store").run()
        return history, topomem.open(history.folder, store=tmp_path / "store")

    return run


def line(one: SymbolDifference) -> str:
    name = one.symbol.id
    if one.old is not None and one.old.id != name:
        name = f"{one.old.id} -> {name}"
    return " ".join([one.change, name, *one.kinds])


def ends(edge: Edge) -> str:
    assert isinstance(edge.target, SymbolRef)
    return f"{edge.source.qualified_name} {edge.kind.value} {edge.target.qualified_name}"


def check(answer: DiffAnswer, *expected: str) -> None:
    assert sorted(map(line, answer.symbols)) == sorted(expected)


def test_rejected_aliases_pair_nothing_over_several_commits(open_text: Open) -> None:
    lines = "    table = Table(rows)\n    table.sort(1)\n    return table.print(80)\n"
    text = f"=== c1\n--- a.py\ndef alpha(rows):\n{lines}"
    text += f"=== c2 < c1\n--- a.py\ndef beta(rows):\n{lines}"
    text += f"=== c3 < c2\n--- a.py\ndef beta(rows):\n    log(rows)\n{lines}"
    history, memory = open_text(text)
    ids = history.ids
    check(memory.diff(ids["c1"], ids["c3"]), "renamed a.py#alpha -> a.py#beta rename body")
    (alias,) = memory.aliases().aliases
    memory.judge_alias(alias.id, accept=False, reason="another thing")
    for head in ("c2", "c3"):
        check(memory.diff(ids["c1"], ids[head]), "removed a.py#alpha", "added a.py#beta")
    back = memory.diff(ids["c3"], ids["c1"])
    check(back, "removed a.py#beta", "added a.py#alpha")


def test_what_is_nested_in_a_function_is_credited_to_it(open_text: Open) -> None:
    outer = "def outer(x):\n    def inner(y):\n        return y + {}\n    return inner(x)\n"
    text = f"=== c1\n--- a.py\n{outer.format(1)}=== c2 < c1\n--- a.py\n{outer.format(2)}"
    history, memory = open_text(text + "=== c3 < c2\n--- b.py\nX = 1\n")
    found = memory.diff(history.ids["c1"], history.ids["c3"]).symbols
    outer_found = [one for one in found if one.symbol.qualified_name == "outer"]
    assert [one.commits for one in outer_found] == [(history.ids["c2"],)]


TWO = """
=== c1
--- a.py
def first(x):
    one = x + 1
    two = one * 2
    return two - x

def second():
    return first(1)

def third(): pass
--- notes.txt
one
=== c2 < c1
--- a.py
def first(x, y):
    one = x + 1
    two = one * 2
    return two - x - y

def second():
    return fourth(first(1, 2))

def fourth(a): return a
--- notes.txt
two
"""


def test_symbols_files_and_edges(open_text: Open) -> None:
    _, memory = open_text(TWO)
    answer = memory.diff("HEAD~1", "HEAD")
    check(
        answer,
        "changed a.py#first parameters body",
        "changed a.py#second body",
        "added a.py#fourth",
        "removed a.py#third",
    )
    assert [(one.path, one.change) for one in answer.files] == [
        ("a.py", "changed"),
        ("notes.txt", "changed"),
    ]
    assert [ends(edge) for edge in answer.added_edges] == [
        "second calls fourth",
        " contains fourth",
    ]
    assert [ends(edge) for edge in answer.removed_edges] == [" contains third"]
    check(memory.diff("HEAD", "HEAD~1"), *(
        "changed a.py#first parameters body",
        "changed a.py#second body",
        "removed a.py#fourth",
        "added a.py#third",
    ))  # fmt: skip
    same = memory.diff("HEAD", "HEAD")
    assert not same.symbols
    assert same.empty is not None


CHAIN = """
=== c1
--- a.py
def alpha(rows):
    total = 0
    for row in rows:
        total += row.price * row.count
    return total

def user():
    return alpha([])
=== c2 < c1
--- a.py
def beta(rows):
    total = 0
    for row in rows:
        total += row.price * row.count
    return total

def user():
    return beta([])
=== c3 < c2
--- a.py
from b import gamma

def user():
    return gamma([])
--- b.py
def gamma(rows):
    total = 0
    for row in rows:
        if row.count:
            total += row.price * row.count
    return total
"""


def test_names_are_followed_over_several_commits(open_text: Open) -> None:
    history, memory = open_text(CHAIN)
    answer = memory.diff("HEAD~2", "HEAD")
    moved = next(one for one in answer.symbols if one.old and one.symbol.path == "b.py")
    assert line(moved) == "renamed a.py#alpha -> b.py#gamma rename move body"
    assert len(moved.aliases) == 2
    assert moved.commits == (history.ids["c3"],)
    assert 0.5 < moved.confidence < 1
    assert "user calls gamma" not in map(ends, answer.added_edges)  # it called it all along


def test_files_that_are_no_code_are_followed_where_they_are_the_same(open_text: Open) -> None:
    _, memory = open_text(
        """
=== c1
--- a.txt
one
--- b.txt
two
--- c.txt
three
--- d.txt
three
=== c2 < c1
--> a.txt -> docs/a.txt
--x b.txt
--x c.txt
--x d.txt
--- e.txt
two and more
--- f.txt
three
"""
    )
    assert [(one.path, one.change, one.old_path) for one in memory.diff("HEAD~1").files] == [
        ("b.txt", "removed", None),
        ("c.txt", "removed", None),
        ("d.txt", "removed", None),
        ("docs/a.txt", "moved", "a.txt"),
        ("e.txt", "added", None),
        ("f.txt", "added", None),
    ]


def test_what_is_renamed_in_the_work_tree(open_text: Open) -> None:
    history, memory = open_text(CHAIN)
    file = history.folder / "b.py"
    file.write_text(file.read_text().replace("gamma", "delta"))
    (history.folder / "a.py").write_text(
        "from b import delta\n\ndef user():\n    return delta([])\n"
    )
    answer = memory.diff("HEAD", "WORKTREE")
    assert "renamed b.py#gamma -> b.py#delta rename" in map(line, answer.symbols)
    assert answer.head.uncommitted
    older = memory.diff("HEAD~2", "WORKTREE")
    assert any(one.old and one.old.id == "a.py#alpha" for one in older.symbols)


MERGED = """
=== root
--- a.py
def a(): return 1
--- b.py
LIMIT = 1
def b(): return 1
=== side < root
--- b.py
LIMIT = 2
def b(): return 2
=== main < root
--- a.py
def a(): return 2
=== merge < main, side
--- b.py
LIMIT = 2
def b(): return 2
"""


def test_a_clean_merge_is_credited_with_nothing(open_text: Open) -> None:
    history, memory = open_text(MERGED)
    ids = history.ids
    answer = memory.diff(ids["main"], ids["merge"])
    check(answer, "changed b.py# body", "changed b.py#LIMIT initializer", "changed b.py#b body")
    assert {one.commits for one in answer.symbols} == {(ids["side"],)}
    both = memory.diff(ids["root"], ids["merge"])
    assert {one.symbol.id: one.commits for one in both.symbols} == {
        "a.py#a": (ids["main"],),
        "b.py#": (ids["side"],),
        "b.py#LIMIT": (ids["side"],),
        "b.py#b": (ids["side"],),
    }


def test_who_removed_what(open_text: Open) -> None:
    history, memory = open_text(
        """
=== root
--- a.py
def a(): pass
def b(): pass
X = 1
--- b.py
def c(): pass
=== side < root
--- a.py
def b(): pass
=== other < side
--x b.py
=== main < root
--- c.py
def d(): pass
=== merge < main, other
--- a.py
def b(): pass
--x b.py
=== later < merge
--- c.py
def d(): return 1
"""
    )
    ids = history.ids
    answer = memory.diff(ids["main"], ids["later"])
    assert {one.symbol.id: one.commits for one in answer.symbols} == {
        "a.py#a": (ids["side"],),
        "a.py#X": (ids["side"],),
        "b.py#": (ids["other"],),
        "b.py#c": (ids["other"],),
        "c.py#d": (ids["later"],),
        "a.py#": (ids["side"],),
    }


def test_branches_are_compared_with_each_other_or_with_where_they_parted(open_text: Open) -> None:
    history, memory = open_text(MERGED + "\n=== main = merge\n")
    ids = history.ids
    changed = "changed b.py# body", "changed b.py#LIMIT initializer", "changed b.py#b body"
    check(memory.diff(ids["main"], ids["side"]), "changed a.py#a body", *changed)
    apart = memory.diff(ids["main"], ids["side"], merge_base=True)
    check(apart, *changed)
    assert apart.merge_base == ids["root"]


def test_a_name_given_on_the_other_branch_is_undone(open_text: Open) -> None:
    _, memory = open_text(
        CHAIN.replace("=== c3 < c2", "=== c3 < c1").replace("gamma", "alpha")
        + "\n=== c4 < c3, c2\n"
    )
    found = memory.diff("HEAD^2", "HEAD^1").symbols
    assert any(
        one.old and one.old.id == "a.py#beta" and one.symbol.id == "b.py#alpha" for one in found
    )


def test_a_shallow_clone_finds_what_it_has(tmp_path: Path) -> None:
    source = build(
        "=== c1\n--- a.py\ndef a(): return 1\n=== c2 < c1\n--- a.py\ndef a(): return 2\n"
        "=== c3 < c2\n--- a.py\ndef a(): return 3\n",
        tmp_path / "source",
    )
    folder = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{source.folder}", str(folder))
    for branch, text in (
        ("A", "def a(): return 3\ndef left(): pass\n"),
        ("B", "def a(): return 4\n"),
    ):
        git(folder, "checkout", "-q", "-b", branch, "main")
        (folder / "a.py").write_text(text)
        git(folder, "commit", "-q", "-am", branch)
    memory = topomem.open(folder, store=tmp_path / "store")
    memory.index(all_refs=True, jobs=1)
    answer = memory.diff("A", "B", merge_base=True)
    assert answer.merge_base == source.ids["c3"]
    check(answer, "changed a.py#a body")
    check(memory.diff("A", "B"), "changed a.py#a body", "removed a.py#left")


def test_where_no_merge_base_is_known(tmp_path: Path) -> None:
    source = build(
        "=== c1\n--- a.py\na = 1\n=== l < c1\n--- a.py\na = 2\n=== r < c1\n--- a.py\na = 3\n"
        "=== l = l\n=== r = r\n=== main = l\n",
        tmp_path / "source",
    )
    folder = tmp_path / "clone"
    url = f"file://{source.folder}"
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", url, str(folder))
    memory = topomem.open(folder, store=tmp_path / "store")
    memory.index(all_refs=True, jobs=1)
    with pytest.raises(UsageError, match="shallow"):
        memory.diff("origin/l", "origin/r", merge_base=True)
    check(memory.diff("origin/l", "origin/r"), "changed a.py# body", "changed a.py#a initializer")


@pytest.mark.parametrize("seed", [2, 5])
def test_a_difference_makes_the_one_out_of_the_other(tmp_path: Path, seed: int) -> None:
    """Names and edges of BASE, with what the diff says, are those of HEAD; no text differs unsaid."""
    history = grow(tmp_path / "repository", seed)
    Indexed(history, tmp_path / "store").run(Scope(all_refs=True))
    memory = topomem.open(history.folder, store=tmp_path / "store")
    random = Random(seed)
    for _ in range(6):
        base, head = (random.choice(list(history.ids.values())) for _ in "ab")
        answer = memory.diff(base, head, layout=True)
        old, new = names(memory, base), names(memory, head)
        lost = {one.old.id for one in answer.symbols if one.old and one.change != "changed"}
        won = {one.new.id for one in answer.symbols if one.new and one.change != "changed"}
        assert (set(old) - lost) | won == set(new)
        assert lost <= set(old)
        assert not won & (set(old) - lost)
        told = {one.symbol.id for one in answer.symbols}
        for name in set(old) & set(new) - told:
            if old[name].kind in (SymbolKind.FUNCTION, SymbolKind.METHOD):
                assert text(history, old[name]) == text(history, new[name])
        renamed = {one.old.id: one.new.id for one in answer.symbols if one.old and one.new}
        before = {relative(edge, renamed) for edge in memory.edges(as_of=base).edges}
        after = {relative(edge, {}) for edge in memory.edges(as_of=head).edges}
        gone = {relative(edge, renamed) for edge in answer.removed_edges}
        came = {relative(edge, {}) for edge in answer.added_edges}
        assert (before - gone) | came == after
        assert gone <= before
        assert not came & before


def names(memory: Memory, commit: str) -> dict[str, Symbol]:
    return {edge.id: edge for edge in memory.symbols(kinds=ALL_KINDS, as_of=commit).symbols}


def text(history: History, symbol: Symbol) -> list[bytes]:
    blob = history.library[symbol.blob]
    assert isinstance(blob, pygit2.Blob)
    lines = blob.data.splitlines()
    return lines[symbol.start_line - 1 : symbol.end_line]


def relative(edge: Edge, renamed: dict[str, str]) -> tuple[str, ...]:
    source = f"{edge.source.path}#{edge.source.qualified_name}"
    target = f"{type(edge.target).__name__} {getattr(edge.target, 'name', '')}"
    if isinstance(edge.target, SymbolRef):
        target = f"{edge.target.path}#{edge.target.qualified_name}"
    return edge.kind.value, renamed.get(source, source), renamed.get(target, target)
