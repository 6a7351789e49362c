"""Reports of test runs in JUnit's XML, as its many producers write it.

The text is read as a stream: nothing is kept but what is asked for, however large or deep it is.
Entities and what lies outside the file are refused. What was read before an error is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from topomem.evidence.durations import seconds
from topomem.evidence.texts import (
    LARGEST,
    LONGEST_NAME,
    decode,
    escape_bare_signs,
    shorten,
    without_forbidden,
)
from topomem.model.code import Diagnostic
from topomem.model.evidence import Attempt, CaseResult, Outcome, RunReport

if TYPE_CHECKING:
    from hashlib import _Hash

_MOST_CASES = 500_000
_MOST_DIAGNOSTICS = 50
_MOST_PROPERTIES = 50
_MOST_ATTEMPTS = 100
_DEEPEST = 200
"""Suites inside suites; what is deeper is not told apart."""
_PROLOG = re.compile(r"\A\s*(?:<\?xml[^>]*\?>)?")
_NEXT_PROLOG = re.compile(r"(</testsuites?>\s*)<\?xml[^>]*\?>")
_ROOT = "reports"

_VERDICTS: Mapping[str, Outcome] = {
    "failure": "failed",
    "error": "error",
    "skipped": "skipped",
    "skip": "skipped",
    "ignored": "skipped",
    "incomplete": "skipped",
    "disabled": "skipped",
}
_RERUNS = {"rerunfailure", "rerunerror"}
_FLAKES = {"flakyfailure", "flakyerror"}
_NOT_RUN = {"notrun", "skipped", "suppressed", "disabled", "ignored", "pending", "todo"}
_FAILED = {"failed", "failure", "fail"}
_STRENGTH: tuple[Outcome, ...] = ("passed", "flaky", "skipped", "error", "failed")
_BAD = {"failed", "error", "flaky"}
_DAMAGE = {"syntax", "refused", "counts", "too_many"}
_MACHINE = re.compile(
    r"(?:java|sun|os|user|jdk|file|line|path|env|awt|surefire|native|maven)\.|env$"
)
_TOLD = {"java.version", "java.vm.name", "os.name", "os.version", "os.arch", "java.vendor"}
"""Of the properties of a Java machine, those that a result depends on."""
_SPLIT = re.compile(
    r"(?P<name>[^\[\](){}\s]+)(?P<parameters>(?:\([^()]*\)|\{[^{}]*\})?(?:\[.*\])?)\Z", re.DOTALL
)
_SPACED = re.compile(
    r"(?P<name>[\w$]+) (?P<parameters>with data set .+|\[.*\](?: \(.*\))?|\(.*\))\Z", re.DOTALL
)


def read_junit(data: bytes) -> RunReport:
    """Return what a report says, in order; what cannot be read is a diagnostic. Never raises."""
    if len(data) > LARGEST:
        return _nothing("too_large", f"{len(data)} bytes; at most {LARGEST} are read")
    text, diagnostics = decode(data)
    if not text.strip("\ufeff \t\r\n\0"):
        return _nothing("empty", "the file is empty")
    text, had_forbidden = without_forbidden(text)
    if had_forbidden:
        odd = Diagnostic("encoding", "characters that XML does not know were replaced")
        diagnostics = (*diagnostics, odd)
    reader = _Reader()
    trouble = _feed(reader, text)
    if any(one.code == "syntax" for one in trouble):
        escaped = escape_bare_signs(text)
        again = _Reader()
        if escaped != text and not _feed(again, escaped):
            reader = again
            told = "not well-formed: signs without their escapes, read as what they are"
            trouble = (Diagnostic("escapes", told),)
    return reader.report((*diagnostics, *trouble))


def is_junit(data: bytes) -> bool:
    """Whether a file is a report of this kind, by its first elements."""
    text, _ = decode(data[:8_192])
    return bool(re.search(r"<(?:[\w-]+:)?testsuites?[\s>/]", text))


def _nothing(code: str, message: str) -> RunReport:
    return RunReport("", "", None, (), diagnostics=(Diagnostic(code, message),), is_whole=False)


def _feed(reader: _Reader, text: str) -> tuple[Diagnostic, ...]:
    from defusedxml import DefusedXmlException  # noqa: PLC0415  few commands read reports
    from defusedxml.ElementTree import DefusedXMLParser  # noqa: PLC0415  as above

    text = _NEXT_PROLOG.sub(r"\1", _PROLOG.sub("", text, count=1))
    parser = DefusedXMLParser(target=reader)
    try:
        if "<!DOCTYPE" not in text[:LONGEST_NAME]:
            parser.feed(f"<{_ROOT}>")
            text = f"{text}</{_ROOT}>"
        parser.feed(text)
        parser.close()
    except ParseError as error:
        line = error.position[0] if getattr(error, "position", None) else 0
        return (Diagnostic("syntax", f"not well-formed: {error.msg}", line, line),)
    except DefusedXmlException as error:
        what = type(error).__name__
        return (Diagnostic("refused", f"entities and outside texts are not read ({what})"),)
    except (ValueError, UnicodeError) as error:
        return (Diagnostic("syntax", f"could not be read: {shorten(str(error), 200)}"),)
    return ()


@dataclass(slots=True)
class _Suite:
    """A suite that is open."""

    name: str
    file: str
    declared: int | None
    cases_before: int
    bad_declared: int
    bad_before: int


@dataclass(slots=True)
class _Case:
    """A test case that is open."""

    attributes: Mapping[str, str]
    outcome: Outcome = "passed"
    message: str = ""
    digest: _Hash = field(default_factory=sha256)
    has_output: bool = False
    has_flakes: bool = False
    attempts: list[Attempt] = field(default_factory=list)
    properties: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Part:
    """An element inside a case whose text counts: a failure, captured output."""

    tag: str
    attributes: Mapping[str, str]
    depth: int
    kept: str = ""


class _Reader:
    """Takes the events of the parser; its methods are named by it."""

    def __init__(self) -> None:
        self._depth = 0
        self._suites: list[_Suite] = []
        self._suite_depths: list[int] = []
        self._names: list[str] = []  # of the open suites that have one
        self._case: _Case | None = None
        self._case_depth = 0
        self._part: _Part | None = None
        self._cases: list[CaseResult] = []
        self._bad = 0  # so many of them failed, at first or at last
        self._says_failed = False
        self._properties: list[tuple[str, str]] = []
        self._diagnostics: list[Diagnostic] = []
        self._marks: set[str] = set()
        self._started = ""
        self._total: float | None = None
        self._sum: float | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the beginning of an element."""
        self._depth += 1
        name = tag.rpartition("}")[2].casefold()
        if name in ("testsuite", "testsuites"):
            self._open_suite(name, attributes)
        elif name == "testcase" and self._case is None:
            self._open_case(attributes)
        elif name == "property":
            self._take_property(attributes)
        elif self._case is not None and self._part is None:
            self._part = _Part(name, attributes, self._depth)

    def data(self, text: str) -> None:
        """Take characters: all count in the digest, the first are kept."""
        part = self._part
        if part is None or self._case is None:
            return
        if part.depth == self._depth and len(part.kept) < LONGEST_NAME * 4:
            part.kept += text[: LONGEST_NAME * 4]
        if text.strip():
            self._case.has_output = True
        self._case.digest.update(text.encode("utf-8", "replace"))

    def end(self, tag: str) -> None:
        """Take the end of an element."""
        del tag
        part = self._part
        if part is not None and part.depth == self._depth:
            self._close_part(part)
        elif self._case is not None and self._case_depth == self._depth:
            self._close_case(self._case)
        elif self._suite_depths and self._suite_depths[-1] == self._depth:
            self._close_suite()
        self._depth -= 1

    def close(self) -> None:
        """Take the end of the text."""

    def report(self, trouble: tuple[Diagnostic, ...]) -> RunReport:
        """Return what was read; a case that an error cut is one only where it failed already."""
        self._take_cut()
        found = [*trouble, *self._diagnostics]
        if not self._cases and not self._marks and not trouble:
            found.append(Diagnostic("not_a_report", "no suite of tests is in it"))
        return RunReport(
            producer=self._producer(),
            started=self._started,
            seconds=self._total if self._total is not None else self._sum,
            cases=tuple(self._cases),
            properties=tuple(self._properties),
            diagnostics=tuple(found[:_MOST_DIAGNOSTICS]),
            says_failed=self._says_failed,
            is_whole=all(one.code not in _DAMAGE for one in found),
        )

    def _take_cut(self) -> None:
        """Take what is open where the text ends: a case that failed, and what suites count."""
        if self._case is not None:
            if self._part is not None:
                self._close_part(self._part)
            if self._case.outcome in _BAD:
                self._close_case(self._case)
        while self._suites:
            self._compare_failures(self._suites.pop())

    def _compare_failures(self, suite: _Suite) -> None:
        if suite.bad_declared and self._bad == suite.bad_before:
            self._says_failed = True
            name, count = suite.name or "the report", suite.bad_declared
            self._complain("counts", f"{name}: {count} failures and errors said, none read")

    def _open_suite(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._marks.add(tag)
        self._started = self._started or shorten(attributes.get("timestamp", ""), 100)
        duration = seconds(attributes.get("time") or attributes.get("duration"))
        is_outermost = not self._suites and not self._suite_depths
        if tag == "testsuites":
            if is_outermost and duration is not None:
                self._total = (self._total or 0.0) + duration
        elif not self._names and duration is not None:
            self._sum = (self._sum or 0.0) + duration
        self._mark_suite(tag, attributes)
        above = self._suites[-1].file if self._suites else ""
        file = shorten(attributes.get("file") or attributes.get("filepath") or above, LONGEST_NAME)
        name = shorten(attributes.get("name", ""), LONGEST_NAME) if tag == "testsuite" else ""
        count, bad = _number(attributes, "tests"), 0
        for key in ("failures", "errors"):
            bad += _number(attributes, key) or 0
        self._suites.append(_Suite(name, file, count, len(self._cases), bad, self._bad))
        self._suite_depths.append(self._depth)
        if name:
            self._names.append(name)

    def _close_suite(self) -> None:
        self._suite_depths.pop()
        suite = self._suites.pop()
        if suite.name:
            self._names.pop()
        self._compare_failures(suite)
        found = len(self._cases) - suite.cases_before
        if (
            suite.declared is not None
            and suite.declared != found
            and len(self._cases) < _MOST_CASES
        ):
            self._complain(
                "counts", f"{suite.name or 'the report'}: {suite.declared} said, {found} read"
            )

    def _open_case(self, attributes: Mapping[str, str]) -> None:
        self._case = _Case(attributes)
        self._case_depth = self._depth
        said = {attributes.get(key, "").casefold() for key in ("status", "result")}
        if said & _NOT_RUN:
            self._case.outcome = "skipped"
        elif said & _FAILED:
            self._case.outcome = "failed"
        self._marks |= {key for key in ("assertions", "value_param") if key in attributes}

    def _close_part(self, part: _Part) -> None:
        self._part = None
        case = self._case
        if case is None:
            return
        message = shorten(
            part.attributes.get("message") or part.kept.strip() or part.attributes.get("type", "")
        )
        outcome = _VERDICTS.get(part.tag)
        if part.tag in _RERUNS | _FLAKES:
            case.has_flakes = case.has_flakes or part.tag in _FLAKES
            went: Outcome = "error" if part.tag.endswith("error") else "failed"
            if len(case.attempts) < _MOST_ATTEMPTS:
                spent = seconds(part.attributes.get("time"))
                case.attempts.append(
                    Attempt("error" if went == "error" else "failed", message, spent)
                )
        elif outcome is not None:
            if not case.message:
                case.message = message
            case.outcome = max(case.outcome, outcome, key=_STRENGTH.index)

    def _close_case(self, case: _Case) -> None:
        self._case = None
        if len(self._cases) >= _MOST_CASES:
            self._complain("too_many", f"only the first {_MOST_CASES} cases are read")
            return
        told = case.attributes
        outcome: Outcome = "flaky" if case.has_flakes and case.outcome == "passed" else case.outcome
        self._bad += outcome in _BAD
        name, parameters = split_name(told.get("name", ""))
        file = told.get("file") or (self._suites[-1].file if self._suites else "")
        line = told.get("line", "")
        self._cases.append(
            CaseResult(
                suites=tuple(self._names[:_DEEPEST]),
                class_name=shorten(told.get("class") or told.get("classname", ""), LONGEST_NAME),
                name=shorten(name, LONGEST_NAME),
                parameters=shorten(parameters, LONGEST_NAME),
                file=shorten(file, LONGEST_NAME),
                line=self._line(line),
                outcome=outcome,
                seconds=seconds(told.get("time") or told.get("duration")),
                message=case.message,
                output_digest=case.digest.hexdigest() if case.has_output else "",
                attempts=tuple(case.attempts),
                properties=tuple(case.properties),
            )
        )

    def _line(self, text: str) -> int:
        if not (text.isascii() and text.isdigit()) or len(text) > len("999999999"):
            return 0
        return int(text) + ("pytest" in self._marks)  # it counts from nought

    def _take_property(self, attributes: Mapping[str, str]) -> None:
        name = shorten(attributes.get("name", ""), LONGEST_NAME)
        value = shorten(attributes.get("value", ""), LONGEST_NAME)
        if name == "go.version" or name.startswith("surefire."):
            self._marks.add("go test" if name.startswith("go.") else "surefire")
        if not name or (_MACHINE.match(name) and name not in _TOLD):
            return
        kept = self._case.properties if self._case is not None else self._properties
        if len(kept) < _MOST_PROPERTIES:
            kept.append((name, value))

    def _mark_suite(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = attributes.get("name", "")
        known = {"pytest": "pytest", "AllTests": "gtest", "jest tests": "jest", "nextest-run":
                 "nextest", "Mocha Tests": "mocha", "vitest tests": "vitest"}  # fmt: skip
        if name in known:
            self._marks.add(known[name])
        if any(
            "surefire" in value for key, value in attributes.items() if "schema" in key.casefold()
        ):
            self._marks.add("surefire")
        if tag == "testsuite" and not self._suites and "hostname" in attributes:
            self._marks.add("hostname")

    def _producer(self) -> str:
        for name in (
            "pytest",
            "surefire",
            "gtest",
            "jest",
            "nextest",
            "mocha",
            "vitest",
            "go test",
        ):
            if name in self._marks:
                return name
        if "assertions" in self._marks:
            return "phpunit"
        return "gradle" if self._marks == {"testsuite", "hostname"} else ""

    def _complain(self, code: str, message: str) -> None:
        if len(self._diagnostics) < _MOST_DIAGNOSTICS:
            self._diagnostics.append(Diagnostic(code, shorten(message, 300)))


def _number(attributes: Mapping[str, str], key: str) -> int | None:
    text = attributes.get(key, "")
    return int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else None


def split_name(text: str) -> tuple[str, str]:
    """Return the name of a case, and the parameters behind it: `test_x[1-a]`, `adds(int)[2]`."""
    found = _SPLIT.match(text) or _SPACED.match(text)
    return (found["name"], found["parameters"]) if found else (text, "")
