"""Whom a change concerns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.history import History, build
from support.indexed import Indexed

import topomem
from topomem.api.episode_writing import Linked, NewEvent
from topomem.api.impact import ImpactAnswer
from topomem.api.memory import Memory

Open = Callable[[str], tuple[History, Memory]]


@pytest.fixture
def open_text(tmp_path: Path) -> Open:
    def run(text: str) -> tuple[History, Memory]:
        history = build(text, tmp_path / "repository")
        history.checkout()
        Indexed(history, tmp_path / "store").run()
        return history, topomem.open(history.folder, store=tmp_path / "store")

    return run


def affected(answer: ImpactAnswer) -> list[str]:
    return [
        f"{one.distance} {one.symbol.id} {' < '.join(one.kinds)} {one.because}"
        for one in answer.affected
    ]


def to_run(answer: ImpactAnswer) -> list[str]:
    return [f"{one.distance} {one.test.id} {one.method}" for one in answer.tests]


SHOP = """
=== c1
--- CODEOWNERS
* @all
/shop/prices.py @money
--- docs/adr/0001-tax.md
# Tax is rounded

## Status

Accepted

## Context

`shop/prices.py#tax` decides.
--- shop/prices.py
RATE = 2

def tax(amount):
    return amount * RATE

def tell(amount):
    '''Say it.'''
    return str(amount)
--- shop/cart.py
from shop.prices import tax

class Cart:
    def total(self, net):
        def inner():
            return tax(net)
        return inner()

class Basket(Cart):
    pass
--- shop/checkout.py
from shop.cart import Cart

def pay(net):
    return Cart().total(net)

def other():
    pass
--- tests/conftest.py
import pytest
from shop.checkout import pay

@pytest.fixture
def paid():
    return pay(1)
--- tests/test_prices.py
from shop.prices import tax

def test_tax():
    assert tax(1)
--- tests/test_all.py
def test_paid(paid):
    assert paid
--- tests/test_other.py
from shop.checkout import other

def test_other():
    other()
=== c2 < c1
--- shop/prices.py
RATE = 2

def tax(amount):
    return round(amount * RATE)

def tell(amount):
    '''Say it aloud.'''
    return str(amount)
"""


def test_dependents_and_tests_by_steps(open_text: Open) -> None:
    _, memory = open_text(SHOP)
    answer = memory.impact("HEAD~1", "HEAD")
    assert [one.symbol.id for one in answer.changed] == [
        "shop/prices.py#tax",
        "shop/prices.py#tell",
    ]
    assert affected(answer) == [
        "1 shop/cart.py#Cart.total calls shop/prices.py#tax",
        "2 shop/checkout.py#pay calls < calls shop/prices.py#tax",
        "3 tests/conftest.py#paid calls < calls < calls shop/prices.py#tax",
    ]
    assert to_run(answer) == [
        "1 tests/test_prices.py#test_tax call",
        "4 tests/test_all.py#test_paid call",
        "4 tests/test_other.py# import",
    ]
    confidences = [one.confidence for one in answer.affected]
    assert confidences == sorted(confidences, reverse=True)
    assert [(one.owner, one.changed) for one in answer.owners] == [
        ("@money", ("shop/prices.py",)),
        ("@all", ()),
    ]
    assert [entry.placed.path for entry, _ in answer.decisions] == ["docs/adr/0001-tax.md"]


def test_what_depends_is_cut_at_a_depth_and_says_so(open_text: Open) -> None:
    _, memory = open_text(SHOP)
    answer = memory.impact("HEAD~1", "HEAD", depth=1)
    assert [one.distance for one in answer.affected] == [1]
    assert "cut at 1 steps" in answer.partial[0]
    assert not memory.impact("HEAD~1", "HEAD", depth=20).partial


def test_who_used_what_is_gone(open_text: Open) -> None:
    _, memory = open_text(
        SHOP
        + """
=== c3 < c1
--- shop/prices.py
RATE = 2

def levy(amount):
    return amount * RATE
=== main = c3
"""
    )
    answer = memory.impact("HEAD~1", "HEAD")
    assert [(one.change, one.symbol.id) for one in answer.changed] == [
        ("renamed", "shop/prices.py#levy"),
        ("removed", "shop/prices.py#tell"),
    ]
    assert "1 shop/cart.py# imports shop/prices.py#levy" in affected(answer)
    assert "1 shop/cart.py#Cart.total calls shop/prices.py#levy" in affected(answer)
    assert "2 shop/checkout.py#pay calls < calls shop/prices.py#levy" in affected(answer)
    assert "1 tests/test_prices.py#test_tax call" in to_run(answer)


def test_circles_end(open_text: Open) -> None:
    _, memory = open_text(
        """
=== c1
--- a.py
def one(n): return two(n)
def two(n): return three(n)
def three(n): return one(n - 1)
=== c2 < c1
--- a.py
def one(n): return two(n) or 1
def two(n): return three(n)
def three(n): return one(n - 1)
"""
    )
    assert affected(memory.impact("HEAD~1", "HEAD")) == [
        "1 a.py#three calls a.py#one",
        "2 a.py#two calls < calls a.py#one",
    ]


def test_callers_of_a_base_may_meet_what_overrides_it(open_text: Open) -> None:
    _, memory = open_text(
        """
=== c1
--- a.py
class Base:
    def run(self): pass

class Child(Base):
    def run(self): pass

def start(base: Base):
    base.run()
=== c2 < c1
--- a.py
class Base:
    def run(self): pass

class Child(Base):
    def run(self): return 1

def start(base: Base):
    base.run()
"""
    )
    found = affected(memory.impact("HEAD~1", "HEAD"))
    assert "1 a.py#Base.run overrides a.py#Child.run" in found
    assert "2 a.py#start overrides < calls a.py#Child.run" in found


def test_a_test_that_changed_is_to_run_and_imports_alone_concern_nobody(open_text: Open) -> None:
    _, memory = open_text(
        """
=== c1
--- a.py
import os
def f(): pass
--- b.py
import a
def g(): pass
--- test_a.py
import b
def test_f(): pass
def test_g(): pass
=== c2 < c1
--- a.py
import os, sys
def f(): pass
--- test_a.py
import b
def test_f(): assert 1
def test_g(): pass
"""
    )
    answer = memory.impact("HEAD~1", "HEAD")
    assert not answer.affected
    assert to_run(answer) == ["0 test_a.py#test_f changed"]


def test_a_file_of_tests_that_imports_something_else_is_to_run(open_text: Open) -> None:
    _, memory = open_text(
        """
=== c1
--- test_a.py
from b import f
def test_f(): f()
--- test_b.py
def test_g(): pass
=== c2 < c1
--- test_a.py
from c import f
def test_f(): f()
--- test_b.py
def test_g(): pass
def test_h(): pass
"""
    )
    assert to_run(memory.impact("HEAD~1")) == ["0 test_a.py# changed", "0 test_b.py#test_h changed"]


def test_nothing_changed(open_text: Open) -> None:
    _, memory = open_text(SHOP)
    answer = memory.impact("HEAD", "HEAD")
    assert answer.empty is not None
    assert not answer.affected + answer.tests + answer.owners


def test_packages_that_are_folders(open_text: Open) -> None:
    _, memory = open_text(
        """
=== c1
--- go.mod
module example.org/m
--- zoo/a.go
package zoo

func A() int { return 1 }
--- zoo/b_test.go
package zoo

import "testing"

func TestB(t *testing.T) {}
=== c2 < c1
--- zoo/a.go
package zoo

func A() int { return 2 }
"""
    )
    assert to_run(memory.impact("HEAD~1", "HEAD")) == ["2 zoo/b_test.go# import"]


def test_evidence_that_the_change_takes_the_ground_from(open_text: Open) -> None:
    history, memory = open_text(SHOP)
    kept = memory.start_episode("all of it", NewEvent("request", commit=history.ids["c1"]))
    for text, symbol in (("tax works", "tests/test_prices.py#test_tax"),
                         ("other works", "tests/test_other.py#test_other")):  # fmt: skip
        links = Linked(symbols=(symbol,))
        event = NewEvent("test_evidence", text, commit=history.ids["c1"], links=links)
        memory.add_event(kept.episode, event)
    answer = memory.impact("HEAD~1", "HEAD")
    assert [(one.event.text, one.reasons) for one in answer.stale] == [
        ("tax works", ("shop/prices.py changed",))
    ]
    assert not memory.impact("HEAD", "HEAD~1").stale
