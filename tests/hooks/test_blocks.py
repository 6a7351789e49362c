from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topomem.hooks.blocks import (
    Call,
    Placing,
    block,
    is_marked,
    placing_of,
    put,
    take,
    takes_lines,
)

CALL = Call("/opt/a place/bin/python", "../topomem")
LINES = block("post-commit", CALL, Placing.WITHIN)


@pytest.mark.parametrize(
    ("hook", "expected"),
    [
        (b"#!/bin/sh\necho x\n", True),
        (b"#!/usr/bin/env bash\n", True),
        (b"#! /usr/bin/env -S bash -e\n", True),
        (b"#!/bin/sh -e\nexit 0\n", True),
        (b"#!/usr/bin/zsh\n", True),
        (b"#!/bin/sh", False),  # no line to stand behind
        (b"#!/usr/bin/env python3\n", False),
        (b"#!/usr/bin/ruby\n", False),
        (b"#!/usr/bin/fish\n", False),
        (b"#!/usr/bin/pwsh\n", False),
        (b"echo without an interpreter\n", False),
        (b"\x7fELF\0\0", False),
        (b"", False),
        (b"#!/bin/sh\n'''exec' /opt/python \"$0\" \"$@\"\n' '''\nimport os\n", False),
        (b'#!/bin/sh\n# \\\nexec tclsh "$0" ${1+"$@"}\n', False),
    ],
)
def test_only_shell_scripts_take_lines(hook: bytes, expected: object) -> None:
    assert takes_lines(hook) is expected


@given(st.binary(max_size=200), st.sampled_from([b"#!/bin/sh\n", b"#!/usr/bin/env bash -e\n"]))
def test_what_is_put_in_can_be_taken_out(rest: bytes, first: bytes) -> None:
    hook = first + rest
    assert take(put(hook, LINES)) == hook
    assert put(put(hook, LINES), LINES) == put(hook, LINES)


def test_a_block_that_was_changed_by_hand_is_not_ours() -> None:
    hook = put(b"#!/bin/sh\n", LINES)
    half = hook.replace(b"# <<< topomem <<<\n", b"")
    assert placing_of(hook) is Placing.WITHIN
    assert placing_of(half) is None
    assert is_marked(half)
    assert take(half) == half
    assert not is_marked(b"#!/bin/sh\necho topomem\n")
