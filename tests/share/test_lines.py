"""Lines carry rows there and back; what was not written by us is refused, never believed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.share.lines import Asked, line_of, read_lines
from topomem.store.journal import Record

COMMIT = "c" * 40
BODY = {"kind": "note", "episode_id": "a" * 16, "commit_id": COMMIT, "text": "hello"}
RECORD = Record("episode.event", 5, BODY)
TOKEN = "ghp_" + "a8Kz4TqLm2Xw9RbV7cYd3NfH6sJpQeUtGi15"  # made up


def changed(**row: Any) -> str:
    return json.dumps(json.loads(line_of(RECORD)) | row)


def of_body(**body: Any) -> str:
    return line_of(Record("episode.event", 5, {**BODY, **body}))


def check_refused(line: str, why: str) -> None:
    found = read_lines([line_of(RECORD), line])
    assert [record.id for record in found.records] == [RECORD.id]
    (trouble,) = found.troubles
    assert trouble.line == 2
    assert why in trouble.why


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
bodies = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["note", "run", "finish", "start"]).map(
            lambda one: {"run": "tool_result"}.get(one, one)
        )
    },
    optional={
        "text": texts,
        "commit_id": st.sampled_from(["", COMMIT]),
        "paths": st.lists(texts, max_size=3),
        "data": st.dictionaries(texts, st.one_of(texts, st.integers(-9, 9), st.floats(0, 1))),
    },
)
rows = st.builds(
    Record, st.just("episode.event"), st.integers(0, 2**50), bodies, st.integers(0, 99)
)


@given(st.lists(rows, max_size=4))
def test_rows_come_back_as_they_were(records: list[Record]) -> None:
    lines = [line_of(record) for record in records]
    found = read_lines(lines)
    assert {record.id for record in found.records} == {record.id for record in records}
    assert all(record in records for record in found.records)
    assert found.troubles == ()
    assert read_lines([*reversed(lines), *lines]) == found


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "no line of JSON"),
        ("[" * 100_000, "no line of JSON"),
        ("[]", "no object"),
        ("7", "no object"),
        (changed(schema="other/1"), "no schema"),
        (changed(schema="topomem/0"), "no schema"),
        (changed(schema="topomem/²"), "no schema"),
        (changed(schema=1), "no schema"),
        (changed(schema="topomem/2"), "later"),
        (changed(id="0" * 16), "its id"),
        (changed(table="review.tombstone"), "not a table"),
        (changed(table=["episode.event"]), "not a table"),
        (changed(body=[]), "no body"),
        (changed(recorded_at=-1), "recorded_at"),
        (changed(recorded_at=True), "recorded_at"),
        (changed(recorded_at=2**60), "recorded_at"),
        (changed(number="1"), "number"),
        (of_body(kind="own"), "kind"),
        (of_body(kind=["note"]), "kind"),
        (of_body(text=5), "text is no text"),
        (of_body(commit_id="HEAD"), "commit_id"),
        (of_body(commit_id="../../x"), "commit_id"),
        (of_body(episode_id={"a": 1}), "episode_id"),
        (of_body(paths="a"), "paths"),
        (of_body(paths=[1]), "paths"),
        (of_body(data=[]), "data"),
        (of_body(text="a\0b"), "a text that is none"),
        (of_body(text="\ud800"), "a text that is none"),
        (of_body(text=f"my {TOKEN}"), "secret"),
        (of_body(data={TOKEN: 1}), "secret"),
        (of_body(data={"a": float("nan")}), "no line of JSON"),
        (of_body(data={"a": 10**400}), "too large"),
        (of_body(text="x" * (1 << 18)), "longer"),
    ],
)
def test_what_is_odd_is_refused_and_the_rest_is_read(line: str, why: str) -> None:
    check_refused(line, why)


def test_a_deep_body_is_refused() -> None:
    deep: Any = {}
    for _ in range(50):
        deep = {"a": deep}
    check_refused(of_body(data=deep), "deep")


@given(st.lists(st.text(max_size=40), max_size=5))
def test_any_lines_are_read(lines: list[str]) -> None:
    assert read_lines(lines).records == ()


def test_what_comes_from_the_future_is_refused() -> None:
    assert len(read_lines([line_of(RECORD)], Asked("x", latest=6)).records) == 1
    found = read_lines([line_of(RECORD)], Asked("x", latest=5))
    assert (found.records, len(found.troubles)) == ((), 1)


def test_rows_that_are_known_are_not_looked_at_again() -> None:
    found = read_lines([line_of(RECORD), changed(id="0" * 16)], Asked(known=frozenset({RECORD.id})))
    assert (found.records, found.known, len(found.troubles)) == ((), 1, 1)


def test_verdicts_travel_too() -> None:
    end = {"path": "a.py", "qualified_name": "f", "text": "0" * 16}
    body = {"kind": "alias_rejected", "subject_id": "a" * 16, "reason": "no", "old": end,
            "new": end, "commit": COMMIT}  # fmt: skip
    verdict = Record("review.verdict", 5, body)
    assert read_lines([line_of(verdict)]).records == (verdict,)
    odd: list[dict[str, Any]] = [{"kind": "item"}, {"old": 5}, {"reason": []}, {"subject_id": "x"}]
    for wrong in odd:
        check_refused(line_of(Record("review.verdict", 5, body | wrong)), "")


def test_of_one_row_at_two_times_the_earlier_counts() -> None:
    late = Record(RECORD.table, 9, BODY)
    (found,) = read_lines([line_of(late), line_of(RECORD)]).records
    assert found.recorded_at == 5
