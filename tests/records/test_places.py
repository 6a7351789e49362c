"""Which paths promise a record."""

from __future__ import annotations

import pytest

from topomem.model.ids import FilePath
from topomem.records.places import number_of, place
from topomem.records.texts import tells_a_decision


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/adr/0001-x.md", "record"),
        ("doc/adr/use-x.md", "record"),
        ("adr/backend/0001-x.md", "record"),
        ("adr/backend/notes.md", "maybe"),
        ("docs/decisions/0001-x.rst", "record"),
        ("docs/architecture/decisions/0001-x.adoc", "record"),
        ("docs/architecture/adr-001-x.md", "record"),
        ("docs/architecture/overview.md", ""),
        ("architecture-decision-record/001-x.md", "record"),
        ("packages/web/docs/adr/20200925-use-x.md", "record"),
        ("docs/adr/README.md", "beside"),
        ("docs/adr/template.md", "beside"),
        ("docs/adr/adr-template.md", "beside"),
        ("docs/adr/picture.png", ""),
        ("src/decisions.md", ""),
        ("README.md", ""),
    ],
)
def test_places(path: str, expected: str) -> None:
    assert place(FilePath(path)) == expected


def test_a_folder_may_be_named_and_a_path_chosen() -> None:
    path = FilePath("design/0001-x.md")
    assert place(path) == ""
    assert place(path, ("design",)) == "record"
    assert place(path, is_chosen=True) == "record"


@pytest.mark.parametrize(
    ("path", "number"),
    [("adr/0012-x.md", 12), ("adr/adr-105-x.md", 105), ("adr/20200925-x.md", None), ("adr/x.md", None)],
)  # fmt: skip
def test_numbers(path: str, number: int | None) -> None:
    assert number_of(FilePath(path)) == number


def test_front_matter_tells_a_decision_anywhere() -> None:
    assert tells_a_decision(b"---\nstatus: accepted\ndeciders: Ada\n---\n# T\n")
    assert not tells_a_decision(b"---\nstatus: accepted\nlayout: post\n---\n# T\n")
    assert not tells_a_decision(b"# T\n\nStatus: accepted\n")
