"""Modules by file path: imports, exports, and members by written types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.links import callers, change, check_edges, edges_of, snapshot

from topomem.link.linker import LinkEvent, advance, empty_state, link_all
from topomem.model.code import EdgeKind
from topomem.model.ids import FilePath


def check(
    files: Mapping[str, str], expected: Iterable[str] = (), absent: Iterable[str] = ()
) -> None:
    check_edges(files, expected, absent)


# definitions that edges lead to


@pytest.mark.parametrize("suffix", ["ts", "tsx"])
def test_abstract_classes_own_their_methods(suffix: str) -> None:
    path = f"t.{suffix}"
    text = """
export abstract class Shape { abstract area(): number; name() { return "s"; } }
class Round extends Shape { area() { return 1; } }
const same = <T,>(x: T) => x;
same(new Round().name());
"""
    check(
        {path: text},
        [
            f"inherits {path}#Round -> {path}#Shape",
            f"overrides {path}#Round.area -> {path}#Shape.area",
            f"calls {path}# -> {path}#Shape.name",
            f"calls {path}# -> {path}#same",
        ],
    )


def test_members_of_namespaces_are_reached_by_their_full_names() -> None:
    text = """
namespace Cmds {
  export class Move { run() { helper(); } }
  function helper() {}
  export namespace Deep { export const go = () => 1; }
}
enum Kind { A, B }
new Cmds.Move().run();
Cmds.Deep.go();
const k: Kind = Kind.A;
"""
    check(
        {"n.ts": text},
        [
            "calls n.ts# -> n.ts#Cmds.Move.run",
            "calls n.ts# -> n.ts#Cmds.Deep.go",
            "calls n.ts#Cmds.Move.run -> n.ts#Cmds.helper",
            "reads n.ts# -> n.ts#Kind.A",
            "uses_type n.ts# -> n.ts#Kind",
        ],
    )


def test_overloads_are_one_target() -> None:
    files = {
        "o.ts": """
export function paint(a: string): Brush;
export function paint(a: number, b: number): Can;
export function paint(a: any, b?: any): any { return a; }
export class Brush { dip() {} }
export class Can { open() {} }
""",
        "use.ts": 'import { paint } from "./o";\npaint("x").dip();\npaint(1, 2).open();\n',
    }
    check(
        files,
        [
            "calls use.ts# -> o.ts#paint",
            "calls use.ts# -> o.ts#Brush.dip",
            "calls use.ts# -> o.ts#Can.open",
        ],
        ["calls use.ts# -> ?"],
    )


def test_what_broken_types_surround_is_still_linked() -> None:
    text = """
type Both = {
  (a: string): void
  <T>(a: T): T
}
export function after() {}
class Late { run() { after(); } }
"""
    check({"o2.ts": text}, ["calls o2.ts#Late.run -> o2.ts#after"])


COMMON = """
exports.a = function () {};
module.exports.b = async () => {};
"""
WHOLE = """
function d() {}
module.exports = { c() {}, d };
"""


def test_functions_given_to_exports_are_symbols_with_callers() -> None:
    files = {
        "c.js": COMMON,
        "w.js": WHOLE,
        "use.js": """
const c = require("./c");
const { b } = require("./c");
const w = require("./w");
const { d } = require("./w");
c.a(); b(); w.c(); d();
""",
    }
    check(
        files,
        [
            "calls use.js# -> c.js#a",
            "calls use.js# -> c.js#b",
            "calls use.js# -> w.js#c",
            "calls use.js# -> w.js#d",
            "imports use.js# -> c.js#",
            "imports use.js# -> w.js#",
        ],
    )


def test_constructor_functions_and_members_given_from_outside() -> None:
    files = {
        "lib.js": """
var app = exports = module.exports = {};
app.use = function use(step) { this.listen(); };
app.listen = function () {};
function Shape() { this.kind = new Kind(); }
Shape.prototype.draw = function () { this.grow(); this.kind.name(); };
Shape.prototype.grow = function () {};
class Kind { name() {} }
new Shape().draw();
""",
        "use.js": 'const app = require("./lib");\napp.use();\n',
    }
    check(
        files,
        [
            "calls use.js# -> lib.js#app.use",
            "calls lib.js#app.use -> lib.js#app.listen",
            "calls lib.js# -> lib.js#Shape.draw",
            "calls lib.js#Shape.draw -> lib.js#Shape.grow",
            "calls lib.js#Shape.draw -> lib.js#Kind.name",
        ],
    )


# how files become modules


ALIASES = """{
  // editors write comments here
  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./src/*"], }, },
}"""


def test_aliases_lead_to_files_and_packages_stay_outside() -> None:
    files = {
        "web/tsconfig.json": ALIASES,
        "web/src/lib/text.ts": "export function glue() {}\n",
        "web/src/home.tsx": """
import { glue } from "@/lib/text";
import { x } from "@scope/x";
glue(); x();
""",
    }
    check(
        files,
        [
            "imports web/src/home.tsx# -> web/src/lib/text.ts#",
            "calls web/src/home.tsx# -> web/src/lib/text.ts#glue",
            "imports web/src/home.tsx# -> <@scope/x>",
            "calls web/src/home.tsx# -> <@scope/x.x>",
        ],
    )


ENGINES = {
    "tsconfig.json": '{"compilerOptions": {"paths": {"@engine": ["./src/impl/engine_v2.ts"]}}}',
    "src/impl/engine_v2.ts": "export function start() {}\n",
    "src/impl/engine_v3.ts": "export function start() {}\n",
    "old/engine.ts": "export function start() {}\n",
    "src/app.ts": 'import { start } from "@engine";\nstart();\n',
}


def test_an_alias_is_no_guess_by_name() -> None:
    check(
        ENGINES,
        ["calls src/app.ts# -> src/impl/engine_v2.ts#start"],
        ["calls src/app.ts# -> old/"],
    )


def test_edges_follow_a_changed_alias_though_no_source_changed() -> None:
    moved = {**ENGINES, "tsconfig.json": ENGINES["tsconfig.json"].replace("v2", "v3")}
    state, _ = advance(empty_state(), snapshot(ENGINES))
    log: list[LinkEvent] = []
    state, _ = advance(state, [change("tsconfig.json", moved["tsconfig.json"])], log.append)
    assert {event.path for event in log} == {"src/app.ts"}
    links = {path: state.file_links(path) for path in state.world.paths()}
    assert links == link_all(snapshot(moved))


def test_touching_one_importer_gives_what_a_fresh_link_gives() -> None:
    touched = {**ENGINES, "src/app.ts": ENGINES["src/app.ts"] + "start();\n"}
    state, _ = advance(empty_state(), snapshot(ENGINES))
    state, _ = advance(state, [change("src/app.ts", touched["src/app.ts"])])
    links = {path: state.file_links(path) for path in state.world.paths()}
    assert links == link_all(snapshot(touched))


def test_a_reexport_through_an_alias_resolves() -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}',
        "src/lib/days.ts": "export function prettyDay() {}\n",
        "src/lib/index.ts": 'export { prettyDay as day } from "~/lib/days";\n',
        "src/app.ts": 'import { day } from "~/lib";\nday();\n',
    }
    check(
        files,
        [
            "calls src/app.ts# -> src/lib/days.ts#prettyDay",
            "imports src/lib/index.ts# -> src/lib/days.ts#",
            "imports src/app.ts# -> src/lib/index.ts#",
            "reads src/app.ts# -> src/lib/days.ts#prettyDay",
        ],
        ["imports src/app.ts# -> src/lib/days.ts"],
    )


def test_chains_of_stars_are_followed_and_cycles_end() -> None:
    files = {
        "a.ts": 'export * from "./b";\n',
        "b.ts": 'export * from "./c";\nexport * from "./a";\n',
        "c.ts": "export function leaf() {}\nexport default function root() {}\n",
        "user.ts": """
import { leaf, gone } from "./a";
import * as all from "./a";
leaf(); all.leaf(); gone();
""",
    }
    check(
        files,
        ["calls user.ts# -> c.ts#leaf", "imports user.ts# -> ?./a.gone"],
        ["calls user.ts# -> c.ts#root"],
    )


@pytest.mark.parametrize(
    ("exporting", "importing", "target"),
    [
        ("export default function run() {}", 'import go from "./m";\ngo();', "run"),
        ("export default function () {}", 'import go from "./m";\ngo();', "default"),
        ("function run() {}\nexport default run;", 'import go from "./m";\ngo();', "run"),
        ("function run() {}\nexport { run as default };", 'import go from "./m";\ngo();', "run"),
        ("export const run = () => 1;", 'import * as m from "./m";\nm.run();', "run"),
        ("export const run = () => 1;", 'import { run as go } from "./m";\ngo();', "run"),
        ("function run() {}\nexport = run;", 'import go = require("./m");\ngo();', "run"),
        ("export function run() {}", 'const m = await import("./m");\nm.run();', "run"),
        ("export function run() {}", 'import("./m").then((m) => m.run());', "run"),
        ("function run() {}\nexport { run };", 'export * as m from "./m";', None),
    ],
)
def test_forms_of_imports_and_exports(exporting: str, importing: str, target: str | None) -> None:
    found = edges_of({"m.ts": exporting, "use.ts": importing})
    assert "imports use.ts# -> m.ts#" in found
    if target is not None:
        assert callers(found, f"m.ts#{target}") == ["use.ts#"], "\n".join(found)


@pytest.mark.parametrize(
    "loading",
    [
        'const f = require("./b").f; f();',
        'const { f } = require("./b"); f();',
        'var { f: g } = require("./b"); g();',
        'const b = require("./b"); b.f();',
        'const f = require("./whole"); f();',
        'require("./whole")();',
        'import f from "./whole"; f();',
        'import * as f from "./whole"; f();',
        'const f = require("./chain"); f();',
    ],
)
def test_forms_of_loading(loading: str) -> None:
    files = {
        "b.js": "exports.f = f; function f() {}\n",
        "whole.js": 'module.exports = require("./b").f;\n',
        "chain.js": 'module.exports = require("./whole");\n',
        "use.js": loading,
    }
    assert callers(edges_of(files), "b.js#f") == ["use.js#"]


def test_a_variable_that_holds_a_package_is_what_is_called() -> None:
    files = {
        "use.js": 'var session = require("express-session");\nsession(); session.Store();\n',
        "lib/session.js": "exports.session = function session() {};\n",
    }
    check(
        files,
        [
            "imports use.js# -> <express-session>",
            "calls use.js# -> use.js#session",
            "calls use.js# -> <express-session.Store>",
        ],
        ["calls use.js# -> lib/"],
    )


def test_modules_that_load_each_other_end() -> None:
    files = {
        "a.js": 'const { x } = require("./b"); module.exports = { x };\nx();\n',
        "b.js": 'const { x } = require("./a"); module.exports = { x };\nx();\n',
        "c.js": 'module.exports = require("./d"); module.exports();\n',
        "d.js": 'module.exports = require("./c"); require("./c")();\n',
        "e.ts": 'import f from "./f"; export default f;\nf();\n',
        "f.ts": 'import e from "./e"; export default e;\ne();\n',
        "g.ts": 'import h = require("./h"); export = h;\nh();\n',
        "h.ts": 'import g = require("./g"); export = g;\ng();\n',
        "i.ts": 'import * as j from "./j"; export { j as i };\nj.i.j();\n',
        "j.ts": 'import * as i from "./i"; export { i as j };\ni.j.i();\n',
    }
    found = edges_of(files)
    assert "imports e.ts# -> f.ts#" in found
    assert "imports c.js# -> d.js#" in found


def test_an_asset_is_a_target_outside() -> None:
    text = 'import film from "./big.mp4";\nimport "./tiny.svg";\nimport data from "./data.json";\n'
    found = edges_of({"src/app.ts": text})
    assert [line for line in found if line.startswith("imports")] == [
        "imports src/app.ts# -> ?./big.mp4",
        "imports src/app.ts# -> ?./tiny.svg",
        "imports src/app.ts# -> ?./data.json",
    ]


# members


def test_a_member_of_a_member_is_not_the_method_around() -> None:
    text = """
export class Courier { dispatch() {} }
export class Queue {
  constructor(private courier: Courier) {}
  dispatch() { this.courier.dispatch(); }
}
class Hub {
  courier = new Courier();
  pass_on() { this.courier.dispatch(); }
}
"""
    found = edges_of({"q.ts": text})
    assert callers(found, "q.ts#Courier.dispatch") == ["q.ts#Hub.pass_on", "q.ts#Queue.dispatch"]
    assert callers(found, "q.ts#Queue.dispatch") == []


def test_a_static_call_is_a_call_of_the_method_only() -> None:
    files = {
        "units.ts": "export class Unit { static twice(n: number) { return n; } twice() {} }\n",
        "use.ts": 'import { Unit } from "./units";\nUnit.twice(1);\n',
    }
    check(files, ["calls use.ts# -> units.ts#Unit.twice"], ["constructs"])
    check(files, [], ["calls use.ts# -> units.ts#Unit.twice+2"])


def test_calls_through_injected_properties_resolve_like_those_through_locals() -> None:
    text = """
export class Printer { emit() {} }
class Local { run() { const p = new Printer(); p.emit(); } }
class Given { run(p: Printer) { p.emit(); } }
class Typed { p: Printer; run() { this.p.emit(); } }
class Promoted { constructor(private readonly p: Printer) {} run() { this.p.emit(); } }
class Guarded { p?: Printer; run() { this.p?.emit(); } }
"""
    assert callers(edges_of({"p.ts": text}), "p.ts#Printer.emit") == [
        f"p.ts#{name}.run" for name in ("Given", "Guarded", "Local", "Promoted", "Typed")
    ]


TYPES = """
export class Leaf { pick() {} }
export interface Box<T> { get(): T; self(): this; inner: T; }
export type Pair<A> = { left: A; right: Leaf };
export declare function box(): Box<Leaf>;
export declare function pair(): Pair<Leaf>;
export declare function later(): Promise<Leaf>;
export declare function same<T>(x: T): T;
export declare function each<T>(items: T[], use: (item: T) => void): void;
export const table = { leaf: new Leaf(), make: () => new Leaf() };
export type Maybe = Leaf | null;
export const leaves: Leaf[] = [];
export declare const maker: { new (): Leaf };
"""


@pytest.mark.parametrize(
    "expression",
    [
        "new Leaf().pick()",
        "box().get().pick()",
        "box().self().inner.pick()",
        "pair().left.pick()",
        "pair().right.pick()",
        "(await later()).pick()",
        "later().then((it) => it.pick())",
        "same(new Leaf()).pick()",
        "same<Leaf>(null as any).pick()",
        "each([new Leaf()], (it) => it.pick())",
        "leaves.map((it) => it.pick())",
        "leaves.filter(Boolean)[0].pick()",
        "for (const it of leaves) it.pick()",
        "table.leaf.pick()",
        "table.make().pick()",
        "(null as Maybe)!.pick()",
        "(<Leaf>{}).pick()",
        "const { left } = pair(); left.pick()",
        "const { right: r } = pair(); r.pick()",
        "const [first] = leaves; first.pick()",
        "new maker().pick()",
        "const f = (it: Leaf) => it.pick()",
        "const f: (it: Leaf) => void = (it) => it.pick()",
        "const f: { go(it: Leaf): void } = { go(it) { it.pick(); } }",
        "(cond ? new Leaf() : null).pick()",
        "let it: Leaf; it?.pick()",
        "const it: ReturnType<typeof box>['inner'] = x; it.pick()",
        "const it: InstanceType<typeof Leaf> = x; it.pick()",
        "const it: Partial<Leaf> = x; it.pick()",
        "function f<T extends Leaf>(it: T) { it.pick() }",
        "function f({ left }: Pair<Leaf>) { left.pick() }",
        "class Own extends Leaf { run() { super.pick() } }",
        "class Own extends Leaf { run() { this.pick() } }",
    ],
)
def test_receivers_by_written_types_and_values(expression: str) -> None:
    names = "Leaf, Maybe, Pair, box, each, later, leaves, maker, pair, same, table"
    use = f'import {{ {names} }} from "./types";\n{expression};\n'
    found = edges_of({"types.ts": TYPES, "use.ts": use})
    calls = callers(found, "types.ts#Leaf.pick")
    assert len(calls) == 1, "\n".join(sorted(found))
    assert calls[0].startswith("use.ts#")


def test_declared_names_of_type_and_value_are_told_apart() -> None:
    files = {
        "s.ts": """
export interface Schema { parse(): void }
export const Schema = { create(): Schema { return null as any; } };
""",
        "use.ts": 'import { Schema } from "./s";\nconst s: Schema = Schema.create();\ns.parse();\n',
    }
    check(
        files,
        ["calls use.ts# -> s.ts#Schema.parse", "calls use.ts# -> s.ts#Schema.create"],
    )


def test_merged_interfaces_and_inherited_members() -> None:
    text = """
interface Base<T> { give(): T }
interface Both extends Base<Leaf> { one(): void }
interface Both { two(): void }
class Leaf { pick() {} }
function use(both: Both) { both.one(); both.two(); both.give().pick(); }
"""
    check(
        {"m.ts": text},
        [
            "inherits m.ts#Both -> m.ts#Base",
            "calls m.ts#use -> m.ts#Both.one",
            "calls m.ts#use -> m.ts#Both+2.two",
            "calls m.ts#use -> m.ts#Base.give",
            "calls m.ts#use -> m.ts#Leaf.pick",
        ],
    )


# names that are not of the repository


def test_names_of_the_surroundings_are_never_bound_to_lookalikes() -> None:
    files = {
        "src/report.ts": "export function describe() {}\n",
        "src/list.ts": "export function take() {}\n",
        "a.test.ts": 'describe("x", () => { expect(1).toBe(2); });\n',
        "use.ts": 'import { take } from "rxjs";\ntake(1);\nconsole.log(take);\n',
    }
    check(
        files,
        ["calls a.test.ts# -> <<builtin>.describe>", "calls use.ts# -> <rxjs.take>"],
        [
            "calls a.test.ts# -> src/",
            "calls use.ts# -> src/",
            "reads use.ts# -> src/",
        ],
    )


def test_production_is_not_bound_to_a_helper_of_a_test() -> None:
    files = {
        "src/page.tsx": """
import { useTranslation } from "i18n";
export function Page() { const { t } = useTranslation(); return t("x"); }
""",
        "tests/i18n.test.ts": "function t() {}\nt();\n",
    }
    check(files, [], ["calls src/page.tsx#Page -> tests/"])


@pytest.mark.parametrize(
    "text",
    [
        "import { go } from './m';\nfunction f(go) { go(); }\n",
        "import { go } from './m';\nfunction f() { const go = 1; go(); }\n",
        "import { go } from './m';\nfunction f() { try {} catch (go) { go(); } }\n",
        "import { go } from './m';\nconst f = ({ go }) => go();\n",
        "import { go } from './m';\nfor (const go of []) { go(); }\n",
        "function f() { { function go() {} } go(); }\n",
    ],
)
def test_shadowed_names_lead_nowhere(text: str) -> None:
    check({"m.ts": "export function go() {}\n", "use.ts": text}, [], ["calls use.ts#f -> m.ts#go"])


@pytest.mark.parametrize(
    "text",
    [
        "import { go } from './m';\nfunction f() { { const go = 1; } go(); }\n",
        "import { go } from './m';\nlet x; function f() { x = go; go(); }\n",
        "import { go } from './m';\nfunction f() { const o = { go: 1 }; go(); }\n",
        "import { go } from './m';\nfunction f(o: (go: number) => void) { go(); }\n",
        "import { go } from './m';\nfunction f() { ((go) => 1)(2); go(); }\n",
    ],
)
def test_names_bound_elsewhere_do_not_shadow(text: str) -> None:
    check({"m.ts": "export function go() {}\n", "use.ts": text}, ["calls use.ts#f -> m.ts#go"])


def test_deep_text_ends() -> None:
    nested = "A<" * 600 + "B" + ">" * 600
    chain = "x" + ".next()" * 2000
    files = {
        "deep.ts": f"class A<T> {{}}\nclass B {{}}\nlet a: {nested};\n",
        "chain.ts": f"class X {{ next(): this {{ return this; }} }}\nconst x = new X();\n{chain};\n",
    }
    check(files, ["uses_type deep.ts# -> deep.ts#A", "calls chain.ts# -> chain.ts#X.next"])


def test_types_without_end_end() -> None:
    text = """
type Deep<T> = T extends { a: infer U } ? { [K in keyof T]: Deep<T[K]> } : Deep<Deep<T>>;
type Loop = Loop | Loop[];
class Wrap<T> { wrap(): Wrap<Wrap<T>> { return null as any; } }
interface A extends B {} interface B extends A { m(): void }
declare const deep: Deep<{ a: 1 }>; declare const loop: Loop; declare const a: A;
deep.a.a.a; loop.x; new Wrap<number>().wrap().wrap().wrap().wrap().wrap().wrap(); a.m();
const self = () => self(); self().x; let r = r2, r2 = r; r.x;
class Z extends Z {} new Z().none();
"""
    check({"e.ts": text}, ["calls e.ts# -> e.ts#Wrap.wrap", "calls e.ts# -> e.ts#B.m"])


# what a change touches


MODULES = ("a.ts", "b.ts", "c.js", "lib/index.ts", "d.tsx", "tsconfig.json", "package.json")
STATEMENTS = (
    'import { f, K } from "./b";\n',
    'import D, * as all from "./a";\n',
    'import type { I } from "lib";\n',
    'export * from "./lib";\n',
    'export { f as g, default } from "./a";\n',
    'const c = require("./c"); c.f();\n',
    "export function f(x?: K) { return x; }\n",
    "export class K<T = I> implements I { m(): this { return this; } at: T; }\n",
    "export interface I { m(): I; n: K<I> }\n",
    "export type T1 = ReturnType<typeof f>; declare const t: T1; t.m();\n",
    "export default class extends K { go() { super.m(); this.go(); } }\n",
    "new K().m().at.n.m(); f().m();\n",
    "all.f(all.K); new all.K(); D.x;\n",
    "export const o = { f, g: () => new K(), h(x) { x.m(); } }; o.g().m();\n",
    "[new K()].map((k) => k.m());\n",
    "exports.f = function () { return new K(); };\n",
    "module.exports = { f() {} };\n",
    "export enum E { A, B }\nE.A;\n",
)
CONFIGS = {
    "tsconfig.json": ['{"compilerOptions": {"paths": {"lib": ["./lib"]}}}', "{}"],
    "package.json": ['{"name": "lib", "main": "a.ts"}', '{"name": "lib", "main": "b.ts"}', "{"],
}
FILES = st.dictionaries(
    st.sampled_from(MODULES), st.lists(st.sampled_from(STATEMENTS), max_size=5), max_size=6
).map(
    lambda files: {
        path: CONFIGS[path][len(lines) % len(CONFIGS[path])] if path in CONFIGS else "".join(lines)
        for path, lines in files.items()
    }
)


@given(st.lists(FILES, min_size=2, max_size=4))
@settings(max_examples=40, deadline=None)
def test_advancing_equals_linking_from_nothing(steps: list[dict[str, str]]) -> None:
    state, before = empty_state(), dict[str, str]()
    for after in steps:
        paths = sorted({*before, *after})
        changes = [
            change(path, after.get(path)) for path in paths if before.get(path) != after.get(path)
        ]
        state, _ = advance(state, changes)
        links = {path: state.file_links(path) for path in state.world.paths()}
        assert links == link_all(snapshot(after))
        before = after


SHOP = {
    "cart.ts": """
export class Cart {
  add(n: number) { return this.total(); }
  total() { return 1; }
}
""",
    "index.ts": 'export { Cart } from "./cart";\n',
    "use.ts": 'import { Cart } from ".";\nexport function main() { new Cart().add(1); }\n',
}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("cart.ts", "return 1", "log(2); return 1", {"cart.ts"}),
        ("cart.ts", "export", "/* why */ export", {"cart.ts"}),
        ("index.ts", "{ Cart }", "{ Cart as Trolley }", {"index.ts", "use.ts"}),
    ],
    ids=["body", "comment", "export"],
)
def test_only_what_a_change_touches_is_linked_again(
    path: str, old: str, new: str, expected: set[str]
) -> None:
    state, _ = advance(empty_state(), snapshot(SHOP))
    log: list[LinkEvent] = []
    advance(state, [change(path, SHOP[path].replace(old, new, 1))], log.append)
    assert {event.path for event in log} <= {FilePath(one) for one in expected}


def test_edges_say_how_sure_they_are() -> None:
    found = edges_of(SHOP)
    edge = found["calls use.ts#main -> cart.ts#Cart.add"]
    assert edge.kind is EdgeKind.CALLS
    assert edge.confidence >= 0.9
