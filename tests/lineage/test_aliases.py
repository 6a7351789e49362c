from __future__ import annotations

import pytest
from support.lineage import compare, confidence, links

LOAD = """
    def load_user(self, id):
        row = self.db.fetch("users", id)
        if row is None:
            raise KeyError(id)
        user = User(row.id, row.name)
        user.roles = self.roles(row)
        for role in user.roles:
            role.attach(user)
        self.cache[id] = user
        self.log.info("loaded", user)
        return user
"""
SAVE = """
    def save(self, user):
        self.db.store("users", user.id, user.dump())
        self.cache.pop(user.id, None)
        return user
"""


def class_of(name: str, *members: str) -> str:
    return f"class {name}:\n" + "".join(members or ("    pass\n",))


def test_a_method_is_moved_and_renamed_at_once() -> None:
    moved = LOAD.replace("load_user", "fetch_user").replace("KeyError", "LookupError")
    found = compare(
        {"a.py": class_of("A", LOAD, SAVE), "b.py": class_of("B", SAVE)},
        {"a.py": class_of("A", SAVE), "b.py": class_of("B", SAVE, moved)},
    )
    assert links(found) == ["rename_move a.py#A.load_user -> b.py#B.fetch_user"]
    exact = compare(
        {"a.py": class_of("A", LOAD, SAVE), "b.py": class_of("B", SAVE)},
        {"a.py": class_of("A", SAVE), "b.py": class_of("B", SAVE, LOAD)},
    )
    sure = confidence(found, "a.py#A.load_user", "b.py#B.fetch_user")
    assert 0.5 <= sure < confidence(exact, "a.py#A.load_user", "b.py#B.load_user")


@pytest.mark.parametrize("suffix", ["java", "ts"])
def test_a_type_is_renamed_with_its_file_and_takes_its_methods_along(suffix: str) -> None:
    public = "public " if suffix == "java" else "export "
    method = "String find(String key, int depth);" if suffix == "java" else "find(key: string): X;"
    found = compare(
        {f"p/Provider.{suffix}": f"{public}interface Provider {{\n  {method}\n}}\n"},
        {f"p/Source.{suffix}": f"{public}interface Source {{\n  {method}\n}}\n"},
    )
    old, new = f"p/Provider.{suffix}#Provider", f"p/Source.{suffix}#Source"
    assert links(found)[-1] == f"rename {old} -> {new}"
    assert [link for link in links(found) if not link.startswith("container")] == [
        f"rename {old} -> {new}"
    ]


def test_an_updated_reference_is_no_alias() -> None:
    step = "class {0}:\n    def run(self, x):\n        return self.go(x, 1)\n    size = 3\n"
    fits = "def fits(ref: {0}):\n    return ref.run(2) > 1\n"
    found = compare(
        {"a.py": (step + fits).format("Step")}, {"a.py": (step + fits).format("StepOp")}
    )
    assert links(found)[-1] == "rename a.py#Step -> a.py#StepOp"
    assert not any("fits" in link for link in links(found, least=0.0))


def test_equal_bodies_share_the_belief() -> None:
    tip = "    def tip(self):\n        return self.items[-1]\n"
    old = {"a.py": class_of("Bin", tip)}
    new = {
        "a.py": "class Bin1:\n"
        + tip
        + "    class Bin2:\n    "
        + tip.replace("\n", "\n    ").rstrip()
        + "\n"
        + class_of("Bin3", tip)
    }
    found = compare(old, new)
    sure = [alias.confidence for alias in found.aliases if alias.old.name == "Bin.tip"]
    assert sum(sure) <= 1.0
    assert compare(old, new) == found


def test_the_half_of_a_class_that_moves_is_followed_and_the_class_stays() -> None:
    names = ["load", "store", "merge", "check", "index", "drop", "count", "close"]
    methods = {
        name: f"    def {name}(self, key):\n        found = self.{name}_all(key)\n"
        f"        self.log('{name}', found, len(key))\n        return found.{name}(key + 1)\n"
        for name in names
    }
    light = methods["drop"].replace("key + 1", "key + 2")
    found = compare(
        {"a.py": class_of("Whole", *methods.values())},
        {
            "a.py": class_of("Whole", *(methods[name] for name in names[:4])),
            "b.py": class_of("Half", methods["index"], light, methods["count"], methods["close"]),
        },
    )
    assert links(found) == [
        *(f"move a.py#Whole.{name} -> b.py#Half.{name}" for name in sorted(names[4:])),
        "split a.py#Whole -> b.py#Half",
    ]


def test_a_copy_is_no_move() -> None:
    helper = "def helper(value):\n    found = table.look(value)\n    return found.first or value\n"
    first = "def test_one():\n    assert helper(1) == compute(one, 1)\n"
    second = "def test_two():\n    assert helper(2).name == 'two and more'\n"
    found = compare(
        {"x/context.py": helper + first + second},
        {"x/context.py": helper + first, "y/context.py": helper + second},
    )
    assert links(found) == [
        "copy x/context.py#helper -> y/context.py#helper",
        "move x/context.py#test_two -> y/context.py#test_two",
    ]


def test_parameters_and_order_are_no_identity() -> None:
    body = "    def {0}(self, {1}):\n        self.{0}_now(a)\n        return a.{0}\n"
    old = [body.format(name, "a") for name in ("show", "show_dialog", "run")]
    new = [body.format(name, "a, b") for name in ("show_dialog", "show", "run")]
    found = compare({"a.py": class_of("A", *old)}, {"a.py": class_of("A", *new)})
    assert links(found, least=0.0) == []


def test_overloads_are_told_by_their_heads() -> None:
    one = "  void same(String a) { first(a); second(a, 1); third(); }\n"
    two = "  void same(CharSequence a) { other(a); more(a.length()); }\n"
    found = compare({"A.java": f"class A {{\n{one}}}\n"}, {"A.java": f"class A {{\n{two}{one}}}\n"})
    assert links(found) == [
        "renumbered A.java#A.same -> A.java#A.same+2",
        "reused A.java#A.same -> A.java#A.same",
    ]
    widened = compare(
        {"A.java": f"class A {{\n{one}}}\n"},
        {"A.java": f"class A {{\n{one.replace('String', 'CharSequence')}}}\n"},
    )
    assert links(widened, least=0.0) == []


def test_a_name_that_is_used_again_is_another_symbol() -> None:
    report = (
        "def report(rows):\n    table = Table(rows)\n    table.sort('name')\n"
        "    for row in table:\n        print(row.name, row.total, row.date)\n    return table\n"
    )
    other = (
        "def report(path, when):\n    mail = Mail(open(path).read())\n"
        "    mail.to = config.admins\n    mail.send(when)\n    log.warning('sent')\n"
    )
    found = compare(
        {"a.py": report}, {"a.py": other + report.replace("def report", "def show_rows")}
    )
    assert links(found) == [
        "rename a.py#report -> a.py#show_rows",
        "reused a.py#report -> a.py#report",
    ]


def test_swapped_names_follow_the_text() -> None:
    read = "def {0}(path):\n    with open(path) as file:\n        return parse(file.read(), path)\n"
    send = "def {0}(mail):\n    server = connect(mail.host)\n    server.push(mail.body, 3)\n"
    found = compare(
        {"a.py": read.format("one") + send.format("two")},
        {"a.py": read.format("two") + send.format("one")},
    )
    assert [link for link in links(found) if not link.startswith("reused")] == [
        "rename a.py#one -> a.py#two",
        "rename a.py#two -> a.py#one",
    ]


def test_a_part_taken_out_is_no_rename() -> None:
    part = "    total = 0\n    for line in lines:\n        total += line.price * line.count\n"
    rest = "    tax = rates[country].of(total)\n    ledger.add(country, total, tax)\n"
    old = f"def bill(lines, country):\n{part}{rest}    return total + tax\n"
    new = (
        f"def amount(lines):\n{part}    return total\n"
        f"def bill(lines, country):\n    total = amount(lines)\n{rest}    return total + tax\n"
    )
    assert links(compare({"a.py": old}, {"a.py": new})) == ["extract a.py#bill -> a.py#amount"]
    assert links(compare({"a.py": new}, {"a.py": old})) == ["inline a.py#amount -> a.py#bill"]


def test_what_is_taken_out_by_steps_came_from_there() -> None:
    inner = "    low = min(points)\n    high = max(points)\n    span = scale(high, low)\n"
    outer = "    axis.mark(low, span)\n    for label in labels:\n        axis.write(label, span)\n"
    old = f"def draw(axis, points, labels):\n{inner}{outer}    axis.close()\n"
    new = (
        "def draw(axis, points, labels):\n    paint(axis, points, labels)\n    axis.close()\n"
        f"def paint(axis, points, labels):\n    low, span = measure(points)\n{outer}"
        f"def measure(points):\n{inner}    return low, span\n"
    )
    assert links(compare({"a.py": old}, {"a.py": new})) == [
        "extract a.py#draw -> a.py#measure",
        "extract a.py#draw -> a.py#paint",
    ]


def test_what_becomes_a_wrapper_stays_itself() -> None:
    body = "".join(f"    step_{number}(job, {number})\n" for number in range(9))
    old = f"def run(job):\n    check(job)\n{body}    return job.done\n"
    new = (
        f"def run(job):\n    return run_with(job, None)[0]\n"
        f"def run_with(job, pool):\n    check(job)\n{body}    return job.done, pool\n"
    )
    found = compare({"a.py": old}, {"a.py": new})
    assert links(found) == ["extract a.py#run -> a.py#run_with"]


def test_another_package_is_another_place() -> None:
    text = "package {0};\nclass A {{\n  int size = 1;\n  int f() {{ return size + 2; }}\n}}\n"
    old, new = text.format("org.one"), text.format("org.two")
    assert links(compare({"p/A.java": old}, {"p/A.java": new})) == [
        "container p/A.java#A.f -> p/A.java#A.f",
        "container p/A.java#A.size -> p/A.java#A.size",
        "move p/A.java#A -> p/A.java#A",
    ]
    assert links(compare({"p/A.java": old}, {"p/A.java": old.replace("+ 2", "+ 3")})) == []


def test_overloads_whose_text_changed_are_told_by_likeness() -> None:
    inner = (
        "  static void join(Object a, Object b, Class c) {{\n    for (Field f : c.fields()) {{\n"
        "      f.open();\n      add(f.get(a), f.get(b){0});\n    }}\n  }}\n"
    )
    outer = (
        "  Joiner join(Object a, Object b) {\n    if (done) { return this; }\n"
        "    return go(a);\n  }\n"
    )
    found = compare(
        {"A.java": f"class A {{\n{inner.format('')}}}\n"},
        {"A.java": f"class A {{\n{outer}{inner.format(', 1')}}}\n"},
    )
    assert links(found) == [
        "renumbered A.java#A.join -> A.java#A.join+2",
        "reused A.java#A.join -> A.java#A.join",
    ]


def test_a_field_that_is_called_as_a_method_is_followed() -> None:
    text = (
        "class {0} {{\n  private boolean isEqual = {1};\n"
        "  boolean isEqual() {{ return isEqual; }}\n}}\n"
    )
    found = compare({"a/A.java": text.format("A", "true")}, {"a/B.java": text.format("B", "true")})
    assert "container a/A.java#A.isEqual+2 -> a/B.java#B.isEqual+2" in links(found)
    assert "container a/A.java#A.isEqual -> a/B.java#B.isEqual" in links(found)


def test_values_are_followed() -> None:
    old = (
        "LIMIT = 20\nNAMES = {'a': 1, 'b': 2}\nclass A:\n    size: int = 4\n    def f(self): pass\n"
    )
    new = old.replace("NAMES", "KNOWN_NAMES").replace("size", "width")
    found = compare({"a.py": old}, {"a.py": new})
    assert links(found) == [
        "rename a.py#A.size -> a.py#A.width",
        "rename a.py#NAMES -> a.py#KNOWN_NAMES",
    ]


@pytest.mark.parametrize("changed", [0, 15, 17, 18, 20])
def test_a_file_is_followed_as_long_as_half_of_it_stays(changed: int) -> None:
    lines = [f"value_{number} = compute_{number}(source, {number})" for number in range(40)]
    new = [f"fresh_{n} = other_{n}(target, 'x{n}')" for n in range(changed)] + lines[changed:]
    found = compare({"util.py": "\n".join(lines) + "\n"}, {"helpers.py": "\n".join(new) + "\n"})
    files = [alias.confidence for alias in found.aliases if not alias.new.name]
    assert files
    assert files[0] >= 0.5


def test_a_file_of_which_a_quarter_stays_is_another_one() -> None:
    lines = [f"value_{number} = compute_{number}(source, {number})" for number in range(40)]
    new = [f"fresh_{n} = other_{n}(target, 'x{n}')" for n in range(30)] + lines[30:]
    found = compare({"util.py": "\n".join(lines) + "\n"}, {"helpers.py": "\n".join(new) + "\n"})
    assert [a for a in found.aliases if not a.new.name and a.confidence >= 0.5] == []


@pytest.mark.parametrize("count", [60, pytest.param(1100, marks=pytest.mark.slow)])
def test_a_mass_move_is_followed_whole(count: int) -> None:
    text = "# part {0} of the whole\ndef f_{0:04}(x):\n" + "".join(
        f"    y{line} = call_{line}(x, {{0}})\n" for line in range(11)
    )
    new = text.replace("of the whole", "of it all")
    found = compare(
        {f"pkg/m{n:04}.py": text.format(n) for n in range(count)},
        {f"lib/pkg/m{n:04}.py": new.format(n) for n in range(count)},
    )
    assert links(found) == [
        f"container pkg/m{n:04}.py#f_{n:04} -> lib/pkg/m{n:04}.py#f_{n:04}" for n in range(count)
    ]


def test_only_letter_case_changes() -> None:
    found = compare(
        {"Helper.py": "def hello():\n    pass\n"}, {"helper.py": "def hello():\n    pass\n"}
    )
    assert links(found) == ["container Helper.py#hello -> helper.py#hello"]
    assert confidence(found, "Helper.py#hello", "helper.py#hello") >= 0.99


def test_what_only_seems_to_leave_a_class_that_cannot_be_parsed_is_not_moved() -> None:
    whole = class_of(
        "Store", "    table = {\n        'a': 1,\n        'b': 2,\n    }\n", LOAD, SAVE
    )
    broken = whole.replace("'a': 1,", "'a': 1 'x' {")
    for old, new in ((whole, broken), (broken, whole)):
        found = compare({"a.py": old}, {"a.py": new})
        ends = [(alias.old.name, alias.new.name) for alias in found.aliases]
        assert {name for pair in ends for name in pair} == {"Store.save", "save"}
        assert {alias.kind for alias in found.aliases if alias.old.name} <= {"renumbered"}


def test_a_class_is_known_by_what_its_members_say() -> None:
    names = ["load", "store", "merge", "check"]
    methods = [
        f"    def {name}(self, key):\n        found = self.{name}_all(key)\n"
        f"        self.log('{name}', found, len(key))\n        return found.{name}(key + 1)\n"
        for name in names
    ]
    lighter = [
        text.replace("key + 1", f"key + {number}, retry=True").replace("len(key)", "key.size")
        for number, text in enumerate(methods, 2)
    ]
    other = class_of("Keeper", "    def open(self, path):\n        return Path(path).open()\n")
    found = compare(
        {"keep.py": class_of("Holder", *methods), "other.py": other},
        {"kept.py": class_of("Keeper", *lighter), "other.py": "import keep\n"},
    )
    assert "rename keep.py#Holder -> kept.py#Keeper" in links(found)


def test_a_text_that_stands_whole_under_a_new_name_went_there() -> None:
    check = (
        "def {0}(store, key):\n    found = store.find(key)\n    assert found.key == key\n"
        "    assert found.age({1}) > 0\n    assert store.count(key) == {1}\n{2}"
    )
    old = check.format("test_find", 1, "    store.close(key)\n")
    again = check.format("test_find", 2, "    store.reopen(key, 'r')\n    assert store.fresh\n")
    found = compare({"a.py": old}, {"a.py": old.replace("test_find", "test_find_one") + again})
    assert "rename a.py#test_find -> a.py#test_find_one" in links(found, least=0.4)


def test_what_a_limit_keeps_from_being_compared_is_told() -> None:
    body = "    first = compute(x, 1)\n    second = other(first, x)\n    return first + second\n"
    old, new = (
        "".join(f"def {word}_{number:03}(x):\n{body}\n" for number in range(60))
        for word in ("old", "fresh")
    )
    found = compare({"a.py": old}, {"a.py": new})
    assert found.left_out
    assert links(found) == []
    assert compare({"a.py": ""}, {"a.py": old}).left_out == 0


def test_a_class_is_where_most_of_its_methods_went() -> None:
    plans = "".join(f"    plan_{number} = make({number}, 'plan')\n" for number in range(30))
    cards = "".join(f"    card_{number} = {{'suit': [{number}]}}\n" for number in range(24))
    stays = {"a.py": SAVE.replace("    def", "def"), "b.py": LOAD.replace("    def", "def")}
    light = LOAD.replace("self.roles(row)", "self.hand(row, 5)")
    found = compare(
        stays | {"a.py": stays["a.py"] + class_of("Agent", plans, LOAD, SAVE)},
        stays | {"b.py": stays["b.py"] + class_of("Player", cards, light, SAVE)},
    )
    linked = links(found, least=0.4)
    assert "rename_move a.py#Agent -> b.py#Player" in linked
    assert "container a.py#Agent.load_user -> b.py#Player.load_user" in linked
