"""How text becomes words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.model.words import count_words, normal, parts, stem, words


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("foo", ("foo",)),
        ("getHTTPResponse2", ("gethttpresponse2", "get", "http", "response")),
        ("__init__", ("init",)),
        ("snake_case", ("snake_case", "snake", "case")),
        ("подписьФайла", ("подписьфайла", "подпись", "файла")),
        ("日本語", ("日本", "本語")),
        ("Straße", ("strasse",)),
        ("x", ()),
        ("_", ()),
        ("f" * 100, ()),
    ],
)
def test_parts_of_a_run(run: str, expected: tuple[str, ...]) -> None:
    assert parts(run) == expected


@pytest.mark.parametrize(
    "forms",
    [
        ("cache", "caches", "caching", "cached"),
        ("validate", "validates", "validation", "validator", "validating"),
        ("parse", "parser", "parsing", "parsed"),
        ("entry", "entries"),
        ("stop", "stopped", "stopping"),
        ("подпись", "подписан", "подписывать"),
        ("пользователь", "пользователя"),
    ],
)
def test_forms_of_one_word_meet(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_different_words_stay_apart() -> None:
    distinct = ["string", "bring", "class", "need", "status", "http", "url_for", "404"]
    assert [stem(word) for word in distinct] == distinct


@settings(max_examples=50)
@given(st.text(max_size=80))
def test_any_text_has_words_in_normal_form(text: str) -> None:
    found = words(text)
    assert all(word == normal(word) and stem(word) for word in found)
    assert count_words(text).total() == len(found)
