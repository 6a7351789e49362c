"""A revision is refused where none can be asked of."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import topomem
from support.shop import shop


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("shop")).folder


@pytest.mark.parametrize(
    "words",
    [
        "index", "reindex", "rebuild", "status", "brief", "doctor", "notice tax",
        "alias accept x --reason y", "verify x.json", "run -- true", "share push", "export -",
        "import x", "eval", "hook status", "hook install", "hook uninstall", "decision new x",
        "decision supersede 1 2", "episode start x", "episode add x --kind note --text y",
        "episode finish x --outcome failed", "episode supersede x --by y --reason z",
        "episode archive x", "episode import x.xml", "diff HEAD~1", "impact HEAD~1", "ci HEAD~1",
    ],
)  # fmt: skip
def test_no_moment_is_swallowed(folder: Path, words: str) -> None:
    done = topomem("--as-of", "HEAD~1", *words.split(), "--json", cwd=folder)
    if "run" in words.split():
        assert done.code == 2
        return
    assert (done.code, done.document["error"]["code"]) == (2, "usage")
    assert "--as-of" in done.document["error"]["message"]
    assert not (folder / ".git" / "topomem").exists()


@pytest.mark.parametrize("words", ["symbols", "show tax", "edges", "bundle tax", "episode list"])
@pytest.mark.parametrize("nothing", ["", " "])
def test_an_empty_revision_is_not_head(folder: Path, words: str, nothing: str) -> None:
    done = topomem(*words.split(), "--as-of", nothing, "--json", cwd=folder)
    assert (done.code, done.document["error"]["code"]) == (2, "usage")
