from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest
from support.command import answer, process
from support.shop import shop

QUESTIONS = (
    ("symbols",),
    ("edges",),
    ("show", "Cart"),
    ("refs", "tax", "--depth", "3", "--direction", "in,out"),
    ("bundle", "round the tax on an amount"),
    ("bundle", "round the tax on an amount", "--as-of", "HEAD~1"),
)


def answers(folder: Path, seed: str) -> list[str]:
    """Index anew and ask everything, with the given seed of Python's hashes."""
    environment = {"PYTHONHASHSEED": seed, "TOPOMEM_STORE": str(folder / f"store-{seed}")}
    done = process("index", cwd=folder / "shop", environment=environment)
    assert done.code == 0, done.err
    return [
        process(*words, "--json", cwd=folder / "shop", environment=environment).out
        for words in QUESTIONS
    ]


@pytest.mark.slow
def test_two_processes_answer_alike(tmp_path: Path) -> None:
    shop(tmp_path / "shop")
    assert answers(tmp_path, "1") == answers(tmp_path, "2")


def test_questions_leave_the_store_as_it_was(tmp_path: Path) -> None:
    shop(tmp_path)
    answer("index", cwd=tmp_path)
    before = digests(tmp_path / ".git")
    for words in (*QUESTIONS, ("status",), ("doctor", "--sample", "2")):
        answer(*words, cwd=tmp_path)
    assert digests(tmp_path / ".git") == before


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not re.search(r"\b(gate|room)\b", path.name)
    }
