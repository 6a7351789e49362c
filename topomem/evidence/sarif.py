"""Reports of static analysis in SARIF 2.1.0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast, get_args
from urllib.parse import unquote

from topomem.evidence.documents import Node, load
from topomem.evidence.texts import LONGEST_MESSAGE, shorten
from topomem.model.code import Diagnostic
from topomem.model.evidence import AnalysisReport, Finding, Level, Pairs
from topomem.model.ids import FilePath

_VERSION = "2.1.0"
_MOST_FINDINGS = 200_000
_MOST_DIAGNOSTICS = 50
_MOST_FINGERPRINTS = 20
_DEEPEST_BASE = 10
_LEVELS: tuple[Level, ...] = get_args(Level)
_DEFAULT: Level = "warning"
_ARGUMENT = re.compile(r"\{\{|\}\}|\{(\d{1,3})\}")
_LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.){1,200})\]\(\d+\)")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|/|[A-Za-z]:[\\/]")
_DRIVE = re.compile(r"\A/([A-Za-z]:/)")
_NOT_FAILED = frozenset({"pass", "open", "informational", "notApplicable", "review"})


def read_sarif(data: bytes) -> AnalysisReport:
    """Return the findings of a report; what cannot be read is a diagnostic. Never raises."""
    documents, diagnostics = load(data)
    found = list(diagnostics)
    tools: dict[str, str] = {}
    findings: list[Finding] = []
    ended: list[bool] = []
    commits: dict[str, None] = {}
    for document in documents:
        if not document.has("runs"):
            found.append(Diagnostic("not_a_report", "no run of an analysis is in it"))
            continue
        version = document["version"].text()
        if version != _VERSION:
            found.append(Diagnostic("version", f"version {version or 'unknown'}, not {_VERSION}"))
        for node in document["runs"].items():
            run = _Run.of(node)
            tools.setdefault(run.tool, run.version)
            findings += run.findings(_MOST_FINDINGS - len(findings))
            ended += run.endings()
            commits.update(dict.fromkeys(run.commits()))
            found += run.troubles()
    if len(findings) >= _MOST_FINDINGS:
        found.append(Diagnostic("too_many", f"only the first {_MOST_FINDINGS} findings are read"))
    return AnalysisReport(
        tools=tuple(tools.items()),
        findings=tuple(findings),
        succeeded=all(ended) if ended else None,
        commits=tuple(commits),
        diagnostics=tuple(found[:_MOST_DIAGNOSTICS]),
    )


def is_sarif(document: Node) -> bool:
    """Whether a document is a report of this kind."""
    return document["runs"].value is not None and any(
        run["tool"]["driver"].has("name") for run in document["runs"].items()
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of a tool: what results refer to."""

    node: Node
    tool: str
    version: str
    rules: tuple[tuple[Node, ...], ...]  # of the driver, then of each extension
    by_id: dict[str, Node]
    roots: tuple[str, ...]  # absolute addresses that paths are relative to, longest first

    @classmethod
    def of(cls, node: Node) -> _Run:
        driver = node["tool"]["driver"]
        components = [driver, *node["tool"]["extensions"].items()]
        rules = tuple(tuple(component["rules"].items()) for component in components)
        by_id = {rule["id"].text(): rule for group in reversed(rules) for rule in reversed(group)}
        bases = [base["uri"].text() for _, base in node["originalUriBaseIds"].pairs()]
        bases += [one["workingDirectory"]["uri"].text() for one in node["invocations"].items()]
        roots = sorted({base for base in bases if _ABSOLUTE.match(base)}, key=_by_length)
        return cls(
            node,
            driver["name"].text() or "unknown",
            driver.at("semanticVersion", "version").text(),
            rules,
            by_id,
            tuple(roots),
        )

    def findings(self, most: int) -> list[Finding]:
        """Return the results, at most so many."""
        found: list[Finding] = []
        for result in self.node["results"].items():
            if len(found) >= most:
                break
            found.append(self._finding(result))
        return found

    def endings(self) -> Iterator[bool]:
        """Yield whether the invocations say that they came to their end."""
        for one in self.node["invocations"].items():
            if isinstance(one["executionSuccessful"].value, bool):
                yield one["executionSuccessful"].flag()

    def commits(self) -> Iterator[str]:
        """Yield the revisions that were analysed."""
        for one in self.node["versionControlProvenance"].items():
            if one["revisionId"]:
                yield one["revisionId"].text()

    def troubles(self) -> Iterator[Diagnostic]:
        """Yield what the tool says went wrong with itself."""
        for one in self.node["invocations"].items():
            notes = [
                *one["toolExecutionNotifications"].items(),
                *one["toolConfigurationNotifications"].items(),
            ]
            for note in notes:
                if note["level"].text() == "error":
                    yield Diagnostic("tool", shorten(note["message"]["text"].text(300), 300))

    def _finding(self, result: Node) -> Finding:
        rule = self._rule(result)
        place = next(result["locations"].items(), Node())
        region = place["physicalLocation"]["region"]
        first = region["startLine"].number()
        logical = next(place["logicalLocations"].items(), Node())
        return Finding(
            tool=self.tool,
            rule=result["ruleId"].text() or result["rule"]["id"].text() or rule["id"].text(),
            level=_level(result, rule),
            message=_message(result["message"], rule),
            path=self._path(place["physicalLocation"]["artifactLocation"]),
            start_line=first,
            end_line=max(first, region["endLine"].number()),
            fingerprints=_fingerprints(result),
            is_suppressed=_is_suppressed(result),
            baseline=result["baselineState"].text(),
            logical_name=logical.at("fullyQualifiedName", "decoratedName", "name").text(),
        )

    def _rule(self, result: Node) -> Node:
        group = 0
        component = result["rule"]["toolComponent"]
        if isinstance(component["index"].value, int):
            group = component["index"].number() + 1
        for index in (result["ruleIndex"].value, result["rule"]["index"].value):
            if isinstance(index, int) and 0 <= group < len(self.rules):
                rules = self.rules[group]
                if 0 <= index < len(rules):
                    return rules[index]
        name = result["ruleId"].text() or result["rule"]["id"].text()
        parent = name.rpartition("/")[0]  # an id may be that of a part of a rule
        return self.by_id.get(name) or self.by_id.get(parent) or Node()

    def _path(self, location: Node) -> FilePath:
        """Return a path in the repository: bases put before it, what lies outside taken off."""
        artifacts = self.node["artifacts"].value
        index = location["index"].value
        if not location["uri"] and isinstance(index, int) and isinstance(artifacts, list):
            location = Node(artifacts[index])["location"] if 0 <= index < len(artifacts) else Node()
        address = location["uri"].text()
        base = location["uriBaseId"].text()
        for _ in range(_DEEPEST_BASE):
            if not base or _ABSOLUTE.match(address):
                break
            above = self.node["originalUriBaseIds"][base]
            before = above["uri"].text()
            if _ABSOLUTE.match(before):
                break
            address = f"{before.rstrip('/')}/{address}" if before else address
            base = above["uriBaseId"].text()
        for root in self.roots:
            if address.startswith(root):
                address = address[len(root) :].lstrip("/")
                break
        return FilePath(_plain_path(address))


def _by_length(text: str) -> tuple[int, str]:
    return -len(text), text


def _plain_path(address: str) -> str:
    """Return an address as a path with `/`: no scheme, no escapes, no `.` and `..`."""
    path = unquote(re.sub(r"\Afile:(?://[^/]*)?", "", address), errors="replace")
    path = path.replace("\\", "/").replace("\0", "")
    path = _DRIVE.sub(r"\1", path)
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts)


def _level(result: Node, rule: Node) -> Level:
    if result["kind"].text() in _NOT_FAILED:
        return "none"
    for said in (result["level"], rule["defaultConfiguration"]["level"]):
        if said.text() in _LEVELS:
            return cast("Level", said.text())
    return _DEFAULT


def _message(message: Node, rule: Node) -> str:
    """Return the text of a message, its arguments put in and its links as words."""
    text = message.at("text", "markdown").text(LONGEST_MESSAGE)
    if not text:
        text = rule["messageStrings"][message["id"].text()]["text"].text(LONGEST_MESSAGE)
    if not text:
        text = rule.at("shortDescription", "fullDescription")["text"].text(LONGEST_MESSAGE)
    arguments = [one.text() for one in message["arguments"].items()]

    def argument(found: re.Match[str]) -> str:
        if found[1] is None:
            return found.group()[0]
        at = int(found[1])
        return arguments[at] if at < len(arguments) else found.group()

    if arguments:
        text = _ARGUMENT.sub(argument, text)
    return shorten(_LINK.sub(r"\1", text))


def _fingerprints(result: Node) -> Pairs:
    both: Iterable[tuple[str, Node]] = (
        *result["fingerprints"].pairs(),
        *result["partialFingerprints"].pairs(),
    )
    told = {name: value.text() for name, value in both if value.text()}
    return tuple(sorted(told.items())[:_MOST_FINGERPRINTS])


def _is_suppressed(result: Node) -> bool:
    """Whether somebody accepted that a finding stays: no status is one that was accepted."""
    said = [one["status"].text() or "accepted" for one in result["suppressions"].items()]
    return bool(said) and all(status == "accepted" for status in said)
