"""Where a session starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import answer, topomem
from support.history import build, git

TEXT = """
=== c1
> the shop, #7
--- shop/cart.py
def total(lines):
    return sum(lines)
--- shop/pay.py
from shop.cart import total

def pay(lines):
    return total(lines)
--- adr/0001-totals.md
# Totals are sums

- Status: accepted

## Governs

- `shop/cart.py`
--- adr/0002-lonely.md
# Nobody knows why

- Status: accepted
=== b1 < c1
> round totals for SHOP-3
--- shop/cart.py
def total(lines):
    return round(sum(lines))
=== main = c1
=== feature/7-round-totals = b1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("brief")
    build(TEXT, made).checkout()
    git(made, "checkout", "-q", "feature/7-round-totals")
    answer("index", cwd=made)
    return made


def test_a_branch_is_told_with_what_is_known_of_it(folder: Path) -> None:
    document = answer("brief", cwd=folder)
    assert document["branch"] == "feature/7-round-totals"
    assert document["commits"] == 1
    assert document["changed"] == ["shop/cart.py"]
    by_name = {one["subject"]: one for one in document["subjects"]}
    assert by_name["#7"]["best"][0]["name"] == "the shop, #7"
    assert by_name["SHOP-3"]["total"] == 1
    near = [(one["kind"], one["where"], one["why"]) for one in by_name["shop/cart.py"]["best"]]
    assert near == [
        ("decision", "adr/0001-totals.md", "governs"),
        ("file", "shop/pay.py:3", "uses it 1 times"),
    ]


def test_records_that_nothing_links_to_are_told(folder: Path) -> None:
    document = answer("brief", cwd=folder)
    assert [one["where"] for one in document["abandoned"]] == ["adr/0002-lonely.md"]


def test_what_differs_on_disk_comes_first(folder: Path) -> None:
    (folder / "shop/pay.py").write_text("from shop.cart import total\n")
    assert answer("brief", cwd=folder)["changed"] == ["shop/pay.py", "shop/cart.py"]
    git(folder, "checkout", "-q", "--", "shop/pay.py")


def test_what_was_tried_is_told(folder: Path) -> None:
    assert answer("brief", cwd=folder)["episodes"] == []
    done = answer("episode", "start", "Round half up in shop/cart.py", cwd=folder)
    answer("episode", "finish", done["id"], "--outcome", "failed", "--conclusion", "no", cwd=folder)
    (told,) = answer("brief", cwd=folder)["episodes"]
    assert (told["kind"], told["state"], told["where"]) == ("episode", "failed", done["id"])


def test_text_for_people_is_fenced(folder: Path) -> None:
    done = topomem("brief", cwd=folder)
    assert done.code == 0
    head, _, quoted = done.out.partition("```quoted\n")
    assert "round" not in head
    assert "branch feature/7-round-totals: 1 files changed, 1 commits of its own" in quoted


def test_an_empty_repository_has_nothing_to_tell(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    document = answer("brief", cwd=tmp_path)
    assert (document["as_of"], document["subjects"], document["changed"]) == (None, [], [])
