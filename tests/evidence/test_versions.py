from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.versions import version_of


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("v1.2.3", ("", (1, 2, 3), "", "semantic")),
        ("1.2", ("", (1, 2), "", "semantic")),
        ("refs/tags/v2.0.0-rc.1", ("", (2, 0, 0), "rc.1", "semantic")),
        ("3.0.0a1", ("", (3, 0, 0), "a1", "semantic")),
        ("v1.0.0+build.5", ("", (1, 0, 0), "", "semantic")),
        ("release-4.2", ("", (4, 2), "", "semantic")),
        ("releases/v4.2.1", ("", (4, 2, 1), "", "semantic")),
        ("rel/commons-lang-3.12.0", ("rel/commons-lang", (3, 12, 0), "", "semantic")),
        ("LANG_3_5", ("LANG", (3, 5), "", "semantic")),
        ("commons-lang3-3.8.1-RC2", ("commons-lang3", (3, 8, 1), "RC2", "semantic")),
        ("@scope/pkg@1.4.0", ("@scope/pkg", (1, 4, 0), "", "semantic")) ,
        ("sub/module/v0.3.1", ("sub/module", (0, 3, 1), "", "semantic")),
        ("2026.05.01", ("", (2026, 5, 1), "", "date")),
        ("v20260501", ("", (20260501,), "", "date")),
        ("2026-05-01", ("", (2026, 5, 1), "", "date")),
        ("v4.1.0.201509280440-r", ("", (4, 1, 0, 201509280440), "", "semantic")),
        ("v1.6.0-0", ("", (1, 6, 0), "0", "semantic")),
        ("v7", ("", (7,), "", "number")),
        ("nightly", None),
        ("latest", None),
        ("backup/2026-05-01", None),
        ("before-merge-12", None),
        ("issue-42", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_version_in_a_tag(
    tag: str, expected: tuple[str, tuple[int, ...], str, str] | None
) -> None:
    found = version_of(tag)
    assert (
        (found.package, found.numbers, found.pre_release, found.scheme) if found else None
    ) == expected


def test_versions_are_in_order() -> None:
    tags = ["v1.0.0a1", "v1.0.0-rc.1", "v1.0.0-rc.2", "v1.0.0", "v1.0.1", "v1.2", "v1.10.0"]
    versions = [version_of(tag) for tag in reversed(tags)]
    orders = [version.order for version in versions if version]
    assert sorted(orders) == orders[::-1]
    assert len(orders) == len(tags)


@given(st.text(alphabet="v1.-_/@arcX", max_size=130))
def test_no_tag_is_an_error(tag: str) -> None:
    version = version_of(tag)
    assert version is None or version.numbers
