from __future__ import annotations

import pytest

from topomem.api.memory import Memory
from topomem.errors import UnknownRevision, UnknownSymbol, UsageError
from topomem.model.answer import SymbolRef


def names(memory: Memory, query: str = "", **how: str) -> list[str]:
    return [symbol.id for symbol in memory.symbols(query, **how).symbols]


def callers(memory: Memory, symbol: str, **how: object) -> set[str]:
    answer = memory.refs(symbol, kinds=["calls"], **how)  # type: ignore[arg-type]
    return {f"{n.edge.source.path}#{n.edge.source.qualified_name}" for n in answer.neighbours}


def test_symbols_are_found_by_part_of_their_name(memory: Memory) -> None:
    assert names(memory, "TOT") == ["shop/cart.py#Cart.total", "shop/checkout.py#total"]
    assert names(memory, "=total") == ["shop/cart.py#Cart.total", "shop/checkout.py#total"]
    assert names(memory, "=Cart.total") == ["shop/cart.py#Cart.total"]


def test_symbols_are_found_by_kind_and_path(memory: Memory) -> None:
    found = memory.symbols(kinds=["class"]).symbols
    assert [(s.id, s.start_line, s.end_line) for s in found] == [("shop/cart.py#Cart", 3, 15)]
    assert set(names(memory, path="shop/prices.py")) >= {"shop/prices.py#tax"}
    assert {name.split("#")[0] for name in names(memory, path="shop/p*")} == {"shop/prices.py"}


def test_a_symbol_says_which_commit_it_is_as_of(memory: Memory) -> None:
    old = memory.symbols("=tax", as_of="HEAD~1")
    new = memory.symbols("=tax", as_of="main")
    assert old.as_of.commit != new.as_of.commit
    assert [s.commit for s in new.symbols] == [new.as_of.commit]
    assert old.symbols[0].docstring != new.symbols[0].docstring


def test_callers_are_found_across_files(memory: Memory) -> None:
    assert callers(memory, "tax") == {"shop/cart.py#Cart.total", "shop/prices.py#unused"}
    assert callers(memory, "Cart.total") == {"shop/checkout.py#pay"}
    assert callers(memory, "tax", depth=2) == {
        "shop/cart.py#Cart.total",
        "shop/prices.py#unused",
        "shop/checkout.py#pay",
    }


def test_callees_are_found(memory: Memory) -> None:
    answer = memory.refs("pay", direction="out", kinds=["calls", "instantiates"])
    targets = {
        n.edge.target.qualified_name
        for n in answer.neighbours
        if isinstance(n.edge.target, SymbolRef)
    }
    assert targets >= {"Cart", "Cart.add", "Cart.total"}


def test_the_text_shown_is_that_of_the_commit(memory: Memory) -> None:
    assert "amount * RATE" in memory.show("tax", as_of="HEAD~1").source
    assert "round(amount" in memory.show("tax").source


def test_members_are_those_of_the_class_alone(memory: Memory) -> None:
    found = {member.qualified_name for member in memory.show("Cart").members}
    assert found >= {"Cart.__init__", "Cart.add", "Cart.total"}
    assert not [name for name in found if name.count(".") != 1]


@pytest.mark.parametrize("word", ["references", "reads"])
def test_edges_are_asked_for_by_kind_or_role(memory: Memory, word: str) -> None:
    edges = memory.edges(kinds=[word]).edges
    assert {edge.kind.value for edge in edges} <= {"reads", "writes", "uses_type"}
    assert ("tax", "RATE") in {
        (e.source.qualified_name, e.target.qualified_name)
        for e in edges
        if isinstance(e.target, SymbolRef)
    }


def test_a_snapshot_is_a_graph(memory: Memory) -> None:
    graph = memory.graph()
    kinds = {
        data["kind"] for data in graph["shop/cart.py#Cart.total"]["shop/prices.py#tax"].values()
    }
    assert "calls" in kinds
    assert graph.nodes["shop/prices.py#tax"]["start_line"] == 4


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: m.symbols(kinds=["nonsense"]),
        lambda m: m.edges(kinds=["nonsense"]),
        lambda m: m.refs("tax", direction="up"),
        lambda m: m.refs("tax", depth=0),
    ],
)
def test_a_request_that_makes_no_sense_is_wrong_usage(memory: Memory, ask: object) -> None:
    with pytest.raises(UsageError):
        ask(memory)  # type: ignore[operator]


def test_an_unknown_revision_is_told(memory: Memory) -> None:
    with pytest.raises(UnknownRevision):
        memory.symbols(as_of="no-such-branch")
    with pytest.raises(UnknownSymbol):
        memory.refs("no_such_function")
