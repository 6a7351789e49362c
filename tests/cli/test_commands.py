"""Each command as a user runs it, on a small repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import answer, process, topomem
from support.history import History, start
from support.shop import shop

from topomem.retrieve.tokens import estimate


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> History:
    history = shop(tmp_path_factory.mktemp("shop"))
    answer("index", cwd=history.folder)
    return history


def test_index_reports_what_it_did(tmp_path: Path) -> None:
    history = shop(tmp_path)
    first = answer("index", cwd=tmp_path)
    assert first["commits"] == {"indexed": 2, "total": 2}
    assert first["blobs"]["parsed"] > 0
    assert {"path": "picture.py", "reason": "binary"} in first["blobs"]["skipped"]
    assert first["symbols"] > 0
    assert first["edges"] > 0
    assert set(first) >= {"aliases", "seconds", "store_bytes", "warnings"}
    again = answer("index", cwd=tmp_path)
    assert again["commits"] == {"indexed": 0, "total": 2}
    assert again["blobs"]["parsed"] == 0
    assert history.ids["c2"] == answer("status", cwd=tmp_path)["indexed_head"]


def test_index_writes_nothing_but_its_store(tmp_path: Path) -> None:
    shop(tmp_path)
    before = tree_of(tmp_path)
    answer("index", cwd=tmp_path)
    assert tree_of(tmp_path) == before


def tree_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "topomem" not in path.relative_to(folder).parts
    }


def test_symbols_have_the_keys_of_the_contract(indexed: History) -> None:
    document = answer("symbols", "=tax", cwd=indexed.folder)
    assert document["as_of"] == indexed.ids["c2"]
    (symbol,) = document["symbols"]
    assert symbol["id"] == "shop/prices.py#tax"
    assert symbol["commit"] == indexed.ids["c2"]
    assert (symbol["start_line"], symbol["end_line"]) == (4, 6)
    assert symbol["provenance"]["method"] == "parsed"
    assert set(symbol) >= {"repository", "language", "kind", "signature", "blob"}


def test_edges_have_the_keys_of_the_contract(indexed: History) -> None:
    document = answer("edges", "--kind", "calls", "--path", "shop/cart.py", cwd=indexed.folder)
    found = [edge for edge in document["edges"] if "path" in edge["target"]]
    assert {
        "path": "shop/prices.py",
        "qualified_name": "tax",
        "kind": "function",
        "start_line": 4,
    } in [edge["target"] for edge in found]
    assert {"kind", "source", "target", "path", "line", "confidence", "method"} <= set(found[0])


def test_a_bundle_is_cited_and_verifies(indexed: History, tmp_path: Path) -> None:
    document = answer("bundle", "round the tax on an amount", "--budget", "600", cwd=indexed.folder)
    assert document["used_tokens"] <= 600
    assert document["items"][0]["path"] == "shop/prices.py"
    file = tmp_path / "bundle.json"
    file.write_text(json.dumps(document))
    report = answer("verify", file, cwd=indexed.folder)
    assert report["checked"] == len(document["items"])
    assert report["failed"] == []


def test_a_changed_bundle_does_not_verify(indexed: History, tmp_path: Path) -> None:
    document = answer("bundle", "round the tax on an amount", cwd=indexed.folder)
    document["items"][0]["citation"]["sha256"] = "0" * 64
    file = tmp_path / "bundle.json"
    file.write_text(json.dumps(document))
    done = topomem("verify", file, "--json", cwd=indexed.folder)
    assert done.code == 1
    assert len(done.document["failed"]) == 1


def test_the_task_may_come_from_standard_input(indexed: History) -> None:
    piped = answer("bundle", "-", cwd=indexed.folder, text="round the tax")
    assert piped == answer("bundle", "round the tax", cwd=indexed.folder)


@pytest.mark.parametrize("budget", ["0", "1", "5", "20"])
def test_a_budget_that_nothing_fits_is_wrong_usage(indexed: History, budget: str) -> None:
    done = topomem("bundle", "tax", "--budget", budget, "--json", cwd=indexed.folder)
    assert done.code == 2
    assert done.document["error"]["code"] == "budget_too_small"


def test_doctor_finds_nothing_wrong(indexed: History) -> None:
    report = answer("doctor", "--sample", "2", cwd=indexed.folder)
    assert report["checked"] > 0
    assert report["failed"] == []


@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["symbols"],
        ["show", "Cart"],
        ["edges"],
        ["refs", "tax", "--direction", "in,out", "--depth", "2"],
        ["bundle", "tax"],
        ["doctor"],
    ],
)
def test_answers_for_people_and_for_programs(indexed: History, words: list[str]) -> None:
    plain = topomem(*words, cwd=indexed.folder)
    assert (plain.code, plain.err) == (0, "")
    assert plain.out.strip()
    assert "\x1b" not in plain.out
    program = topomem(*words, "--json", cwd=indexed.folder)
    assert (program.code, program.err) == (0, "")
    assert program.out.count("\n") == 1
    assert program.document


@pytest.mark.parametrize(
    ("words", "exit_code", "error"),
    [
        (["symbols", "--as-of", "no-such"], 3, "unknown_revision"),
        (["show", "no_such_symbol"], 3, "unknown_symbol"),
        (["refs", "refund"], 3, "ambiguous_symbol"),
        (["bundle", "tax", "--as-of", "no-such"], 3, "unknown_revision"),
        (["bundle", "tax", "--count", "no-such"], 2, "usage"),
        (["bundle", ""], 2, "usage"),
        (["verify", "no-such-file.json"], 2, "usage"),
        (["show", "../outside.py#x"], 3, "unknown_symbol"),
        (["show", "x" * 100_000], 3, "unknown_symbol"),
        (["edges", "--kind", "no-such"], 2, "usage"),
    ],
)
def test_what_cannot_be_answered_is_an_envelope(
    indexed: History, words: list[str], exit_code: int, error: str
) -> None:
    done = topomem(*words, "--json", cwd=indexed.folder)
    assert (done.code, done.document["error"]["code"]) == (exit_code, error)
    assert done.err == ""
    plain = topomem(*words, cwd=indexed.folder)
    assert (plain.code, plain.out) == (exit_code, "")
    assert "Traceback" not in plain.err


def test_git_variables_of_a_hook_do_not_mislead(indexed: History, tmp_path: Path) -> None:
    other = shop(tmp_path / "other")
    environment = {
        "GIT_DIR": str(other.folder / ".git"),
        "GIT_INDEX_FILE": ".git/index",
        "GIT_WORK_TREE": str(other.folder),
        "GIT_COMMON_DIR": str(other.folder / ".git"),
        "GIT_OBJECT_DIRECTORY": str(other.folder / ".git" / "objects"),
    }
    before = tree_of(other.folder)
    done = process("-C", indexed.folder, "status", "--json", environment=environment)
    assert done.document["top"].rstrip("/") == str(indexed.folder)
    assert tree_of(other.folder) == before
    assert not (other.folder / ".git" / "topomem").exists()


def test_a_folder_of_repositories_is_refused_with_advice(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        shop(tmp_path / name)
    done = topomem("index", cwd=tmp_path)
    assert done.code == 4
    assert done.err.count("\n") <= 2


def test_a_subfolder_means_its_repository_and_says_so(tmp_path: Path) -> None:
    shop(tmp_path)
    deep = tmp_path / "shop" / "a" / "b"
    deep.mkdir(parents=True)
    done = topomem("index", cwd=deep)
    assert done.code == 0
    assert str(tmp_path) in done.err
    assert answer("symbols", "=tax", cwd=tmp_path)["symbols"]


def test_an_empty_repository_in_a_batch_stops_nothing(tmp_path: Path) -> None:
    shop(tmp_path / "r1")
    start(tmp_path / "r2")
    shop(tmp_path / "r3")
    reports = [answer("-C", tmp_path / name, "index") for name in ("r1", "r2", "r3")]
    assert [report["commits"]["indexed"] for report in reports] == [2, 0, 2]
    assert reports[1]["warnings"] == ["no commits yet"]
    assert not (tmp_path / "r2" / ".git" / "topomem" / "derived.duckdb").exists()


def test_another_folder_may_hold_the_store(tmp_path: Path) -> None:
    shop(tmp_path / "shop")
    answer("-C", tmp_path / "shop", "--store", tmp_path / "store", "index")
    assert not (tmp_path / "shop" / ".git" / "topomem").exists()
    by_variable = topomem(
        *("-C", tmp_path / "shop", "symbols", "--json"),
        environment={"TOPOMEM_STORE": str(tmp_path / "store")},
    )
    assert by_variable.document["symbols"]


def test_text_of_the_repository_cannot_steer_a_terminal(tmp_path: Path) -> None:
    history = start(tmp_path)
    source = 'def f():\n    """\x1b[31mred\x1b]0;title\x07"""\n'
    history.add("c1", [], {"od\x1bd.py": source})
    history.branch("main", "c1")
    answer("index", cwd=tmp_path)
    for words in (["symbols"], ["show", "f"], ["bundle", "f red"], ["edges"]):
        done = topomem(*words, cwd=tmp_path)
        assert done.code == 0
        assert "\x1b" not in done.out
        assert "\x07" not in done.out


def test_a_file_name_cannot_forge_a_line(tmp_path: Path) -> None:
    history = start(tmp_path)
    history.add("c1", [], {"a.py": "x = 1\n"})
    source = "def f(): return g()\ndef g(): ...\n"
    history.add("c2", ["c1"], {"a.py": "x = 1\n", "evil/a\nb.py": source})
    history.branch("main", "c2")
    answer("index", cwd=tmp_path)
    for words in (["symbols"], ["edges"], ["show", "f"], ["refs", "g"], ["diff", "HEAD~1"]):
        done = topomem(*words, cwd=tmp_path)
        assert "a\\x0ab.py" in done.out
        assert not any(line.startswith("b.py") for line in done.out.splitlines())


@pytest.mark.parametrize("form", ["md", "json"])
def test_a_document_is_never_over_its_budget(indexed: History, form: str) -> None:
    for budget in (200, 300, 450, 700, 1200, 4000):
        words = ("bundle", "round the tax on an amount", "--budget", str(budget))
        done = topomem(*words, "--format", form, cwd=indexed.folder)
        assert done.code in (0, 2)
        assert done.code == 2 or estimate(done.out.rstrip("\n")) <= budget


def test_a_task_of_a_megabyte_is_answered(indexed: History) -> None:
    document = answer("bundle", "-", cwd=indexed.folder, text="round the tax " * 75_000)
    assert document["used_tokens"] <= document["budget_tokens"]


def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("the network is off")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    shop(tmp_path)
    answer("index", cwd=tmp_path)
    assert answer("bundle", "round the tax", cwd=tmp_path)["items"]


def test_warnings_never_reach_standard_output(indexed: History) -> None:
    environment = {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}
    done = process("symbols", "--json", cwd=indexed.folder, environment=environment)
    assert done.document["symbols"]
    assert done.out.count("\n") == 1
