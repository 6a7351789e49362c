from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.links import change, snapshot

from topomem.link.linker import (
    LinkedRegion,
    LinkEvent,
    LinkState,
    advance,
    empty_state,
    link_all,
    restore,
)
from topomem.model.code import FileLinks
from topomem.model.ids import FilePath

MODULES = (
    "a.py",
    "b.py",
    "pkg/__init__.py",
    "pkg/c.py",
    "pkg/sub/d.py",
    "json.py",
    "conftest.py",
    "test_e.py",
)
STATEMENTS = (
    "import a, pkg.c\n",
    "from a import *\n",
    "from b import f as g, K\n",
    "from pkg import c, K, f\n",
    "from . import c, sub\n",
    "from .c import K as Q\n",
    "from ..c import f\n",
    "import json\njson.dumps(1)\n",
    "__all__ = ['f', 'K']\n",
    "__all__ += ['g']\n",
    "def f(x=None, *, k=1):\n    return x\n",
    "def f(h):\n    h()\n    return K()\n",
    "def g() -> 'K':\n    return f(K)\n",
    "def gen():\n    yield f\nfor i in gen():\n    i()\n",
    (
        "class K:\n    def m(self):\n        return self\n    def n(self):\n"
        "        self.at = f\n        self.m().n()\n"
    ),
    "class K(Q):\n    def m(self):\n        super().m()\n        self.at()\n",
    "class L(c.K, K):\n    at: 'K' = K()\n    @property\n    def p(self):\n        return g()\n",
    "K().m().n()\n",
    "x = K()\nx.m()\nx.p\n",
    "x = f\nx(g)\n",
    "d = {'k': f, 'l': [g]}\nd['k'](g)\nd['m'] = g\nd['m']()\n",
    "@f\ndef h():\n    h()\n",
    "f(lambda y: y.m())\nf(K)\n",
    "a.f(a.K)\n",
    "def user(one: K, two: list[K]):\n    one.m()\n    for t in two:\n        t.n()\n",
    "try:\n    from b import g\nexcept ImportError:\n    g = None\ng()\n",
    "with K() as w:\n    w.m()\n",
    "z = z2 = z\nz2 = z\nz()\n",
    "def put():\n    global x\n    x = K()\n    return x\nput().m()\n",
    (
        "def outer():\n    x = f\n    def deep():\n        nonlocal x\n        x = K\n"
        "        return x\n"
        "    return deep()\nouter()()\n"
    ),
    "cb = lambda h: h()\ncb(f)\nk2 = f\nk2(cb)\n",
    "[y.m() for y in [K()]]\n(lambda q: q.m())(K())\n",
    "@fixture\ndef k(x):\n    yield x\n",
    "@fixture\ndef x(k=1):\n    return K()\ndef test_k(k, x):\n    k.m()\n    x.n()\n",
    "class M:\n    all = []\n    def add(self):\n        self.all.append(f)\n        M.all[0]()\n",
)
FILES = st.dictionaries(
    st.sampled_from(MODULES),
    st.lists(st.sampled_from(STATEMENTS), max_size=5).map("".join),
    max_size=5,
)


def move(state: LinkState, before: Mapping[str, str], after: Mapping[str, str]) -> LinkState:
    paths = sorted({*before, *after})
    changes = [
        change(path, after.get(path)) for path in paths if before.get(path) != after.get(path)
    ]
    return advance(state, changes)[0]


def all_links(state: LinkState) -> dict[FilePath, FileLinks | None]:
    return {path: state.file_links(path) for path in state.world.paths()}


@given(st.lists(FILES, min_size=2, max_size=4))
@settings(max_examples=60)
def test_advancing_equals_linking_from_nothing(steps: list[dict[str, str]]) -> None:
    state, before = empty_state(), dict[str, str]()
    for after in steps:
        state = move(state, before, after)
        assert all_links(state) == link_all(snapshot(after))
        before = after


@given(FILES, FILES)
@settings(max_examples=30)
def test_a_restored_state_goes_on_like_the_one_it_was_taken_from(
    first: dict[str, str], second: dict[str, str]
) -> None:
    state, _ = advance(empty_state(), snapshot(first))
    kept = {
        path: [
            LinkedRegion(region.region, region.edges, asked)
            for region, asked in zip(links.regions, state.questions(path), strict=True)
        ]
        for path in state.world.paths()
        if (links := state.file_links(path)) is not None
    }
    log: list[LinkEvent] = []
    again = restore(snapshot(first), kept)
    again, _ = advance(again, snapshot(first), log.append)
    assert not log
    assert all_links(move(again, first, second)) == link_all(snapshot(second))


@given(FILES, st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_order_in_which_files_come_changes_nothing(
    files: dict[str, str], random: object
) -> None:
    changes = snapshot(files)
    random.shuffle(changes)  # type: ignore[attr-defined]
    state = empty_state()
    for one in changes:
        state, _ = advance(state, [one])
    assert all_links(state) == link_all(snapshot(files))


SHOP = {
    "shop/__init__.py": "from .cart import Cart\n",
    "shop/cart.py": "class Cart:\n    def total(self):\n        return 1\n",
    "shop/tax.py": "import requests\n\n\ndef tax(cart):\n    return requests.get(cart)\n",
    "use.py": "from shop import Cart\n\n\ndef main():\n    Cart().total().bit_length()\n\n"
    "\ndef other():\n    pass\n",
}


def relinked(path: str, text: str | None) -> set[str]:
    state, _ = advance(empty_state(), snapshot(SHOP))
    log: list[LinkEvent] = []
    advance(state, [change(path, text)], log.append)
    return {f"{event.path}#{event.name}" for event in log}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        pytest.param(
            "shop/cart.py", "return 1", "print(2)\n        return 1", {"shop/cart.py#Cart.total"},
            id="body",
        ),
        pytest.param("shop/cart.py", "class", "# a comment\nclass", set(), id="comment"),
        pytest.param(
            "shop/cart.py", "return 1", "return self", {"shop/cart.py#Cart.total", "use.py#main"},
            id="result",
        ),
        pytest.param(
            "shop/__init__.py", "Cart", "Cart as Trolley",
            {"shop/__init__.py#", "use.py#", "use.py#main"},
            id="export",
        ),
    ],
)  # fmt: skip
def test_only_what_a_change_touches_is_linked_again(
    path: str, old: str, new: str, expected: set[str]
) -> None:
    assert relinked(path, SHOP[path].replace(old, new, 1)) == expected


def test_a_new_file_that_shadows_something_outside_relinks_its_importers() -> None:
    assert relinked("requests.py", "def get(cart):\n    pass\n") == {
        "requests.py#",
        "requests.py#get",
        "shop/tax.py#",
        "shop/tax.py#tax",
    }


def test_a_file_that_no_one_asks_about_relinks_itself_only() -> None:
    assert relinked("lonely.py", "value = 1\n") == {"lonely.py#"}


def test_a_delta_names_files_whose_links_changed_and_files_that_are_gone() -> None:
    state, _ = advance(empty_state(), snapshot(SHOP))
    _, delta = advance(state, [change("shop/cart.py", None)])
    assert delta.files[FilePath("shop/cart.py")] is None
    assert set(delta.files) == {"shop/cart.py", "shop/__init__.py", "use.py"}
