from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from topomem.evidence.environment import (
    canonical,
    environment_body,
    fingerprint,
    read_environment,
    stale_reasons,
)
from topomem.model.evidence import Environment

TEXTS = st.text(max_size=8)
TABLES = st.dictionaries(TEXTS, TEXTS, max_size=3)
PAIRS = TABLES.map(lambda table: tuple(table.items()))
ENVIRONMENTS = st.builds(
    Environment,
    st.lists(TEXTS, max_size=3).map(tuple),
    interpreter=TEXTS,
    system=TEXTS,
    tools=PAIRS,
    lock_files=PAIRS,
    variables=PAIRS,
).map(canonical)
HERE = Environment(
    ("pytest", "-q"),
    interpreter="CPython 3.11.9",
    system="Linux 6.1 x86_64",
    tools=(("git", "2.43"), ("pytest", "8.3")),
    lock_files=(("package-lock.json", "bb"), ("uv.lock", "aa")),
    variables=(("CI", "true"), ("TZ", "UTC")),
)


def check(now: Environment, *expected: str, changed: tuple[str, ...] = ()) -> None:
    reasons = stale_reasons(HERE, now, changed)
    assert [f"{reason.kind}: {reason.detail}" for reason in reasons] == list(expected)


def test_the_same_environment_is_current() -> None:
    check(HERE)


def test_each_part_that_differs_is_a_reason() -> None:
    check(replace(HERE, command=("pytest",)), "command: pytest -q became pytest")
    check(
        replace(HERE, interpreter="CPython 3.12.1"),
        "interpreter: CPython 3.11.9 became CPython 3.12.1",
    )
    check(
        replace(HERE, system="Darwin 24 arm64"), "system: Linux 6.1 x86_64 became Darwin 24 arm64"
    )
    check(replace(HERE, tools=(("git", "2.43"), ("pytest", "9.0"))), "tool: pytest 8.3 became 9.0")
    check(
        replace(HERE, lock_files=(("poetry.lock", "cc"), ("uv.lock", "ab"))),
        "lock_file: package-lock.json is gone",
        "lock_file: poetry.lock is new",
        "lock_file: uv.lock changed",
    )
    check(replace(HERE, variables=(("TZ", "UTC"),)), "variable: CI is gone")
    check(HERE, "code: a.py#f changed", "code: b.py changed", changed=("b.py", "a.py#f", "a.py#f"))


def test_what_nobody_recorded_is_no_reason() -> None:
    assert [one.kind for one in stale_reasons(None, HERE)] == ["unknown"]
    assert stale_reasons(HERE, None) == ()
    assert stale_reasons(Environment(("pytest", "-q")), HERE) == ()
    check(replace(HERE, interpreter="", system=""))


@given(ENVIRONMENTS)
def test_an_environment_is_read_back_from_its_document(environment: Environment) -> None:
    body = json.loads(json.dumps(environment_body(environment)))
    assert read_environment(body) == environment
    assert fingerprint(read_environment(body)) == fingerprint(environment)
    assert stale_reasons(environment, environment) == ()


def test_the_order_of_pairs_does_not_count() -> None:
    turned = replace(HERE, tools=HERE.tools[::-1], variables=HERE.variables[::-1])
    assert canonical(turned) == HERE
    assert fingerprint(turned) == fingerprint(HERE)


@given(ENVIRONMENTS, ENVIRONMENTS)
def test_environments_that_differ_have_other_fingerprints(
    one: Environment, two: Environment
) -> None:
    assert (fingerprint(one) == fingerprint(two)) == (one == two)


@given(st.dictionaries(TEXTS, st.one_of(st.none(), st.integers(), TABLES, st.lists(st.none()))))
def test_any_document_is_read(body: dict[str, object]) -> None:
    assert isinstance(read_environment(body), Environment)
