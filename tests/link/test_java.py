"""Declared packages: names, types, overloads, and what a change touches."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st
from support.facts import read_facts
from support.links import callers, change, check_edges, edges_of, snapshot

from topomem.link.linker import LinkEvent, advance, empty_state, link_all

SELLER = "package a; public interface Seller { int quote(String what); }"


def check_calls(files: Mapping[str, str], target: str, expected: list[str]) -> None:
    assert callers(edges_of(files), target) == expected


def test_an_anonymous_body_is_an_owner_of_its_own_and_does_not_take_calls() -> None:
    shop = """package a;
public class Shop {
    Seller open() { return new Seller() { public int quote(String what) { return price(); } }; }
    int quote(String what) { return 1; }
    int price() { return 2; }
    void run(Shop shop) { shop.quote("x"); this.quote("y"); }
}
"""
    check_edges(
        {"a/Seller.java": SELLER, "a/Shop.java": shop},
        [
            "calls a/Shop.java#Shop.run -> a/Shop.java#Shop.quote",
            "calls a/Shop.java#Shop.open.<anonymous1>.quote -> a/Shop.java#Shop.price",
            "constructs a/Shop.java#Shop.open -> a/Seller.java#Seller",
        ],
        ["calls a/Shop.java#Shop.run -> a/Shop.java#Shop.open"],
    )


def test_calls_through_fields_parameters_and_locals_resolve_alike() -> None:
    files = {
        "a/Printer.java": "package a; class Printer { void emit() {} }",
        "a/Use.java": """package a;
class Use {
    private final Printer field;
    Use(Printer given) { this.field = given; }
    void local() { Printer printer = new Printer(); printer.emit(); }
    void parameter(Printer printer) { printer.emit(); }
    void field() { field.emit(); }
    void receiver() { this.field.emit(); }
    void inferred() { var printer = new Printer(); printer.emit(); }
}
""",
    }
    names = ["field", "inferred", "local", "parameter", "receiver"]
    check_calls(files, "a/Printer.java#Printer.emit", [f"a/Use.java#Use.{name}" for name in names])


def test_a_class_of_the_own_package_wins_over_a_wildcard() -> None:
    files = {
        "a/Leaf.java": "package a; public class Leaf { public static void go() {} }",
        "b/Leaf.java": "package b; public class Leaf { public static void go() {} }",
        "b/Use.java": "package b; import a.*; class Use { void run() { Leaf.go(); } }",
        "c/Use.java": "package c; import a.*; class Use { void run() { Leaf.go(); } }",
        "c/Two.java": "package c; import b.Leaf; import a.*; class Two { void run() { Leaf.go(); } }",
    }
    check_calls(files, "a/Leaf.java#Leaf.go", ["c/Use.java#Use.run"])
    check_calls(files, "b/Leaf.java#Leaf.go", ["b/Use.java#Use.run", "c/Two.java#Two.run"])


def test_types_stand_in_the_type_that_holds_them() -> None:
    found = link_all(
        snapshot(
            {"a/Outer.java": "package a; interface Outer { record Inner(int x) { void f() {} } }"}
        )
    )
    contained = {
        edge.target
        for region in found["a/Outer.java"].regions  # type: ignore[index]
        for edge in region.edges
        if edge.kind == "contains"
    }
    assert contained == {
        "a/Outer.java#Outer", "a/Outer.java#Outer.Inner", "a/Outer.java#Outer.Inner.f",
    }  # fmt: skip


OVERLOADS = """package a;
import java.util.List;
class Many {
    void put(int one) {}
    void put(long one) {}
    void put(Object one) {}
    void put(String one) {}
    void put(String one, Object... rest) {}
    void put(int[] one) {}
    void put(Runnable one) {}
    <T extends Comparable<T>> void put(List<T> one) {}
    void run(byte small, Integer boxed, List<String> list, double real) {
        %s
    }
}
"""


def check_overload(call: str, expected: str) -> None:
    found = edges_of({"a/Many.java": OVERLOADS % call})
    calls = [line for line in found if line.startswith("calls a/Many.java#Many.run -> a/")]
    assert calls == [f"calls a/Many.java#Many.run -> a/Many.java#Many.{expected}"]


def test_overloads_are_chosen_by_count_and_types_of_arguments() -> None:
    check_overload("put(1);", "put")
    check_overload("put(small);", "put")
    check_overload("put(1L);", "put+2")
    check_overload("put(real);", "put+3")
    check_overload("put(boxed);", "put+3")
    check_overload('put("x");', "put+4")
    check_overload('put("x" + 1);', "put+4")
    check_overload('put("x", 1, 2);', "put+5")
    check_overload("put(new int[2]);", "put+6")
    check_overload("put(() -> {});", "put+7")
    check_overload("put(list);", "put+8")
    check_overload("put(list.get(0).trim());", "put+4")
    check_overload("put(list.get(0).length());", "put")
    check_overload("put(boxed == 1 ? 2 : 3L);", "put+2")


def test_members_are_found_through_generic_types_and_what_methods_give() -> None:
    files = {
        "a/Box.java": """package a;
import java.util.*;
import java.util.function.Function;
class Box<T> {
    T item;
    T get() { return item; }
    <R> Box<R> map(Function<? super T, ? extends R> by) { return null; }
    static <E> Box<E> of(E item) { return null; }
}
class Coin { Coin twin() { return this; } int worth() { return 1; } }
class Purse extends Box<Coin> {
    void inherited() { get().worth(); }
    void field() { item.twin().worth(); }
    void mapped(Box<String> box) { box.map(s -> new Coin()).get().worth(); }
    void made() { Box.of(new Coin()).get().worth(); }
    void listed(List<Coin> coins) { coins.get(0).worth(); }
    void looped(Map<String, Coin> coins) { for (Map.Entry<String, Coin> e : coins.entrySet()) e.getValue().worth(); }
    void streamed(List<Coin> coins) { coins.stream().map(Coin::twin).filter(c -> c.worth() > 1).forEach(x -> x.worth()); }
    void array(Coin[] coins) { coins[0].worth(); }
    void chosen(boolean b, Coin one) { (b ? one : null).worth(); }
    void cast(Object o) { ((Coin) o).worth(); }
    void pattern(Object o) { if (o instanceof Coin c && c.worth() > 0) return; }
    void switched(Object o) { switch (o) { case Coin c -> c.worth(); default -> {} } }
}
""",
    }
    check_calls(
        files,
        "a/Box.java#Coin.worth",
        [
            f"a/Box.java#Purse.{name}"
            for name in (
                "array", "cast", "chosen", "field", "inherited", "listed", "looped", "made",
                "mapped", "pattern", "streamed", "switched",
            )
        ],
    )  # fmt: skip


def test_names_are_looked_for_from_the_inside_out() -> None:
    source = """package a;
class Outer extends Base {
    int size;
    void go() {}
    class Inner {
        void run() { go(); size = 1; up(); shown(); }
        void hidden(int size) { size = 2; }
    }
    static class Local { void go() {} void run() { go(); } }
    void method() {
        int size = 3;
        new Thread() { public void run() { use(size); } };
        Runnable task = () -> { int go = 1; go(); };
    }
    void use(int it) {}
}
class Base { void up() {} private void shown() {} }
"""
    check_edges(
        {"a/Outer.java": source},
        [
            "calls a/Outer.java#Outer.Inner.run -> a/Outer.java#Outer.go",
            "writes a/Outer.java#Outer.Inner.run -> a/Outer.java#Outer.size",
            "calls a/Outer.java#Outer.Inner.run -> a/Outer.java#Base.up",
            "calls a/Outer.java#Outer.Local.run -> a/Outer.java#Outer.Local.go",
            "calls a/Outer.java#Outer.method.<anonymous1>.run -> a/Outer.java#Outer.use",
            "calls a/Outer.java#Outer.method -> a/Outer.java#Outer.go",
        ],
        [
            "writes a/Outer.java#Outer.Inner.hidden",
            "reads a/Outer.java#Outer.method.<anonymous1>.run -> a/Outer.java#Outer.size",
        ],
    )


def test_constructors_and_super_and_enums() -> None:
    source = """package a;
class Base { Base(int x) {} Base(String s) {} void hi() {} }
class Child extends Base {
    Child() { this("x"); }
    Child(String s) { super(s); super.hi(); }
    enum Size { SMALL, LARGE; Size next() { return this == SMALL ? LARGE : SMALL; } }
    int of(Size size) { switch (size) { case LARGE: return size.next().ordinal(); default: return 0; } }
    Base plain() { return new Base(1); }
}
"""
    path = "a/Child.java"
    check_edges(
        {path: source},
        [
            f"calls {path}#Child.Child -> {path}#Child.Child+2",
            f"calls {path}#Child.Child+2 -> {path}#Base.Base+2",
            f"calls {path}#Child.Child+2 -> {path}#Base.hi",
            f"reads {path}#Child.of -> {path}#Child.Size.LARGE",
            f"calls {path}#Child.of -> {path}#Child.Size.next",
            f"calls {path}#Child.of -> <java.lang.Enum.ordinal>",
            f"calls {path}#Child.plain -> {path}#Base.Base",
            f"constructs {path}#Child.plain -> {path}#Base",
            f"inherits {path}#Child -> {path}#Base",
        ],
    )


def test_methods_override_those_with_the_same_parameters() -> None:
    files = {
        "a/Seller.java": SELLER,
        "a/Base.java": "package a; abstract class Base<T> implements Seller { void take(T it) {} void take(int n) {} static void s() {} }",
        "a/Child.java": """package a;
class Child extends Base<String> {
    @Override public int quote(String what) { return 1; }
    void take(String it) {}
    void take(long n) {}
    static void s() {}
    public String toString() { return ""; }
}
""",
    }
    check_edges(
        files,
        [
            "overrides a/Child.java#Child.quote -> a/Seller.java#Seller.quote",
            "overrides a/Child.java#Child.take -> a/Base.java#Base.take",
            "decorates a/Child.java#Child.quote -> <java.lang.Override>",
        ],
        ["overrides a/Child.java#Child.take+2", "overrides a/Child.java#Child.s"],
    )


def test_imports_lead_to_types_members_and_outside() -> None:
    files = {
        "a/Util.java": "package a; public class Util { public static int MOST = 1; public static void go() {} public static class In {} }",
        "b/Use.java": """package b;
import a.Util;
import a.Util.In;
import static a.Util.go;
import static a.Util.*;
import java.util.List;
import static org.junit.Assert.assertEquals;
class Use { void run(List<In> in) { go(); assertEquals(MOST, 1); throw new IllegalStateException(); } }
""",
    }
    check_edges(
        files,
        [
            "imports b/Use.java# -> a/Util.java#Util",
            "imports b/Use.java# -> a/Util.java#Util.In",
            "imports b/Use.java# -> a/Util.java#Util.go",
            "imports b/Use.java# -> <java.util.List>",
            "calls b/Use.java#Use.run -> a/Util.java#Util.go",
            "reads b/Use.java#Use.run -> a/Util.java#Util.MOST",
            "uses_type b/Use.java#Use.run -> a/Util.java#Util.In",
            "calls b/Use.java#Use.run -> <org.junit.Assert.assertEquals>",
            "raises b/Use.java#Use.run -> <java.lang.IllegalStateException>",
        ],
    )


def test_names_of_the_language_never_mean_a_look_alike() -> None:
    files = {
        "other/String.java": "package other; public class String { public int length() { return 1; } }",
        "a/Use.java": "package a; class Use { int run(String s) { return s.length(); } }",
    }
    check_edges(
        files,
        [
            "uses_type a/Use.java#Use.run -> <java.lang.String>",
            "calls a/Use.java#Use.run -> <java.lang.String.length>",
        ],
        ["calls a/Use.java#Use.run -> other/"],
    )


def test_of_two_files_with_one_name_the_nearer_is_meant() -> None:
    files = {
        f"{module}/src/a/{name}.java": text
        for module in ("one", "two")
        for name, text in {
            "Item": "package a; public class Item { public void go() {} }",
            "Use": "package a; class Use { void run(Item item) { item.go(); } }",
        }.items()
    }
    for module in ("one", "two"):
        check_calls(
            files, f"{module}/src/a/Item.java#Item.go", [f"{module}/src/a/Use.java#Use.run"]
        )


def test_overloads_are_told_apart_by_their_signatures() -> None:
    before = read_facts("class Tool { boolean same(String a) { return a == null; } }", "java")
    after = read_facts(
        "class Tool { boolean same(CharSequence a) { return a == null; } void same() {} }", "java"
    )
    assert after.names() == ["Tool", "Tool.same", "Tool.same+2"]
    own = [facts.region("Tool.same").declarations[0] for facts in (before, after)]
    assert [one.signature for one in own] == [
        "boolean same(String a)",
        "boolean same(CharSequence a)",
    ]


def test_a_field_and_a_method_of_one_name_are_two_things() -> None:
    source = """package a;
class Bag {
    int size;
    Bag size(int n) { size = n; return this; }
    void use() { size(size).size(1); }
}
"""
    path = "a/Bag.java"
    check_edges(
        {path: source},
        [
            f"writes {path}#Bag.size -> {path}#Bag.size+2",
            f"reads {path}#Bag.use -> {path}#Bag.size+2",
            f"calls {path}#Bag.use -> {path}#Bag.size",
        ],
    )


PATHS = ("a/A.java", "a/B.java", "b/C.java", "b/D.java")
PARTS = (
    "class A { int x; void f() { g(); } void g() { new B().h(x); } }\n",
    "class A extends B { void f(C c) { c.k(this); super.h(1); } }\n",
    "public class B { int y; public void h(int n) {} B h(A a) { return this; } }\n",
    "public class B<T> { T t; T get() { return t; } void h(int n) { get(); } }\n",
    "class B { interface I { void m(); } I i = new I() { public void m() { h(2); } }; void h(int n) {} }\n",
    "public class C { public static int Z = 1; public void k(Object o) {} public static class N {} }\n",
    "public class C implements Runnable { public void run() { int q = D.Z; new A().f(); } }\n",
    "class D extends C { void k(Object o) { class L { void z() { k(o); } } new L().z(); } static int Z; }\n",
    "enum D { ONE, TWO; D next() { return ONE; } }\n",
)
HEADS = (
    "package a;\n",
    "package b;\n",
    "package a;\nimport b.*;\n",
    "package b;\nimport a.B;\nimport static b.C.*;\n",
)
FILES = st.dictionaries(
    st.sampled_from(PATHS),
    st.builds(
        lambda head, parts: head + "".join(parts),
        st.sampled_from(HEADS),
        st.lists(st.sampled_from(PARTS), max_size=2, unique_by=lambda part: part.split("{")[0]),
    ),
    max_size=4,
)


@given(st.lists(FILES, min_size=2, max_size=3))
@settings(max_examples=40, deadline=None)
def test_advancing_equals_linking_from_nothing(steps: list[dict[str, str]]) -> None:
    state, before = empty_state(), dict[str, str]()
    for after in steps:
        paths = sorted({*before, *after})
        moves = [change(p, after.get(p)) for p in paths if before.get(p) != after.get(p)]
        state, _ = advance(state, moves)
        assert {path: state.file_links(path) for path in state.world.paths()} == link_all(
            snapshot(after)
        )
        before = after


SHOP = {
    "a/Cart.java": "package a; public class Cart { public int total() { return 1; } }",
    "b/Use.java": "package b; import a.Cart; class Use { void run() { new Cart().total(); } void other() {} }",
}


def relinked(path: str, text: str | None) -> set[str]:
    state, _ = advance(empty_state(), snapshot(SHOP))
    log: list[LinkEvent] = []
    advance(state, [change(path, text)], log.append)
    return {f"{event.path}#{event.name}" for event in log}


def test_only_what_a_change_touches_is_linked_again() -> None:
    body = SHOP["a/Cart.java"].replace("return 1", "return 1 + 1")
    assert relinked("a/Cart.java", body) == {"a/Cart.java#Cart.total"}
    header = SHOP["a/Cart.java"].replace("int total()", "int total(int tax)")
    assert {"a/Cart.java#Cart.total", "b/Use.java#Use.run"} <= relinked("a/Cart.java", header)
    assert "b/Use.java#Use.other" not in relinked("a/Cart.java", header)


def test_annotations_are_no_part_of_a_signature() -> None:
    source = """class Tool {
    @Override @Deprecated(since = "1)", forRemoval = true)
    public int run(@Given int a) { return a; }
    @a.b.Test void plain() {}
    int bare() { return 1; }
}
"""
    facts = read_facts(source, "java")
    run, plain, bare = (
        facts.region(f"Tool.{name}").declarations[0] for name in ("run", "plain", "bare")
    )
    assert run.signature == "public int run(@Given int a)"
    assert run.modifiers == ("public", "Override", "Deprecated")
    assert plain.signature == "void plain()"
    assert plain.modifiers == ("Test",)
    assert bare.signature == "int bare()"
