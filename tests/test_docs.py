"""The README keeps up with the program."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import click

from topomem import errors
from topomem.cli.exit_codes import EXIT_CODES
from topomem.cli.main import COMMANDS, program


def readme(root: Path) -> str:
    return (root / "README.md").read_text("utf-8")


def deliberate_errors() -> list[type[errors.TopomemError]]:
    return [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.TopomemError) and kind is not errors.TopomemError
    ]


def options(command: click.Command) -> set[str]:
    names = {name for parameter in command.params for name in parameter.opts}
    return {name for name in names if name.startswith("--")} - {"--help"}


def test_readme_opens_with_the_two_commands(root: Path) -> None:
    head = readme(root).split("\n## ", 1)[0]
    assert re.findall(r"make (\w+)", head)[:2] == ["demo", "test"]


def test_every_command_is_in_the_readme(root: Path) -> None:
    text = readme(root)
    assert [name for name in COMMANDS if f"topomem {name}" not in text] == []


def test_every_option_is_in_the_readme(root: Path) -> None:
    text = readme(root)
    context = click.Context(program)
    for name in COMMANDS:
        command = program.get_command(context, name)
        assert command is not None
        assert [option for option in sorted(options(command)) if option not in text] == [], name


def test_every_error_code_is_in_the_readme(root: Path) -> None:
    text = readme(root)
    assert [kind.code for kind in deliberate_errors() if f"`{kind.code}`" not in text] == []


def test_every_error_has_an_exit_code() -> None:
    for kind in deliberate_errors():
        assert any(parent in EXIT_CODES for parent in kind.__mro__), kind


def test_every_exit_code_is_in_the_readme(root: Path) -> None:
    rows = set(re.findall(r"^\| (\d+) \|", readme(root), re.MULTILINE))
    assert {str(code) for code in EXIT_CODES.values()} | {
        "0",
        "1",
        "70",
        "74",
        "130",
        "141",
    } == rows


def test_every_make_target_named_in_the_documents_exists(root: Path) -> None:
    makefile = (root / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for document in ("README.md", "ARCHITECTURE.md"):
        text = (root / document).read_text("utf-8")
        assert set(re.findall(r"`make ([a-z-]+)`", text)) <= targets


def test_every_test_named_in_the_architecture_exists(root: Path) -> None:
    text = (root / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)
    assert named
    for path, function in named:
        assert (root / path).is_file(), path
        if function:
            assert f"def {function}(" in (root / path).read_text("utf-8"), function
