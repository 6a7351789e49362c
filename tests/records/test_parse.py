"""What the text of one record says, in the forms that are found in the wild."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.model.decision import Decision, decision_body, read_decision
from topomem.records.parse import parse

NYGARD = """# 12. Use a queue

Date: 2021-03-04

## Status

{status}

## Context

We wait too long.

## Decision

We use a queue.

## Consequences

It is another thing to run.
"""

MADR2 = """# Use a queue

* Status: {status}
* Deciders: Ada, Grace Hopper <grace@example.org>
* Date: 2021-03-04

Technical Story: #12

## Context and Problem Statement

We wait.

## Decision Drivers

* latency

## Considered Options

* queue
* threads

## Decision Outcome

Chosen option: "queue".

### Positive Consequences

* quick

## Links

* Supersedes [ADR-0003](0003-threads.md)
"""

MADR4 = """---
status: "{status}"
date: 2021-03-04
decision-makers: [Ada, Grace]
---

# Use a queue

## Context and Problem Statement

We wait.

## Decision Outcome

A queue.

### Confirmation

Run `pytest tests/queue` and see `tests/test_queue.py::test_order`.
"""

TABLE = """# Use a queue

| Status | Date |
|--------|------|
| {status} | 2021-03-04 |

## Decision

A queue.
"""

ROWS = """# Use a queue

| | |
|---|---|
| **Status** | {status} |
| **Date** | 2021-03-04 |
"""

RST = """Use a queue
===========

:Status: {status}
:Date: 2021-03-04

Decision
--------

A queue.
"""

RST_SECTION = """===============
12. Use a queue
===============

Status
------

{status}

Decided 4 March 2021

Decision
--------

A queue.
"""

ADOC = """= Use a queue

== Status

{status}

== Decision

A queue on 2021-03-04.
"""

BOLD = """# Use a queue

**Status:** {status}
**Date:** 4 March 2021

Because.
"""

IN_HEADING = """# Use a queue

## Status: {status}

Because.
"""

BOLD_HEADING = """# Use a queue

**Status**

{status}

**Decision**

A queue.
"""

FORMS = {
    "nygard": NYGARD, "madr2": MADR2, "madr4": MADR4, "table": TABLE, "rows": ROWS, "rst": RST,
    "rst_section": RST_SECTION, "adoc": ADOC, "bold": BOLD, "in_heading": IN_HEADING,
    "bold_heading": BOLD_HEADING,
}  # fmt: skip


def read(text: str) -> Decision:
    return parse(text.encode())


def check_status(text: str, status: str, written: str) -> None:
    decision = read(text)
    assert (decision.status, decision.status_text) == (status, written)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("written", "status"),
    [("Accepted", "accepted"), ("DRAFT", "proposed"), ("superseded by ADR-0013", "superseded")],
)
def test_status_is_found_in_every_form(form: str, written: str, status: str) -> None:
    check_status(FORMS[form].format(status=written), status, written)


@pytest.mark.parametrize("form", FORMS)
def test_the_title_is_found_in_every_form(form: str) -> None:
    assert read(FORMS[form].format(status="Accepted")).title == "Use a queue"


def test_a_quote_of_all_states_is_no_status() -> None:
    text = NYGARD.format(status='> may be "proposed", "accepted" or "deprecated"\n\nImplemented')
    check_status(text, "implemented", "Implemented")


def test_code_and_comments_are_no_status() -> None:
    text = "# A\n\n<!-- Status: rejected -->\n```\nStatus: draft\n```\n\nStatus: accepted\n"
    check_status(text, "accepted", "accepted")


def test_what_a_template_left_is_told() -> None:
    decision = read(NYGARD.format(status="{Deprecated|Proposed|Accepted|Declined}"))
    assert decision.status == "unknown"
    assert "template_status" in [one.code for one in decision.diagnostics]


def test_a_status_that_is_not_understood_is_told() -> None:
    decision = read(NYGARD.format(status="Chartreuse"))
    assert (decision.status, decision.status_text) == ("unknown", "Chartreuse")
    assert "unknown_status" in [one.code for one in decision.diagnostics]


def test_a_text_that_says_nothing_is_a_record_with_diagnostics() -> None:
    codes = {one.code for one in read("just words\n").diagnostics}
    assert codes == {"no_title", "no_status", "no_date"}


def test_later_paragraphs_of_a_status_count_where_they_begin_with_one() -> None:
    text = NYGARD.format(status="Accepted\n\nSuperseded by [13. Streams](0013-streams.md)\n\nMore.")
    decision = read(text)
    assert decision.status == "superseded"
    assert decision.status_text.startswith("Accepted")
    (relation,) = decision.relations
    assert (relation.kind, relation.target, relation.number) == (
        "superseded_by",
        "0013-streams.md",
        13,
    )


@pytest.mark.parametrize(
    "written",
    ["Implemented. Parts of this ADR were superseded by [ADR-020](./adr-020-x.md).",
     "Accepted, partly superseded by ADR-20"],
)  # fmt: skip
def test_what_is_superseded_in_part_still_holds(written: str) -> None:
    decision = read(NYGARD.format(status=written))
    assert decision.status in ("implemented", "accepted")
    assert decision.partly_superseded
    assert [(one.kind, one.number, one.partly) for one in decision.relations] == [
        ("superseded_by", 20, True)
    ]


def test_parts_have_their_lines() -> None:
    text = NYGARD.format(status="Accepted")
    decision = read(text)
    lines = text.split("\n")
    part = decision.part("decision")
    assert part is not None
    assert "\n".join(lines[part.start_line - 1 : part.end_line]).strip() == "We use a queue."
    assert {part.name for part in decision.parts} == {
        "status", "date", "context", "decision", "consequences",
    }  # fmt: skip


def test_madr_fields() -> None:
    decision = read(MADR2.format(status="accepted"))
    assert decision.owners == ("Ada", "Grace Hopper <grace@example.org>")
    assert decision.date == "2021-03-04"
    assert {"constraints", "alternatives", "decision"} <= {part.name for part in decision.parts}
    assert [(one.kind, one.target) for one in decision.relations] == [
        ("supersedes", "0003-threads.md")
    ]


def test_front_matter_fields() -> None:
    decision = read(MADR4.format(status="accepted"))
    assert decision.owners == ("Ada", "Grace")
    assert [(one.kind, one.target) for one in decision.invariants] == [
        ("command", "pytest tests/queue"),
        ("test", "tests/test_queue.py::test_order"),
    ]


def test_front_matter_that_is_no_yaml_is_read_key_by_key() -> None:
    decision = read("---\ntitle: Use X: because\nstatus: accepted\n---\n\nText.\n")
    assert (decision.title, decision.status) == ("Use X: because", "accepted")
    assert "front_matter" in [one.code for one in decision.diagnostics]


def test_governs_and_invariants_of_front_matter() -> None:
    decision = read(
        "---\nstatus: accepted\ngoverns:\n  paths: [src/a.py, 'src/**/*.go']\n"
        "  symbols: [src/a.py#A.b]\n  services: [billing]\nreview-date: 2030-01-01\n"
        "invariants:\n  - test: tests/a.py::test_a\n  - make lint\n  - no-cycles\n---\n# T\n"
    )
    assert [(one.kind, one.target) for one in decision.mentions] == [
        ("path", "src/a.py"),
        ("path", "src/**/*.go"),
        ("symbol", "src/a.py#A.b"),
        ("service", "billing"),
    ]
    assert [(one.kind, one.target) for one in decision.invariants] == [
        ("test", "tests/a.py::test_a"),
        ("command", "make lint"),
        ("rule", "no-cycles"),
    ]
    assert decision.review_date == "2030-01-01"


def test_a_section_of_components_is_taken_at_its_word() -> None:
    text = (
        "# T\n\n## Affected components\n\n- `src/a.py` - the core\n- service: billing\n- src/b/\n"
    )
    assert [(one.kind, one.target, one.origin) for one in read(text).mentions][:3] == [
        ("path", "src/a.py", "field"),
        ("service", "billing", "field"),
        ("path", "src/b/", "field"),
    ]


def test_prose_mentions_paths_and_symbols() -> None:
    text = (
        "# T\n\nSee [code](../../src/a.py#L3), `Shop.total`, `pay_now()` and lib/core/x.c here.\n"
    )
    found = {(one.kind, one.target, one.origin) for one in read(text).mentions}
    assert found >= {
        ("path", "../../src/a.py", "link"),
        ("symbol", "Shop.total", "code"),
        ("symbol", "pay_now", "code"),
        ("path", "lib/core/x.c", "text"),
    }


def test_prose_supersedes_only_where_it_speaks_of_itself() -> None:
    text = "# T\n\nThis ADR in part supersedes [0003](0003-x.md). A library supersedes [0004](0004-y.md).\n"
    assert [(one.kind, one.number, one.partly) for one in read(text).relations] == [
        ("supersedes", 3, True)
    ]


def test_several_records_by_their_numbers() -> None:
    text = (
        "# T\n\nThis ADR supersedes the decisions made in ADRs 60, 61 and 62, but not 7 others.\n"
    )
    assert [one.number for one in read(text).relations] == [60, 61, 62]


def test_an_issue_is_no_record() -> None:
    text = NYGARD.format(status="Deprecated in favor of [x#66](https://example.org/x/pull/66)")
    decision = read(text)
    assert decision.status == "deprecated"
    assert [one.target for one in decision.relations] == ["https://example.org/x/pull/66"]


def test_a_day_that_may_be_a_month_is_told() -> None:
    decision = read("# T\n\nDate: 04/07/2019\nStatus: accepted\n")
    assert decision.date == "2019-07-04"
    assert "ambiguous_date" in [one.code for one in decision.diagnostics]


def test_other_dates_tell_what_comes_first() -> None:
    text = "# T\n\nStatus: accepted\n\n## Changelog\n\n- {}: draft\n- 04/10/2018: done\n"
    for other, date in (("19/09/2018", "2018-10-04"), ("03/19/2018", "2018-04-10")):
        decision = read(text.format(other))
        assert decision.date == date
        assert not decision.diagnostics


def test_authors_in_a_section() -> None:
    text = "# T\n\nStatus: accepted\n\n## Author(s)\n\n- Ada (@ada)\n- Grace\n"
    assert read(text).owners == ("Ada (@ada)", "Grace")


@pytest.mark.parametrize(
    ("written", "date"),
    [("2019-5-1", "2019-05-01"), ("10/04/18", "2018-04-10"), ("28/03/2018", "2018-03-28"),
     ("March 4th, 2021", "2021-03-04"), ("4 Mar 2021", "2021-03-04"), ("soon", "")],
)  # fmt: skip
def test_dates(written: str, date: str) -> None:
    assert read(f"# T\n\nDate: {written}\nStatus: accepted\n").date == date


def test_line_ends_change_nothing() -> None:
    text = MADR2.format(status="accepted")
    assert parse(text.replace("\n", "\r\n").encode()) == read(text)


def test_a_body_is_read_back() -> None:
    decision = read(MADR4.format(status="accepted"))
    assert read_decision(decision_body(decision)) == decision


PIECES = st.sampled_from(
    ["# ", "## Status", "---", "\n", "Status:", "accepted", "superseded by ", "[a](b-1.md)", "`x/y`",
     "```", "|", "|---|", "{", "}", "<!--", "-->", "===", ": ", "- ", "governs:", "\x00", "é", "1."]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40))
def test_any_text_is_read_and_its_lines_are_inside(pieces: list[str]) -> None:
    decision = read("".join(pieces))
    assert replace(decision) == read("".join(pieces))
    assert all(1 <= one.start_line <= one.end_line <= decision.line_count for one in decision.parts)


@given(st.binary(max_size=300))
def test_any_bytes_are_read(source: bytes) -> None:
    assert read_decision(decision_body(parse(source))) == parse(source)


@pytest.mark.parametrize(
    "piece",
    ["[", "[a](", "a/", "`", "` a", "superseded by ", "**a ", "1", "| a ", "partly ", "<!--", "#",
     "[[", "`a <", "ADR ", "{", "\n", "# a\n"],
)  # fmt: skip
@pytest.mark.parametrize("head", ["# T\n\nStatus: ", "---\nstatus: accepted\nx: "])
def test_a_hostile_text_takes_no_long_time(head: str, piece: str) -> None:
    start = time.process_time()
    read(head + piece * (20_000 // len(piece)) + "\n")
    assert time.process_time() - start < 3
