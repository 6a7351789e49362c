from __future__ import annotations

import pytest

from topomem.api.find import split_commit
from topomem.api.memory import Memory
from topomem.errors import AmbiguousSymbol, UnknownSymbol, UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop/prices.py#tax", "shop/prices.py#tax"),
        ("./shop/prices.py#tax", "shop/prices.py#tax"),
        ("tax", "shop/prices.py#tax"),
        ("Cart.total", "shop/cart.py#Cart.total"),
        ("shop/cart.py:13", "shop/cart.py#Cart.total"),
        ("shop/cart.py:L14", "shop/cart.py#Cart.total"),
        ("shop/cart.py:1", "shop/cart.py#"),
        ("shop/cart.py", "shop/cart.py#"),
        ("shop/cart.py#add", "shop/cart.py#Cart.add"),
        ("add", "shop/cart.py#Cart.add"),
        ("total", "shop/checkout.py#total"),  # a whole name goes before the end of another
    ],
)
def test_a_text_names_a_symbol(memory: Memory, text: str, expected: str) -> None:
    assert memory.show(text).symbol.id == expected


def test_an_id_carries_its_commit(memory: Memory) -> None:
    first = memory.show("tax", as_of="HEAD~1")
    assert memory.show(f"{first.symbol.id}@{first.symbol.commit}") == first


def test_an_id_of_another_commit_than_asked_for_is_wrong_usage() -> None:
    with pytest.raises(UsageError):
        split_commit("a.py#f@0123456789abcdef", "HEAD")


def test_an_unknown_name_suggests_what_looks_alike(memory: Memory) -> None:
    with pytest.raises(UnknownSymbol) as caught:
        memory.show("totel")
    assert "#total" in caught.value.hint or ".total" in caught.value.hint


def test_an_ambiguous_name_lists_the_choices(memory: Memory) -> None:
    with pytest.raises(AmbiguousSymbol) as caught:
        memory.show("refund")
    assert caught.value.choices == ("shop/checkout.py#refund", "shop/returns.py#refund")
