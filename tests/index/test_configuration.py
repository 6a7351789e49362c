from __future__ import annotations

from pathlib import Path

import pytest
from support.history import build, start

from topomem.errors import ConfigurationError
from topomem.git.repository import open_repository
from topomem.index.configuration import Configuration, load_configuration, parse

FULL = """
repository = "team/app"
[index]
exclude = ["vendor/", "*.gen.py"]
max_blob_bytes = 5000
languages = ["python"]
[decision]
paths = ["doc/*.md"]
[history]
authors = "hash"
"""


def test_every_key_is_read() -> None:
    assert parse(FULL.encode(), "topomem.toml", shared=False) == Configuration(
        repository="team/app",
        exclude=("vendor/", "*.gen.py"),
        max_blob_bytes=5000,
        languages=("python",),
        decision_paths=("doc/*.md",),
        authors="hash",
        source="topomem.toml",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[index]\nexclud = []\n", "did you mean index.exclude?"),
        ("[indx]\n", "did you mean index?"),
        ("[index]\nexclude = 'x'\n", "index.exclude must be a list of texts"),
        ("[index]\nexclude = [1]\n", "index.exclude must be a list of texts"),
        ("[index]\nmax_blob_bytes = 0\n", "above 0"),
        ("[index]\nmax_blob_bytes = true\n", "above 0"),
        ("[history]\nauthors = 'all'\n", "keep, hash or drop"),
        ("index = 3\n", "index must be a table"),
        ("repository = 3\n", "repository must be a text"),
        ("not toml", "topomem.toml"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse(text.encode(), "topomem.toml", shared=False)
    assert words in f"{caught.value} {caught.value.hint}"


def test_own_file_goes_before_the_shared_one(tmp_path: Path) -> None:
    start(tmp_path)
    shared = tmp_path / "pyproject.toml"
    shared.write_text("[tool.topomem.index]\nmax_blob_bytes = 7\n[tool.other]\nx = 1\n")
    repository = open_repository(tmp_path)
    assert load_configuration(repository).max_blob_bytes == 7
    (tmp_path / "topomem.toml").write_text("[index]\nmax_blob_bytes = 8\n")
    assert load_configuration(repository).max_blob_bytes == 8
    assert load_configuration(repository, shared).max_blob_bytes == 7


def test_another_tools_file_is_not_judged(tmp_path: Path) -> None:
    start(tmp_path)
    (tmp_path / "pyproject.toml").write_text("broken = ")
    assert load_configuration(open_repository(tmp_path)) == Configuration()


def test_a_bare_repository_is_configured_by_head(tmp_path: Path) -> None:
    build("=== c1\n--- topomem.toml\n[index]\nmax_blob_bytes = 9\n", tmp_path, bare=True)
    assert load_configuration(open_repository(tmp_path)).max_blob_bytes == 9


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    start(tmp_path)
    with pytest.raises(ConfigurationError):
        load_configuration(open_repository(tmp_path), tmp_path / "nope.toml")


def test_only_what_decides_derived_rows_is_in_the_digest() -> None:
    plain = Configuration()
    assert Configuration(repository="x", source="y").digest() == plain.digest()
    assert Configuration(exclude=("a",)).digest() != plain.digest()
