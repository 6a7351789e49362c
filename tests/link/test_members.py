from __future__ import annotations

from support.links import callers, check_edges, edges_of


def test_a_field_whose_method_has_the_name_of_the_caller() -> None:
    found = edges_of(
        {
            "post.py": "class Courier:\n    def dispatch(self): ...\n\n\n"
            "class Queue:\n    def __init__(self):\n        self.courier = Courier()\n\n"
            "    def dispatch(self):\n        self.courier.dispatch()\n\n\n"
            "class Hub:\n    def __init__(self, courier: Courier):\n"
            "        self.courier = courier\n\n"
            "    def pass_on(self):\n        self.courier.dispatch()\n"
        }
    )
    assert callers(found, "post.py#Courier.dispatch") == [
        "post.py#Hub.pass_on",
        "post.py#Queue.dispatch",
    ]
    assert not callers(found, "post.py#Queue.dispatch")


def test_methods_called_through_the_class_or_an_alias_of_it() -> None:
    found = edges_of(
        {
            "schemas.py": "class Rec:\n    @classmethod\n    def a(cls): ...\n\n"
            "    @classmethod\n    def b(cls): ...\n",
            "use.py": "import schemas\nfrom schemas import Rec as R\n\n\n"
            "def one():\n    schemas.Rec.a()\n\n\ndef two():\n    R.b()\n",
        }
    )
    assert callers(found, "schemas.py#Rec.a") == ["use.py#one"]
    assert callers(found, "schemas.py#Rec.b") == ["use.py#two"]
    assert not [line for line in found if line.startswith("constructs")]


def test_a_call_reaches_a_method_however_the_object_came_there() -> None:
    found = edges_of(
        {
            "printer.py": "class Printer:\n    def emit(self): ...\n",
            "use.py": "from printer import Printer\n\n\n"
            "def local():\n    p = Printer()\n    p.emit()\n\n\n"
            "def typed(p: Printer):\n    p.emit()\n\n\n"
            "class Owner:\n    p: 'Printer'\n\n    def __init__(self, other: Printer | None):\n"
            "        self.other = other\n\n"
            "    def by_property(self):\n        self.p.emit()\n\n"
            "    def promoted(self):\n        self.other.emit()\n",
        }
    )
    assert callers(found, "printer.py#Printer.emit") == [
        "use.py#Owner.by_property",
        "use.py#Owner.promoted",
        "use.py#local",
        "use.py#typed",
    ]


def test_a_function_inside_a_method_has_no_receiver() -> None:
    found = check_edges(
        {
            "a.py": "def go(): ...\n\n\nclass A:\n    def go(self): ...\n\n"
            "    def m(self):\n        def inner(x):\n            return x.go()\n\n"
            "        return inner\n"
        },
        ["calls a.py#A.m.inner -> ?go"],
        ["calls a.py#A.m.inner -> a.py"],
    )
    assert not callers(found, "a.py#A.go")


def test_decorators_of_functions_classes_and_stacks() -> None:
    check_edges(
        {
            "deco.py": "def reg(x):\n    return x\n\n\ndef wrap(x):\n    return x\n",
            "use.py": "from deco import reg, wrap\nfrom typing import overload\n\n\n"
            "@reg\nclass A:\n    @property\n    def p(self): ...\n\n    @staticmethod\n    @wrap\n"
            "    def s(): ...\n\n    @overload\n    def o(self, x: int): ...\n"
            "    @overload\n    def o(self, x: str): ...\n    def o(self, x): ...\n\n\n"
            "@wrap\ndef f(): ...\n\n\n@reg\n@wrap\nclass B: ...\n",
        },
        [
            "decorates use.py#A -> deco.py#reg",
            "decorates use.py#f -> deco.py#wrap",
            "decorates use.py#B -> deco.py#reg",
            "decorates use.py#B -> deco.py#wrap",
            "decorates use.py#A.s -> deco.py#wrap",
            "decorates use.py#A.p -> <<builtin>.property>",
        ],
    )


def test_members_are_looked_for_in_the_order_of_the_bases() -> None:
    check_edges(
        {
            "a.py": "class A:\n    def f(self): ...\n    def only_a(self): ...\n\n\n"
            "class B(A):\n    pass\n\n\nclass C(A):\n    def f(self): ...\n\n\n"
            "class D(B, C):\n    def f(self):\n        super().f()\n        self.only_a()\n\n\n"
            "D().f()\nB().f()\n"
        },
        [
            "calls a.py#D.f -> a.py#C.f",
            "calls a.py#D.f -> a.py#A.only_a",
            "calls a.py# -> a.py#D.f",
            "calls a.py# -> a.py#A.f",
            "overrides a.py#D.f -> a.py#C.f",
            "overrides a.py#C.f -> a.py#A.f",
            "inherits a.py#D -> a.py#B",
            "inherits a.py#D -> a.py#C",
        ],
    )


def test_classes_that_inherit_each_other_end() -> None:
    check_edges(
        {
            "a.py": "from b import B\nclass A(B):\n    def f(self):\n        self.g()\n"
            "        self.h()\n",
            "b.py": "from a import A\nclass B(A):\n    def g(self): ...\n\n"
            "class C(C): ...\nC().x()\n",
        },
        ["calls a.py#A.f -> b.py#B.g", "inherits b.py#B -> a.py#A"],
    )


def test_a_read_property_is_read_and_what_it_gives_is_followed() -> None:
    check_edges(
        {
            "a.py": "class Name:\n    def upper_case(self): ...\n\n\nclass User:\n    @property\n"
            "    def name(self):\n        return Name()\n\n    @name.setter\n"
            "    def name(self, to): ...\n\n\n"
            "def show(user: User):\n    user.name.upper_case()\n    user.name = 1\n"
        },
        [
            "reads a.py#show -> a.py#User.name",
            "calls a.py#show -> a.py#Name.upper_case",
            "writes a.py#show -> a.py#User.name",
        ],
    )


def test_a_parameter_or_local_hides_what_is_outside() -> None:
    check_edges(
        {
            "a.py": "def run(): ...\ndef go(): ...\n\n\ndef f(run):\n    run()\n\n\n"
            "def g():\n    go = 1\n    go()\n    def inner():\n        go()\n\n\n"
            "class K:\n    def run(self): ...\n    def m(self):\n        run()\n"
            "x = [run for run in []]\n"
        },
        ["calls a.py#K.m -> a.py#run"],
        [
            "calls a.py#f -> ",
            "calls a.py#g -> ",
            "calls a.py#g.inner -> ",
            "reads a.py# -> a.py#run",
        ],
    )


def test_a_call_of_a_class_constructs_it_and_calls_its_nearest_maker() -> None:
    check_edges(
        {
            "a.py": "class A:\n    def __init__(self): ...\n\n\nclass B(A): ...\n\n\n"
            "class Plain: ...\n\n\nclass Error(Exception): ...\n\n\n"
            "def f():\n    B()\n    Plain()\n    raise Error('no')\n"
        },
        [
            "constructs a.py#f -> a.py#B",
            "calls a.py#f -> a.py#A.__init__",
            "constructs a.py#f -> a.py#Plain",
            "calls a.py#f -> a.py#Plain",
            "raises a.py#f -> a.py#Error",
        ],
    )


def test_names_of_the_language_are_never_bound_to_look_alikes() -> None:
    check_edges(
        {
            "other.py": "def print(): ...\ndef get(): ...\nclass K:\n"
            "    def append_item(self): ...\n",
            "a.py": "import requests\n\n\ndef f(rows):\n    print(len(rows))\n"
            "    [].append_item()\n    requests.get('x').append_item()\n",
        },
        [
            "calls a.py#f -> <<builtin>.print>",
            "calls a.py#f -> <<builtin>.len>",
            "calls a.py#f -> <<builtin>.list.append_item>",
            "calls a.py#f -> <requests.get>",
        ],
        ["calls a.py#f -> other.py"],
    )


def test_the_only_method_of_its_name_is_a_guess_and_says_so() -> None:
    found = edges_of(
        {
            "a.py": "class Ledger:\n    def reconcile(self): ...\n    def close(self): ...\n",
            "b.py": "def f(x):\n    x.y.reconcile()\n    x.y.close()\n",
        }
    )
    edge = found["calls b.py#f -> a.py#Ledger.reconcile"]
    assert edge.method == "unique_name"
    assert edge.confidence <= 0.5
    assert "calls b.py#f -> ?close" in found
