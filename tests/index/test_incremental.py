"""What is indexed step by step is what would be indexed from nothing, at every commit."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.growth import grow
from support.history import History, build
from support.indexed import Indexed

from topomem.git.repository import open_repository
from topomem.index import facts
from topomem.index.events import Event, FileLinked
from topomem.index.plan import Scope
from topomem.index.recheck import Recheck
from topomem.link import remembering, results, views
from topomem.store import doctor


def check_rechecked(indexed: Indexed) -> None:
    with indexed.store.read() as reader:
        recheck = Recheck(open_repository(indexed.folder), reader, indexed.configuration)
        for commit in sorted(reader.known_commits()):
            assert recheck.differences(commit) == []
        assert list(doctor.check_rows(reader)) == []


def check_growth(folder: Path, seed: int) -> None:
    """Index a random history in random order and batches; then compare every commit."""
    random = Random(seed)
    history = grow(folder / "r", seed)
    indexed = Indexed(history, folder / "store")
    for name in random.sample(list(history.ids), random.randint(0, 3)):
        history.branch("main", name)
        scope = random.choice((Scope(), Scope(head_only=True), Scope(max_commits=3)))
        indexed.run(scope, room_seconds=random.choice((0.0, 1.0)))
    indexed.run(Scope(all_refs=True))
    assert indexed.commits() == set(history.ids.values())
    check_rechecked(indexed)
    check_ancestry(indexed, history)


def check_ancestry(indexed: Indexed, history: History) -> None:
    repository = open_repository(history.folder)
    with indexed.store.read() as reader:
        positions = {commit: reader.position(commit) for commit in history.ids.values()}
        for commit in history.ids.values():
            behind = reader.ancestors(commit)
            stored = {c for c, at in positions.items() if at.seq <= behind.get(at.track, -1)}
            assert stored == {c.id for c in repository.walk([commit])}


@settings(max_examples=6)
@given(seed=st.integers(0, 1 << 16))
def test_any_history_in_any_order(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    check_growth(tmp_path_factory.mktemp("grown"), seed)


@settings(max_examples=2)
@given(seed=st.integers(0, 1 << 16))
def test_what_is_kept_changes_no_answer(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "MOST_RESULTS", 3)
        patch.setattr(views, "FEWEST_TRIMMED", 0)
        patch.setattr(remembering, "_KEPT", 2)
        patch.setattr(facts, "_KEPT_REGIONS", 1)
        patch.setattr(facts, "_KEPT_BLOBS", 1)
        patch.setattr(facts, "_KEPT_BYTES", 1)
        check_growth(tmp_path_factory.mktemp("grown"), seed)


@pytest.mark.slow
@settings(max_examples=80)
@given(seed=st.integers(0, 1 << 32))
def test_many_histories_in_any_order(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    check_growth(tmp_path_factory.mktemp("grown"), seed)


BASE = """
=== c1
--- shop/__init__.py
--- shop/cart.py
import json
from shop.tax import tax


def total(lines):
    return tax(json.dumps(lines))
--- shop/tax.py
def tax(amount):
    return amount
--- shop/other.py
def other():
    return 1
"""


def check_relinked(folder: Path, change: str, expected: list[str]) -> None:
    """Index one commit, then another that makes `change`; compare which files were linked."""
    history = build(BASE + f"=== c2 < c1\n{change}=== main = c1\n", folder / "r")
    indexed = Indexed(history, folder / "store")
    indexed.run()
    history.branch("main", "c2")
    log: list[Event] = []
    indexed.run(emit=log.append)
    assert sorted({e.path for e in log if isinstance(e, FileLinked)}) == expected
    check_rechecked(indexed)


def test_a_body_edit_relinks_one_file(tmp_path: Path) -> None:
    change = "--- shop/tax.py\ndef tax(amount):\n    print(amount)\n    return amount\n"
    check_relinked(tmp_path, change, ["shop/tax.py"])


def test_a_comment_relinks_nothing(tmp_path: Path) -> None:
    change = "--- shop/tax.py\n# a remark\n\ndef tax(amount):\n    return amount  # as it is\n"
    check_relinked(tmp_path, change, [])


def test_a_new_file_that_shadows_something_outside_relinks_its_importers(tmp_path: Path) -> None:
    change = "--- json.py\ndef dumps(value):\n    return value\n"
    check_relinked(tmp_path, change, ["json.py", "shop/cart.py"])


def test_a_renamed_function_relinks_who_uses_it(tmp_path: Path) -> None:
    change = "--- shop/tax.py\ndef duty(amount):\n    return amount\n"
    check_relinked(tmp_path, change, ["shop/cart.py", "shop/tax.py"])


def test_a_moved_file_relinks_itself_and_who_imported_it(tmp_path: Path) -> None:
    change = "--> shop/tax.py -> shop/duty.py\n"
    check_relinked(tmp_path, change, ["shop/cart.py", "shop/duty.py"])


def test_a_mode_alone_relinks_nothing(tmp_path: Path) -> None:
    change = "--- shop/tax.py (100755)\ndef tax(amount):\n    return amount\n"
    check_relinked(tmp_path, change, [])


TURNS = """=== c1
--- user.py
from a import f
f()
--- a.py
from b import f
--- b.py
from e import f
--- c.py
from e import f
--- d.py
def f():
    return 1
--- e.py
def f():
    return 2
=== c2 < c1
--- a.py
from c import f
=== c3 < c2
--- c.py
from d import f
=== main = c1
"""


@pytest.mark.parametrize("steps", [("c1", "c2", "c3"), ("c1", "c3"), ("c3",)])
def test_what_a_file_asked_on_the_way_to_the_same_is_remembered(
    tmp_path: Path, steps: tuple[str, ...]
) -> None:
    history = build(TURNS, tmp_path / "r")
    indexed = Indexed(history, tmp_path / "store")
    for name in steps:
        history.branch("main", name)
        indexed.run()
    check_rechecked(indexed)
