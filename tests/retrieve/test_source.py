"""Lines of blobs, citations, and reading them again."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.secrets_made import SECRETS, fill, made

from topomem.model.bundle import Citation
from topomem.model.ids import BlobId, CommitId, FilePath
from topomem.retrieve.source import SourceLines, cite
from topomem.retrieve.verify import Quote, verify

SOURCE = b"one\r\ntwo\n\nfour\n"
PLACE = FilePath("a.txt"), BlobId("b1")


def citation(span: tuple[int, int] = (1, 2)) -> Citation:
    return cite(SourceLines(SOURCE), PLACE, span, CommitId("c" * 40))


def codes(quote: Quote, source: bytes | None = SOURCE) -> list[str]:
    return [mismatch.code for mismatch in verify([quote], lambda _path, _blob: source)]


def test_lines_are_those_of_git() -> None:
    lines = SourceLines(SOURCE)
    assert len(lines) == 4
    assert lines.text(1, 2) == "one\r\ntwo"
    assert lines.is_blank(3)
    assert lines.digest(2, 4) == hashlib.sha256(b"two\n\nfour").hexdigest()


def test_other_encodings() -> None:
    assert SourceLines("añ\nb".encode("utf-16")).text(1, 2).lstrip("\ufeff") == "añ\nb"
    assert SourceLines(b"caf\xe9\n").text(1, 1) == "caf\ufffd"
    assert len(SourceLines(b"")) == 0


def test_a_citation_says_where_it_is_from() -> None:
    assert citation().text() == "a.txt:L1-L2@cccccccccccc"


def test_what_is_cited_can_be_read_again() -> None:
    assert codes(Quote(citation(), "one\r\ntwo")) == []
    assert codes(Quote(citation(), detail="name")) == []


@pytest.mark.parametrize(
    ("quote", "source", "code"),
    [
        (Quote(citation()), None, "missing"),
        (Quote(citation((1, 4))), b"one\n", "lines"),
        (Quote(citation()), b"one\r\ntwO\n", "hash"),
        (Quote(citation(), "one\ntwo"), SOURCE, "text"),
        (Quote(replace(citation(), start_line=0)), SOURCE, "lines"),
    ],
)
def test_what_does_not_hold_is_told(quote: Quote, source: bytes | None, code: str) -> None:
    assert codes(quote, source) == [code]


@settings(max_examples=40)
@given(st.binary(max_size=60), st.data())
def test_every_citation_holds_and_no_other_text_does(source: bytes, data: st.DataObject) -> None:
    lines = SourceLines(source)
    if not len(lines):
        return
    start = data.draw(st.integers(1, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    made = cite(lines, PLACE, (start, end), None)
    assert codes(Quote(made, lines.text(start, end)), source) == []


def test_secrets_are_masked_line_for_line_and_the_hash_is_that_of_the_text() -> None:
    key, _ = made(next(one for one in SECRETS if one.startswith("«-----BEGIN RSA")))
    token = fill("ghp_<A36>")
    text = f'TOKEN = (\n    "{token}"\n)\nKEY = """\n{key}\n"""\nend = 1\n'
    lines = SourceLines(text.encode())
    count = len(lines)
    for start in range(1, count + 1):
        for end in range(start, count + 1):
            shown = lines.text(start, end)
            assert shown.count("\n") == end - start
            assert token not in shown
            assert not any(line in shown for line in key.split("\n")[1:-1])
            whole = "\n".join(text.split("\n")[start - 1 : end])
            assert lines.digest(start, end) == hashlib.sha256(whole.encode()).hexdigest()
    assert lines.text(count, count) == "end = 1"


def test_what_a_value_is_given_to_may_stand_before_the_passage() -> None:
    value = fill("<A32>")
    lines = SourceLines(f'api_key = (\n    "{value}"\n)\n'.encode())
    assert lines.text(2, 2).strip() == '"[secret: assigned_secret]"'
    assert lines.written(2, 2).strip() == f'"{value}"'
