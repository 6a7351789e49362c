"""What a task says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.retrieve.question import LONGEST_TASK, Place, read_question


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("call `url_for` twice", ["url_for"]),
        ("Flask.run() fails", ["Flask.run"]),
        ("std::vector and Cart#add", ["std.vector", "Cart.add"]),
        ("the word run alone", []),
        ('says "could not build the url for it"', []),
        ("getHTTPResponse", ["getHTTPResponse"]),
    ],
)
def test_names_are_told_by_their_shape(task: str, names: list[str]) -> None:
    assert list(read_question(task).names) == names


@pytest.mark.parametrize(
    ("task", "place"),
    [
        ("see src/app.py:12", Place("src/app.py", 12)),
        ('  File "/usr/lib/flask/ctx.py", line 42, in push', Place("usr/lib/flask/ctx.py", 42)),
        ("at org.Foo.bar(StringUtils.java:331)", Place("StringUtils.java", 331)),
        (r"C:\work\app.py is wrong", Place("work/app.py")),
        ("a/b.go:7 +0x1d", Place("a/b.go", 7)),
    ],
)
def test_places_are_read_from_traces(task: str, place: Place) -> None:
    assert place in read_question(task).places


def test_function_words_and_repeats() -> None:
    terms = {term.stem: term for term in read_question("the caches and the cache of it").terms}
    assert list(terms) == ["cach"]
    assert terms["cach"].count == 2
    assert terms["cach"].forms == {"cache", "caches"}


def test_a_log_keeps_head_and_tail() -> None:
    question = read_question("first_word " + "x " * LONGEST_TASK + "last_word")
    assert len(question.text) <= LONGEST_TASK + 1
    assert {"first_word", "last_word"} <= set(question.names)


@settings(max_examples=50)
@given(st.text(max_size=300))
def test_any_text_is_a_question(task: str) -> None:
    question = read_question(task)
    assert len({term.stem for term in question.terms}) == len(question.terms)
