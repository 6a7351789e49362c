"""Reports of other tools as evidence: test runs, findings, pull requests.

What a file is follows from what is in it. Each report becomes one event, bound to the commit that
was named, to the one the report names, or to what is here now; the same report again changes
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from topomem.api.at_the_door import clean, clean_all
from topomem.api.episode_binding import (
    MOST_PATHS,
    MOST_SYMBOLS,
    Bound,
    Changed,
    bind,
    bound_to,
    changed_in_commit,
    linked,
)
from topomem.api.episode_writing import find_root, record_events
from topomem.api.view import open_view
from topomem.errors import NotIndexed, UnknownRevision, UsageError
from topomem.evidence.cases import SymbolIndex
from topomem.evidence.documents import load
from topomem.evidence.junit import is_junit, read_junit
from topomem.evidence.pull_requests import is_request, read_requests
from topomem.evidence.sarif import is_sarif, read_sarif
from topomem.model.episode import Outcome
from topomem.model.evidence import (
    OUTCOMES,
    AnalysisReport,
    CaseResult,
    CaseSymbol,
    PullRequest,
    RunReport,
)
from topomem.model.evidence import Outcome as CaseOutcome
from topomem.model.ids import FilePath
from topomem.store.snapshot import SymbolFilter

if TYPE_CHECKING:
    from topomem.api.opening import Opened

MOST_CASES = 1_000
MOST_FINDINGS = 500
MOST_BYTES = 120_000
"""So much is kept of one report; it must fit a line that travels."""

_LONGEST_NAME = 300
_LONGEST_MESSAGE = 500
_MOST_TROUBLE = 20
_LONGEST_SEARCH = 4_000

_STATES = {"merged": "succeeded", "closed": "abandoned", "open": "open"}
_BAD: tuple[CaseOutcome, ...] = ("failed", "error", "flaky")


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A file to be read: its name is kept, its place is not."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of one file: its kind, the events it became, and what could not be read."""

    name: str
    kind: str  # junit, sarif, pull_requests; "" where it is none of them
    events: tuple[str, ...] = ()
    summary: str = ""
    troubles: tuple[str, ...] = ()
    is_whole: bool = True  # False: damaged, or its counts do not fit; what was read is recorded


def import_reports(
    opened: Opened, files: Sequence[ReportFile], commit: str | None, episode: str
) -> tuple[Imported, ...]:
    """Record reports as evidence. Raises UnknownRevision, UnknownItem, UsageError, StoreFull."""
    if not files:
        raise UsageError("no file to import", "topomem episode import FILE...")
    bound = bind(opened, commit)
    root = ""
    if episode:
        with opened.store.read() as reader:
            root = find_root(reader, episode)
    return tuple(_Importing(opened, bound, root, named=bool(commit)).read(one) for one in files)


class _Importing:
    """Turns reports into events of one episode (or of their own), at one state of the code."""

    def __init__(self, opened: Opened, bound: Bound, root: str, *, named: bool) -> None:
        self._opened, self._bound, self._root, self._named = opened, bound, root, named

    def read(self, file: ReportFile) -> Imported:
        """Record one file."""
        if is_junit(file.data):
            report = read_junit(file.data)
            body, summary = self._of_run(file, report)
            trouble = [f"{one.code}: {one.message}" for one in report.diagnostics]
            if report.cases and not body["symbols"]:
                trouble.append("no case was linked to a symbol: is the commit indexed?")
            done = self._recorded(file, "junit", [body], summary, trouble)
            return replace(done, is_whole=report.is_whole)
        documents, diagnostics = load(file.data)
        if any(map(is_sarif, documents)):
            analysis = read_sarif(file.data)
            body, summary = self._of_analysis(file, analysis)
            trouble = [f"{one.code}: {one.message}" for one in analysis.diagnostics]
            return self._recorded(file, "sarif", [body], summary, trouble)
        if any(map(is_request, documents)):
            requests = read_requests(file.data, self._opened.configuration.authors)
            bodies = [self._of_request(file, one) for one in requests.requests]
            trouble = [f"{one.code}: {one.message}" for one in requests.diagnostics]
            summary = f"{len(bodies)} pull requests"
            return self._recorded(file, "pull_requests", bodies, summary, trouble)
        why = [f"{one.code}: {one.message}" for one in diagnostics]
        return Imported(file.name, "", troubles=("no report that is known", *why[:1]))

    def _recorded(
        self,
        file: ReportFile,
        kind: str,
        bodies: Sequence[dict[str, Any]],
        summary: str,
        trouble: Sequence[str],
    ) -> Imported:
        full = [{key: value for key, value in body.items() if value} for body in bodies]
        ids = record_events(self._opened, full) if full else []
        return Imported(file.name, kind, tuple(ids), summary, tuple(trouble[:_MOST_TROUBLE]))

    def _body(
        self, kind: str, file: ReportFile, data: dict[str, Any], bound: Bound | None = None
    ) -> dict[str, Any]:
        at = bound or self._bound
        digest = sha256(file.data).hexdigest()
        told = {"file": file.name, "report_sha256": digest, **data}
        return {
            "episode_id": self._root,
            "kind": kind,
            **at.body(),
            "principal": self._opened.principal or "",
            "data": _fitted(clean_all({key: value for key, value in told.items() if value})),
        }

    def _of_run(self, file: ReportFile, report: RunReport) -> tuple[dict[str, Any], str]:
        """Return the event of a test run; its outcome counts where it stands alone."""
        order = (*_BAD, *(one for one in OUTCOMES if one not in _BAD))
        counts = {one: count for one in order if (count := report.count(one))}
        told = ", ".join(f"{count} {one}" for one, count in counts.items()) or "no cases"
        told += "" if report.is_whole else ", damaged report"
        summary = f"{told} ({report.producer or 'JUnit XML'})"
        symbols = self._symbols_of(report.cases)
        bad = [case for case in report.cases if case.outcome in _BAD]
        good = [case for case in report.cases if case.outcome not in _BAD]
        shown = (bad + good)[:MOST_CASES]
        data = {
            "source": "junit",
            "producer": report.producer,
            "started": report.started,
            "seconds": report.seconds,
            "counts": counts,
            "cases": [_case(case, symbols.get(id(case), ())) for case in shown],
            "cases_left_out": len(report.cases) - len(shown),
            "summary": summary,
            "search": _search(f"{_name(case)} {case.message}" for case in bad),
        }
        body = self._body("test_evidence", file, data)
        names = [f"{one.path}#{one.name}" for case in shown for one in symbols.get(id(case), ())]
        paths = [str(one.path) for case in shown for one in symbols.get(id(case), ())]
        body["symbols"] = list(dict.fromkeys(names))[:MOST_SYMBOLS]
        body["paths"] = list(dict.fromkeys(paths))[:MOST_PATHS]
        if not self._root:
            body |= {"title": summary, "outcome": _came_to(report)}
        return body, summary

    def _symbols_of(self, cases: Sequence[CaseResult]) -> dict[int, tuple[CaseSymbol, ...]]:
        """Return which symbols cases are, as far as the commit is indexed, or near one that is."""
        try:
            with open_view(self._opened, self._bound.commit or None) as view:
                if view.snapshot is None:
                    return {}
                known = view.snapshot.symbols(SymbolFilter(with_modules=True))
                index = SymbolIndex.of(CaseSymbol(one.path, one.qualified_name) for one in known)
                return {id(case): index.find(case) for case in cases}
        except (NotIndexed, UnknownRevision):
            return {}

    def _of_analysis(self, file: ReportFile, report: AnalysisReport) -> tuple[dict[str, Any], str]:
        """Return the event of an analysis, linked to the symbols that findings stand in."""
        counting = [one for one in report.findings if not one.is_suppressed]
        levels: dict[str, int] = {}
        for one in counting:
            levels[one.level] = levels.get(one.level, 0) + 1
        told = ", ".join(f"{count} {level}" for level, count in sorted(levels.items()))
        tools = ", ".join(name for name, _ in report.tools) or "SARIF"
        summary = f"{told or 'no findings'} ({tools})"
        shown = counting[:MOST_FINDINGS]
        data = {
            "source": "sarif",
            "tools": dict(report.tools),
            "succeeded": report.succeeded,
            "counts": levels,
            "suppressed": len(report.findings) - len(counting),
            "findings": [
                {
                    "rule": one.rule,
                    "level": one.level,
                    "message": one.message[:_LONGEST_MESSAGE],
                    "path": one.path,
                    "start_line": one.start_line,
                    "end_line": one.end_line,
                }
                for one in shown
            ],
            "findings_left_out": len(counting) - len(shown),
            "summary": summary,
            "search": _search(f"{one.rule} {one.message}" for one in shown),
        }
        bound = self._bound if self._named else self._named_by(report.commits) or self._bound
        body = self._body("tool_result", file, data, bound)
        ranges: dict[FilePath, list[tuple[int, int]]] = {}
        for one in shown:
            if one.path:
                lines = (max(1, one.start_line), max(1, one.start_line, one.end_line))
                ranges.setdefault(one.path, []).append(lines)
        self._link(body, linked(self._opened, bound.commit, ranges))
        if not self._root:
            failed = levels.get("error", 0) or report.succeeded is False
            body |= {"title": summary, "outcome": "failed" if failed else "succeeded"}
        return body, summary

    def _of_request(self, file: ReportFile, request: PullRequest) -> dict[str, Any]:
        """Return the event of a pull request, bound to its merge, else to its last commit."""
        commits = (request.merge_commit, request.head_commit, *reversed(request.commits))
        found = None if self._named else self._named_by(commits)
        data = {
            "source": "pull_request",
            "host": request.source,
            "number": request.number,
            "state": request.state,
            "is_draft": request.is_draft,
            "url": request.url,
            "labels": list(request.labels),
            "base_ref": request.base_ref,
            "head_ref": request.head_ref,
            "created": request.created,
            "closed": request.closed,
            "decision": request.decision,
            "comment_count": request.comment_count,
            "commits": list(request.commits)[:MOST_PATHS],
            "reviews": [
                {
                    "author": one.author,
                    "verdict": one.verdict,
                    "commit": one.commit,
                    "submitted": one.submitted,
                    "text": one.text[:_LONGEST_MESSAGE],
                }
                for one in request.reviews[:MOST_CASES]
            ],
            "summary": f"#{request.number} {request.title}: {request.state}",
            "search": _search(one.text for one in request.reviews),
        }
        body = self._body("review", ReportFile(file.name, b""), data, found)
        body["data"].pop("report_sha256")
        body["text"] = clean(request.text)
        body["author"] = clean(request.author)
        body["issues"] = [clean(one) for one in (f"#{request.number}", *request.linked_issues)]
        body["paths"] = [str(path) for path in request.paths[:MOST_PATHS]]
        if found is not None:
            self._link(body, changed_in_commit(self._opened, found.commit))
        if not self._root:
            title = f"#{request.number} {request.title}"
            body |= {"title": clean(title), "outcome": _STATES[request.state]}
        return body

    def _named_by(self, commits: Sequence[str]) -> Bound | None:
        """Return the first of the commits a report names that is here."""
        for commit in commits:
            try:
                if commit:
                    repository = self._opened.repository
                    return bound_to(repository, repository.resolve(commit))
            except UnknownRevision:
                continue
        return None

    @staticmethod
    def _link(body: dict[str, Any], changed: Changed) -> None:
        body["symbols"] = list(changed.symbols)
        paths = (*body.get("paths", ()), *changed.paths)
        body["paths"] = list(dict.fromkeys(clean(path) for path in paths))[:MOST_PATHS]


def _came_to(report: RunReport) -> Outcome:
    """Return the outcome of a run; it is open where a damaged report tells of no failure."""
    if report.count("failed") or report.count("error") or report.says_failed:
        return "failed"
    return "succeeded" if report.is_whole else "open"


def _fitted(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of an event with its longest lists cut, until it is not too much to keep."""
    while len(json.dumps(data)) > MOST_BYTES:
        name = max(_CUT, key=lambda key: len(json.dumps(data.get(key, ()))))
        kept = data.get(name, [])[: len(data.get(name, ())) // 2]
        left_out = f"{name}_left_out"
        missing = len(data.get(name, ())) - len(kept)
        if not missing:
            break
        data = {**data, name: kept, left_out: data.get(left_out, 0) + missing}
    return data


_CUT = ("cases", "findings", "reviews", "commits")


def _case(case: CaseResult, symbols: Sequence[CaseSymbol]) -> dict[str, Any]:
    told = {
        "name": _name(case)[:_LONGEST_NAME],
        "outcome": case.outcome,
        "seconds": case.seconds,
        "message": case.message[:_LONGEST_MESSAGE],
        "attempts": len(case.attempts),
        "symbols": [f"{one.path}#{one.name}" for one in symbols],
    }
    return {key: value for key, value in told.items() if value}


def _name(case: CaseResult) -> str:
    name = f"{case.class_name}.{case.name}" if case.class_name else case.name
    return f"{name}[{case.parameters}]" if case.parameters else name


def _search(texts: Iterator[str]) -> str:
    """Return what of a report can be searched for."""
    found, size = [], 0
    for text in texts:
        found.append(text[:_LONGEST_MESSAGE])
        size += len(found[-1])
        if size > _LONGEST_SEARCH:
            break
    return "\n".join(found)
