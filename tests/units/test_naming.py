"""What tests and files of tests are named after."""

from __future__ import annotations

import pytest

from topomem.languages.load import load_languages
from topomem.model.ids import FilePath, LanguageName, QualifiedName
from topomem.units.naming import Named, Pairs, name_words, subjects

SPECS = [one.spec for one in load_languages()]
PYTHON = next(one for one in SPECS if one.name == "python")
GO = next(one for one in SPECS if one.name == "go")


def check_pair(files: str, path: str, pair: str | None) -> None:
    by_suffix = {suffix: one.name for one in SPECS for suffix in one.files.suffixes}
    languages = {
        FilePath(one): LanguageName(by_suffix["." + one.rpartition(".")[2]])
        for one in [path, *files.split()]
    }
    assert Pairs(languages, SPECS).pair(FilePath(path)) == pair


@pytest.mark.parametrize(
    ("files", "path", "pair"),
    [
        ("src/pkg/helpers.py src/pkg/other.py", "tests/test_helpers.py", "src/pkg/helpers.py"),
        ("src/pkg/json/__init__.py", "tests/test_json.py", "src/pkg/json/__init__.py"),
        ("a/x.py b/x.py", "test_x.py", None),
        ("a/x.py b/x.py", "tests/b/test_x.py", "b/x.py"),
        ("tests/x.py", "tests/test_x.py", None),
        ("lib/form.ts lib/form.tsx", "lib/form.test.ts", None),
        ("lib/form.tsx", "lib/form.test.ts", "lib/form.tsx"),
        ("lib/form.py", "lib/form.test.ts", None),
        ("tree.go", "tree_test.go", "tree.go"),
        (
            "src/main/java/a/Cart.java src/main/java/b/Cart.java",
            "src/test/java/b/CartTest.java",
            "src/main/java/b/Cart.java",
        ),
    ],
)
def test_files(files: str, path: str, pair: str | None) -> None:
    check_pair(files, path, pair)


def find(symbols: str, name: str) -> list[tuple[str, bool]]:
    keys = [(FilePath("a"), QualifiedName(one)) for one in symbols.split()]
    return [(key[1], whole) for key, whole in Named(keys).find(name, PYTHON.tests.names)]


def test_symbols() -> None:
    assert find("url_for url", "test_url_for") == [("url_for", True)]
    assert find("url_for url", "test_url_for_with_anchor") == [("url_for", False)]
    assert find("url_for", "test_other") == []
    assert find("get", "test_get") == [("get", True)]
    assert find("get", "test_get_other") == []  # one short word says little
    assert find("A.run B.run", "test_run") == []
    assert find("A.run A.run+2", "test_run") == [("A.run", True)]
    assert find("Session", "TestSession") == [("Session", True)]


def test_words() -> None:
    assert name_words("getHTTPUrl2") == name_words("get_http_url_2")
    assert subjects("TestContextGet", GO.tests.names) == ["ContextGet"]
    assert subjects("Testing", ("Test_{}",)) == []
