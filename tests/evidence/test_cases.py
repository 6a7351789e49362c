from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.cases import SymbolIndex, case_symbols
from topomem.model.evidence import CaseResult, CaseSymbol
from topomem.model.ids import FilePath, QualifiedName

HELD = (
    "tests/test_cart.py#test_adds",
    "tests/test_cart.py#TestCart.test_adds",
    "tests/test_cart.py#TestCart.TestInner.test_deep",
    "tests/api/test_cart.py#test_adds",
    "src/test/java/com/acme/CartTest.java#CartTest.adds",
    "src/test/java/com/acme/CartTest.java#CartTest.Inner.adds",
    "src/test/java/com/other/CartTest.java#CartTest.adds",
    "cart/cart_test.go#TestAdd",
    "shop/cart_test.go#TestAdd",
    "top_test.go#TestTop",
    "src/cart.test.ts#",
    "tests/CartTest.php#CartTest.testAdd",
    "src/cart/tests.rs#adds",
)


def symbol(text: str) -> CaseSymbol:
    path, _, name = text.rpartition("#")
    return CaseSymbol(FilePath(path), QualifiedName(name))


INDEX = SymbolIndex.of([symbol(text) for text in HELD])


def case(class_name: str, name: str, file: str = "", suites: tuple[str, ...] = ()) -> CaseResult:
    return CaseResult(suites, class_name, name, "", file, 0, "passed", None, "")


@pytest.mark.parametrize(
    ("given_case", "expected"),
    [
        (case("tests.test_cart", "test_adds"), ["tests/test_cart.py#test_adds"]),
        (case("tests.api.test_cart", "test_adds"), ["tests/api/test_cart.py#test_adds"]),
        (case("tests.test_cart.TestCart", "test_adds"), ["tests/test_cart.py#TestCart.test_adds"]),
        (
            case("tests.test_cart.TestCart.TestInner", "test_deep", "tests/test_cart.py"),
            ["tests/test_cart.py#TestCart.TestInner.test_deep"],
        ),
        (
            case("test_cart.TestCart", "test_adds", "/home/me/x/tests/test_cart.py"),
            ["tests/test_cart.py#TestCart.test_adds"],
        ),
        (
            case("com.acme.CartTest", "adds"),
            ["src/test/java/com/acme/CartTest.java#CartTest.adds"],
        ),
        (
            case("com.acme.CartTest$Inner", "adds"),
            ["src/test/java/com/acme/CartTest.java#CartTest.Inner.adds"],
        ),
        (case("github.com/me/x/cart", "TestAdd"), ["cart/cart_test.go#TestAdd"]),
        (case("github.com/me/x/shop", "TestAdd/two_words"), ["shop/cart_test.go#TestAdd"]),
        (case("github.com/me/x", "TestTop"), ["top_test.go#TestTop"]),
        (case("Cart adds", "Cart adds an item", "src/cart.test.ts"), ["src/cart.test.ts#"]),
        (case("src/cart.test.ts", "cart > adds an item"), ["src/cart.test.ts#"]),
        (
            case("App\\Tests\\CartTest", "testAdd", "/app/tests/CartTest.php"),
            ["tests/CartTest.php#CartTest.testAdd"],
        ),
        (case("shop", "cart::tests::adds"), ["src/cart/tests.rs#adds"]),
        (case("com.nobody.CartTest", "adds"), []),
        (case("tests.test_cart", "test_gone"), []),
        (case("", ""), []),
    ],
)
def test_a_case_is_the_symbol_its_producer_means(
    given_case: CaseResult, expected: list[str]
) -> None:
    assert [f"{one.path}#{one.name}" for one in INDEX.find(given_case)] == expected


@given(st.text(max_size=30), st.text(max_size=20), st.text(max_size=20))
def test_no_name_is_an_error(class_name: str, name: str, file: str) -> None:
    found = case_symbols(case(class_name, name, file))
    assert len(found) == len(set(found)) <= 8
    INDEX.find(case(class_name, name, file))
