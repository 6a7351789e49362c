"""The file that is read without a database."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.model.subjects import Known, Subject, SubjectFile, encode, merged, subject_key

DELETE = 0x7F
KEYS = st.dictionaries(st.text(max_size=6), st.integers(1, 99), max_size=20)


def known(name: str, why: str = "name") -> Known:
    return Known("symbol", name, f"{name}.py:1", why)


@given(KEYS)
def test_every_subject_is_found_and_no_other(totals: dict[str, int]) -> None:
    by_key = {subject_key(text): total for text, total in totals.items()}
    data = encode({"commit": "c"}, {key: (total, [known("x")]) for key, total in by_key.items()})
    file = SubjectFile(data)
    assert file.is_known
    for text in totals:
        key = subject_key(text)
        fit = key and all(ord(one) >= ord(" ") and ord(one) != DELETE for one in key)
        found = file.find(text)
        assert (found.total if found else None) == (by_key[key] if fit else None)
    assert file.find("never there at all") is None


@given(st.binary(max_size=200))
def test_a_file_of_any_bytes_never_fails(data: bytes) -> None:
    for content in (data, encode({}, {}) + data):
        assert SubjectFile(content).find("a") in (None, SubjectFile(content).find("a"))


def test_a_file_of_another_version_is_not_read() -> None:
    assert not SubjectFile(b'{"version": 99}\na\t[1]\n').is_known
    assert not SubjectFile(b"[]\n").is_known
    assert not SubjectFile(b"").is_known


def test_what_is_named_comes_before_what_mentions_it() -> None:
    one = Subject("a", 2, (known("p"), known("q", "mentions")))
    other = Subject("a", 3, (known("r", "governs"),))
    found = merged(one, other)
    assert found is not None
    assert found.total == 5
    assert [thing.name for thing in found.best] == ["p", "r", "q"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (" _Foo_ ", "foo"), ("__init__", "init"), ("a_b c", "a_b c"), ("", ""), (" _ ", ""),
        ("x", "x"), ("\n a\n b _\t", "a\n b"), (f"a{' _' * 100_000}b", f"a{' _' * 100_000}b"),
    ],
)  # fmt: skip
def test_a_key_has_nothing_blank_at_its_ends(text: str, key: str) -> None:
    assert subject_key(text) == key
