"""Pull and merge requests as GitHub and GitLab export them.

REST and GraphQL answers, `gh pr view --json`, events of web hooks; one, a list, pages after each
other. People are named as is configured, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from topomem.evidence.documents import Node, load
from topomem.evidence.issues import closed_issues, issue_id
from topomem.evidence.texts import LONGEST_MESSAGE
from topomem.model.code import Diagnostic
from topomem.model.evidence import (
    Authors,
    PullRequest,
    RequestsReport,
    RequestState,
    Review,
    Verdict,
)
from topomem.model.ids import FilePath
from topomem.model.people import hashed

Source = Literal["github", "gitlab"]

_MOST_REQUESTS = 50_000
_MOST_STEPS = 500_000
_MOST_PARTS = 1_000
"""Commits, paths, labels, reviews of one request."""
_WRAPPERS = (
    "data", "repository", "project", "group", "organization", "pullRequest", "pullRequests",
    "pull_request", "pull_requests", "mergeRequest", "mergeRequests", "merge_request",
    "merge_requests", "object_attributes", "nodes", "edges", "node", "items", "search", "pull",
)  # fmt: skip
_OF_GITHUB = ("base", "baseRefName", "headRefName", "headRefOid", "isDraft", "merge_commit_sha")
_OF_GITLAB = ("target_branch", "source_branch", "targetBranch", "sourceBranch", "diff_refs")
_STATES: dict[str, RequestState] = {
    "open": "open", "opened": "open", "reopened": "open", "locked": "open", "closed": "closed",
    "merged": "merged",
}  # fmt: skip
_VERDICTS: dict[str, Verdict] = {
    "approved": "approved",
    "changes_requested": "changes_requested",
    "requested_changes": "changes_requested",
    "commented": "commented",
    "dismissed": "dismissed",
    "pending": "pending",
}


def read_requests(data: bytes, authors: Authors = "keep") -> RequestsReport:
    """Return the requests of an export in order; trouble is a diagnostic. Never raises."""
    documents, diagnostics = load(data)
    found = [_Reader(authors).read(node, source) for node, source in _requests(documents)]
    trouble = list(diagnostics)
    if documents and not found:
        trouble.append(Diagnostic("not_a_report", "no pull request is in it"))
    if len(found) >= _MOST_REQUESTS:
        trouble.append(Diagnostic("too_many", f"only the first {_MOST_REQUESTS} are read"))
    return RequestsReport(tuple(found), tuple(trouble))


def is_request(document: Node) -> bool:
    """Whether a document holds a pull or merge request."""
    return next(_requests([document]), None) is not None


def person(name: str, authors: Authors) -> str:
    """Return how a name is kept: as it is, as digits that tell people apart, or not at all."""
    if authors == "drop" or not name:
        return ""
    return name if authors == "keep" else hashed(name)


def _requests(documents: list[Node]) -> Iterator[tuple[Node, Source]]:
    """Yield what is a request, wherever it stands inside known wrappers, in order."""
    waiting = documents[::-1]
    count = steps = 0
    while waiting and count < _MOST_REQUESTS and steps < _MOST_STEPS:
        steps += 1
        node = waiting.pop()
        source = _source(node)
        if source:
            count += 1
            yield node, source
        elif isinstance(node.value, list):
            waiting += [Node(one) for one in reversed(node.value[:_MOST_STEPS])]
        else:
            waiting += [node[key] for key in reversed(_WRAPPERS) if node.has(key)]


def _source(node: Node) -> Source | None:
    if not node.at("number", "iid").number():
        return None
    if node.has("iid") and node.has(*_OF_GITLAB):
        return "gitlab"
    if node.has("number") and node.has(*_OF_GITHUB):
        return "github"
    return None


class _Reader:
    """Reads requests with people named in one way."""

    def __init__(self, authors: Authors) -> None:
        self._authors = authors

    def read(self, node: Node, source: Source) -> PullRequest:
        """Return a request; what it does not say is empty."""
        base, head, refs = node["base"], node["head"], node.at("diff_refs", "diffRefs")
        merge = node.at("mergeCommit")["oid"] or node.at(
            "merge_commit_sha", "mergeCommitSha", "squash_commit_sha"
        )
        text = node.at("body", "description").text(LONGEST_MESSAGE)
        return PullRequest(
            source=source,
            number=node.at("iid", "number").number(),
            title=node["title"].text(),
            author=self._person(node.at("author", "user", "last_edited_by")),
            state=_state(node),
            is_draft=node.at("isDraft", "draft", "work_in_progress").flag(),
            url=node.at("html_url", "web_url", "webUrl", "url").text(),
            text=text,
            base_ref=(
                node.at("baseRefName", "target_branch", "targetBranch") or base["ref"]
            ).text(),
            head_ref=(
                node.at("headRefName", "source_branch", "sourceBranch") or head["ref"]
            ).text(),
            base_commit=(
                node["baseRefOid"] or base["sha"] or refs.at("base_sha", "baseSha")
            ).text(),
            head_commit=(
                node.at("headRefOid", "sha", "diffHeadSha") or head["sha"] or refs["head_sha"]
            ).text(),
            merge_commit=merge.text() if _state(node) == "merged" else "",
            created=node.at("createdAt", "created_at").text(),
            closed=node.at("mergedAt", "merged_at", "closedAt", "closed_at").text(),
            commits=_commits(node["commits"]),
            paths=_paths(node.at("files", "changes", "diffStats")),
            labels=_texts(node["labels"], "name", "title"),
            linked_issues=_issues(node, text),
            reviews=self._reviews(node),
            decision=node["reviewDecision"].text().casefold(),
            comment_count=_comment_count(node),
        )

    def _person(self, node: Node) -> str:
        name = node.at("login", "username", "name").text() or node.text()
        return person(name, self._authors)

    def _reviews(self, node: Node) -> tuple[Review, ...]:
        found: list[Review] = []
        for one in node["reviews"].items():
            verdict = _VERDICTS.get(one["state"].text().casefold())
            if verdict is None or len(found) >= _MOST_PARTS:
                continue
            found.append(
                Review(
                    author=self._person(one.at("author", "user")),
                    verdict=verdict,
                    commit=(one["commit"]["oid"] or one["commit_id"]).text(),
                    submitted=one.at("submittedAt", "submitted_at").text(),
                    text=one["body"].text(LONGEST_MESSAGE),
                )
            )
        for one in (*node["approved_by"].items(), *node["approvedBy"].items()):
            who = one["user"] or one
            found.append(Review(self._person(who), "approved", "", ""))
        return tuple(found[:_MOST_PARTS])


def _state(node: Node) -> RequestState:
    if node.at("merged_at", "mergedAt") or node["merged"].flag():
        return "merged"
    return _STATES.get(node["state"].text().casefold(), "open")


def _commits(node: Node) -> tuple[str, ...]:
    ids = [
        (one.at("oid", "sha", "id") or one["commit"].at("oid", "sha")).text()
        for one in node.items()
    ]
    return tuple([one for one in ids if one][:_MOST_PARTS])


def _paths(node: Node) -> tuple[FilePath, ...]:
    return tuple(FilePath(text) for text in _texts(node, "path", "filename", "new_path"))


def _texts(node: Node, *keys: str) -> tuple[str, ...]:
    texts = [one.text() or one.at(*keys).text() for one in node.items()]
    return tuple([text for text in texts if text][:_MOST_PARTS])


def _issues(node: Node, text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for one in node.at("closingIssuesReferences", "closes_issues").items():
        name = issue_id(one.at("url", "web_url").text()) or ""
        number = one.at("number", "iid").number()
        if name or number:
            found[name or f"#{number}"] = None
    found.update((closed.issue, None) for closed in closed_issues(text))
    return tuple(list(found)[:_MOST_PARTS])


def _comment_count(node: Node) -> int:
    comments = node["comments"]
    if isinstance(comments.value, dict | list):
        return comments["totalCount"].number() or sum(1 for _ in comments.items())
    return comments.number() + node.at("review_comments", "user_notes_count").number()
