from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from topomem.link.numbering import Numbering
from topomem.link.results import Entry, Results

Sheet = dict[str, str]
"""Cells by name: a number, or the names of cells whose last digits of the sum it gives."""


class Reader:
    """Reads cells: each is a question of its own, and a result that uses those it names."""

    def __init__(self) -> None:
        self.sheet: Sheet = {}
        self.numbering = Numbering()
        self.results = Results(self.numbering)
        self.entries = self.results.table()
        self.asked: list[Any] = []
        self.worked_out: list[str] = []

    def change(self, sheet: Sheet) -> None:
        differs = {name for name, _ in self.sheet.items() ^ sheet.items()}
        self.sheet = sheet
        self.results.move([self.numbering.number(("cell", name)) for name in differs], [])
        self.worked_out = []

    def read(self, name: str) -> int:
        entry = self.entries.get(name)
        if entry is None or not self.results.stands(entry):
            self.worked_out.append(name)
            outer, self.asked = self.asked, [("cell", name)]
            value = self._work_out(name)
            entry = Entry(self, name, self.read, value, self.asked, self.results.snapshot)
            self.asked = outer
            self.entries[name] = entry
        self.asked.append((entry, 0, ()))
        assert isinstance(entry.value, int)
        return entry.value

    def ask_again(self, entry: Entry, k: int, args: tuple[object, ...]) -> Entry | None:
        assert (k, args) == (0, ())
        outer, self.asked = self.asked, []
        self.read(str(entry.key))
        made, self.asked = self.asked, outer
        found = made[-1][0]
        assert isinstance(found, Entry)
        return found

    def questions(self, name: str) -> set[str]:
        self.read(name)
        flat = self.results.questions(self.entries[name])
        return {self.numbering.questions[number][1] for number in flat}

    def _work_out(self, name: str) -> int:
        text = self.sheet.get(name, "0")
        return int(text) if text.isdigit() else sum(map(self.read, text.split())) % 10


def below(sheet: Sheet, name: str) -> set[str]:
    """Return the cells that a cell is read from, itself among them."""
    text = sheet.get(name, "0")
    names = [] if text.isdigit() else text.split()
    return {name}.union(*(below(sheet, one) for one in names))


def check_read_again(before: Sheet, after: Sheet, name: str, worked_out: list[str]) -> None:
    reader = Reader()
    reader.change(before)
    reader.read(name)
    reader.change(after)
    value = reader.read(name)
    assert reader.worked_out == worked_out
    fresh = Reader()
    fresh.change(after)
    assert value == fresh.read(name)
    assert reader.questions(name) == below(after, name)


def test_a_result_that_nothing_touched_stands() -> None:
    check_read_again({"a": "b", "b": "1", "x": "1"}, {"a": "b", "b": "1", "x": "2"}, "a", [])


def test_what_uses_a_changed_value_is_worked_out_again() -> None:
    check_read_again({"a": "b", "b": "c", "c": "1"}, {"a": "b", "b": "c", "c": "2"}, "a",
                     ["c", "b", "a"])  # fmt: skip


def test_a_change_that_gives_the_same_is_not_felt_above() -> None:
    before = {"a": "b", "b": "c d", "c": "1", "d": "2"}
    check_read_again(before, {**before, "b": "d c"}, "a", ["b"])


def test_questions_below_are_those_of_the_present() -> None:
    before = {"a": "b", "b": "c", "c": "1", "d": "1"}
    check_read_again(before, {**before, "b": "d"}, "a", ["b", "d"])


def test_what_is_used_no_more_is_not_worked_out() -> None:
    before = {"a": "b c", "b": "1", "c": "2"}
    check_read_again(before, {"a": "b", "b": "1", "c": "3"}, "a", ["a"])


def test_a_result_that_leads_back_to_itself_does_not_stand() -> None:
    results = Results(Numbering())

    class Circle:
        def ask_again(self, entry: Entry, k: int, args: tuple[object, ...]) -> Entry | None:
            assert (k, args) == (0, ())
            assert not results.stands(outer)
            return Entry(self, entry.key, None, entry.value, [], results.snapshot)

    inner = Entry(Circle(), "inner", None, 1, [("cell", "inner")], 0)
    outer = Entry(Circle(), "outer", None, 1, [(inner, 0, ())], 0)
    results.move([results.numbering.number(("cell", "inner"))], [])
    assert not results.stands(outer)


def test_results_that_are_not_used_go_first() -> None:
    reader = Reader()
    reader.change({})
    for number in range(30_001):
        reader.read(str(number))
    reader.change({})
    reader.read("7")
    reader.change({})
    assert "7" in reader.entries
    assert len(reader.entries) <= 30_000


def cells(names: str, values: st.SearchStrategy[str]) -> st.SearchStrategy[Sheet]:
    return st.fixed_dictionaries(dict.fromkeys(names, values))


SHEETS = st.builds(
    lambda top, middle, low: {**top, **middle, **low},
    cells("ab", st.sampled_from(("c", "d", "c d", "d c e", "e"))),
    cells("cde", st.sampled_from(("f", "g", "f g", "h f", "5"))),
    cells("fgh", st.sampled_from(("0", "1", "9"))),
)


@settings(max_examples=50, deadline=None)
@given(sheets=st.lists(SHEETS, min_size=2, max_size=5), order=st.permutations("abcd"))
def test_any_changes_give_what_is_read_from_nothing(sheets: list[Sheet], order: list[str]) -> None:
    reader = Reader()
    for sheet in sheets:
        reader.change(sheet)
        fresh = Reader()
        fresh.change(sheet)
        for name in order:
            assert reader.read(name) == fresh.read(name)
            assert reader.questions(name) == below(sheet, name)
