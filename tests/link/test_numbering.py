from __future__ import annotations

from topomem.link.numbering import FREE, PLACED, SILENT, Numbering
from topomem.link.questions import RULES


def test_a_question_has_one_number() -> None:
    numbering = Numbering()
    first = numbering.number(("kind", "a.py", "f"))
    second = numbering.number(("kind", "a.py", "g"))
    assert first != second
    assert numbering.number(("kind", "a.py", "f")) == first
    assert numbering.in_order({second, first}) == (("kind", "a.py", "f"), ("kind", "a.py", "g"))


def test_questions_are_found_by_what_they_hang_on() -> None:
    numbering = Numbering()
    asked = [("kind", "a.py", "f"), ("bound", "a.py", "f", "x"), ("kind", "b.py", "f")]
    numbers = [numbering.number(question) for question in asked]
    assert numbering.hanging_on({("region", "a.py", "f"), ("name", "f")}) == numbers[:2]


def test_kinds_are_told_apart() -> None:
    numbering = Numbering()
    text, bound, kind, inner = (
        numbering.number(question)
        for question in (
            ("text", "a.py", "f"), ("bound", "a.py", "", "x"), ("kind", "a.py", "f"),
            ("inner", "a.py", "f"),
        )
    )  # fmt: skip
    assert numbering.silent == {text}
    assert numbering.free == {bound, kind}
    assert numbering.placed == {bound}
    assert inner not in numbering.silent | numbering.free


def test_every_kind_has_a_digest_or_is_silent() -> None:
    assert RULES.keys() >= FREE
    assert PLACED <= FREE
    assert SILENT.isdisjoint(RULES)
