"""Texts of records, made and changed."""

from __future__ import annotations

import pytest

from topomem.errors import UsageError
from topomem.records.edit import Draft, new_record, next_name, with_line, with_status
from topomem.records.parse import parse

SUCCESSOR = "Superseded by [2. B](0002-b.md)"

FORMS = {
    "section": "# 1. A\n\n## Status\n\nAccepted\n\n## Context\n\nAccepted facts.\n",
    "front": "---\nstatus: accepted\ndate: 2020-01-02\n---\n\n# A\n\nText.\n",
    "front_quoted": '---\nstatus: "accepted"\ndeciders: Ada\n---\n\n# A\n',
    "item": "# A\n\n* Status: accepted\n* Date: 2020-01-02\n\n## Context\n\nx\n",
    "bold": "# A\n\n**Status:** accepted\n\nText.\n",
    "row": "# A\n\n| Status | accepted |\n|---|---|\n| Date | 2020-01-02 |\n",
    "rst": "A\n=\n\n:Status: accepted\n",
    "heading": "# A\n\n## Status: accepted\n\nText\n",
    "windows": "# 1. A\r\n\r\n## Status\r\n\r\nAccepted\r\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_status_is_changed_and_nothing_else(form: str) -> None:
    before = FORMS[form]
    after = with_status(before, SUCCESSOR)
    decision = parse(after.encode())
    assert decision.status == "superseded"
    assert [(one.kind, one.target, one.number) for one in decision.relations] == [
        ("superseded_by", "0002-b.md", 2)
    ]
    changed = [
        one for one in zip(before.split("\n"), after.split("\n"), strict=True) if one[0] != one[1]
    ]
    assert len(changed) == 1


def test_a_text_without_a_status_is_left_alone() -> None:
    with pytest.raises(UsageError):
        with_status("# A\n\nText.\n", SUCCESSOR)


@pytest.mark.parametrize("form", FORMS)
def test_a_line_about_another_record_is_understood(form: str) -> None:
    after = with_line(FORMS[form], "Supersedes [1. A](0001-a.md)")
    assert [(one.kind, one.target) for one in parse(after.encode()).relations] == [
        ("supersedes", "0001-a.md")
    ]


def test_a_new_record_reads_back() -> None:
    text = new_record(
        Draft(
            'Use "a": queue', "proposed", "2024-05-06", ("Ada", "@team/x"),
            ("src/a.py", "src/**/*.py"), (("1. A", "0001-a.md"),), (("2. B", "0002-b.md"),),
        )
    )  # fmt: skip
    decision = parse(text.encode())
    assert decision.title == 'Use "a": queue'
    assert (decision.status, decision.date) == ("proposed", "2024-05-06")
    assert decision.owners == ("Ada", "@team/x")
    assert [one.target for one in decision.mentions if one.origin == "field"] == [
        "src/a.py",
        "src/**/*.py",
    ]
    assert [(one.kind, one.number) for one in decision.relations] == [("supersedes", 1)]
    assert not decision.diagnostics


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], "0001-use-a-queue.md"),
        (["0009-x.md", "README.md"], "0010-use-a-queue.md"),
        (["adr-099-x.md", "adr-001-y.md"], "adr-100-use-a-queue.md"),
        (["001_x.md"], "002_use-a-queue.md"),
        (["20200101-x.md", "20210101-y.md"], "20240506-use-a-queue.md"),
    ],
)
def test_names_follow_those_that_are_there(names: list[str], expected: str) -> None:
    assert next_name(names, "Use a Queue!", "2024-05-06") == expected
