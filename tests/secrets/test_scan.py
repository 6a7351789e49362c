from __future__ import annotations

import itertools
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.secrets_alike import LOOK_ALIKES
from support.secrets_made import SECRETS, fill, made

from topomem.secrets.scan import Secret, redact, redacted, scan

WORDS = st.sampled_from(
    ["password", "token", "=", ": ", '"', "'", "\n", "secret", "://", "@", "eyJ", ".", "sk-", "\\",
     "-----BEGIN PRIVATE KEY-----", "AAAA", "Bearer ", "a1B2c3D4", "<", ">", "authorization", "É"]
)  # fmt: skip


def check(text: str, *values: str, path: str = "") -> None:
    """Nothing of the values is left in the text, and everything else is."""
    clean = redact(text, path)
    assert "[secret: " in clean
    for value in values:
        assert value not in clean
        text = text.replace(value, "\0" + "\n" * value.count("\n"))
    marks = re.sub(r"\[secret: \w+\]", "\0", clean)
    assert marks == text


@pytest.mark.parametrize("template", SECRETS)
def test_a_secret_is_taken_out_and_nothing_else(template: str) -> None:
    text, values = made(template)
    check(text, *values)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == text
    assert redact(text, "src/app.py") == text


def test_a_mark_is_no_secret_and_lines_stay_as_many() -> None:
    key, _ = made(next(template for template in SECRETS if template.startswith("«-----BEGIN RSA")))
    clean = redacted(f"before\n{key}\npassword = 'tr0ub4dor&3'\n")
    assert clean.rules == ("private_key", "password")
    assert clean.text.count("\n") == key.count("\n") + 3
    assert redact(clean.text) == clean.text


def test_a_file_that_is_a_key_goes_as_a_whole() -> None:
    assert scan("anything", "home/.ssh/id_ed25519") == [Secret(0, 8, "secret_file")]
    assert scan("anything", "home/.ssh/id_ed25519.pub") == []


@pytest.mark.parametrize(
    "key", ["super_secret_token", "algolia_api_token", "my.app.password", "X-Attribution-Token"]
)
def test_only_the_last_word_of_a_name_says_that_no_value_is_meant(key: str) -> None:
    value = fill("<L32>")
    check(f"{key} = '{value}'", value)
    other = f"{key}_name = '{value}'"
    assert redact(other) == other


def test_settings_files_hold_values_without_quotes() -> None:
    check("DB_PASSWORD=swordfish\nDEBUG=true\n", "swordfish", path="deploy/.env")
    check("machine h login u password swordfish\n", "swordfish", path=".netrc")
    assert redact("DB_PASSWORD=swordfish\n", ".env.example") == "DB_PASSWORD=swordfish\n"


@given(st.lists(WORDS, max_size=60).map("".join))
def test_any_text_is_scanned_in_order_and_twice_is_once(text: str) -> None:
    found = scan(text)
    assert all(one.end <= two.start for one, two in itertools.pairwise(found))
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    clean = redact(text)
    assert clean.count("\n") == text.count("\n")
    assert redact(clean) == clean


@given(st.text(max_size=200))
def test_text_of_any_kind_is_scanned(text: str) -> None:
    scan(text, "x.py")
    scan(text, ".env")


@pytest.mark.parametrize(
    "piece",
    ["password", "token: ", "a", "://", "sk-", "eyJa", "-----BEGIN PRIVATE KEY-----\n", "/+" , "=",
     "secret='", 'key=\\"', ".", "bearer ", '{"token":', "-----BEGIN PRIVATE KEY-----", "A\n"],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.process_time()
    scan(text)
    assert time.process_time() - start < 2.0
