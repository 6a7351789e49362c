"""House rules that can be checked."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

FORBIDDEN_MODULES = {"utils", "helpers", "common", "misc", "base", "manager"}
MAX_LINES = 600  # a guide is 400; this catches what has grown out of hand
MAX_FUNCTION_LINES = 70
PURE = (
    "errors", "model", "languages", "git", "extract", "link", "records", "evidence", "secrets",
    "episodes",
    "store",
)  # fmt: skip
"""Packages that must not know the clock, the environment or chance."""


def sources(root: Path) -> Iterator[Path]:
    yield from sorted((root / "topomem").rglob("*.py"))


def text_constants(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield string literals, documentation left out."""
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in documentation:
            continue
        if isinstance(node.value, str):
            yield node


def language_words(root: Path) -> set[str]:
    """Return the names of all languages and their file suffixes, as `language.toml` has them."""
    words = {folder.name for folder in (root / "grammars").iterdir() if folder.is_dir()}
    for spec in (root / "grammars").glob("*/language.toml"):
        words.update(tomllib.loads(spec.read_text("utf-8"))["files"].get("suffixes", ()))
    return {word for word in words if not word.startswith("__")}


def test_no_language_is_named_outside_the_strategies(root: Path) -> None:
    words = language_words(root)
    found = [
        f"{path.relative_to(root)}:{node.lineno}: {node.value!r}"
        for path in sources(root)
        if "strategies" not in path.parts
        for node in text_constants(ast.parse(path.read_text("utf-8")))
        if node.value in words
    ]
    assert not found


def test_no_module_has_a_name_that_says_nothing(root: Path) -> None:
    assert not [path for path in sources(root) if path.stem in FORBIDDEN_MODULES]


def test_files_stay_readable(root: Path) -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in sources(root)}
    assert not {str(p.relative_to(root)): n for p, n in lengths.items() if n > MAX_LINES}


def test_functions_stay_readable(root: Path) -> None:
    long = [
        f"{path.relative_to(root)}:{node.lineno} {node.name}: {node.end_lineno - node.lineno + 1}"
        for path in sources(root)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= MAX_FUNCTION_LINES
    ]
    assert not long


def test_stages_know_no_clock_no_environment_and_no_chance(root: Path) -> None:
    pattern = re.compile(
        r"\bos\.(environ|getenv)\b|^\s*(import|from) (random|secrets|uuid|datetime)\b"
        r"|\btime\.(time|time_ns|localtime|gmtime)\(",
        re.MULTILINE,
    )
    found = [
        f"{path.relative_to(root)}: {match.group().strip()}"
        for path in sources(root)
        if path.relative_to(root / "topomem").parts[0].removesuffix(".py") in PURE
        for match in pattern.finditer(path.read_text("utf-8"))
    ]
    assert not found


def test_only_the_package_itself_re_exports(root: Path) -> None:
    found = [
        str(path.relative_to(root))
        for path in (root / "topomem").rglob("__init__.py")
        if path.parent != root / "topomem" and "__all__" in path.read_text("utf-8")
    ]
    assert not found


def test_every_ignored_rule_has_its_reason(root: Path) -> None:
    lines = (root / "pyproject.toml").read_text("utf-8").splitlines()
    start = lines.index("[tool.ruff.lint]")
    end = lines.index("[tool.ruff.lint.flake8-builtins]")
    rules = [line for line in lines[start:end] if re.match(r'\s+"[A-Z]+\d*",?', line)]
    assert len(rules) > 10
    assert not [line for line in rules if "  # " not in line]


@pytest.mark.slow
def test_the_suite_may_be_run_from_a_hook(root: Path) -> None:
    environment = {
        **os.environ,
        "GIT_DIR": str(root / ".git"),
        "GIT_INDEX_FILE": ".git/index",
        "GIT_WORK_TREE": str(root),
    }
    tests = [
        "tests/git/test_repository.py",
        "tests/cli/test_commands.py",
        "tests/api/test_moments.py",
    ]
    words = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*words, *tests], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
