"""A change touches whatever question it gives another answer to, and leaves the rest alone."""

from __future__ import annotations

import pytest
from support.links import change, snapshot

from topomem.link.linker import advance, empty_state
from topomem.link.probes import probe_of
from topomem.link.questions import RULES
from topomem.link.touching import touch

PYTHON = {
    "a.py": "import b\nx = 1\ndef f(): return x\nclass K:\n    def m(self): self.at = f\n",
    "b.py": "from a import *\ndef g(): pass\n",
}
GO = {
    "go.mod": "module m\n",
    "p/a.go": "package p\ntype T struct{}\nfunc (t T) M() {}\nfunc F() {}\nvar V = 1\n",
    "p/b.go": "package p\nfunc G() {}\n",
}


def touched(files: dict[str, str], path: str, text: str | None) -> set[tuple[str, ...]]:
    state, _ = advance(empty_state(), snapshot(files))
    moved = change(path, text)
    return touch(state.world, {moved.path: moved.facts})


def check_touched(files: dict[str, str], path: str, text: str | None, *asked: str) -> None:
    """Compare what is touched among questions written as words; `-` before those left alone."""
    found = touched(files, path, text)
    for words in asked:
        kind, *about = words.removeprefix("-").split()
        question = (kind, *(word.removeprefix("''") for word in about))
        assert (probe_of(question) in found) is not words.startswith("-"), words


def test_a_body_touches_its_region_and_those_around() -> None:
    text = PYTHON["a.py"].replace("self.at = f", "self.at = x")
    check_touched(PYTHON, "a.py", text, "results a.py K.m", "attribute a.py K at",
                  "-header a.py K", "-bound a.py '' x", "-kind a.py f", "-exists a.py")  # fmt: skip


def test_a_name_touches_who_asks_for_it() -> None:
    text = PYTHON["a.py"].replace("return x", "return y")
    check_touched(PYTHON, "a.py", text, "uses x", "uses y", "-uses K", "-named a")


def test_a_file_that_goes_touches_its_path_and_folders() -> None:
    check_touched(PYTHON, "b.py", None, "exists b.py", "named b", "files ''", "bound b.py '' g",
                  "-exists a.py", "-bound a.py '' x")  # fmt: skip


def test_a_member_of_a_package_touches_the_names_of_its_file_alone() -> None:
    text = GO["p/a.go"].replace("var V = 1", "var V = 2\nvar W = 3")
    check_touched(GO, "p/a.go", text, "package_member p V", "package_member p W",
                  "package_member p T.M", "package_methods p T", "package_name p go",
                  "-package_member p G", "-package_methods p S", "-package_member q V")  # fmt: skip


CHANGES = [
    (PYTHON, "a.py", "x = 2\ndef f(a): return 1\nclass L: pass\n"),
    (PYTHON, "b.py", None),
    (PYTHON, "c.py", "import a\na.f()\n"),
    (GO, "p/a.go", "package p\ntype S struct{}\nfunc (s S) M() {}\nfunc G() {}\n"),
    (GO, "p/b.go", "package q\nfunc G() {}\n"),
    (GO, "p/c.go", "package p\nfunc (t T) N() {}\nconst V = 1\n"),
]


@pytest.mark.parametrize(("files", "path", "text"), CHANGES)
def test_no_other_answer_differs(files: dict[str, str], path: str, text: str | None) -> None:
    both = {**files, path: text or files.get(path, "")}
    seen, _ = advance(empty_state(), snapshot(both))
    state, _ = advance(empty_state(), snapshot(files))
    state, _ = advance(state, [change(path, text)])
    state, _ = advance(state, [change(path, files.get(path))])
    asked = {*seen.world.numbering.questions, *state.world.numbering.questions}
    questions = sorted(question for question in asked if question[0] in RULES)
    world = state.world
    before = {question: RULES[question[0]](world, *question[1:]) for question in questions}
    found = touch(world, {change(path, text).path: change(path, text).facts})
    state, _ = advance(state, [change(path, text)])
    for question in questions:
        if probe_of(question) not in found:
            assert RULES[question[0]](world, *question[1:]) == before[question], question
