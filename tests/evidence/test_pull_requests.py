from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.documents import Node
from topomem.evidence.pull_requests import is_request, person, read_requests
from topomem.model.evidence import PullRequest, Review

VIEWED = {
    "number": 12,
    "title": "cart: add items",
    "state": "MERGED",
    "isDraft": False,
    "author": {"login": "ann"},
    "url": "https://github.test/o/r/pull/12",
    "body": "Fixes #3 and #4.",
    "baseRefName": "main",
    "headRefName": "cart",
    "headRefOid": "aa",
    "mergeCommit": {"oid": "bb"},
    "createdAt": "2026-01-01T00:00:00Z",
    "closedAt": "2026-01-03T00:00:00Z",
    "mergedAt": "2026-01-02T00:00:00Z",
    "commits": [{"oid": "c1"}, {"oid": "aa"}],
    "files": [{"path": "cart.py", "additions": 1}],
    "labels": [{"name": "bug"}],
    "comments": [{}, {}],
    "closingIssuesReferences": [{"number": 5, "url": "https://github.test/o/r/issues/5"}],
    "reviewDecision": "APPROVED",
    "reviews": [
        {
            "author": {"login": "bob"},
            "state": "CHANGES_REQUESTED",
            "submittedAt": "t1",
            "body": "no",
        },
        {"author": {"login": "bob"}, "state": "APPROVED", "commit": {"oid": "aa"}},
    ],
}
REST = {
    "number": 7, "title": "x", "state": "closed", "draft": True, "user": {"login": "ann"},
    "html_url": "h", "body": None, "base": {"ref": "main", "sha": "b0"},
    "head": {"ref": "f", "sha": "h0"}, "merge_commit_sha": "m0", "merged_at": None,
    "closed_at": "t", "labels": [{"name": "l"}], "comments": 2, "review_comments": 3,
}  # fmt: skip
MERGE_REQUEST = {
    "id": 900, "iid": 4, "title": "y", "state": "opened", "draft": False,
    "author": {"username": "eve"}, "web_url": "w", "description": "Closes group/sub/p#9",
    "target_branch": "main", "source_branch": "f", "sha": "s0", "labels": ["a", "b"],
    "diff_refs": {"base_sha": "d0", "head_sha": "s0"}, "user_notes_count": 6,
    "approved_by": [{"user": {"username": "kim"}}],
}  # fmt: skip


def read(*documents: Any) -> list[PullRequest]:
    report = read_requests("\n".join(json.dumps(one) for one in documents).encode())
    assert not report.diagnostics
    return list(report.requests)


def test_what_a_command_shows() -> None:
    (one,) = read(VIEWED)
    assert (one.source, one.number, one.state, one.author) == ("github", 12, "merged", "ann")
    assert (one.base_ref, one.head_ref, one.head_commit) == ("main", "cart", "aa")
    assert (one.merge_commit, one.closed[:10]) == ("bb", "2026-01-02")
    assert (one.commits, one.paths, one.labels) == (("c1", "aa"), ("cart.py",), ("bug",))
    assert one.linked_issues == ("o/r#5", "#3", "#4")
    assert one.reviews == (
        Review("bob", "changes_requested", "", "t1", "no"),
        Review("bob", "approved", "aa", ""),
    )
    assert (one.decision, one.comment_count) == ("approved", 2)


def test_what_the_rest_interface_answers() -> None:
    (one,) = read([REST])
    assert (one.state, one.is_draft, one.merge_commit) == ("closed", True, "")
    assert (one.base_commit, one.head_commit, one.comment_count) == ("b0", "h0", 5)
    assert read(REST | {"merged_at": "t"})[0].merge_commit == "m0"


def test_a_merge_request() -> None:
    (one,) = read(MERGE_REQUEST)
    assert (one.source, one.number, one.state, one.author) == ("gitlab", 4, "open", "eve")
    assert (one.base_commit, one.head_commit, one.labels) == ("d0", "s0", ("a", "b"))
    assert (one.linked_issues, one.comment_count) == (("group/sub/p#9",), 6)
    assert one.reviews == (Review("kim", "approved", "", ""),)


def test_requests_are_found_in_what_is_around_them() -> None:
    connection = {"data": {"repository": {"pullRequests": {"edges": [{"node": VIEWED}]}}}}
    nodes = {"data": {"repository": {"pullRequests": {"nodes": [VIEWED, REST]}}}}
    graph = VIEWED | {
        "labels": {"nodes": [{"name": "g"}]},
        "commits": {"nodes": [{"commit": {"oid": "c9"}}]},
        "files": {"nodes": [{"path": "p.py"}]},
        "comments": {"totalCount": 40},
    }
    assert [one.number for one in read(connection, nodes)] == [12, 12, 7]
    assert [one.number for one in read({"action": "closed", "pull_request": REST})] == [7]
    (one,) = read({"data": {"repository": {"pullRequest": graph}}})
    assert (one.labels, one.commits, one.paths, one.comment_count) == (
        ("g",),
        ("c9",),
        ("p.py",),
        40,
    )
    assert [one.number for one in read([VIEWED], [REST])] == [12, 7]  # pages after each other


def test_people_are_named_as_configured() -> None:
    data = json.dumps(VIEWED).encode()
    assert read_requests(data, "drop").requests[0].author == ""
    hashed = read_requests(data, "hash").requests[0]
    assert hashed.author == person("ann", "hash") != person("bob", "hash")
    assert "ann" not in repr(hashed)
    assert "bob" not in repr(hashed)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"{}", "not_a_report"),
        (b'[{"number": 1, "title": "an issue", "state": "open"}]', "not_a_report"),
        (b'{"number":', "syntax"),
        (b"[" * 50_000, "syntax"),
    ],
)
def test_what_is_no_request_is_told(data: bytes, code: str) -> None:
    report = read_requests(data)
    assert [one.code for one in report.diagnostics] == [code]
    assert not report.requests


def test_what_stands_before_an_error_is_kept() -> None:
    report = read_requests(json.dumps(REST).encode() + b"\n{")
    assert [one.number for one in report.requests] == [7]
    assert [one.code for one in report.diagnostics] == ["syntax"]


def test_a_request_is_told_from_other_documents() -> None:
    assert is_request(Node({"pull_request": REST}))
    assert not is_request(Node({"runs": []}))


KEYS = st.sampled_from([*VIEWED, *REST, *MERGE_REQUEST, "nodes", "edges", "node", "data"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-1, 3), st.text(max_size=4), st.floats())
VALUES = st.recursive(
    LEAVES, lambda one: st.lists(one, max_size=3) | st.dictionaries(KEYS, one, max_size=3)
)


@given(st.dictionaries(KEYS, VALUES, max_size=6), st.sampled_from([{}, VIEWED, MERGE_REQUEST]))
def test_no_document_is_an_error(some: dict[str, Any], real: dict[str, Any]) -> None:
    for request in read_requests(json.dumps(real | some).encode()).requests:
        assert request.number > 0
        assert request.state in ("open", "closed", "merged")


@given(st.binary(max_size=60))
def test_no_bytes_are_an_error(data: bytes) -> None:
    assert read_requests(data).diagnostics
