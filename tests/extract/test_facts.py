"""Definitions, spans and documentation of one blob."""

from __future__ import annotations

import pytest
from support.facts import read_facts

from topomem.model.code import Op


def check_names(source: str, expected: dict[str, str]) -> None:
    assert read_facts(source).kinds() == expected


def test_methods_constructors_properties() -> None:
    check_names(
        "class A:\n"
        "    def __init__(self): self.x = self.y = 1\n"
        "    def m(self): self.x += 1; local = 2\n"
        "    @property\n"
        "    def p(self): return 1\n"
        "    @p.setter\n"
        "    def p(self, value): pass\n"
        "    @staticmethod\n"
        "    def s(first): first.z = 1\n",
        {
            "A": "class", "A.__init__": "constructor", "A.x": "field", "A.y": "field",
            "A.m": "method", "A.p": "property", "A.p+2": "property", "A.s": "method",
        },
    )  # fmt: skip


def test_a_function_in_a_method_is_no_method() -> None:
    source = (
        "class A:\n  def m(self):\n    def inner(x): return x.go()\n  def go(self): ...\n\n"
        "def go(): ...\n"
    )
    facts = read_facts(source)
    assert facts.kinds()["A.m.inner"] == "function"
    inner = facts.region("A.m.inner")
    assert "receiver" not in inner.texts
    method = facts.region("A.m")
    assert method.texts[method.kinds.index(Op.PARAMETER)] == "receiver"


def test_module_variables() -> None:
    check_names(
        "A = 1\nb: int\nif A:\n    c, (d, *e) = f()\ntry:\n    g = h = 1\nexcept E:\n    g = 2\n"
        "for i in A: pass\n(j := 3)\nk.x = 1\nl[0] = 1\nwith open(A) as m: pass\n[n for n in A]\n",
        {"A": "constant", **dict.fromkeys("bcdegh", "variable"), "j": "variable"},
    )


def test_type_parameters_are_no_symbols() -> None:
    facts = read_facts(
        "def pick[T](a: T, b: T) -> T: ...\nclass Box[K, *Ts, **P]: ...\n"
        "type Pair[A] = tuple[A, A]\ndef after(): ...\nif __name__ == '__main__': after()\n"
    )
    kinds = facts.kinds()
    assert kinds == {"pick": "function", "Box": "class", "Pair": "type_alias", "after": "function"}
    box = facts.region("Box")
    shadowed = [t for k, t in zip(box.kinds, box.texts, strict=True) if k == Op.TYPE_PARAMETER]
    assert shadowed == ["K", "Ts", "P"]


def test_enum_members() -> None:
    check_names(
        "class C(enum.Enum):\n    RED = 1\n    _ignore_ = []\n    def m(self): ...\n",
        {"C": "enum", "C.RED": "enum_member", "C._ignore_": "field", "C.m": "method"},
    )


def test_a_multi_line_template_does_not_break_what_follows() -> None:
    facts = read_facts(
        'def page(x):\n    return f"""<p>{\n        "yes"\n        if x["a"]\n'
        '        else f"{x!r}"\n'
        '    }</p>"""\n\n\ndef second(): ...\n\n\nclass Third:\n    pass\n'
    )
    assert not facts.blob.diagnostics
    assert {name: facts.lines(name) for name in facts.names()} == {
        "page": (1, 6), "second": (9, 9), "Third": (12, 13),
    }  # fmt: skip


def test_decorators_belong_to_the_definition() -> None:
    facts = read_facts("@reg\n@wrap.it(1)\nclass B:\n    @staticmethod\n    def s(): ...\n")
    assert facts.lines("B") == (1, 5)
    assert facts.blob.placements[1].name_line == 3
    assert facts.region("B").declarations[0].modifiers == ("reg", "it")
    assert facts.lines("B.s") == (4, 5)
    kinds = facts.region("B").kinds
    assert kinds.count(Op.DECORATOR) == 2


def test_any_decorator_expression_leaves_the_function() -> None:
    facts = read_facts(
        "from . import missing as deco\n@deco\ndef f(): ...\n@pkg.a.b(1)[0]\ndef g(): ...\n"
    )
    assert facts.names() == ["f", "g"]


def test_overload_heads_are_one_symbol() -> None:
    head = "@overload\ndef pick(x: {}) -> {}: ...\n"
    source = (
        head.format("int", "int")
        + head.format("str", "str")
        + "def pick(x, *, y=1):\n    return x\n"
    )
    facts = read_facts(source)
    assert facts.names() == ["pick"]
    assert facts.lines("pick") == (1, 6)
    assert facts.blob.placements[1].name_line == 5
    region = facts.region("pick")
    signature = "def pick(x: int) -> int; def pick(x: str) -> str; def pick(x, *, y=1)"
    assert region.declarations[0].signature == signature
    parents = [region.parents[at] for at, kind in enumerate(region.kinds) if kind == Op.PARAMETER]
    heads = [at for at, kind in enumerate(region.kinds) if kind == Op.HEAD]
    assert parents == [*heads, -1, -1]


def test_overload_heads_apart_stay_apart() -> None:
    source = "@overload\ndef f(x: int): ...\nA = 1\ndef f(x): ...\n"
    assert [name for name in read_facts(source).names() if name != "A"] == ["f", "f+2"]


def test_conditional_definitions_are_told_apart_by_order() -> None:
    assert read_facts("if A:\n  def f(): ...\nelse:\n  def f(): ...\n").names() == ["f", "f+2"]


def test_signature_is_one_line() -> None:
    facts = read_facts(
        "def f(\n    a: int,\n    *,\n    b=1,\n) -> Dict[\n    str, int\n]:\n    pass\n"
    )
    signature = facts.region("f").declarations[0].signature
    assert signature == "def f(a: int, *, b=1) -> Dict[str, int]"


def test_a_signature_holds_no_comments() -> None:
    facts = read_facts("def f(a,  # first\n    b):\n    # why\n    # so\n    return a\n")
    assert facts.region("f").declarations[0].signature == "def f(a, b)"
    facts = read_facts("void f(int a /* first */) { /* why */ }\n", "java")
    assert facts.region("f").declarations[0].signature == "void f(int a)"
    facts = read_facts("function f(a /* first */, b) { // why\n}\n", "javascript")
    assert facts.region("f").declarations[0].signature == "function f(a, b)"


def test_documentation_is_clean() -> None:
    facts = read_facts(
        "\"\"\"Module.\"\"\"\nclass A:\n    r'''First.\n\n      Deep.\n    Last.\n    '''\n"
    )
    assert facts.regions[0].docstring == "Module."
    assert facts.region("A").docstring == "First.\n\n  Deep.\nLast."


def test_non_ascii_text_keeps_offsets() -> None:
    facts = read_facts(
        "# é\n# 漢字\n# 🎉\ndef first(): ...\ndef naïve_mean(): ...\ndef third(): pass\n"
    )
    assert facts.names() == ["first", "naïve_mean", "third"]
    for place in facts.blob.placements[1:]:
        text = facts.source[place.span.start_byte : place.span.end_byte].decode()
        assert text.startswith(f"def {place.name}()")
    assert [place.span.start_line for place in facts.blob.placements[1:]] == [4, 5, 6]


def test_wide_comments_move_no_line() -> None:
    facts = read_facts("# one\n\n# 漢\n\n# three\ndef f(): pass\n")
    assert facts.lines("f") == (6, 6)


def test_broken_text_keeps_its_good_parts() -> None:
    facts = read_facts(
        "def good():\n    return 1\n\ndef bad(:\n    return ((\n\n\n"
        "class After:\n    def m(self): ...\n"
    )
    assert "good" in facts.names()
    assert facts.blob.diagnostics[0].code == "syntax"
    assert facts.blob.diagnostics[0].start_line >= 4


def test_error_bytes_are_counted() -> None:
    facts = read_facts("def good(): ...\n$$$ ???\ndef other(): ...\n")
    assert facts.blob.error_bytes > 0
    assert facts.names() == ["good", "other"]


def test_old_statements() -> None:
    facts = read_facts(
        "def f():\n    print 'x'\n    exec 'y'\n    try: pass\n    except E, e: pass\n"
    )
    assert facts.names() == ["f"]


@pytest.mark.parametrize("depth", [3000])
def test_deep_nesting_is_read(depth: int) -> None:
    facts = read_facts(f"def f():\n    return {'(' * depth}g{')' * depth}\n\ndef after(): ...\n")
    assert facts.names() == ["f", "after"]
    region = facts.region("f")
    assert region.kinds.count(Op.TRANSPARENT) == depth
    assert "g" in region.texts


def test_facts_do_not_depend_on_what_stands_before() -> None:
    body = "def f(a, b=1):\n    return a.x(b)\n"
    assert read_facts(body).region("f") == read_facts(f"# more\nX = 1\n\n{body}").region("f")
