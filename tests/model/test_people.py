from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support.samples import commit

from topomem.model.people import as_configured, hashed

ADA = "Ada Example <ada@example.org>"
MESSAGE = f"""fix: the total

Reported in #12 by a customer.
Signed-off-by: {ADA}
Co-Authored-By:  Bob <bob@example.org>
Closes: #12
"""
COMMIT = replace(
    commit("one"), author_name="Ada Example", author_email="ada@example.org", message=MESSAGE
)


def test_names_are_kept() -> None:
    assert as_configured(COMMIT, "keep") is COMMIT


def test_names_are_hashed_alike_wherever_they_stand() -> None:
    found = as_configured(COMMIT, "hash")
    assert (found.author_name, found.author_email) == (hashed(ADA), "")
    assert f"Signed-off-by: {hashed(ADA)}\n" in found.message
    assert "Bob" not in found.message
    assert "bob@" not in found.message
    assert found.message.count("\n") == MESSAGE.count("\n")


def test_names_are_dropped() -> None:
    found = as_configured(COMMIT, "drop")
    assert (found.author_name, found.author_email) == ("", "")
    assert found.message.split() == (
        ["fix:", "the", "total", "Reported", "in", "#12", "by", "a", "customer.", "Closes:", "#12"]
    )


@given(st.text())
def test_any_message_is_taken(message: str) -> None:
    for authors in ("hash", "drop"):
        found = as_configured(replace(COMMIT, message=message), authors)
        assert found.id == COMMIT.id
