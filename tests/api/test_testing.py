"""What tests what, by the conventions of each way of testing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.history import build
from support.indexed import Indexed

import topomem
from topomem.api.documents import edges_document
from topomem.cli.render import edge_lines

Check = Callable[..., None]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Check the `tests` edges of a text: lines `test -> symbol how distance`, and what must not be."""

    def run(text: str, expected: str, absent: str = "") -> None:
        history = build(f"=== c1\n{text.lstrip()}", tmp_path / "repository")
        Indexed(history, tmp_path / "store").run()
        memory = topomem.open(history.folder, store=tmp_path / "store")
        answer = memory.edges(kinds=["tests"])
        found = {
            f"{edge.source.id} -> {edge.target.path}#{edge.target.qualified_name}"
            f" {edge.reach} {edge.distance}"
            for edge in answer.tests
        }
        wanted = {line.strip() for line in expected.strip().splitlines()}
        assert wanted <= found, "\n".join(sorted(found))
        for target in sorted({edge.target for edge in answer.tests})[:3]:
            shown = memory.show(f"{target.path}#{target.qualified_name}").tests
            assert set(shown) == {edge for edge in answer.tests if edge.target == target}
        unwanted = {line.strip() for line in absent.strip().splitlines()}
        assert not {line for line in found if line.startswith(tuple(unwanted))}

    return run


PRODUCT = """
--- shop/cart.py
class Cart:
    def add(self, line):
        self.lines.append(line)

def total(cart):
    return sum(cart.lines)

def unused():
    pass
"""


def test_pytest_functions_fixtures_and_helpers(check: Check) -> None:
    check(
        PRODUCT
        + """
--- tests/conftest.py
import pytest
from shop.cart import Cart

@pytest.fixture
def cart():
    return Cart()

@pytest.fixture
def full(cart):
    return cart

@pytest.fixture(autouse=True)
def quiet():
    unused()

from shop.cart import unused
--- tests/test_cart.py
from shop.cart import total

def helper():
    return total(1)

def test_total():
    def inner():
        return total(2)
    assert inner()

def test_through_a_helper():
    helper()

def test_full(full):
    pass

class TestMore:
    def test_total(self):
        total(3)

    def helper(self):
        pass
""",
        """
        tests/test_cart.py#test_total -> shop/cart.py#total call 1
        tests/test_cart.py#test_through_a_helper -> shop/cart.py#total call 2
        tests/test_cart.py#test_full -> shop/cart.py#Cart call 3
        tests/test_cart.py#test_full -> shop/cart.py#unused call 2
        tests/test_cart.py#TestMore.test_total -> shop/cart.py#total call 1
        tests/test_cart.py# -> shop/cart.py# import 1
        """,
        """
        tests/test_cart.py#helper
        tests/test_cart.py#TestMore.helper
        tests/conftest.py
        """,
    )


def test_unittest_classes_inherit_their_base_and_its_set_up(check: Check) -> None:
    check(
        PRODUCT
        + """
--- tests/base.py
import unittest
from shop.cart import Cart

class Base(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()
--- tests/test_it.py
from tests.base import Base
from shop.cart import total

class Checks(Base):
    def test_one(self):
        total(self.cart)

class NoTests:
    def test_two(self):
        total(1)
""",
        """
        tests/test_it.py#Checks.test_one -> shop/cart.py#total call 1
        tests/test_it.py#Checks.test_one -> shop/cart.py#Cart call 2
        """,
        "tests/test_it.py#NoTests",
    )


def test_calls_that_take_a_test(check: Check) -> None:
    check(
        """
--- src/add.ts
export function add(a: number, b: number) { return a + b; }
export function reset() {}
export function sub(a: number) { return a; }
--- src/add.test.ts
import { add, reset, sub } from "./add";

function helper() { return add(1, 2); }

describe("add", () => {
  beforeEach(() => { reset(); });
  it("adds", () => {
    expect(helper()).toBe(3);
  });
  it.each([[1], [2]])("takes %s", (one) => {
    add(one, 1);
  });
});

test("subtracts", () => { sub(1); });
""",
        """
        src/add.test.ts#:7 -> src/add.ts#add call 2
        src/add.test.ts#:7 -> src/add.ts#reset call 2
        src/add.test.ts#:10 -> src/add.ts#add call 1
        src/add.test.ts#:15 -> src/add.ts#sub call 1
        src/add.test.ts# -> src/add.ts# import 1
        """,
        """
        src/add.test.ts#:15 -> src/add.ts#add
        src/add.test.ts#:15 -> src/add.ts#reset
        src/add.test.ts#:5
        """,
    )


def test_functions_without_a_name_written_the_old_way(check: Check) -> None:
    check(
        """
--- lib/add.js
function add(a) { return a; }
function start() {}
module.exports = { add, start };
--- test/add.js
const { add, start } = require('../lib/add');
describe('add', function () {
  before(function () { start(); });
  it('adds', function () {
    add(1);
  });
  it.skip('adds later', async function () { add(2); });
  it('is to do');
});
""",
        """
        test/add.js#:4 -> lib/add.js#add call 1
        test/add.js#:4 -> lib/add.js#start call 2
        test/add.js#:7 -> lib/add.js#add call 1
        test/add.js# -> lib/add.js# import 1
        """,
        "test/add.js#:8",
    )


def test_functions_that_begin_with_the_word(check: Check) -> None:
    check(
        """
--- go.mod
module example.org/m
--- total.go
package m

func Total(a int) int { return a }
func Other(a int) int { return a }
--- total_test.go
package m

import "testing"

func TestTotal(t *testing.T) { Total(1) }
func BenchmarkTotal(b *testing.B) { check(1) }
func TestTotalOfNothing(t *testing.T) {}
func Testify() { Other(1) }
func check(a int) { Total(a) }
""",
        """
        total_test.go#TestTotal -> total.go#Total call 1
        total_test.go#BenchmarkTotal -> total.go#Total call 2
        total_test.go#TestTotalOfNothing -> total.go#Total naming 1
        total_test.go# -> total.go# naming 1
        """,
        "total_test.go#Testify",
    )


def test_annotated_methods(check: Check) -> None:
    check(
        """
--- src/main/java/org/Cart.java
package org;
public class Cart {
    public int total() { return 1; }
    public void clear() {}
}
--- src/test/java/org/CartTest.java
package org;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
class CartTest {
    private final Cart cart = new Cart();
    @BeforeEach
    void prepare() { cart.clear(); }
    @Test
    void sums() { cart.total(); }
    void helper() { cart.total(); }
}
--- src/main/java/org/Other.java
package org;
public class Other { public static final int ONE = 1; }
--- src/test/java/org/Constants.java
package org;
class Constants extends Other {
    static final int TWO = 2;
}
--- src/test/java/org/OtherTest.java
package org;
import org.junit.jupiter.api.Test;
class OtherTest {
    @Test
    void names() { int two = Constants.TWO; }
    @Test
    void makes() { new Constants(); }
}
""",
        """
        src/test/java/org/CartTest.java#CartTest.sums -> src/main/java/org/Cart.java#Cart.total call 1
        src/test/java/org/CartTest.java#CartTest.sums -> src/main/java/org/Cart.java#Cart.clear call 2
        src/test/java/org/CartTest.java#CartTest.sums -> src/main/java/org/Cart.java#Cart call 2
        src/test/java/org/CartTest.java#CartTest -> src/main/java/org/Cart.java#Cart naming 1
        src/test/java/org/CartTest.java# -> src/main/java/org/Cart.java# naming 1
        src/test/java/org/OtherTest.java#OtherTest.makes -> src/main/java/org/Other.java#Other call 2
        """,
        """
        src/test/java/org/CartTest.java#CartTest.helper
        src/test/java/org/OtherTest.java#OtherTest.names
        """,
    )


def test_of_several_symbols_with_one_name_none_is_chosen(check: Check) -> None:
    check(
        """
--- a/one.py
def load(): pass
--- b/one.py
def load(): pass
--- test_one.py
def test_load(): pass
--- c/one.py
def run_now(): pass
class A:
    def stop(self): pass
class B:
    def stop(self): pass
--- c/test_one.py
def test_run_now_and_then(): pass
def test_stop(): pass
""",
        """
        c/test_one.py#test_run_now_and_then -> c/one.py#run_now naming 1
        c/test_one.py# -> c/one.py# naming 1
        """,
        """
        test_one.py
        c/test_one.py#test_stop
        """,
    )


def test_owners_are_those_of_the_revision(tmp_path: Path) -> None:
    history = build(
        """
=== c1
--- CODEOWNERS
* @old
--- src/a.py
def total(): pass
--- tests/test_a.py
from src.a import total
def test_total(): total()
=== c2 < c1
--- .github/CODEOWNERS
* @all
/src/ @core @more
""",
        tmp_path / "repository",
    )
    Indexed(history, tmp_path / "store").run()
    memory = topomem.open(history.folder, store=tmp_path / "store")

    def owners(as_of: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in memory.edges(kinds=["owns"], path="**/a.py", as_of=as_of).owns:
            found.setdefault(one.path, []).append(f"{one.owner} {one.source}:{one.line}")
        return found

    assert owners("HEAD~1") == {"src/a.py": ["@old CODEOWNERS:1"]}
    assert owners("HEAD") == {
        "src/a.py": ["@core .github/CODEOWNERS:2", "@more .github/CODEOWNERS:2"]
    }
    shown = memory.show("src/a.py#total")
    assert [one.owner for one in shown.owners] == ["@core", "@more"]
    assert [edge.source.id for edge in shown.tests] == [
        "tests/test_a.py#test_total",
        "tests/test_a.py#",
    ]


def test_tests_in_the_work_tree_count(tmp_path: Path) -> None:
    history = build("=== c1\n--- a.py\ndef total(): pass\n", tmp_path / "repository")
    history.checkout()
    Indexed(history, tmp_path / "store").run()
    memory = topomem.open(history.folder, store=tmp_path / "store")
    assert memory.edges(kinds=["tests"]).empty is not None
    file = history.folder / "test_a.py"
    file.write_text("from a import total\n\n\ndef test_it():\n    total()\n")
    found = memory.edges(kinds=["tests"], as_of="WORKTREE").tests
    called = [edge for edge in found if edge.reach == "call"]
    assert [(edge.source.id, edge.line, edge.confidence > 0.9) for edge in called] == [
        ("test_a.py#test_it", 5, True)
    ]


def test_documents_of_tests_and_owners(tmp_path: Path) -> None:
    history = build(
        """
=== c1
--- CODEOWNERS
[Code] @core
*.ts
--- src/add.ts
export function add(a: number) { return a; }
--- src/add.test.ts
import { add } from "./add";
test("adds", () => { add(1); });
""",
        tmp_path / "repository",
    )
    Indexed(history, tmp_path / "store").run()
    memory = topomem.open(history.folder, store=tmp_path / "store")
    answer = memory.edges(kinds=["tests", "owns"], path="src/add*")
    edges = edges_document(answer)["edges"]
    assert next(edge for edge in edges if edge["method"] == "call") == {
        "kind": "tests",
        "source": {
            "path": "src/add.test.ts",
            "qualified_name": "",
            "kind": "module",
            "start_line": 2,
            "end_line": 2,
            "title": "adds",
        },
        "target": {
            "path": "src/add.ts",
            "qualified_name": "add",
            "kind": "function",
            "start_line": 1,
        },
        "path": "src/add.test.ts",
        "line": 2,
        "confidence": 0.98,
        "method": "call",
        "distance": 1,
        "provenance": {"method": "parsed", "source": "call", "confidence": 0.98},
    }
    assert edges[-1] == {
        "kind": "owns",
        "source": {"owner": "@core"},
        "target": {"path": "src/add.ts", "qualified_name": "", "kind": "module", "start_line": 1},
        "path": "CODEOWNERS",
        "line": 2,
        "confidence": 1.0,
        "method": "codeowners",
        "provenance": {"method": "authored", "source": "CODEOWNERS", "confidence": 1.0},
        "section": "Code",
    }
    assert {edge["method"] for edge in edges} == {"call", "import", "codeowners"}
    text = list(edge_lines(answer))
    assert "src/add.test.ts:2  src/add.test.ts#:2 (adds) tests src/add.ts#add  1 0.98 call" in text
    assert text[-1] == "CODEOWNERS:2  @core owns src/add.ts"
