"""Going along edges: what is reached without a word, and that it keeps within the budget."""

from __future__ import annotations

import pytest
from support.history import build
from support.indexed import Indexed
from support.library import Asker

from topomem.model.bundle import Bundle, Passage
from topomem.model.code import EdgeKind
from topomem.retrieve.expand import Expansion, expand
from topomem.retrieve.render import markdown
from topomem.retrieve.tokens import estimate
from topomem.store.search import Search

CALLERS = 200

SHOP = """
=== c1
--- shop/price.py
from shop.rounding import to_cents

def quote_tariff(parcel):
    \"\"\"The tariff of a parcel.\"\"\"
    return to_cents(parcel.weight)
--- shop/rounding.py
def to_cents(number):
    return _half_up(number * 100)

def _half_up(number):
    return int(number + 0.5)
--- shop/front.py
from shop.price import quote_tariff as q

class Desk(object):
    def hand_over(self, thing):
        return q(thing)
--- tests/test_desk.py
from shop.price import quote_tariff as q

def test_zero():
    assert q(None) == 0
"""
HUB = f"""
=== c1
--- hub/core.py
def settle(account):
    \"\"\"Settle an account with the clearing house.\"\"\"
    return account
{
    "".join(
        f'''--- hub/part_{number}.py
from hub import core as c

def run_{number}(x):
    return c.settle(x)
'''
        for number in range(CALLERS)
    )
}
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Asker:
    return _indexed(SHOP, tmp_path_factory)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Asker:
    return _indexed(HUB, tmp_path_factory)


def _indexed(text: str, factory: pytest.TempPathFactory) -> Asker:
    folder = factory.mktemp("expand")
    history = build(text, folder / "repository")
    indexed = Indexed(history, folder / "store")
    indexed.run()
    return Asker(indexed, history.ids)


def items(made: Bundle) -> dict[str, Passage]:
    return {f"{item.path}#{item.qualified_name}": item for item in made.items}


@pytest.mark.parametrize(
    ("symbol", "why"),
    [
        ("shop/rounding.py#to_cents", "callee of quote_tariff: calls out "),
        ("shop/front.py#Desk.hand_over", "caller of quote_tariff: calls in "),
        ("tests/test_desk.py#test_zero", "test of quote_tariff: calls in "),
        ("shop/rounding.py#_half_up", "callee of to_cents: calls out "),
    ],
)
def test_neighbours_without_a_word_are_reached(shop: Asker, symbol: str, why: str) -> None:
    made = shop.ask("parcel weight")
    assert next(iter(items(made))) == "shop/price.py#quote_tariff"
    item = items(made)[symbol]
    assert item.why[0].startswith(why)
    assert item.provenance.method == "inferred"
    assert item.citation is not None
    assert "edges" in made.mode


def spread_from(library: Asker, name: str) -> tuple[Expansion, dict[str, int]]:
    """Return what edges lead to from one unit, and by name how many steps each took."""
    told: list[tuple[Expansion, dict[str, int]]] = []

    def spread(search: Search) -> None:
        (unit,) = [unit for unit, found in search.named([name.strip("_")]) if found == name]
        found = expand(search, {unit: 1.0})
        names = search.names([one.unit for one in found.reached])
        steps = {str(names[one.unit][0]): one.way.distance for one in found.reached}
        told.append((found, steps))

    library.search("c1", spread)
    return told[0]


def test_two_steps_are_the_most(shop: Asker) -> None:
    _, steps = spread_from(shop, "_half_up")
    assert steps == {"to_cents": 1, "quote_tariff": 2}


def test_what_edges_lead_to_stands_behind_what_words_found(shop: Asker) -> None:
    made = shop.ask("parcel weight").items
    by_edge = [item.provenance.source == "edges" for item in made]
    assert by_edge == sorted(by_edge)
    assert [item.score for item in made] == sorted((item.score for item in made), reverse=True)


def test_a_symbol_of_many_callers_keeps_within_the_budget(hub: Asker) -> None:
    made = hub.ask("clearing house account", 1000)
    assert made.used_tokens == estimate(markdown(made)) <= 1000
    assert next(iter(items(made))) == "hub/core.py#settle"
    callers = [item for item in made.items if item.why[0].startswith("caller of settle")]
    assert callers
    left = {left.kind: left.count for left in made.left_out}
    assert left["caller"] == CALLERS - len(callers)


@pytest.mark.parametrize("tokens", [200, 300, 517, 750, 2000, 8000])
def test_no_budget_is_exceeded_by_neighbours(hub: Asker, tokens: int) -> None:
    made = hub.ask("clearing house account", tokens)
    assert made.used_tokens == estimate(markdown(made)) <= tokens


def test_few_ways_of_a_relation_are_followed(hub: Asker) -> None:
    found, _ = spread_from(hub, "settle")
    assert len(found.neighbours["caller"]) == CALLERS
    assert 1 < len(found.reached) < 20
    assert all(one.way.step.kind is EdgeKind.CALLS for one in found.reached)
    assert all(0 < one.weight < 1 for one in found.reached)
