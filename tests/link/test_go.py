"""Package folders: modules, packages, methods, embedding, interfaces, and what a change touches."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.facts import read_facts
from support.links import callers, change, check_edges, edges_of, lines_of, snapshot

from topomem.link.linker import LinkEvent, advance, empty_state, link_all
from topomem.model.ids import FilePath

MODULE = {"go.mod": "module example.com/m\n\ngo 1.21\n"}


def check_calls(files: Mapping[str, str], target: str, expected: list[str]) -> None:
    assert callers(edges_of({**MODULE, **files}), target) == expected


def test_methods_belong_to_their_receiver_however_it_is_written() -> None:
    source = """package s
type Ring[T any] struct{}
func (r *Ring[T]) Put(x T) {}
func (Ring[T]) Len() int { return 0 }
func (r /* the ring */ *Ring[T]) Drop() {}
type Motor struct{}
func (m Motor) Start() {}
"""
    names = read_facts(source, "go").names()
    assert names == ["Ring", "Ring.Put", "Ring.Len", "Ring.Drop", "Motor", "Motor.Start"]


def test_names_are_exact_behind_any_script() -> None:
    source = "package u\n// é\nfunc first() {}\n// 漢字\nfunc second() {}\n// 🙂\nfunc third() {}\nfunc naïve_mean() {}\n"
    facts = read_facts(source, "go")
    assert facts.names() == ["first", "second", "third", "naïve_mean"]
    for place in facts.blob.placements[1:]:
        text = facts.source[place.span.start_byte : place.span.end_byte].decode()
        assert text == f"func {place.name}() {{}}"


def test_methods_of_another_file_belong_to_the_type_of_their_package() -> None:
    files = {
        "a/a.go": "package a\ntype Tile struct{}\nfunc use(t Tile) { t.Flip() }\n",
        "a/b.go": "package a\nfunc (t *Tile) Flip() {}\n",
        "other/t.go": "package other\ntype Tile struct{}\nfunc (t Tile) Flip() {}\nfunc use() { Tile{}.Flip() }\n",
    }
    check_calls(files, "a/b.go#Tile.Flip", ["a/a.go#use"])
    check_calls(files, "other/t.go#Tile.Flip", ["other/t.go#use"])


def test_of_two_modules_with_one_path_the_one_that_has_the_package_is_meant() -> None:
    files = {
        "real/go.mod": "module example.com/real\n",
        "pin/go.mod": "module example.com/real\n",
        "real/api/api.go": "package api\nfunc Serve() {}\n",
        "pin/pin.go": "package real\n",
        "cmd/main.go": 'package main\nimport "example.com/real/api"\nfunc main() { api.Serve() }\n',
    }
    expected = "calls cmd/main.go#main -> real/api/api.go#Serve"
    for order in permutations(files):
        changes = snapshot({path: files[path] for path in order})
        assert expected in lines_of(changes, link_all(changes))


def test_what_a_module_replaces_is_followed() -> None:
    files = {
        "go.mod": "module example.com/m\nreplace (\n\texample.com/x v1.2.3 => ./x // here\n)\nreplace example.com/y => ../y\n",
        "x/deep/x.go": "package deep\nfunc Go() {}\n",
        "main.go": 'package main\nimport "example.com/x/deep"\nimport "example.com/y"\nfunc main() { deep.Go(); y.Go() }\n',
    }
    check_edges(
        files,
        [
            "calls main.go#main -> x/deep/x.go#Go",
            "imports main.go# -> x/deep/x.go#",
            "calls main.go#main -> <example.com/y.Go>",
        ],
    )


def test_imports_by_name_alias_dot_and_version() -> None:
    files = {
        **MODULE,
        "tools/v2/t.go": "package tools\nfunc Cut() {}\nconst Size = 1\n",
        "named/n.go": "package other\nfunc Go() {}\n",
        "dots/d.go": "package dots\nfunc Dot() {}\n",
        "main.go": """package main
import (
	"example.com/m/tools/v2"
	alias "example.com/m/named"
	. "example.com/m/dots"
	"gopkg.in/yaml.v3"
	"os"
)
func main() { tools.Cut(); alias.Go(); Dot(); yaml.Load(); os.Exit(tools.Size) }
func shadow(os string) { os.Exit() }
""",
    }
    check_edges(
        files,
        [
            "calls main.go#main -> tools/v2/t.go#Cut",
            "reads main.go#main -> tools/v2/t.go#Size",
            "calls main.go#main -> named/n.go#Go",
            "calls main.go#main -> dots/d.go#Dot",
            "calls main.go#main -> <gopkg.in/yaml.v3.Load>",
            "calls main.go#main -> <os.Exit>",
            "imports main.go# -> named/n.go#",
        ],
        ["calls main.go#shadow -> <os"],
    )


def test_tests_see_their_package_and_others_do_not_see_tests() -> None:
    files = {
        **MODULE,
        "p/p.go": "package p\nfunc Go() {}\nfunc use() { helper() }\n",
        "p/p_test.go": "package p\nfunc helper() { Go() }\n",
        "p/x_test.go": 'package p_test\nimport "example.com/m/p"\nfunc outer() { p.Go() }\nfunc other() { helper() }\n',
    }
    check_edges(
        files,
        [
            "calls p/p_test.go#helper -> p/p.go#Go",
            "calls p/x_test.go#outer -> p/p.go#Go",
            "calls p/p.go#use -> ?helper",
            "calls p/x_test.go#other -> ?helper",
        ],
    )


VALUES = """package v
type Coin struct{ worth int; twin *Coin; tags map[string][]Coin }
func (c *Coin) Spend() error { return nil }
func (c Coin) Twin() (*Coin, error) { return c.twin, nil }
type Purse struct { *Coin; Seller; coins []Coin; by func(int) Coin }
type Seller interface { Sell() Coin }
type Handler func(Coin)
func (h Handler) Serve() {}
type List[T any] struct { items []T; next *List[T] }
func (l *List[T]) First() T { return l.items[0] }
func Map[T, U any](from []T, by func(T) U) []U { return nil }
var all = []*Coin{}
func pair() (Coin, Seller) { return Coin{}, nil }

func short(c Coin) { d := &c; d.Spend() }
func results() { coin, seller := pair(); coin.Spend(); seller.Sell().Spend() }
func fails() { if twin, err := all[0].Twin(); err == nil { twin.Spend() } }
func ranges(p Purse) { for _, c := range p.coins { c.Spend() } }
func maps(c Coin) { for _, cs := range c.tags { cs[0].Spend() } }
func looks(c Coin) { if cs, ok := c.tags["x"]; ok { cs[1].Spend() } }
func embeds(p Purse) { p.Spend() }
func promoted(p Purse) { p.Sell().Spend() }
func fields(p Purse) { p.by(1).Spend() }
func asserts(x any) { x.(*Coin).Spend() }
func switches(x any) { switch c := x.(type) { case Coin: c.Spend(); case Handler: c.Serve() } }
func channels(in <-chan Coin) { for c := range in { c.Spend() } }
func receives(in chan *Coin) { c := <-in; c.Spend() }
func closures() { f := func() *Coin { return nil }; f().Spend() }
func generics(l *List[Coin]) { l.next.First().Spend() }
func inferred(xs []int) { Map(xs, func(int) Coin { return Coin{} })[0].Spend() }
func makes() { c := new(Coin); c.Spend() }
func literals() { m := map[string]*Coin{"a": {worth: 1}}; m["a"].Spend() }
func converts() { Handler(nil).Serve() }
func deferred(c Coin) { defer c.Spend() }
func expression(c *Coin) { (*Coin).Spend(c) }
"""


def test_values_have_the_types_that_the_text_gives_them() -> None:
    names = [
        "asserts", "channels", "closures", "deferred", "embeds", "expression", "fails", "fields",
        "generics", "inferred", "literals", "looks", "makes", "maps", "promoted", "ranges",
        "receives", "results", "short", "switches",
    ]  # fmt: skip
    check_calls({"v.go": VALUES}, "v.go#Coin.Spend", [f"v.go#{name}" for name in names])
    check_calls({"v.go": VALUES}, "v.go#Handler.Serve", ["v.go#converts", "v.go#switches"])


def test_fields_types_and_package_variables_are_named() -> None:
    check_edges(
        {**MODULE, "v.go": VALUES},
        [
            "writes v.go#literals -> v.go#Coin.worth",
            "reads v.go#ranges -> v.go#Purse.coins",
            "reads v.go#fails -> v.go#all",
            "calls v.go#fields -> v.go#Purse.by",
            "constructs v.go#pair -> v.go#Coin",
            "uses_type v.go#converts -> v.go#Handler",
            "inherits v.go#Purse -> v.go#Coin",
            "inherits v.go#Purse -> v.go#Seller",
        ],
        ["calls v.go#converts -> v.go#Handler\n"],
    )


def test_constants_that_repeat_the_one_before_have_its_type() -> None:
    source = """package k
type Kind int
func (k Kind) Name() string { return "" }
const (
	First Kind = iota
	Second
	third, fourth = 1, 2
	fifth, sixth
)
func use() { Second.Name() }
func init() { use() }
func init() { use() }
"""
    check_calls({"k.go": source}, "k.go#Kind.Name", ["k.go#use"])
    check_calls({"k.go": source}, "k.go#use", ["k.go#init", "k.go#init+2"])


def test_types_satisfy_interfaces_by_their_methods() -> None:
    files = {
        **MODULE,
        "i/i.go": """package i
import "io"
type Named interface { Name() string }
type Store interface { Named; Put(key string, size int) error; Close() }
type Closer interface { io.Closer; Name() string }
""",
        "s/s.go": """package s
type Base struct{}
func (Base) Close() {}
type Disk struct{ Base }
func (d *Disk) Name() string { return "" }
func (d *Disk) Put(k string, n int) error { return nil }
type Wrong struct{ Base }
func (w Wrong) Name() int { return 1 }
func (w Wrong) Put(k string, n int) error { return nil }
""",
    }
    found = check_edges(
        files,
        [
            "implements s/s.go#Disk -> i/i.go#Store",
            "implements s/s.go#Disk -> i/i.go#Named",
            "overrides s/s.go#Disk.Put -> i/i.go#Store.Put",
            "overrides s/s.go#Disk.Name -> i/i.go#Named.Name",
            "inherits i/i.go#Store -> i/i.go#Named",
        ],
        ["implements s/s.go#Wrong", "implements s/s.go#Disk -> i/i.go#Closer"],
    )
    sure = found["implements s/s.go#Disk -> i/i.go#Store"].confidence
    assert sure > found["implements s/s.go#Disk -> i/i.go#Named"].confidence


def test_names_of_the_language_and_of_packages_outside_stay_outside() -> None:
    files = {
        **MODULE,
        "a/len.go": "package a\nfunc Printf() {}\ntype T struct{}\nfunc (T) Write() {}\n",
        "b/b.go": 'package b\nimport "fmt"\nfunc use(w interface{ Write() }, x unknown) { fmt.Printf(); len(""); w.Write(); x.Write() }\n',
    }
    check_edges(
        files,
        [
            "calls b/b.go#use -> <fmt.Printf>",
            "calls b/b.go#use -> <<builtin>.len>",
        ],
        ["calls b/b.go#use -> a/"],
    )


PATHS = ("a/a.go", "a/b.go", "b/c.go", "b/d_test.go", "go.mod")
PARTS = (
    "type A struct{ B; n int }\nfunc (a *A) F() { a.G(); a.n++ }\n",
    "func (a A) H() int { return K }\n",
    "type B struct{}\nfunc (b B) G() {}\n",
    "type B interface{ G() }\n",
    "const K = 1\nvar v = mk()\nfunc mk() *A { return nil }\n",
    "const K, L = iota, 2\nvar v B\n",
    "func use() { v.F(); mk().H(); var x B; x.G() }\n",
    "func far() { a.mk(); var t a.A; t.F(); b.Far() }\n",
    "func Far() { far(); use() }\n",
    "type I interface{ F(); H() int }\n",
)
HEADS = (
    "package a\n",
    "package b\n",
    'package a\nimport "example.com/m/b"\n',
    'package b\nimport "example.com/m/a"\n',
    'package b\nimport . "example.com/m/a"\n',
)
TEXTS = st.builds(
    lambda head, parts: head + "".join(parts),
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(PARTS), max_size=3, unique=True),
)
FILES = st.dictionaries(st.sampled_from(PATHS), TEXTS, max_size=4).map(
    lambda files: {
        path: text if path != "go.mod" else "module example.com/m\n" for path, text in files.items()
    }
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


def test_a_type_that_is_gone_is_noticed_in_its_own_file() -> None:
    before = "package a\ntype A struct{}\nfunc mk() *A { return nil }\n"
    after = "package a\nfunc mk() *A { return nil }\n"
    state, _ = advance(empty_state(), [change("a/a.go", before)])
    state, _ = advance(state, [change("a/a.go", after)])
    assert (
        state.file_links(state.world.paths()[0])
        == link_all(snapshot({"a/a.go": after}))[state.world.paths()[0]]
    )


def test_only_what_a_change_touches_is_linked_again() -> None:
    files = {
        **MODULE,
        "a/a.go": "package a\nfunc Go() int { return 1 }\nfunc other() {}\n",
        "b/b.go": 'package b\nimport "example.com/m/a"\nfunc use() { a.Go() }\nfunc idle() {}\n',
    }
    state, _ = advance(empty_state(), snapshot(files))
    log: list[LinkEvent] = []
    body = files["a/a.go"].replace("return 1", "return 1 + 1")
    state, _ = advance(state, [change("a/a.go", body)], log.append)
    assert {f"{event.path}#{event.name}" for event in log} == {"a/a.go#Go"}
    log.clear()
    header = body.replace("Go() int", "Go() (int, error)")
    advance(state, [change("a/a.go", header)], log.append)
    assert {f"{event.path}#{event.name}" for event in log} == {"a/a.go#Go", "b/b.go#use"}


def test_an_import_names_the_files_that_are_there_now() -> None:
    importer = {"go.mod": "module m\n", "b/b.go": 'package b\nimport "m/a"\n'}
    before = {**importer, "a/a.go": "package a\n", "a/gone.go": "package a\n"}
    state, _ = advance(empty_state(), snapshot(before))
    state, _ = advance(state, [change("a/gone.go", None)])
    path = FilePath("b/b.go")
    fresh = link_all(snapshot({**importer, "a/a.go": "package a\n"}))
    assert state.file_links(path) == fresh[path]
