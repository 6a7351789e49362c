from __future__ import annotations

import pytest

from topomem.api.documents import edge_document, edge_words, kinds_of, plain_name
from topomem.model.answer import Edge, SymbolRef
from topomem.model.code import EdgeKind, External, Method, SymbolKind, Unresolved
from topomem.model.ids import FilePath, Moniker, QualifiedName

HERE = FilePath("a.py")


def end(name: str) -> SymbolRef:
    return SymbolRef(HERE, QualifiedName(name), SymbolKind.FUNCTION, 3)


def edge(kind: EdgeKind, target: SymbolRef | External | Unresolved) -> Edge:
    return Edge(kind, end("f"), target, HERE, 7, 0.9, Method.IMPORT)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("f", "f"),
        ("C.f+2", "C.f"),
        ("f+2.inner", "f.inner"),
        ("f+10.inner+3", "f.inner"),
        ("operator+", "operator+"),
        ("C.operator+=", "C.operator+="),
        ("", ""),
    ],
)
def test_numbers_belong_to_ids(name: str, plain: str) -> None:
    assert plain_name(QualifiedName(name)) == plain


def test_an_end_has_an_id_where_its_name_does_not_tell() -> None:
    plain, numbered = (edge_document(edge(EdgeKind.CALLS, end(name))) for name in ("g", "g+2"))
    assert plain["target"] == {
        "path": "a.py",
        "qualified_name": "g",
        "kind": "function",
        "start_line": 3,
    }
    assert numbered["target"] == plain["target"] | {"id": "a.py#g+2"}


@pytest.mark.parametrize(
    ("kind", "word", "role"),
    [
        (EdgeKind.CALLS, "calls", None),
        (EdgeKind.CONSTRUCTS, "instantiates", "constructs"),
        (EdgeKind.READS, "references", "reads"),
        (EdgeKind.WRITES, "references", "writes"),
        (EdgeKind.USES_TYPE, "references", "uses_type"),
        (EdgeKind.INHERITS, "inherits", None),
    ],
)
def test_kinds_have_their_words(kind: EdgeKind, word: str, role: str | None) -> None:
    document = edge_document(edge(kind, end("g")))
    assert (document["kind"], document.get("role")) == (word, role)
    assert kind in kinds_of(word)
    assert kinds_of(role or word) == ((kind,) if role else kinds_of(word))


def test_every_word_is_understood() -> None:
    assert all(kinds_of(word) for word in edge_words())
    assert kinds_of("nonsense") == ()


def test_targets_that_are_no_symbols() -> None:
    outside = edge_document(edge(EdgeKind.CALLS, External("os.path.join")))
    assert outside["target"] == {"external": "os.path.join"}
    unknown = edge_document(edge(EdgeKind.CALLS, Unresolved("go", (Moniker("b.py#go"),))))
    assert unknown["target"] == {"unresolved": "go", "candidates": ["b.py#go"]}


def test_what_is_concluded_says_so() -> None:
    guessed = Edge(EdgeKind.CALLS, end("f"), end("g"), HERE, 7, 0.3, Method.UNIQUE_NAME)
    assert edge_document(guessed)["provenance"] == {
        "method": "inferred",
        "source": "unique_name",
        "confidence": 0.3,
    }
