"""Invariants are run on request alone, and their results are remembered."""

from __future__ import annotations

from pathlib import Path

from support.command import topomem as command
from support.history import build, git

import topomem
from topomem.api.memory import Memory

TEXT = """
=== c1
--- src/a.py
x = 1
--- other.py
y = 1
--- adr/0001-a.md
---
status: accepted
governs: [src/a.py]
deciders: Ada
date: 2024-01-02
invariants:
  - test -e src/a.py
  - test: tests/a.py::test_a
---
# A
--- tests/a.py
def test_a():
    pass
"""


def opened(folder: Path) -> Memory:
    build(TEXT, folder).checkout()
    memory = topomem.open(folder)
    memory.index(jobs=1)
    return memory


def codes(memory: Memory) -> list[str]:
    return [one.code for one in memory.check_decisions().failed]


def commit(folder: Path, memory: Memory) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
    memory.index(jobs=1)


def test_nothing_runs_by_itself(tmp_path: Path) -> None:
    assert codes(opened(tmp_path)) == ["invariant_never_run", "invariant_never_run"]


def test_a_run_is_remembered_until_what_is_governed_changes(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    ran = memory.run_invariants()
    assert [(one.exit_code, bool(one.note)) for one in ran] == [(0, False), (None, True)]
    assert codes(memory) == ["invariant_never_run"]
    (tmp_path / "other.py").write_text("y = 2\n")
    commit(tmp_path, memory)
    assert codes(memory) == ["invariant_never_run"]
    (tmp_path / "src/a.py").write_text("x = 2\n")
    commit(tmp_path, memory)
    assert codes(memory) == ["invariant_stale", "invariant_never_run"]


def test_what_fails_fails_the_check_until_it_passes(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    (tmp_path / "src/a.py").unlink()
    memory.run_invariants()
    assert codes(memory)[0] == "invariant_failing"
    git(tmp_path, "checkout", "src/a.py")
    memory.run_invariants()
    assert codes(memory) == ["invariant_never_run"]


def test_a_configured_command_runs_tests(tmp_path: Path) -> None:
    opened(tmp_path)
    file = tmp_path / "settings.toml"
    file.write_text('[decision]\nrun_test = "echo {target}"\n')
    memory = topomem.open(tmp_path, config=file)
    ran = memory.run_invariants()
    assert [one.command for one in ran][1] == ("echo", "tests/a.py::test_a")
    assert [one.code for one in memory.check_decisions().failed] == [
        "invariant_stale",
        "invariant_stale",
    ]  # fmt: skip - the configuration itself was not committed
    done = command("decision", "check", "--json", cwd=tmp_path)
    assert done.code == 1
    assert [one["passed"] for one in done.document["invariants"]] == [True, True]


def test_results_survive_the_loss_of_every_derived_row(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    memory.run_invariants()
    for file in (tmp_path / ".git/topomem").glob("*.duckdb"):
        file.unlink()
    memory.index(jobs=1)
    assert codes(memory) == ["invariant_never_run"]
