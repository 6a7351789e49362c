"""What is wrong with the records of one snapshot."""

from __future__ import annotations

from topomem.model.decision import Invariant
from topomem.model.ids import BlobId, FilePath
from topomem.records.board import Board, Placed, board
from topomem.records.check import InvariantState, Trouble, check
from topomem.records.governs import Tree, governed
from topomem.records.parse import parse

OWNER = "\nOwner: Ada\n"
DATE = "\nDate: 2020-01-02\n"


def made(**texts: str) -> Board:
    """Return the records whose names (without `n`) and status fields are given."""
    return board(
        Placed(
            FilePath(f"adr/{name[1:]}-x.md"),
            BlobId(name),
            parse(f"# Title {name}\n\nOwner: Ada\nDate: 2020-01-02\nStatus: {text}\n".encode()),
        )
        for name, text in texts.items()
    )


def troubles(records: Board, today: str = "", files: tuple[str, ...] = ()) -> list[Trouble]:
    tree = Tree({FilePath(path) for path in files}, lambda _: {})
    governs = {
        path: governed(path, entry.placed.decision.mentions, tree)
        for path, entry in records.entries.items()
    }
    return check(records, governs, {}, today)


def codes(records: Board, today: str = "", files: tuple[str, ...] = ()) -> list[str]:
    return [one.code for one in troubles(records, today, files) if one.severity == "problem"]


def test_records_in_order_are_in_order() -> None:
    assert not troubles(
        made(n1="superseded by [2](2-x.md)", n2="accepted\n\n- Supersedes [1](1-x.md)")
    )


def test_superseded_without_a_successor() -> None:
    assert codes(made(n1="superseded")) == ["no_successor"]


def test_superseded_by_a_missing_record() -> None:
    assert codes(made(n1="superseded by ADR-7")) == ["missing_record"]


def test_one_way_links_from_either_side() -> None:
    assert codes(made(n1="superseded by ADR-2", n2="accepted")) == ["one_way_link"]
    assert codes(made(n1="rejected", n2="accepted\n\n- Supersedes ADR-1")) == ["one_way_link"]


def test_what_was_rejected_in_favour_of_another_needs_no_link_back() -> None:
    assert codes(made(n1="rejected in favour of ADR-2", n2="accepted")) == []


def test_two_that_hold_and_one_supersedes_the_other() -> None:
    assert codes(made(n1="accepted", n2="accepted\n\n- Supersedes ADR-1")) == ["conflict"]


def test_a_circle_is_told_once() -> None:
    found = codes(
        made(n1="superseded by ADR-2", n2="superseded by ADR-3", n3="superseded by ADR-1")
    )
    assert found.count("cycle") == 1


def test_one_number_twice() -> None:
    records = board(
        Placed(FilePath(f"adr/0005-{name}.md"), BlobId(name), parse(b"# T\n\nStatus: accepted\n"))
        for name in ("a", "b")
    )
    assert codes(records) == ["same_number"]


def test_review_date_passed() -> None:
    records = made(n1="accepted\nReview date: 2024-01-01")
    assert codes(records, "2024-01-02") == ["review_passed"]
    assert codes(records, "2024-01-01") == []


def test_a_governed_component_that_is_gone() -> None:
    records = made(n1="accepted\n\n## Governs\n\n- src/a.py")
    assert codes(records) == ["component_gone"]
    assert codes(records, files=("src/a.py",)) == []


def test_two_on_one_component_are_a_remark() -> None:
    text = "accepted\n\n## Governs\n\n- src/a.py"
    found = troubles(made(n1=text, n2=text), files=("src/a.py",))
    assert [(one.code, one.severity) for one in found] == [("same_component", "remark")]


def test_invariants() -> None:
    records = made(n1="accepted")
    path = FilePath("adr/1-x.md")
    invariant = Invariant("test", "tests/a.py::test_a", 1)

    def code(**said: bool | None) -> list[str]:
        known = {"found": True, "passed": None, "same_code": True} | said
        state = InvariantState(invariant, ran_at="abc", **known)  # type: ignore[arg-type]
        return [one.code for one in check(records, {}, {path: [state]}, "")]

    assert code(found=False) == ["invariant_not_found"]
    assert code(passed=None) == ["invariant_never_run"]
    assert code(passed=False) == ["invariant_failing"]
    assert code(passed=True, same_code=False) == ["invariant_stale"]
    assert code(passed=True) == []
