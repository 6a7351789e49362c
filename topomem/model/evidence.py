"""Evidence: what reports of other tools, and git itself, say happened.

Values only. Texts are as the source has them, bounded; whoever stores them masks secrets first.
Seconds are floats, lines 1-based; 0, "" and None stand for what a source does not say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from topomem.model.bundle import Provenance
from topomem.model.code import Diagnostic
from topomem.model.ids import CommitId, FilePath, QualifiedName

Outcome = Literal["passed", "failed", "error", "skipped", "flaky"]
Level = Literal["error", "warning", "note", "none"]
RequestState = Literal["open", "closed", "merged"]
Verdict = Literal["approved", "changes_requested", "commented", "dismissed", "pending"]
Authors = Literal["keep", "hash", "drop"]
"""How names of people are kept, as configured under `[history] authors`."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""Outcomes of a test case; `flaky` failed first and passed when it was run again."""

Pairs = tuple[tuple[str, str], ...]
"""Names with values, in order."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One go at a test case beside the one that counts: an earlier failure, or a rerun."""

    outcome: Literal["failed", "error"]
    message: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What one test case came to. `name` is without the parameters that follow it in brackets."""

    suites: tuple[str, ...]  # names of the suites around it, outermost first
    class_name: str
    name: str
    parameters: str
    file: str  # as written by the producer: may be absolute, or of another root
    line: int
    outcome: Outcome
    seconds: float | None
    message: str
    output_digest: str = ""  # sha256 of details and captured output; "" where there was none
    attempts: tuple[Attempt, ...] = ()
    properties: Pairs = ()


@dataclass(frozen=True, slots=True, order=True)
class CaseSymbol:
    """A symbol that a test case may be: its file without the suffix where that is not known."""

    path: FilePath
    name: QualifiedName


@dataclass(frozen=True, slots=True)
class RunReport:
    """One report of a test run. `producer` is "" where it cannot be told.

    `says_failed`: a suite counts failures, and no case that was read is one. `is_whole`: all that
    the report says was read, and its counts fit.
    """

    producer: str
    started: str  # as written, of the first suite that says it
    seconds: float | None
    cases: tuple[CaseResult, ...]
    properties: Pairs = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    says_failed: bool = False
    is_whole: bool = True

    def count(self, outcome: Outcome) -> int:
        """Return how many cases came to an outcome."""
        return sum(case.outcome == outcome for case in self.cases)


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of an analysis. `path` is relative to the root of what was analysed."""

    tool: str
    rule: str
    level: Level
    message: str
    path: FilePath
    start_line: int
    end_line: int
    fingerprints: Pairs = ()
    is_suppressed: bool = False
    baseline: str = ""  # new, unchanged, updated, absent
    logical_name: str = ""  # of the function or type it stands in


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    """One report of static analysis: `tools` with their versions, findings in order."""

    tools: Pairs
    findings: tuple[Finding, ...]
    succeeded: bool | None = None  # None: no tool said whether it ran to its end
    commits: tuple[str, ...] = ()  # revisions the report says it is about
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """One review of a pull request."""

    author: str
    verdict: Verdict
    commit: str
    submitted: str  # date and time as written
    text: str = ""


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull or merge request. Commits are ids as written; dates likewise."""

    source: Literal["github", "gitlab"]
    number: int
    title: str
    author: str
    state: RequestState
    is_draft: bool = False
    url: str = ""
    text: str = ""
    base_ref: str = ""
    head_ref: str = ""
    base_commit: str = ""
    head_commit: str = ""
    merge_commit: str = ""
    created: str = ""
    closed: str = ""
    commits: tuple[str, ...] = ()
    paths: tuple[FilePath, ...] = ()
    labels: tuple[str, ...] = ()
    linked_issues: tuple[str, ...] = ()
    reviews: tuple[Review, ...] = ()
    decision: str = ""  # approved, changes_requested, review_required
    comment_count: int = 0


@dataclass(frozen=True, slots=True)
class RequestsReport:
    """An export of pull requests, in the order of the file."""

    requests: tuple[PullRequest, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Environment:
    """What a result holds for: all that may change it besides the code. Pairs are sorted."""

    command: tuple[str, ...]
    interpreter: str = ""  # name and version
    system: str = ""  # name, release and machine
    tools: Pairs = ()  # name, version
    lock_files: Pairs = ()  # path, sha256
    variables: Pairs = ()  # those of an allow-list


ReasonKind = Literal[
    "command", "interpreter", "system", "tool", "lock_file", "variable", "code", "unknown"
]


@dataclass(frozen=True, slots=True, order=True)
class StaleReason:
    """Why a result may no longer hold: what differs, and how."""

    kind: ReasonKind
    detail: str


HistoryKind = Literal[
    "reverts", "relands", "fixes", "amends", "follows_up", "picks", "closes", "releases"
]


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, peeled to its commit."""

    name: str
    commit: CommitId


@dataclass(frozen=True, slots=True)
class HistoryLink:
    """What a commit says it does to another one, to an issue, or what a tag makes of it.

    Kinds: reverts; relands (brings back what was reverted); fixes (repairs what the target did);
    amends (`fixup!`, `squash!`); follows_up; picks (a copy of the target); closes (an issue);
    releases (`target` is the tag). `text` is the piece of the message that says so.
    """

    kind: HistoryKind
    commit: CommitId
    target: str
    target_kind: Literal["commit", "issue", "tag"]
    text: str
    provenance: Provenance
    is_resolved: bool = True  # False: `target` is as written, and names none of the commits given
