from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.documents import Node
from topomem.evidence.sarif import is_sarif, read_sarif
from topomem.model.evidence import AnalysisReport, Finding
from topomem.model.ids import FilePath

RULES = [
    {
        "id": "S1",
        "defaultConfiguration": {"level": "error"},
        "messageStrings": {"m": {"text": "{0} is {{bad}} since {1}, {2}"}},
    },
    {"id": "S2/a", "shortDescription": {"text": "short"}},
]


def report(*results: dict[str, Any], **run: Any) -> AnalysisReport:
    driver = {"name": "lint", "semanticVersion": "1.2.3", "rules": RULES}
    document = {
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": list(results), **run}],
    }
    return read_sarif(json.dumps(document).encode())


def finding(result: dict[str, Any], **run: Any) -> Finding:
    read = report(result, **run)
    assert not read.diagnostics
    (only,) = read.findings
    return only


def at(uri: str, base: str = "", **region: int) -> dict[str, Any]:
    location = {"uri": uri} | ({"uriBaseId": base} if base else {})
    return {"locations": [{"physicalLocation": {"artifactLocation": location, "region": region}}]}


def test_a_finding_with_all_it_says() -> None:
    place = at("src/a%20b.py", "SRCROOT", startLine=3, endLine=5)
    place["locations"][0]["logicalLocations"] = [{"fullyQualifiedName": "a.B.c"}]
    one = finding(
        {
            "ruleId": "S1",
            "level": "note",
            "message": {"text": "see [this](1)"},
            "partialFingerprints": {"primary": "x1"},
            "fingerprints": {"own/v1": "y"},
            "baselineState": "unchanged",
            "suppressions": [{"kind": "inSource"}],
            **place,
        }
    )
    assert one == Finding(
        tool="lint",
        rule="S1",
        level="note",
        message="see this",
        path=FilePath("src/a b.py"),
        start_line=3,
        end_line=5,
        fingerprints=(("own/v1", "y"), ("primary", "x1")),
        is_suppressed=True,
        baseline="unchanged",
        logical_name="a.B.c",
    )


def test_what_a_result_does_not_say_is_said_by_its_rule() -> None:
    assert finding({"ruleId": "S1", "message": {"text": "x"}}).level == "error"
    assert finding({"ruleIndex": 0, "message": {"text": "x"}}).rule == "S1"
    assert finding({"ruleId": "S2", "message": {"text": "x"}}).level == "warning"
    assert finding({"rule": {"id": "S1"}, "message": {"text": "x"}}).rule == "S1"
    assert finding({"ruleId": "S1", "kind": "pass", "message": {"text": "x"}}).level == "none"
    told = finding({"ruleId": "S1", "message": {"id": "m", "arguments": ["It", "May"]}})
    assert told.message == "It is {bad} since May, {2}"
    assert finding({"ruleIndex": 1, "message": {}}).message == "short"


def test_rules_of_extensions() -> None:
    tool = {"driver": {"name": "t"}, "extensions": [{"name": "e", "rules": RULES}]}
    result = {"rule": {"index": 0, "toolComponent": {"index": 0}}, "message": {"text": "x"}}
    one = finding(result, tool=tool)
    assert (one.tool, one.rule, one.level) == ("t", "S1", "error")


@pytest.mark.parametrize(
    ("uri", "base", "path"),
    [
        ("src/a.py", "", "src/a.py"),
        ("./src/../lib//a.py", "", "lib/a.py"),
        ("a.py", "SRC", "pkg/src/a.py"),
        ("a.py", "ROOT", "a.py"),
        ("a.py", "LOOP", "l/l/l/l/l/l/l/l/l/l/a.py"),
        ("a.py", "NOBODY", "a.py"),
        ("file:///home/me/x/src/a.py", "", "src/a.py"),
        ("file:///elsewhere/a.py", "", "/elsewhere/a.py"),
        ("src\\a.py", "", "src/a.py"),
        ("file:///C:/x/a.py", "", "C:/x/a.py"),
        ("../../etc/passwd", "", "../../etc/passwd"),
    ],
)
def test_paths_are_those_of_the_repository(uri: str, base: str, path: str) -> None:
    bases = {
        "ROOT": {"uri": "file:///home/me/x/"},
        "SRC": {"uri": "src/", "uriBaseId": "PKG"},
        "PKG": {"uri": "pkg/", "uriBaseId": "ROOT"},
        "LOOP": {"uri": "l/", "uriBaseId": "LOOP"},
    }
    place = at(uri, base)
    assert finding({"message": {"text": "x"}, **place}, originalUriBaseIds=bases).path == path


def test_a_location_may_be_an_index() -> None:
    place = {"locations": [{"physicalLocation": {"artifactLocation": {"index": 1}}}]}
    artifacts = [{"location": {"uri": "a.py"}}, {"location": {"uri": "b.py"}}]
    assert finding({"message": {"text": "x"}, **place}, artifacts=artifacts).path == "b.py"


@pytest.mark.parametrize(
    ("suppressions", "expected"),
    [
        ([], False),
        ([{"kind": "external", "status": "accepted"}], True),
        ([{"status": "underReview"}], False),
        ([{"status": "accepted"}, {"status": "rejected"}], False),
    ],
)
def test_only_what_was_accepted_is_suppressed(suppressions: list[Any], expected: bool) -> None:  # noqa: FBT001
    result = {"message": {"text": "x"}, "suppressions": suppressions}
    assert finding(result).is_suppressed == expected


def test_what_is_said_of_the_run() -> None:
    read = report(
        invocations=[
            {
                "executionSuccessful": False,
                "toolExecutionNotifications": [{"level": "error", "message": {"text": "broke"}}],
            }
        ],
        versionControlProvenance=[{"revisionId": "abc"}],
    )
    assert read.tools == (("lint", "1.2.3"),)
    assert read.succeeded is False
    assert read.commits == ("abc",)
    assert [(one.code, one.message) for one in read.diagnostics] == [("tool", "broke")]
    assert report().succeeded is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"{}", "not_a_report"),
        (b"[1]", "not_a_report"),
        (b'{"runs": [', "syntax"),
        (b"[" * 100_000, "syntax"),
        (b'{"version": "1.0.0", "runs": []}', "version"),
        (b'{"version": "2.1.0", "runs": [' + b"9" * 10_000 + b"]}", "syntax"),
    ],
)
def test_what_is_no_report_is_told(data: bytes, code: str) -> None:
    read = read_sarif(data)
    assert [one.code for one in read.diagnostics] == [code]
    assert not read.findings


def test_a_report_is_told_from_other_documents() -> None:
    assert is_sarif(Node({"runs": [{"tool": {"driver": {"name": "x"}}}]}))
    assert not is_sarif(Node({"runs": 3}))


KEYS = st.sampled_from(
    ["runs", "tool", "driver", "rules", "results", "locations", "message", "text", "physicalLocation",
     "artifactLocation", "index", "ruleIndex", "rule", "uri", "uriBaseId", "originalUriBaseIds",
     "region", "startLine", "suppressions", "invocations", "artifacts", "id", "level", "arguments"]
)  # fmt: skip
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.text(max_size=4), st.floats())
VALUES = st.recursive(
    LEAVES, lambda one: st.lists(one, max_size=3) | st.dictionaries(KEYS, one, max_size=4)
)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_no_document_is_an_error(run: dict[str, Any]) -> None:
    read = read_sarif(json.dumps({"version": "2.1.0", "runs": [run, 1, None]}).encode())
    assert all(one.start_line <= one.end_line for one in read.findings)


@given(st.binary(max_size=60))
def test_no_bytes_are_an_error(data: bytes) -> None:
    assert read_sarif(data).diagnostics
