from __future__ import annotations

import pytest
from support.links import check_edges, edges_of

FLOWS = [
    pytest.param(
        "def f(): ...\ndef g(h):\n    h()\ng(f)\n",
        ["calls a.py#g -> a.py#f"],
        id="parameter",
    ),
    pytest.param(
        "def f(): ...\ndef g(*, h):\n    h()\nk = g\nk(h=f)\n",
        ["calls a.py#g -> a.py#f", "calls a.py# -> a.py#g"],
        id="keyword through another name",
    ),
    pytest.param(
        "def f(): ...\ndef g():\n    return f\ng()()\n",
        ["calls a.py# -> a.py#f"],
        id="result",
    ),
    pytest.param(
        "def f(): ...\ndef same(x):\n    return x\nsame(f)()\n",
        ["calls a.py# -> a.py#f"],
        id="result that is a parameter",
    ),
    pytest.param(
        "def f(): ...\ndef g(): ...\nd = {'k': f, 'l': [g]}\nd['k']()\nd['l'][0]()\n",
        ["calls a.py# -> a.py#f", "calls a.py# -> a.py#g"],
        id="collections by key",
    ),
    pytest.param(
        "def f(): ...\nclass C:\n    def __init__(self):\n        self.all = []\n"
        "    def add(self):\n        self.all.append(f)\n    def run(self):\n"
        "        for one in self.all:\n            one()\n",
        ["calls a.py#C.run -> a.py#f"],
        id="list of callbacks",
    ),
    pytest.param(
        "def f(): ...\ndef gen():\n    yield f\n    yield from gen()\nfor one in gen():\n"
        "    one()\n",
        ["calls a.py# -> a.py#f"],
        id="generator",
    ),
    pytest.param(
        "def outer(f):\n    def inner():\n        f()\n    return inner\n@outer\n"
        "def g(): ...\ng()\n",
        ["calls a.py#outer.inner -> a.py#g", "calls a.py# -> a.py#outer.inner"],
        id="decorator that replaces",
    ),
    pytest.param(
        "class It:\n    def __iter__(self):\n        return self\n    def __next__(self):\n"
        "        return 1\nfor i in It(): ...\n",
        ["calls a.py# -> a.py#It.__iter__", "calls a.py# -> a.py#It.__next__"],
        id="iteration",
    ),
    pytest.param(
        "class Lock:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, *a): ...\n"
        "    def hold(self): ...\nwith Lock() as lock:\n    lock.hold()\n",
        ["calls a.py# -> a.py#Lock.__exit__", "calls a.py# -> a.py#Lock.hold"],
        id="context",
    ),
    pytest.param(
        "class C:\n    def a(self):\n        return self\n    def b(self): ...\nclass D(C):\n"
        "    def b(self): ...\nD().a().a().b()\n",
        ["calls a.py# -> a.py#D.b"],
        id="result that is the receiver",
    ),
    pytest.param(
        "def f(): ...\ndef g(): ...\na, (b, *c) = f, (g, f, g)\na()\nb()\n",
        ["calls a.py# -> a.py#f", "calls a.py# -> a.py#g"],
        id="patterns",
    ),
    pytest.param(
        "from functools import partial\ndef f(x): ...\nclass C:\n    def m(self): ...\n"
        "partial(f, 1)()\ngetattr(C(), 'm')()\n",
        ["calls a.py# -> a.py#f", "calls a.py# -> a.py#C.m"],
        id="library functions that hand on",
    ),
    pytest.param(
        "class C:\n    def m(self): ...\ndef f(x: 'list[C]', y: dict[str, 'C | None']):\n"
        "    x[0].m()\n    y.get('k').m()\n    for one in y.values():\n        one.m()\n",
        ["calls a.py#f -> a.py#C.m"],
        id="elements of written types",
    ),
    pytest.param(
        "class E(Exception):\n    def why(self): ...\ntry: ...\nexcept (E, ValueError) as e:\n"
        "    e.why()\n    raise e\n",
        ["calls a.py# -> a.py#E.why", "raises a.py# -> a.py#E"],
        id="caught",
    ),
]


@pytest.mark.parametrize(("text", "expected"), FLOWS)
def test_values_are_followed(text: str, expected: list[str]) -> None:
    check_edges({"a.py": text}, expected)


def test_values_are_followed_across_files() -> None:
    check_edges(
        {
            "jobs.py": "def run(job, *, then=None):\n    job()\n    then()\n",
            "use.py": "import jobs\n\n\ndef work(): ...\ndef after(): ...\n\n\n"
            "jobs.run(work, then=after)\n",
        },
        ["calls jobs.py#run -> use.py#work", "calls jobs.py#run -> use.py#after"],
    )


def test_cycles_of_values_end() -> None:
    edges_of(
        {
            "a.py": "from b import y\nx = y\nx = x\ndef f(g):\n    f(f)\n    g(g)\n"
            "    return f(g)\n"
            "f(f)(f)(x)\nclass C:\n    def __init__(self, c):\n        self.c = C(self.c)\n"
            "    def m(self):\n        return self.m().m().c.c.c.m()\n",
            "b.py": "from a import x\ny = x\nd = {}\nd['a'] = d\nd['a']['a']()\n"
            "l = [l for l in l]\n",
        }
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x" + ".f()" * 2_000 + "\n", id="members"),
        pytest.param("x = " + "(" * 400 + "f" + ")" * 400 + "\n", id="parentheses"),
        pytest.param("x = " + " or ".join(["f"] * 2_000) + "\nx()\n", id="choices"),
        pytest.param(
            "x = " + "[" * 150 + "f" + "]" * 150 + "\nx" + "[0]" * 150 + "()\n", id="lists"
        ),
        pytest.param("x = " + "f(" * 150 + "1" + ")" * 150 + "\n", id="arguments"),
        pytest.param(
            "".join(f"class C{n}(C{n - 1}): ...\n" for n in range(1, 400)) + "C399().m()\n",
            id="classes",
        ),
        pytest.param(
            "".join(f"def f{n}():\n    return f{n + 1}()\n" for n in range(400)) + "f0().m()\n",
            id="results",
        ),
        pytest.param("def f(): ...\n" * 300 + "f()\n", id="definitions of one name"),
    ],
)
def test_long_and_deep_code_ends(text: str) -> None:
    edges_of({"a.py": "def f(x=None):\n    return x\n" + text})
