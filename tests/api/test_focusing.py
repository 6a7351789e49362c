"""Bundles about a path, a symbol, or a change."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import answer, topomem
from support.history import build

import topomem as product
from topomem.api.memory import Memory
from topomem.errors import UnknownSymbol, UsageError
from topomem.model.bundle import Bundle

TEXT = """
=== c1
--- shop/prices.py
def tax(amount):
    return amount * 0.2

def fee(amount):
    return 1
--- shop/cart.py
from shop.prices import tax, fee

def total(lines):
    return sum(lines) + tax(sum(lines))

def shipping(lines):
    return fee(lines)
--- tests/test_prices.py
from shop.prices import tax

def test_tax():
    assert tax(1) == 0.2
--- other/words.py
def total_of_everything(total, tax):
    return total, tax
=== c2 < c1
> round what is due
--- shop/prices.py
def tax(amount):
    return round(amount * 0.2, 2)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("focus")
    build(TEXT, made).checkout()
    product.open(made).index()
    return made


@pytest.fixture(name="memory", scope="module")
def _memory(folder: Path) -> Memory:
    return product.open(folder)


def names(found: Bundle) -> list[str]:
    return [f"{item.path}#{item.qualified_name}" for item in found.items]


def reasons(found: Bundle) -> dict[str, tuple[str, ...]]:
    return {item.qualified_name: item.why for item in found.items}


def test_a_symbol_comes_first_and_then_what_is_beside_it(memory: Memory) -> None:
    found = memory.bundle(focus="shop/prices.py#tax", budget=900)
    assert names(found)[0] == "shop/prices.py#tax"
    assert reasons(found)["tax"] == ("focus",)
    assert reasons(found)["total"] == ("uses tax",)


def test_a_task_goes_with_its_focus(memory: Memory) -> None:
    found = memory.bundle("everything", focus="fee", as_of="HEAD~1", budget=900)
    assert names(found)[0] == "shop/prices.py#fee"
    assert "other/words.py#total_of_everything" in names(found)


def test_a_file_and_a_folder_are_told_by_what_is_in_them(memory: Memory) -> None:
    for focus in ("shop/cart.py", "./shop/"):
        found = memory.bundle("total of everything", focus=focus, budget=900)
        assert names(found)[0].startswith("shop/")


def test_a_change_brings_what_changed_and_whom_it_concerns(memory: Memory) -> None:
    found = memory.bundle(diff=("HEAD~1", "HEAD"), budget=1200)
    assert names(found)[0] == "shop/prices.py#tax"
    assert reasons(found)["tax"] == ("changed body",)
    (users,) = [item for item in found.items if item.path == "shop/cart.py"]
    assert "def total" in users.text
    assert users.why in (("calls tax",), ("calls fee",))
    assert any("test" in why for why in reasons(found)["test_tax"])
    assert "removed: shop/prices.py#fee" in found.notes
    assert not memory.verify(found).failed


@pytest.mark.parametrize("budget", [160, 300, 500, 2_000, 100_000])
def test_no_budget_is_exceeded(memory: Memory, budget: int) -> None:
    for found in (
        memory.bundle(diff=("HEAD~1", "HEAD"), budget=budget),
        memory.bundle("what is due", focus="tax", budget=budget),
    ):
        assert found.used_tokens <= budget
        assert found.items


def test_what_is_not_there_cannot_be_focused_on(memory: Memory) -> None:
    with pytest.raises(UnknownSymbol):
        memory.bundle("what is due", focus="nowhere/at_all.py")
    with pytest.raises(UsageError):
        memory.bundle("  ")


def test_from_the_command_line(folder: Path) -> None:
    document = answer("bundle", "--diff", "HEAD~1..HEAD", cwd=folder)
    assert document["items"][0]["qualified_name"] == "tax"
    assert document["task"] == "round what is due"
    document = answer("bundle", "--focus", "tax", "--as-of", "HEAD~1", cwd=folder)
    assert document["items"][0]["why"] == ["focus"]
    assert topomem("bundle", "--focus", "nowhere.py#x", cwd=folder).code == 3
    assert topomem("bundle", "--diff", "a..b", "--as-of", "HEAD", cwd=folder).code == 2
    assert topomem("bundle", cwd=folder).code == 2
