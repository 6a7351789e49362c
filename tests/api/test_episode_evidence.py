"""Reports become evidence of the code they are about, and say when they no longer hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import topomem as command
from support.copies import copy_of, indexed_template, top
from support.history import git

import topomem
from topomem.api.episode_evidence import Imported, ReportFile
from topomem.api.memory import Memory
from topomem.api.running import RunRequest
from topomem.errors import UnknownItem, UsageError

TEXT = """
=== c1
--- shop/__init__.py
--- shop/prices.py
from shop.rates import RATE

def tax(amount):
    return amount * RATE
--- shop/rates.py
RATE = 0.2
--- shop/cart.py
def total(lines):
    return sum(lines)
--- tests/test_prices.py
from shop.prices import tax

def test_tax():
    assert tax(10) == 2

def test_none():
    assert tax(0) == 0
--- README.md
a shop
--- requirements.txt
click==8
"""

JUNIT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0" failures="1" skipped="0" tests="2" time="0.25">
<testcase classname="tests.test_prices" name="test_tax" time="0.1">
<failure message="assert 2.1 == 2">quixotic details</failure></testcase>
<testcase classname="tests.test_prices" name="test_none" time="0.1" />
</testsuite></testsuites>"""
PASSING = JUNIT.replace('failures="1"', 'failures="0"').replace(
    '<failure message="assert 2.1 == 2">quixotic details</failure>', ""
)
SARIF = json.dumps(
    {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "lint", "version": "1.0"}},
                "results": [
                    {
                        "ruleId": "float-money",
                        "level": "error",
                        "message": {"text": "money in floats"},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "shop/prices.py"},
                                    "region": {"startLine": 4},
                                }
                            }
                        ],
                    }
                ],
            }
        ],
    }
)
REQUEST = {
    "number": 12,
    "title": "Round the tax",
    "state": "MERGED",
    "headRefName": "rounding",
    "author": {"login": "ada"},
    "body": "closes #7",
    "url": "https://example.org/pull/12",
    "labels": [],
    "reviews": [{"author": {"login": "bob"}, "state": "APPROVED", "body": "cents are lost"}],
    "closingIssuesReferences": [{"number": 7}],
}


@pytest.fixture(scope="module", name="template")
def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed_template(TEXT, tmp_path_factory)


@pytest.fixture(name="memory")
def _memory(template: Path, tmp_path: Path) -> Memory:
    return copy_of(template, tmp_path)


def imported(memory: Memory, text: str, name: str = "report", **more: str) -> Imported:
    (found,) = memory.import_reports([ReportFile(name, text.encode())], **more)
    return found


def change(memory: Memory, path: str, text: str) -> None:
    """Commit a change of one file, and index it."""
    (top(memory) / path).write_text(text)
    git(top(memory), "add", "-A")
    git(top(memory), "commit", "-q", "-m", f"change {path}")
    memory.index(jobs=1)


def stale(memory: Memory, event: str, as_of: str | None = None) -> tuple[str, ...]:
    answer = memory.episode(event, as_of=as_of).answer
    return answer.stale[event]


def test_a_test_run_is_evidence_of_the_symbols_its_cases_are(memory: Memory) -> None:
    found = imported(memory, JUNIT, "junit.xml")
    assert (found.kind, found.summary, found.troubles) == (
        "junit",
        "1 failed, 1 passed (pytest)",
        (),
    )
    (answer,) = memory.episodes().episodes
    episode = answer.episode
    assert (episode.id, episode.kind, episode.outcome) == (
        found.events[0],
        "test_evidence",
        "failed",
    )
    assert answer.provenance.method == "parsed"
    assert [one.symbol for one in episode.links.symbols] == [
        "tests/test_prices.py#test_tax",
        "tests/test_prices.py#test_none",
    ]
    case = episode.first.data["cases"][0]
    assert (case["outcome"], case["message"], case["seconds"]) == ("failed", "assert 2.1 == 2", 0.1)
    assert [one.episode.id for one in memory.show("test_tax").episodes] == [episode.id]
    assert memory.episodes(text="test_tax assert").total == 1


def test_the_same_report_again_changes_nothing(memory: Memory) -> None:
    assert imported(memory, JUNIT) == imported(memory, JUNIT)
    assert memory.episodes().total == 1


def test_a_long_report_is_cut_to_what_travels(memory: Memory) -> None:
    case = (
        '<testcase classname="tests.test_prices" name="test_x{}"><failure message="{}"/></testcase>'
    )
    cases = "".join(case.format(number, "long " * 90) for number in range(2_000))
    imported(memory, f'<testsuite name="pytest" tests="2000">{cases}</testsuite>')
    (line,) = memory.export_lines()
    assert len(line) < 200_000
    data = memory.episodes().episodes[0].episode.first.data
    assert data["counts"] == {"failed": 2_000}
    assert len(data["cases"]) + data["cases_left_out"] == 2_000
    assert memory.import_lines([line]).troubles == ()


def test_findings_stand_at_the_symbols_around_them(memory: Memory) -> None:
    found = imported(memory, SARIF)
    assert (found.kind, found.summary) == ("sarif", "1 error (lint)")
    (answer,) = memory.show("shop/prices.py#tax").episodes
    assert answer.episode.outcome == "failed"
    assert answer.episode.first.data["findings"][0]["rule"] == "float-money"


def test_a_pull_request_tells_what_became_of_it(memory: Memory) -> None:
    head = git(top(memory), "rev-parse", "HEAD").strip()
    found = imported(memory, json.dumps([REQUEST | {"mergeCommit": {"oid": head}}]))
    assert (found.kind, len(found.events)) == ("pull_requests", 1)
    (answer,) = memory.episodes(issue="7").episodes
    episode = answer.episode
    assert (episode.title, episode.outcome) == ("#12 Round the tax", "succeeded")
    assert episode.first.commit_id == head
    assert "cents are lost" in str(episode.first.data["reviews"])
    assert memory.episodes(issue="#12").total == 1


def test_names_of_people_are_kept_as_configured(memory: Memory) -> None:
    (top(memory) / "topomem.toml").write_text('[history]\nauthors = "drop"\n')
    careful = topomem.open(top(memory))
    key = imported(careful, json.dumps(REQUEST)).events[0]
    text = str(careful.episode(key).answer.episode.first.body)
    assert "ada" not in text.split("data", maxsplit=1)[0]
    assert "bob" not in text


def test_a_report_may_belong_to_an_episode_and_to_a_named_commit(memory: Memory) -> None:
    key = memory.start_episode("Round the tax").id
    change(memory, "shop/cart.py", "def total(lines):\n    return 0\n")
    memory.import_reports([ReportFile("a", JUNIT.encode())], commit="HEAD~1", episode=key)
    episode = memory.episode(key).answer.episode
    assert episode.outcome == "open"
    assert episode.events[1].commit_id == git(top(memory), "rev-parse", "HEAD~1").strip()


def test_what_is_no_report_is_told_and_the_others_are_read(memory: Memory) -> None:
    files = [ReportFile("x", b"hello"), ReportFile("y", JUNIT.encode()), ReportFile("z", b"[]")]
    found = memory.import_reports(files)
    assert [one.kind for one in found] == ["", "junit", ""]
    assert found[0].troubles
    for wrong in ({"episode": "0" * 16}, {"commit": "nowhere"}):
        with pytest.raises((UnknownItem, topomem.TopomemError)):
            imported(memory, JUNIT, **wrong)
    with pytest.raises(UsageError):
        memory.import_reports([])


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (JUNIT[: JUNIT.index("quixotic") + 8], "failed"),  # in the middle of a failing case
        ('<testsuite tests="5" failures="5"/>', "failed"),
        ('<testsuite tests="2"><testcase name="a"/></testsuite>', "open"),
        (PASSING[: PASSING.index('name="test_none"') + 7], "open"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>', "open"),
    ],
)
def test_a_damaged_report_is_no_success(memory: Memory, text: str, outcome: str) -> None:
    done = command("episode", "import", "-", "--json", cwd=top(memory), text=text)
    assert done.code == 1
    (one,) = done.document["imported"]
    assert one["kind"] == "junit"
    assert one["troubles"]
    assert "damaged report" in one["summary"]
    assert memory.episode(one["events"][0]).answer.episode.outcome == outcome


def test_a_result_is_current_until_what_it_reaches_changes(memory: Memory) -> None:
    event = imported(memory, PASSING).events[0]
    assert stale(memory, event) == ()
    change(memory, "README.md", "still a shop\n")
    change(memory, "shop/cart.py", "def total(lines):\n    return 0\n")
    assert stale(memory, event) == ()
    change(memory, "shop/rates.py", "RATE = 0.3\n")
    assert stale(memory, event) == ("shop/rates.py changed",)
    assert stale(memory, event, as_of="HEAD~1") == ()


def test_a_symbol_is_told_what_its_tests_came_to_last(memory: Memory) -> None:
    assert memory.show("shop/prices.py#tax").results == {}
    imported(memory, JUNIT)
    last = memory.show("shop/prices.py#tax").results
    assert {name: (one.outcome, one.stale) for name, one in last.items()} == {
        "tests/test_prices.py#test_tax": ("failed", ()),
        "tests/test_prices.py#test_none": ("passed", ()),
    }
    change(memory, "shop/rates.py", "RATE = 0.3\n")
    imported(memory, PASSING, commit="HEAD~1")
    (one,) = {
        (one.outcome, one.stale) for one in memory.show("shop/prices.py#tax").results.values()
    }
    assert one == ("passed", ("shop/rates.py changed",))
    shown = command("show", "shop/prices.py#tax", cwd=top(memory)).out
    assert "last passed (stale: shop/rates.py changed)" in shown


def test_a_lock_file_makes_a_result_stale(memory: Memory) -> None:
    event = imported(memory, PASSING).events[0]
    change(memory, "requirements.txt", "click==9\n")
    assert stale(memory, event) == ("requirements.txt changed",)


def test_a_run_is_stale_once_any_code_changed(memory: Memory) -> None:
    event = memory.run(RunRequest(("true",)), print, print).event
    assert stale(memory, event) == ()
    change(memory, "README.md", "still a shop\n")
    assert stale(memory, event) == ()
    change(memory, "shop/cart.py", "def total(lines):\n    return 0\n")
    assert stale(memory, event) == ("shop/cart.py changed",)


def test_a_run_of_uncommitted_changes_holds_while_they_stay(memory: Memory) -> None:
    (top(memory) / "shop/cart.py").write_text("def total(lines):\n    return 0\n")
    event = memory.run(RunRequest(("true",)), print, print).event
    assert stale(memory, event) == ()
    (top(memory) / "shop/cart.py").write_text("def total(lines):\n    return 1\n")
    assert stale(memory, event) == ("it was of changes that were not committed",)


def test_another_environment_is_told(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    event = memory.run(RunRequest(("true",)), print, print).event
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert stale(memory, event) == ("variable TZ UTC became Asia/Tokyo",)
    (top(memory) / "requirements.txt").write_text("click==9\n")
    event = memory.run(RunRequest(("true",)), print, print).event
    git(top(memory), "checkout", "-q", "requirements.txt")
    assert "lock file requirements.txt changed" in stale(memory, event)


def test_the_command_says_what_it_read(memory: Memory) -> None:
    folder = top(memory)
    (folder / ".git/junit.xml").write_text(JUNIT)
    (folder / ".git/other").write_text("hello")
    done = command("episode", "import", ".git/junit.xml", cwd=folder)
    assert done.code == 0
    assert "1 failed, 1 passed" in done.out
    done = command("episode", "import", ".git/other", "--json", cwd=folder)
    assert done.code == 1
    assert done.document["imported"][0]["kind"] is None
    done = command("episode", "import", "-", cwd=folder, text=PASSING)
    assert "2 passed" in done.out
    (row,) = command("episode", "list", "--outcome", "failed", "--json", cwd=folder).document[
        "episodes"
    ]
    shown = command("episode", "show", row["id"], "--json", cwd=folder).document["episode"]
    assert shown["events"][0]["current"] is True
