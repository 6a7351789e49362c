from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.git.text import decode_text, path_bytes, spell_path


@given(st.binary(max_size=40))
def test_a_path_is_spelled_so_that_its_bytes_can_be_got_back(raw: bytes) -> None:
    path = spell_path(raw)
    path.encode("utf-8")
    assert path_bytes(path) == raw


@pytest.mark.parametrize(
    ("raw", "spelled"),
    [
        (b"src/a b.py", "src/a b.py"),
        ("caf\u00e9/\u6587.py".encode(), "caf\u00e9/\u6587.py"),
        (b"\xe9l.py", r"\xE9l.py"),
        (rb"a\b.py", r"a\\b.py"),
        (rb"\xE9", r"\\xE9"),
    ],
)
def test_paths(raw: bytes, spelled: str) -> None:
    assert spell_path(raw) == spelled


@pytest.mark.parametrize(
    ("raw", "encoding", "expected"),
    [
        ("fein \u00e9".encode(), None, ("fein \u00e9", False)),
        (b"caf\xe9", "ISO-8859-1", ("caf\u00e9", False)),
        (b"caf\xe9", None, (r"caf\xE9", True)),
        (b"caf\xe9 \\d", None, (r"caf\xE9 \\d", True)),
        (rb"regex \d", None, (r"regex \d", False)),
        (b"\xc3\x28 \xff", "utf-8", (r"\xC3( \xFF", True)),
        (b"fine", "no-such-encoding", ("fine", False)),
        (b"fine", "hex", ("fine", False)),
        (b"\xed\xa0\x80", None, (r"\xED\xA0\x80", True)),
        (b"+2AA-", "utf-7", ("+2AA-", False)),
    ],
)
def test_text_follows_its_header_then_utf8_then_escapes(
    raw: bytes, encoding: str | None, expected: tuple[str, bool]
) -> None:
    assert decode_text(raw, encoding) == expected
