from __future__ import annotations

from dataclasses import fields, replace

from topomem.model.evidence import OUTCOMES, CaseResult, RunReport

CASE = CaseResult((), "", "one", "", "", 0, "passed", None, "")


def test_cases_are_counted_by_what_they_came_to() -> None:
    cases = tuple(replace(CASE, outcome=outcome) for outcome in (*OUTCOMES, "failed"))
    report = RunReport("", "", None, cases)
    assert [report.count(outcome) for outcome in OUTCOMES] == [1, 2, 1, 1, 1]


def test_a_case_says_nothing_of_who_ran_it() -> None:
    assert not {field.name for field in fields(CaseResult)} & {"hostname", "user", "host"}
