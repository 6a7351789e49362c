from __future__ import annotations

from pathlib import Path

import pytest
from support.history import History, build
from support.indexed import Indexed

import topomem
from topomem.api.answers import HistoryAnswer
from topomem.api.memory import Memory
from topomem.errors import UnknownItem, UnknownSymbol, UsageError
from topomem.store.past import Past

SIX = """
=== c1
--- a.py
class A:
    def load(self, id):
        row = self.db.fetch("users", id)
        user = User(row.id, row.name)
        self.cache[id] = user
        return user
=== c2 < c1
--- a.py
class A:
    def load(self, id):
        row = self.db.fetch("users", id)
        user = User(row.id, row.name, row.mail)
        self.cache[id] = user
        return user
=== c3 < c2
--- a.py
from base import Base
class A(Base):
    pass
--- base.py
class Base:
    def load(self, id):
        row = self.db.fetch("users", id)
        user = User(row.id, row.name, row.mail)
        self.cache[id] = user
        return user
=== c4 < c3
--- base.py
class Base:
    def load(self, id):
        row = self.db.fetch("users", id)
        user = User(row.id, row.name, row.mail)
        self.cache[user.id] = user
        return user
=== c5 < c4
--- base.py
class Base:
    def fetch(self, id):
        row = self.db.fetch("users", id)
        user = User(row.id, row.name, row.mail)
        self.cache[user.id] = user
        return user
=== c6 < c5
--- base.py
class Base:
    def fetch(self, id, retry=False):
        row = self.db.fetch("users", id)
        user = User(row.id, row.name, row.mail)
        self.cache[user.id] = user
        return user
"""

BRANCHES = """
=== c1
--- a.py
def one(x):
    first = compute(x, 1)
    return first + other(x)


def two(y):
    return y
=== side < c1
--- a.py
def one(x):
    first = compute(x, 2)
    return first + other(x)


def two(y):
    return y
=== main1 < c1
--- a.py
def one(x):
    first = compute(x, 1)
    return first + other(x)


def two(y):
    return y + 1
=== c2 < main1, side
--- a.py
def one(x):
    first = compute(x, 2)
    return first + other(x)


def two(y):
    return y + 1
=== main = c2
"""


ALPHA = """
def alpha(x):
    first = compute(x, 1)
    return first + other(x)


def beta(y):
    return y
"""
EDITED = ALPHA.replace("x, 1", "x, 2")
SIDES = {
    "file": ("--> a.py -> b.py", "b.py", EDITED, "b.py#alpha"),
    "function": (
        "--- a.py\n" + ALPHA.replace("alpha", "gamma"),
        "a.py",
        EDITED.replace("alpha", "gamma"),
        "a.py#gamma",
    ),
}


REUSED = """
=== c1
--- a.py
def report(rows):
    table = Table(rows)
    table.sort("name")
    return table.print(80)
=== c2 < c1
--- a.py
def show_rows(rows):
    table = Table(rows)
    table.sort("name")
    return table.print(80)
=== c3 < c2
--- a.py
def show_rows(rows):
    table = Table(rows)
    table.sort("name")
    return table.print(80)


def report(path, when):
    mail = Mail(open(path).read())
    mail.send(when, config.admins)
=== aside < c1
--- a.py
def other():
    return 1
=== main = c3
=== side = aside
"""


def opened(text: str, folder: Path) -> tuple[Memory, History]:
    history = build(text, folder / "repository")
    indexed = Indexed(history, folder / "store")
    indexed.run()
    return topomem.open(history.folder, store=folder / "store"), history


def told(answer: HistoryAnswer, history: History) -> list[str]:
    """Return `commit: changes name` of every event."""
    names = {commit: name for name, commit in history.ids.items()}
    return [
        f"{names[event.commit]}: {' '.join(event.changes)} {event.path}#{event.qualified_name}"
        for event in answer.events
    ]


def test_a_chain_of_six(tmp_path: Path) -> None:
    memory, history = opened(SIX, tmp_path)
    answer = memory.history("base.py#Base.fetch")
    assert told(answer, history) == [
        "c6: parameters base.py#Base.fetch",
        "c5: rename base.py#Base.fetch",
        "c4: body base.py#Base.load",
        "c3: move base.py#Base.load",
        "c2: body a.py#A.load",
        "c1: introduced a.py#A.load",
    ]
    assert answer.symbol is not None
    assert 0.5 <= answer.confidence < 1.0
    assert answer.events[-1].confidence == answer.confidence
    by_id = {alias.id: alias for alias in memory.aliases().aliases}
    assert answer.weakest in by_id
    before = memory.history("a.py#A.load", as_of=history.ids["c2"])
    assert told(before, history) == told(answer, history)[4:]


def test_a_symbol_that_is_gone_is_followed_to_its_last_name(tmp_path: Path) -> None:
    memory, history = opened(SIX, tmp_path)
    answer = memory.history("a.py#A.load")
    assert told(answer, history) == told(memory.history("base.py#Base.fetch"), history)
    assert answer.notes == ("a.py#A.load is now base.py#Base.fetch",)
    with pytest.raises(UnknownSymbol):
        memory.history("a.py#A.never")


def test_forward_from_an_older_commit(tmp_path: Path) -> None:
    memory, history = opened(SIX, tmp_path)
    whole = told(memory.history("base.py#Base.fetch"), history)
    for commit, name in (("c1", "a.py#A.load"), ("c4", "base.py#Base.load")):
        as_of = history.ids[commit]
        answer = memory.history(name, as_of=as_of, forward=True)
        assert told(answer, history) == whole
        assert answer.as_of.commit == history.ids["c6"]
        assert answer.notes == (f"{name} is now base.py#Base.fetch",)
        assert len(memory.history(name, as_of=as_of).events) < len(whole)
    assert told(memory.history("base.py#Base.fetch", forward=True), history) == whole


def test_forward_goes_with_the_symbol_and_not_with_the_name(tmp_path: Path) -> None:
    memory, history = opened(REUSED, tmp_path)
    memory.index(all_refs=True, jobs=1)
    old = memory.history("a.py#report", as_of=history.ids["c1"], forward=True)
    assert told(old, history) == ["c2: rename a.py#show_rows", "c1: introduced a.py#report"]
    assert told(memory.history("a.py#report"), history) == ["c3: introduced a.py#report"]
    with pytest.raises(UsageError):
        memory.history("a.py#other", as_of=history.ids["aside"], forward=True)


def test_a_symbol_that_was_removed_keeps_its_history(tmp_path: Path) -> None:
    text = "=== c1\n--- a.py\ndef f(x):\n    return g(x)\n=== c2 < c1\n--- a.py\n\n"
    memory, history = opened(text, tmp_path)
    answer = memory.history("a.py#f")
    assert told(answer, history) == ["c2: removed a.py#f", "c1: introduced a.py#f"]
    assert answer.symbol is None


def test_overloads_keep_their_histories_apart(tmp_path: Path) -> None:
    head = "class Text {\n"
    same = "  boolean same(String a) { check(a); return a.length() == size; }\n"
    wide = same.replace("String", "CharSequence")
    other = "  boolean same(int a) { return a == size; }\n"
    later = wide.replace("check(a)", "check(a, 1)")
    texts = {"c1": same, "c2": other + same, "c3": other + wide, "c4": other + later}
    parts = [
        f"=== {name} < c{int(name[1]) - 1}\n--- T.java\n{head}{text}}}\n".replace(" < c0", "")
        for name, text in texts.items()
    ]
    memory, history = opened("\n" + "".join(parts) + "=== main = c4\n", tmp_path)
    assert told(memory.history("T.java#Text.same+2"), history) == [
        "c4: body T.java#Text.same+2",
        "c3: parameters T.java#Text.same+2",
        "c1: introduced T.java#Text.same",
    ]
    assert told(memory.history("T.java#Text.same"), history) == ["c2: introduced T.java#Text.same"]


def test_another_package_is_told_though_the_text_is_the_same(tmp_path: Path) -> None:
    text = "package {0};\nclass A {{\n  int f(int a) {{ return a + 2; }}\n}}\n"
    one, two = text.format("org.one"), text.format("org.two")
    memory, history = opened(
        f"\n=== c1\n--- A.java\n{one}=== c2 < c1\n--- A.java\n{two}=== main = c2\n", tmp_path
    )
    assert told(memory.history("A.java#A.f"), history) == [
        "c2: container_renamed A.java#A.f",
        "c1: introduced A.java#A.f",
    ]
    assert told(memory.history("A.java#A"), history) == [
        "c2: move A.java#A",
        "c1: introduced A.java#A",
    ]
    assert memory.aliases().aliases == ()


def test_the_side_branch_made_the_change_not_the_merge(tmp_path: Path) -> None:
    memory, history = opened(BRANCHES, tmp_path)
    assert told(memory.history("a.py#one"), history) == [
        "side: body a.py#one",
        "c1: introduced a.py#one",
    ]
    assert told(memory.history("a.py:7"), history) == [
        "main1: body a.py#two",
        "c1: introduced a.py#two",
    ]


@pytest.mark.parametrize("what", SIDES)
@pytest.mark.parametrize("is_turned", [False, True])
def test_the_side_made_the_change_though_the_other_renamed(
    tmp_path: Path, what: str, *, is_turned: bool
) -> None:
    renaming, path, merged, now = SIDES[what]
    text = f"=== root\n--- a.py\n{ALPHA}"
    text += f"=== renamed < root\n{renaming}\n=== edited < root\n--- a.py\n{EDITED}"
    parents = "edited, renamed" if is_turned else "renamed, edited"
    gone = "--x a.py\n" if path != "a.py" and is_turned else ""
    text += f"=== merge < {parents}\n{gone}--- {path}\n{merged}"
    memory, history = opened(text, tmp_path)
    answer = told(memory.history(now), history)
    assert "edited: body a.py#alpha" in answer
    assert not any(event.startswith("merge:") for event in answer)
    assert sum(event.startswith("renamed:") for event in answer) == 1
    for base, maker in (("edited", "renamed"), ("renamed", "edited")):
        found = memory.diff(history.ids[base], history.ids["merge"]).symbols
        commits = {one.symbol.id: one.commits for one in found}
        assert history.ids["merge"] not in commits[now]
        assert history.ids[maker] in commits[now]


@pytest.mark.parametrize("text", [SIX, BRANCHES])
def test_what_was_kept_of_changes_is_what_is_worked_out(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, _ = opened(text, tmp_path)
    names = ["base.py#Base.fetch"] if text is SIX else ["a.py#one", "a.py#two"]
    kept = [memory.history(name).events for name in names]
    monkeypatch.setattr(Past, "changes_of", lambda *_: {})
    assert [memory.history(name).events for name in names] == kept


def test_a_rejected_alias_is_not_followed_and_the_verdict_lasts(tmp_path: Path) -> None:
    memory, history = opened(SIX, tmp_path)
    alias = next(one for one in memory.aliases().aliases if one.kind == "rename")
    memory.judge_alias(alias.id, accept=False, reason="another thing")
    (tmp_path / "store" / "derived.duckdb").unlink()
    memory.index()
    cut = memory.history("base.py#Base.fetch")
    assert told(cut, history)[-1] == "c5: introduced base.py#Base.fetch"
    assert alias.id not in {one.id for one in memory.aliases().aliases}
    rejected = {one.id: one.verdict for one in memory.aliases(candidates=True).aliases}
    assert rejected[alias.id] == "rejected"
    memory.judge_alias(alias.id, accept=True, reason="it is, after all")
    assert memory.history("base.py#Base.fetch").events[-1].qualified_name == "A.load"
    with pytest.raises(UnknownItem):
        memory.judge_alias("0" * 16, accept=True, reason="?")


def test_history_that_is_cut_is_no_introduction(tmp_path: Path) -> None:
    history = build(SIX, tmp_path / "repository")
    memory = topomem.open(history.folder, store=tmp_path / "store")
    memory.index(max_commits=2, jobs=1)
    answer = memory.history("base.py#Base.fetch")
    assert answer.cut
    assert told(answer, history) == ["c6: parameters base.py#Base.fetch"]


def test_what_comes_later_is_not_there_yet(tmp_path: Path) -> None:
    memory, history = opened(SIX, tmp_path)
    for forward in (False, True):
        with pytest.raises(UnknownSymbol):
            memory.history("base.py#Base", as_of=history.ids["c1"], forward=forward)


def test_history_ends_under_the_work_tree_and_says_so(tmp_path: Path) -> None:
    memory, history = opened(SIX, tmp_path)
    history.checkout()
    (history.folder / "base.py").write_text("class Base: pass\n\ndef fresh(): pass\n")
    assert memory.history("base.py#Base", as_of="WORKTREE").partial
    with pytest.raises(UnknownSymbol) as caught:
        memory.history("base.py#fresh", as_of="WORKTREE")
    assert "work tree" in (caught.value.hint or "")
