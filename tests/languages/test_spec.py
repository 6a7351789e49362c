"""`language.toml` is checked when it is read."""

from __future__ import annotations

import pytest

from topomem.errors import ConfigurationError
from topomem.languages.spec import parse_spec

PARSER = '[parser]\nmodule = "m"\nfunction = "language"\nrequires = "m>=1"\n'


def check_refused(text: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        parse_spec("x", text)


def test_smallest() -> None:
    spec = parse_spec("x", PARSER)
    assert (spec.name, spec.parser.requires, spec.documentation) == ("x", "m>=1", "before")


def test_unknown_table() -> None:
    check_refused(f"{PARSER}[colour]\n", "unknown table 'colour'")


def test_unknown_key() -> None:
    check_refused(f"{PARSER}[names]\nselfish = 1\n", "unknown key 'selfish'")


def test_choice_outside_its_set() -> None:
    check_refused(f'{PARSER}[names]\nreceiver = "me"\n', "not one of first_parameter, keyword")


def test_wrong_type() -> None:
    check_refused(f'{PARSER}[files]\nsuffixes = ".x"\n', "files.suffixes")


def test_missing_key() -> None:
    check_refused('[parser]\nmodule = "m"\n', "missing")


def test_no_toml() -> None:
    check_refused("[", "language 'x'")
