from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.junit import is_junit, read_junit, split_name
from topomem.model.evidence import Attempt, CaseResult


def cases(text: str | bytes) -> list[CaseResult]:
    report = read_junit(text.encode() if isinstance(text, str) else text)
    assert not report.diagnostics
    return list(report.cases)


def outcomes(text: str) -> dict[str, str]:
    return {case.name + case.parameters: case.outcome for case in cases(text)}


def codes(data: bytes) -> list[str]:
    return [found.code for found in read_junit(data).diagnostics]


PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1"
 tests="4" time="1.234" timestamp="2026-01-02T03:04:05.6+00:00" hostname="box">
<properties><property name="suite" value="quick"/></properties>
<testcase classname="tests.test_a.TestB" name="test_c[1-a/b]" file="tests/test_a.py" line="9" time="0.001">
<properties><property name="issue" value="7"/></properties>
<failure message="assert 1 == 2">def test_c(): assert 1 == 2</failure><system-out>seen</system-out></testcase>
<testcase classname="tests.test_a" name="test_d" time="0.5"><skipped type="pytest.xfail" message="later"/></testcase>
<testcase classname="tests.test_a" name="test_e" time="0.25"><error message="failed on setup">trace</error></testcase>
<testcase classname="tests.test_a" name="test_f" time="0.125" />
</testsuite></testsuites>"""


def test_pytest() -> None:
    report = read_junit(PYTEST.encode())
    failed, skipped, error, passed = report.cases
    assert (report.producer, report.seconds, report.started[:10]) == ("pytest", 1.234, "2026-01-02")
    assert (failed.name, failed.parameters, failed.line) == ("test_c", "[1-a/b]", 10)
    assert (failed.outcome, failed.message, failed.seconds) == ("failed", "assert 1 == 2", 0.001)
    assert failed.properties == (("issue", "7"),)
    assert report.properties == (("suite", "quick"),)
    assert [case.outcome for case in (skipped, error, passed)] == ["skipped", "error", "passed"]
    assert failed.output_digest
    assert passed.output_digest == ""
    assert "box" not in repr(report)


@pytest.mark.parametrize("family", ["xunit1", "xunit2"])
def test_what_pytest_writes_is_read_as_a_second_reader_does(tmp_path: Path, family: str) -> None:
    (tmp_path / "test_it.py").write_text(WRITTEN, "utf-8")
    words = ["-o", f"junit_family={family}", "--junitxml=out.xml", "-p", "no:cacheprovider"]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *words],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    data = (tmp_path / "out.xml").read_bytes()
    report = read_junit(data)
    elements = list(ElementTree.fromstring(data).iter("testcase"))  # noqa: S314  our own
    assert report.producer == "pytest"
    assert [case.name + case.parameters for case in report.cases] == [
        one.get("name") for one in elements
    ]
    assert [case.seconds for case in report.cases] == [
        float(one.get("time", "")) for one in elements
    ]
    assert Counter(case.outcome for case in report.cases) == {
        "passed": 4, "failed": 3, "error": 2, "skipped": 2
    }  # fmt: skip
    if family == "xunit1":
        lines = {case.name: case.line for case in report.cases}
        assert lines["test_adds"] == WRITTEN.splitlines().index("def test_adds(): pass") + 1


WRITTEN = """
import pytest

@pytest.mark.parametrize("x", ["a", "b[1]", "\\x1b[0m", "é"])
def test_of(x): assert x != "a"

def test_adds(): pass

class TestCart:
    @pytest.mark.skip(reason="no <&>")
    def test_off(self): pass

    @pytest.mark.xfail
    def test_known(self): assert 0

    @pytest.mark.xfail(strict=True)
    def test_unknown(self): pass

@pytest.fixture
def broken(): raise RuntimeError("no")

def test_before(broken): pass

@pytest.fixture
def late():
    yield
    raise RuntimeError("no")

def test_behind(late): assert 0
"""


def test_surefire_tells_reruns_from_flakes() -> None:
    found = cases("""<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
     xsi:noNamespaceSchemaLocation="https://maven.apache.org/surefire/maven-surefire-plugin/xsd/surefire-test-report.xsd"
     name="com.acme.FooTest" time="1,234.5" tests="2" errors="0" skipped="0" failures="1">
    <properties><property name="user.home" value="/home/me"/><property name="java.version" value="21"/></properties>
    <testcase name="flips" classname="com.acme.FooTest" time="0.2">
     <flakyFailure message="no" type="E"><stackTrace>at x</stackTrace><system-out>o</system-out></flakyFailure></testcase>
    <testcase name="adds{int}[2]" classname="com.acme.FooTest" time="1,000.25">
     <failure message="a" type="E">at y</failure><rerunError message="b" time="0.5" type="E"/></testcase>
    </testsuite>""")
    assert [(case.name, case.outcome, case.seconds) for case in found] == [
        ("flips", "flaky", 0.2),
        ("adds", "failed", 1000.25),
    ]
    assert found[0].attempts == (Attempt("failed", "no"),)
    assert found[1].attempts == (Attempt("error", "b", 0.5),)
    assert found[1].parameters == "{int}[2]"


def test_properties_of_a_machine_are_not_kept() -> None:
    report = read_junit(
        b'<testsuite><properties><property name="user.home" value="/home/me"/>'
        b'<property name="env.PATH" value="/bin"/><property name="java.version" value="21"/>'
        b"</properties></testsuite>"
    )
    assert report.properties == (("java.version", "21"),)


def test_gradle() -> None:
    report = read_junit(b"""<?xml version="1.0" encoding="UTF-8"?>
    <testsuite name="com.acme.BarTest" tests="2" skipped="1" failures="0" errors="0"
      timestamp="2026-01-02T03:04:05" hostname="h" time="0.03"><properties/>
    <testcase name="[1] a, 2" classname="com.acme.BarTest" time="0.02"/>
    <testcase name="off()" classname="com.acme.BarTest" time="0.0"><skipped/></testcase>
    <system-out><![CDATA[a < b ]]></system-out><system-err><![CDATA[]]></system-err></testsuite>""")
    assert report.producer == "gradle"
    assert [(case.name, case.parameters, case.outcome) for case in report.cases] == [
        ("[1] a, 2", "", "passed"),
        ("off", "()", "skipped"),
    ]


def test_jest() -> None:
    report = read_junit(b"""<testsuites name="jest tests" tests="2" failures="1" errors="0" time="3.1">
    <testsuite name="Cart" errors="0" failures="1" skipped="0" timestamp="t" time="2.1" tests="2" file="src/cart.test.ts">
    <testcase classname="Cart adds an item" name="Cart adds an item" time="0.005"/>
    <testcase classname="Cart is cold" name="Cart is cold" time="0.004"><failure>Error: no
    at x</failure></testcase></testsuite></testsuites>""")
    assert report.producer == "jest"
    assert [(case.name, case.file, case.outcome) for case in report.cases] == [
        ("Cart adds an item", "src/cart.test.ts", "passed"),
        ("Cart is cold", "src/cart.test.ts", "failed"),
    ]


def test_go() -> None:
    report = read_junit(b"""<?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="3" failures="1" skipped="1" time="0.160">
     <testsuite name="example.com/x/pkg" tests="3" failures="1" errors="0" id="0" hostname="h" skipped="1" time="0.160" timestamp="t">
      <properties><property name="go.version" value="go1.24 linux/amd64"></property></properties>
      <testcase name="TestA" classname="example.com/x/pkg" time="0.060"/>
      <testcase name="TestA/two words" classname="example.com/x/pkg" time="0.1"><failure message="Failed"><![CDATA[a_test.go:3: no]]></failure></testcase>
      <testcase name="TestB" classname="example.com/x/pkg" time="0"><skipped message="short"></skipped></testcase>
      <system-out><![CDATA[PASS]]></system-out>
     </testsuite></testsuites>""")
    assert report.producer == "go test"
    assert [case.outcome for case in report.cases] == ["passed", "failed", "skipped"]
    assert report.properties == (("go.version", "go1.24 linux/amd64"),)


def test_gtest_phpunit_and_mocha() -> None:
    assert outcomes("""<testsuites tests="3" failures="1" disabled="1" errors="0" time="0.01" name="AllTests">
    <testsuite name="Q" tests="3" failures="1" disabled="1" errors="0" time="0.01">
    <testcase name="Runs" file="q.cc" line="7" status="run" result="completed" time="0.01" classname="Q"/>
    <testcase name="DISABLED_Off" status="notrun" result="suppressed" time="0" classname="Q"/>
    <testcase name="Bad/1" value_param="2" status="run" result="completed" time="0" classname="Q">
    <failure message="q.cc:9&#x0A;no" type=""/><failure message="more" type=""/></testcase>
    </testsuite></testsuites>""") == {
        "Runs": "passed",
        "DISABLED_Off": "skipped",
        "Bad/1": "failed",
    }
    found = cases(r"""<testsuites><testsuite name="s" tests="2" assertions="2"><testsuite
    name="App\Tests\CartTest" file="/app/tests/CartTest.php" tests="2"><testsuite name="App\Tests\CartTest::testAdd"
    tests="2"><testcase name="testAdd with data set #0" class="App\Tests\CartTest" classname="App.Tests.CartTest"
    file="/app/tests/CartTest.php" line="12" assertions="1" time="0.007"/><testcase name="testAdd with data set &quot;b&quot;"
    class="App\Tests\CartTest" assertions="1"><error type="E">x</error></testcase></testsuite></testsuite></testsuite></testsuites>""")
    assert [(case.name, case.parameters, case.line) for case in found] == [
        ("testAdd", "with data set #0", 12),
        ("testAdd", 'with data set "b"', 0),
    ]
    assert found[1].file == "/app/tests/CartTest.php"
    assert found[1].suites == ("s", "App\\Tests\\CartTest", "App\\Tests\\CartTest::testAdd")
    assert outcomes("""<testsuites name="Mocha Tests" time="0.2" tests="1" failures="0">
    <testsuite name="Root Suite" timestamp="t" tests="0" file="/a/test/x.spec.js" time="0" failures="0"></testsuite>
    <testsuite name="cart" tests="1" time="0.1"><testcase name="cart adds" time="0.1" classname="adds"/></testsuite>
    </testsuites>""") == {"cart adds": "passed"}


def test_bytes_that_are_not_in_the_declared_encoding_are_read() -> None:
    text = '<?xml version="1.0" encoding="utf-8"?><testsuite name="x"><testcase name="café"/></testsuite>'
    report = read_junit(text.encode("latin-1"))
    assert [case.name for case in report.cases] == ["café"]
    assert [found.code for found in report.diagnostics] == ["encoding"]
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
        told = text.replace("utf-8", encoding.removesuffix("-sig"))
        assert [case.name for case in cases(told.encode(encoding))] == ["café"], encoding
    assert [c.name for c in cases(text.replace("utf-8", "iso-8859-1").encode("latin-1"))] == [
        "café"
    ]


def test_characters_that_xml_does_not_know_are_replaced() -> None:
    data = b'<testsuite><testcase name="a&#27;[31m&#0;&#10;b"><system-out>\x1b[0m\x00</system-out></testcase></testsuite>'
    assert [case.name for case in read_junit(data).cases] == ["a\ufffd[31m\ufffd\nb"]
    assert codes(data) == ["encoding"]


def test_what_was_read_before_an_error_is_kept() -> None:
    data = b'<testsuite><testcase name="a"/><testcase name="b"/><testcase name="c"><failure>tra'
    report = read_junit(data)
    found = [(case.name, case.outcome) for case in report.cases]
    assert found == [("a", "passed"), ("b", "passed"), ("c", "failed")]
    assert codes(data) == ["syntax"]
    assert not report.is_whole
    cut = read_junit(b'<testsuite><testcase name="a"/><testcase name="b"><system-out>x')
    assert [case.name for case in cut.cases] == ["a"]


def test_signs_that_were_not_escaped_are_read_as_what_they_are() -> None:
    data = b"""<testsuite><testcase name="List<int> & more">
    <failure message="a < b"><![CDATA[x="<"]]> c && d</failure></testcase><testcase name="b"/></testsuite>"""
    one, two = read_junit(data).cases
    assert (one.name, one.message, two.name) == ("List<int> & more", "a < b", "b")
    assert codes(data) == ["escapes"]
    assert read_junit(data).is_whole


def test_reports_one_after_another_are_one() -> None:
    one = '<?xml version="1.0"?>\n<testsuite name="{0}"><testcase name="{0}"/></testsuite>\n'
    assert [case.name for case in cases(one.format("a") + one.format("b"))] == ["a", "b"]


def test_counts_that_do_not_fit_are_told() -> None:
    assert codes(b'<testsuite name="x" tests="3"><testcase name="a"/></testsuite>') == ["counts"]
    assert codes(b'<testsuite name="x" tests=""><testcase name="a"/></testsuite>') == []


@pytest.mark.parametrize(
    ("text", "says_failed", "is_whole"),
    [
        ('<testsuite tests="5" failures="5"/>', True, False),
        ('<testsuites errors="1"><testsuite><testcase name="a"/></testsuite></testsuites>', True,
         False),
        ('<testsuite failures="1"><testcase name="a"/><testcase na', True, False),
        ('<testsuite failures="0" tests="1"><testcase name="a"/></testsuite>', False, True),
        ('<testsuite failures="2"><testcase><failure/><error/></testcase></testsuite>', False,
         True),
        ('<testsuite failures="1"><testcase><flakyFailure/></testcase></testsuite>', False, True),
        ('<testsuite><testcase name="a"/><testcase na', False, False),
    ],
)  # fmt: skip
def test_what_suites_count_is_held_against_their_cases(
    text: str,
    says_failed: bool,  # noqa: FBT001 - a row of the table
    is_whole: bool,  # noqa: FBT001 - as above
) -> None:
    report = read_junit(text.encode())
    assert (report.says_failed, report.is_whole) == (says_failed, is_whole)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"<html><body/></html>", "not_a_report"),
        (b"{}", "not_a_report"),
        (b"<testsuite", "syntax"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><testsuite name="&b;"/>', "refused"),
        (
            b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><testsuite>&b;</testsuite>',
            "refused",
        ),
    ],
)
def test_what_is_no_report_is_told(data: bytes, code: str) -> None:
    report = read_junit(data)
    assert [found.code for found in report.diagnostics] == [code]
    assert not report.cases


def test_entities_do_not_grow() -> None:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    data = f'<!DOCTYPE l [<!ENTITY l0 "ha">{lines}]><testsuite name="&l9;"/>'.encode()
    start = time.process_time()
    assert codes(data) == ["refused"]
    assert time.process_time() - start < 1


def test_suites_may_stand_in_each_other_as_deep_as_they_like() -> None:
    deep = 20_000
    data = b"<testsuite>" * deep + b'<testcase name="a"/>' + b"</testsuite>" * deep
    assert [case.name for case in read_junit(data).cases] == ["a"]


def test_a_report_is_told_from_other_files() -> None:
    assert is_junit(PYTEST.encode())
    assert is_junit("<testsuite/>".encode("utf-16"))
    assert not is_junit(b"<coverage/>")


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("test_a[x[1]-\n]", "test_a", "[x[1]-\n]"),
        ("adds(int, int)[1]", "adds", "(int, int)[1]"),
        ("test_x (i=1)", "test_x", "(i=1)"),
        ("TestA/sub_1", "TestA/sub_1", ""),
        ("it does [not] work", "it does [not] work", ""),
        ("", "", ""),
    ],
)
def test_names_are_parted_from_parameters(text: str, name: str, parameters: str) -> None:
    assert split_name(text) == (name, parameters)


TAGS = st.sampled_from(["testsuites", "testsuite", "testcase", "failure", "skipped", "system-out"])
PIECES = st.one_of(
    st.sampled_from(
        [b"<testsuite>", b"</testsuite>", b'<testcase name="a">', b"</testcase>", b"&#0;"]
    ),
    st.sampled_from([b"<failure>", b"<![CDATA[", b"]]>", b"<?xml encoding='x'?>", b"<!DOCTYPE a>"]),
    st.binary(max_size=8),
)


@given(st.lists(PIECES, max_size=30).map(b"".join))
def test_no_bytes_are_an_error(data: bytes) -> None:
    report = read_junit(data)
    assert report.cases or report.diagnostics or b"<testsuite" in data


@given(
    st.lists(
        st.tuples(st.text(max_size=12), st.sampled_from(["", "failure", "error", "skipped"])),
        max_size=8,
    )
)
def test_what_is_written_is_read(rows: list[tuple[str, str]]) -> None:
    suite = ElementTree.Element("testsuite")
    allowed = [("".join(c for c in name if c.isprintable()), child) for name, child in rows]
    for name, child in allowed:
        case = ElementTree.SubElement(suite, "testcase", name=name, time="0.5")
        if child:
            ElementTree.SubElement(case, child, message=name)
    read = cases(ElementTree.tostring(suite, "utf-8"))
    words = {"": "passed", "failure": "failed", "error": "error", "skipped": "skipped"}
    assert [case.outcome for case in read] == [words[child] for _, child in allowed]
    assert [case.seconds for case in read] == [0.5] * len(allowed)
