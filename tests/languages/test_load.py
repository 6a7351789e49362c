"""Which language a file is of, and what a language brings."""

from __future__ import annotations

import dataclasses

import pytest

from topomem.errors import ConfigurationError
from topomem.languages.load import Language, Languages, load_languages
from topomem.languages.spec import ParserSpec
from topomem.model.ids import FilePath

LANGUAGES = load_languages()


def check_path(path: str, name: str | None, first_bytes: bytes = b"") -> None:
    language = LANGUAGES.for_path(FilePath(path), first_bytes)
    assert (language.name if language else None) == name


def test_suffixes() -> None:
    check_path("a/b.py", "python")
    check_path("a/b.PYI", "python")
    check_path("a/b.py.txt", None)
    check_path("py", None)
    check_path("a.py/b", None)


def test_names() -> None:
    check_path("SConstruct", "python")


@pytest.mark.parametrize(
    "line",
    [b"#!/usr/bin/python3.11\n", b"#! /usr/bin/env python\n", b"#!/usr/bin/env -S python3 -u\n"],
)
def test_first_lines(line: bytes) -> None:
    check_path("bin/tool", "python", line)
    check_path("bin/tool.txt", None, line)


def test_first_line_of_something_else() -> None:
    check_path("bin/tool", None, b"#!/bin/sh\n")


def test_unknown_language() -> None:
    with pytest.raises(ConfigurationError, match="unknown language 'klingon'"):
        load_languages(["klingon"])


def changed(**changes: object) -> Language:
    return dataclasses.replace(LANGUAGES["python"], **changes)  # type: ignore[arg-type]


def test_a_language_without_its_parser_is_unavailable() -> None:
    parser = ParserSpec("no_such_module", "language", "no-such>=1")
    spec = dataclasses.replace(LANGUAGES["python"].spec, parser=parser)
    assert not changed(spec=spec).available
    assert LANGUAGES["python"].available


def test_two_languages_may_not_claim_one_suffix() -> None:
    with pytest.raises(ConfigurationError, match="both claim"):
        Languages({"a": LANGUAGES["python"], "b": LANGUAGES["python"]})


def test_captures_outside_the_vocabulary() -> None:
    with pytest.raises(ConfigurationError, match="@colour is not in the vocabulary"):
        changed(edges="(identifier) @colour").queries  # noqa: B018  loading is the test
    with pytest.raises(ConfigurationError, match="@colour is not in the vocabulary"):
        changed(symbols="(identifier) @colour").queries  # noqa: B018
    with pytest.raises(ConfigurationError, match="language 'python'"):
        changed(edges="(no_such_node) @name").queries  # noqa: B018


def test_fingerprint_covers_data() -> None:
    first = LANGUAGES["python"].fingerprint
    assert first == load_languages()["python"].fingerprint
    for change in ({"text": "x"}, {"edges": "x"}, {"symbols": "x"}):
        assert changed(**change).fingerprint != first


def test_facts_do_not_depend_on_what_is_said_of_tests() -> None:
    language = LANGUAGES["python"]
    more = language.text.replace("[tests]\n", '[tests]\ncalls = ["other"]\n')
    assert more != language.text
    assert changed(text=more).fingerprint == language.fingerprint
    spec = dataclasses.replace(language.spec, tests=type(language.spec.tests)())
    assert changed(spec=spec).conventions != language.conventions
