"""Words that stand nowhere: parts of words, misspellings, and nothing at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.library import Asker

from topomem.model.bundle import Bundle
from topomem.retrieve.guesses import likeness


def names(found: Bundle) -> list[str]:
    return [item.qualified_name for item in found.items]


@pytest.mark.parametrize(
    ("written", "wanted", "read"),
    [
        ("ulr_for", "url_for", "url_for"),
        ("reconcile_leger", "reconcile_ledger", "reconcile_ledger"),
        ("reconcil_elegder", "reconcile_ledger", "reconcile_ledger"),
        ("Flaks", "Flask", "flask"),
        ("потписать", "подписать", "подписать"),
    ],
)
def test_a_misspelt_name_is_found_and_the_answer_says_so(
    library: Asker, written: str, wanted: str, read: str
) -> None:
    found = library.ask(written)
    assert names(found)[0] == wanted
    assert "typo" in found.mode
    assert f"{written.lower()!r} stands nowhere; read as {read}" in found.notes


def test_a_part_of_a_word_is_found(library: Asker) -> None:
    found = library.ask("concil")
    assert names(found)[0] == "reconcile_ledger"
    assert "substring" in found.mode


def test_a_misspelt_word_among_others_is_read_as_meant(library: Asker) -> None:
    found = library.ask("build the endpoint with its subdomian included")
    assert any("'subdomian'" in note for note in found.notes)
    assert names(found)[0] == "url_for"


@pytest.mark.parametrize("word", ["quixotry", "zzzzzz", "xq", "marmalade_jar", "qwertyuiopas"])
def test_a_word_that_is_nowhere_finds_nothing(library: Asker, word: str) -> None:
    found = library.ask(word)
    assert (found.items, found.mode) == ((), "nothing")


def test_what_is_there_is_not_guessed_at(library: Asker) -> None:
    found = library.ask("reconcile ledger url_for")
    assert "typo" not in found.mode
    assert "substring" not in found.mode
    assert found.notes == ()


def test_only_words_of_the_snapshot_are_guessed(library: Asker) -> None:
    assert library.ask("telescpoe", at="c1").items == ()
    assert "typo" in library.ask("telescpoe", at="c2").mode


def test_a_guess_answers_less_than_what_was_written(library: Asker) -> None:
    assert library.ask("ulr_for").evidence < library.ask("url_for").evidence


@pytest.mark.parametrize("name", ["test_url_for_subdomain", "test_url_for_subdomian", "url_for"])
def test_a_name_alone_comes_first_wherever_it_stands(library: Asker, name: str) -> None:
    assert names(library.ask(name))[0] == name.replace("subdomian", "subdomain")


def test_a_guess_among_known_words_takes_nothing_away(library: Asker) -> None:
    guessed = library.ask("build the endpoint with its subdomian included")
    unknown = library.ask("build the endpoint with its quixotic included")
    assert guessed.evidence >= unknown.evidence > 0


@given(st.text("abc_ж", max_size=8), st.text("abc_ж", max_size=8))
def test_likeness_is_a_share(one: str, other: str) -> None:
    assert 0.0 <= likeness(one, other) == likeness(other, one) <= 1.0
    assert likeness(one, one) == 1.0
