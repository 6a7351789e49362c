from __future__ import annotations

import pytest

from topomem.git.objects import canonical_mode, parse_commit, parse_zone, tree_entries
from topomem.model.history import Commit
from topomem.model.ids import CommitId

TREE = b"4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def commit(
    author: bytes = b"A <a@x> 5 +0100", message: bytes = b"m\n", headers: bytes = b""
) -> Commit:
    data = b"tree %s\nparent %s\nauthor %s\ncommitter C <c@x> 7 -0230\n%s\n%s" % (
        TREE,
        b"1" * 40,
        author,
        headers,
        message,
    )
    return parse_commit(CommitId("0" * 40), data, boundary=False)


def test_every_field_is_read() -> None:
    found = commit(b"Ada B <ada@x.org> 1700000000 +0530", b"subject\n\nbody\n")
    assert found.tree == TREE.decode()
    assert found.parents == ("1" * 40,)
    assert (found.author_name, found.author_email) == ("Ada B", "ada@x.org")
    assert (found.author_date, found.author_offset) == (1_700_000_000, 330)
    assert (found.committer_date, found.committer_offset) == (7, -150)
    assert found.message == "subject\n\nbody\n"
    assert found.notes == ()


def test_latin1_is_decoded_by_its_header() -> None:
    found = commit(b"Andr\xe9 <a@x> 5 +0000", b"caf\xe9\n", b"encoding ISO-8859-1\n")
    assert (found.author_name, found.message, found.notes) == ("Andr\u00e9", "caf\u00e9\n", ())


def test_one_bad_field_hides_no_other() -> None:
    found = commit(b"\xc3\x28 <a@x> 5 +0100", b"start \xff end\n")
    assert found.author_name == r"\xC3("
    assert found.message == "start \\xFF end\n"
    assert (found.author_date, found.author_offset) == (5, 60)
    assert found.notes == ("author: bytes escaped", "message: bytes escaped")


@pytest.mark.parametrize("zone", [b"+051800", b"-7530", b"", b"+0175", b"east", b"+1500"])
def test_a_nonsense_zone_leaves_the_seconds(zone: bytes) -> None:
    found = commit(b"A <a@x> 1234 " + zone)
    assert (found.author_date, found.author_offset) == (1234, None)
    assert "author: time zone unknown" in found.notes


def test_a_missing_date_and_a_missing_address() -> None:
    found = commit(b"just a name")
    assert (found.author_name, found.author_date) == ("just a name", 0)
    assert "author: date unknown" in found.notes
    assert commit(b"A <a@x> 99999999999999999999999999 +0000").author_date == 0
    assert commit(b"").author_name == ""


def test_a_signature_of_many_lines_is_no_header() -> None:
    signed = b"gpgsig -----BEGIN\n parent 2222\n author X <x> 1 +0000\n -----END\n"
    found = commit(headers=signed)
    assert found.parents == ("1" * 40,)
    assert found.author_name == "A"


@pytest.mark.parametrize(
    ("text", "minutes"), [(b"+0000", 0), (b"-0000", 0), (b"+1400", 840), (b"-1159", -719)]
)
def test_zones(text: bytes, minutes: int) -> None:
    assert parse_zone(text) == minutes


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (b"100664", 0o100644),
        (b"100775", 0o100755),
        (b"120000", 0o120000),
        (b"040000", 0o40000),
        (b"160000", 0o160000),
    ],
)
def test_old_modes_are_those_git_shows(written: bytes, canonical: int) -> None:
    assert canonical_mode(written) == canonical
    entries = tree_entries(b"%s na me\0%s" % (written, b"\n\0 " + b"x" * 17))
    assert entries == {b"na me": (canonical, b"\n\0 " + b"x" * 17)}
