"""`topomem decision` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import answer, topomem
from support.history import build

TEXT = """
=== c1
--- src/a.py
def run():
    pass
--- adr/0001-a.md
# A

- Status: accepted
- Date: 2024-01-02
- Review date: 2024-06-01
- Deciders: Ada

## Governs

- `src/a.py`
=== c2 < c1
--- adr/0001-a.md
# A

- Status: superseded by ADR-2
- Date: 2024-01-02
- Deciders: Ada
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("decisions")
    build(TEXT, made)
    answer("index", cwd=made)
    return made


def test_a_list_has_the_keys_of_the_contract(folder: Path) -> None:
    document = answer("decision", "list", "--as-of", "HEAD~1", cwd=folder)
    (decision,) = document["decisions"]
    assert set(decision) >= {
        "id", "path", "number", "title", "status", "status_text", "date", "owners", "review_date",
        "supersedes", "superseded_by", "governs", "diagnostics", "citation", "partly_superseded",
        "provenance",
    }  # fmt: skip
    assert decision["governs"][0] | {"line": 0} == {
        "kind": "path", "target": "src/a.py", "confidence": 1.0, "method": "authored",
        "named_in": "field", "line": 0, "found": True, "moved_from": None,
    }  # fmt: skip
    assert len(decision["id"]) == 16
    assert decision["citation"]["path"] == "adr/0001-a.md"


def test_an_empty_list_says_why(folder: Path) -> None:
    document = answer("decision", "list", cwd=folder)
    assert document["decisions"] == []
    assert document["empty"]["reason"] == "no_match"
    assert len(answer("decision", "list", "--all", cwd=folder)["decisions"]) == 1


def test_check_exits_with_one_when_something_is_wrong(folder: Path) -> None:
    done = topomem("decision", "check", "--json", cwd=folder)
    assert done.code == 1
    assert [one["code"] for one in done.document["failed"]] == ["missing_record"]
    early = ("decision", "check", "--as-of", "HEAD~1", "--today")
    assert topomem(*early, "2024-05-31", cwd=folder).code == 0
    assert topomem(*early, "2024-06-02", cwd=folder).code == 1


def test_lines_for_people(folder: Path) -> None:
    listed = topomem("decision", "list", "--all", cwd=folder)
    assert "superseded" in listed.out
    shown = topomem("decision", "show", "1", "--as-of", "HEAD~1", cwd=folder)
    assert "governs path src/a.py" in shown.out
    assert "## Governs" in shown.out


def test_show_names_the_decisions_of_a_symbol(folder: Path) -> None:
    document = answer("show", "src/a.py#run", "--as-of", "HEAD~1", cwd=folder)
    assert [one["path"] for one in document["decisions"]] == ["adr/0001-a.md"]
    assert "governed by" in topomem("show", "run", "--as-of", "HEAD~1", cwd=folder).out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "77"), 3),
        (("check", "--run", "--as-of", "HEAD"), 2),
        (("new", " "), 2),
        (("new", "X", "--status", "bogus"), 2),
    ],
)
def test_exit_codes(folder: Path, words: tuple[str, ...], code: int) -> None:
    assert topomem("decision", *words, "--json", cwd=folder).code == code


def test_text_of_a_record_cannot_steer_a_terminal(tmp_path: Path) -> None:
    build("=== c1\n--- adr/0001-a.md\n# A\x1b[31m\n\nStatus: accepted\x07\n", tmp_path)
    answer("index", cwd=tmp_path)
    for words in (("list",), ("show", "1"), ("check",)):
        assert "\x1b" not in topomem("decision", *words, cwd=tmp_path).out
