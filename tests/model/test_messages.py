"""What commit messages say."""

from __future__ import annotations

import pytest

from topomem.model.messages import message_words, tickets


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("fix #12 and #012", ["#12"]),
        ("GH-7: closes #8", ["#7", "#8"]),
        ("LANG-1234: trim; see ABC-9", ["LANG-1234", "ABC-9"]),
        ("Merge pull request #5 from x/y", ["#5"]),
        ("see https://example.org/a/b/issues/31", ["#31"]),
        ("see https://tracker.example.org/browse/LANG-3", ["LANG-3"]),
        ("read UTF-8, SHA-256 and ISO-8859-1 as in RFC-2822", []),
        ("colour #123abc, &#39; and v1.2-3", []),
        ("x#12 a/B-2 foo-BAR-3", []),
        ("", []),
    ],
)
def test_tickets(text: str, wanted: list[str]) -> None:
    assert list(tickets(text)) == wanted


def test_people_addresses_and_ids_are_no_words() -> None:
    text = """Trim the cookie name

    see https://example.org/secret and mail ada@example.org
    reverts 0123456789abcdef0123456789abcdef01234567
Signed-off-by: Ada Example <ada@example.org>
Co-authored-by: Bob Other <bob@example.org>
"""
    found = message_words(text)
    assert {"trim", "cookie", "name", "reverts"} <= set(found)
    assert not {"ada", "bob", "secret", "example", "org", "https"} & set(found)
