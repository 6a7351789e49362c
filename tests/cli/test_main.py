from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.command import process, topomem

import topomem as package
from topomem.cli.main import run


def test_version_is_that_of_the_package() -> None:
    assert process("--version").out == f"topomem, version {package.__version__}\n"


def test_start_up_loads_nothing_heavy() -> None:
    check = (
        "import sys; from topomem.cli.main import run; run(['--help']); "
        "print(*sorted({'duckdb', 'pygit2', 'tree_sitter', 'numpy', 'networkx', 'rich'}"
        " & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True)
    assert done.stderr.strip() == b""


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["symbols", "--nonsense"], ["refs"], ["refs", "x", "--depth", "many"]],
)
def test_wrong_usage_is_told_on_stderr(words: list[str]) -> None:
    done = topomem(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("topomem: ")


def test_wrong_usage_with_json_is_an_envelope() -> None:
    done = topomem("symbols", "--nonsense", "--json")
    assert done.code == 2
    assert done.document["error"]["code"] == "usage"
    assert set(done.document["error"]) == {"code", "message", "hint"}
    assert done.err == ""


def test_outside_a_repository(tmp_path: Path) -> None:
    done = topomem("symbols", "--json", cwd=tmp_path)
    assert done.code == 4
    assert done.document["error"]["code"] == "not_a_repository"


def test_common_options_stand_before_and_behind(tmp_path: Path) -> None:
    before = topomem("--json", "-C", tmp_path, "status")
    behind = topomem("status", "-C", tmp_path, "--json")
    assert (before.code, before.out) == (behind.code, behind.out)
    assert before.document["error"]["code"] == "not_a_repository"


def test_an_unexpected_fault_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("topomem.api.memory.open", fail)
    assert run(["status", "-C", str(tmp_path), "--json"]) == 70
    assert '"code":"internal"' in capsys.readouterr().out


def test_an_interrupt_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("topomem.api.memory.open", fail)
    assert run(["status", "-C", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "topomem: interrupted\n"


def test_a_reader_that_leaves_is_no_fault() -> None:
    command = f"{sys.executable} -m topomem --help | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert done.stdout.strip() in {b"0", b"141"}
    assert done.stderr == b""
