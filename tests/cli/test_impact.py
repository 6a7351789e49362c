"""`topomem impact` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import answer, topomem
from support.shop import shop


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    shop(folder)
    assert topomem("index", "--jobs", "1", cwd=folder).code == 0
    return folder


def test_the_document_of_an_impact(place: Path) -> None:
    document = answer("impact", "HEAD~1", "HEAD", cwd=place)
    assert document["changed"] == [
        {"id": "shop/prices.py#tax", "change": "changed", "kinds": ["body", "documentation"]}
    ]
    assert [(one["id"], one["distance"], one["kinds"]) for one in document["affected"]] == [
        ("shop/cart.py#Cart.total", 1, ["calls"]),
        ("shop/prices.py#unused", 1, ["calls"]),
        ("shop/checkout.py#pay", 2, ["calls", "calls"]),
    ]
    first = document["affected"][0]
    assert first["because"] == "shop/prices.py#tax"
    assert first["provenance"]["method"] == "inferred"
    assert (document["tests"], document["owners"], document["stale"]) == ([], [], [])


def test_the_text_of_an_impact(place: Path) -> None:
    done = topomem("impact", "HEAD~1", cwd=place)
    assert done.code == 0
    assert "changed (1)" in done.out
    assert "  2  shop/checkout.py#pay" in done.out


def test_wrong_usage(place: Path) -> None:
    assert topomem("impact", "HEAD~1", "--depth", "0", cwd=place).code == 2
    assert topomem("impact", "nowhere", cwd=place).code == 3
    assert topomem("impact", cwd=place).code == 2
