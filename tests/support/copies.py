"""An indexed repository that tests may write to: made once for a module, copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.history import build

import topomem
from topomem.api.memory import Memory


def indexed_template(text: str, folders: pytest.TempPathFactory) -> Path:
    """Build a history, check out its last commit, index it; return its folder."""
    folder = folders.mktemp("template")
    build(text, folder).checkout()
    topomem.open(folder).index(jobs=1)
    return folder


def copy_of(template: Path, place: Path) -> Memory:
    """Copy an indexed repository below a folder, and open it."""
    folder = place / "repository"
    shutil.copytree(template, folder)
    return topomem.open(folder)


def top(memory: Memory) -> Path:
    """Return the work tree."""
    assert memory.top is not None
    return memory.top
