"""What digests tell apart, and what they do not."""

from __future__ import annotations

from support.facts import read_facts

from topomem.model.code import RegionFacts


def region(source: str, name: str = "f") -> RegionFacts:
    return read_facts(source).region(name)


def check_values(first: str, second: str, *, equal: bool, name: str = "f") -> None:
    assert (region(first, name).value_hash == region(second, name).value_hash) is equal


def check_bodies(first: str, second: str, *, equal: bool) -> None:
    ours, theirs = region(first).declarations[0], region(second).declarations[0]
    assert (ours.body_hash == theirs.body_hash) is equal


def check_shapes(
    first: str, second: str, *, equal: bool, names: tuple[str, str] = ("f", "f")
) -> None:
    ours = region(first, names[0]).declarations[0]
    theirs = region(second, names[1]).declarations[0]
    assert (ours.shape_hash == theirs.shape_hash) is equal


def test_a_call_teaches_others_nothing() -> None:
    check_values("def f(a):\n    return a\n", "def f(a):\n    log(a)\n    return a\n", equal=True)
    check_values(
        "def f(a):\n    return a\n",
        '@dec\ndef f(a):\n    """Doc."""\n    return a\n'.replace("@dec\n", ""),
        equal=True,
    )


def test_comments_and_layout_teach_others_nothing() -> None:
    check_values("def f(a): return a\n", "def f( a ):\n    # why\n\n    return a\n", equal=True)


def test_results_and_headers_are_learned() -> None:
    base = "def f(a):\n    return a\n"
    for other in (
        "def f(a):\n    return g(a)\n",
        "def f(a, b):\n    return a\n",
        "def f(a=K):\n    return a\n",
        "def f(a: int):\n    return a\n",
        "def f(a) -> int:\n    return a\n",
        "@d\ndef f(a):\n    return a\n",
        "def f(a):\n    yield a\n",
    ):
        check_values(base, other, equal=False)


def test_what_a_result_depends_on_is_learned() -> None:
    base = "def f():\n    x = {}\n    y = other()\n    return x\n"
    check_values(base.format("A()"), base.format("B()"), equal=False)
    check_values(base, base.replace("other()", "more()"), equal=True)
    check_values(base, base.replace("    return", "    y.append(1)\n    return"), equal=True)
    check_values(base, base.replace("    return", "    x.append(B)\n    return"), equal=False)


def test_written_members_are_learned() -> None:
    base = "class A:\n    def f(self):\n        self.x = {}()\n        t = 1\n"
    check_values(base.format("B"), base.format("C"), equal=False, name="A.f")
    check_values(base, base.replace("t = 1", "t = 2"), equal=True, name="A.f")


def test_anonymous_functions_keep_their_parameters() -> None:
    check_values("def f(): pass\n", "def f():\n    g(lambda x, y: [x for x in y])\n", equal=True)


def test_modules_and_classes_teach_their_bindings() -> None:
    check_values("import a\nX = 1\n", "import a\nX = 1\nprint(X)\n", equal=True, name="")
    check_values("import a\n", "import b\n", equal=False, name="")
    check_values("X = A()\n", "X = B()\n", equal=False, name="")
    check_values("__all__ = []\n", "__all__ = []\n__all__.append('x')\n", equal=False, name="")
    check_values("class A(B): pass\n", "class A(C): pass\n", equal=False, name="A")


def test_nesting_is_learned() -> None:
    check_values("def f(): return g(h(x))\n", "def f(): return g(h(), x)\n", equal=False)


def test_bodies_ignore_layout_and_comments() -> None:
    base = "def f(a, b):\n    return a(b, 'x  y')\n"
    check_bodies(base, "def f( a,b ) :\n\n  # why\n  return a( b ,\n    'x  y' )\n", equal=True)
    check_bodies(
        base, '"""Module."""\n' + base.replace("):\n", '):\n    """Doc."""\n', 1), equal=True
    )
    check_bodies(base, base.replace("x  y", "x y"), equal=False)


def test_bodies_see_indentation_that_matters() -> None:
    source = "def f():\n    if a:\n        b()\n        c()\n"
    check_bodies(source, source.replace("        c()", "    c()"), equal=False)


def test_shapes_ignore_names_of_their_own() -> None:
    base = "def f(a):\n    t = a + 1\n    return g(t, 'x')\n"
    renamed = "def h(b):\n    u = b + 2\n    return g(u, 'y')\n"
    check_shapes(base, renamed, equal=True, names=("f", "h"))
    check_shapes(base, base.replace("g(", "k("), equal=False)
    check_shapes("def f(a, b): return a\n", "def f(a, b): return b\n", equal=False)
