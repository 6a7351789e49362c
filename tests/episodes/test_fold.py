"""An episode is what its events say, in whatever order they arrive."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from topomem.episodes.fold import fold
from topomem.model.episode import Episode, Event

ROOT = "a" * 16


def event(number: int, kind: str, *, root: str = ROOT, at: str = "c1", **body: Any) -> Event:
    key = ROOT if kind == "start" else f"{number:016x}"
    return Event(key, "" if kind == "start" else root, kind, number, at, body)


def one(*events: Event) -> Episode:
    (found,) = fold(events)
    return found


START = event(1, "start", title="Raise the limit", issues=["#7"])


def test_the_outcome_is_that_of_the_last_finish() -> None:
    assert one(START).outcome == "open"
    failed = event(2, "finish", outcome="failed", text="it leaks")
    again = event(3, "finish", outcome="succeeded", text="closed the pool", at="c2")
    assert (one(START, failed).outcome, one(START, failed).conclusion) == ("failed", "it leaks")
    assert one(START, failed, again).outcome == "succeeded"
    assert not one(START, failed, again).conflicts


def test_two_outcomes_of_one_state_of_the_code_are_a_conflict() -> None:
    found = one(
        START, event(2, "finish", outcome="failed"), event(3, "finish", outcome="succeeded")
    )
    assert "failed, succeeded" in found.conflicts[0]


def test_a_rollback_undoes_what_succeeded_until_it_is_brought_again() -> None:
    done = event(2, "finish", outcome="succeeded")
    undone = event(3, "rollback", text="it leaks")
    assert one(START, done, undone).outcome == "rolled_back"
    assert not one(START, done, undone).conflicts
    assert one(START, done, undone, event(4, "finish", outcome="succeeded")).outcome == "succeeded"


def test_a_superseded_episode_keeps_what_it_was() -> None:
    found = one(START, event(2, "finish", outcome="failed"), event(3, "supersede", by="b" * 16))
    assert (found.outcome, found.finished_as, found.superseded_by) == (
        "superseded",
        "failed",
        ("b" * 16,),
    )
    assert not found.is_current


def test_a_note_that_was_replaced_is_known_and_no_conclusion() -> None:
    old = event(2, "conclusion", text="the pool leaks")
    new = event(3, "conclusion", text="the pool leaks.", replaces=[old.id])
    found = one(START, old, new)
    assert found.replaced == {old.id}
    assert found.conclusion == "the pool leaks."


def test_evidence_is_replaced_by_nothing() -> None:
    old = event(2, "test_evidence", text="3 failed")
    found = one(START, old, event(3, "note", text="x", replaces=[old.id]))
    assert found.replaced == frozenset()


def test_links_are_those_of_all_events() -> None:
    patch = event(2, "patch", symbols=["a.py#f"], paths=["a.py"], at="c2")
    found = one(START, patch).links
    assert [(link.symbol, link.commit) for link in found.symbols] == [("a.py#f", "c2")]
    assert (found.paths, found.issues) == (("a.py",), ("#7",))


def test_an_event_that_stands_alone_is_an_episode_of_its_own() -> None:
    found = one(Event("c" * 16, "", "note", 5, "c1", {"text": "first line\nsecond"}))
    assert (found.kind, found.title, found.outcome) == ("note", "first line", "open")


def test_events_without_their_beginning_tell_nothing() -> None:
    assert fold([event(2, "finish", outcome="failed")]) == []


kinds = st.sampled_from(["note", "finish", "supersede", "archive", "patch", "conclusion"])
bodies = st.fixed_dictionaries(
    {},
    optional={
        "outcome": st.sampled_from(["failed", "succeeded", "no such", 5]),
        "by": st.sampled_from(["", "b" * 16, None]),
        "text": st.text(max_size=5),
        "relevance": st.sampled_from(["critical", "wrong", 3, None]),
        "symbols": st.lists(st.one_of(st.text(max_size=3), st.integers()), max_size=2),
        "replaces": st.one_of(st.none(), st.integers(), st.lists(st.text(max_size=3), max_size=1)),
    },
)


@given(st.lists(st.tuples(kinds, bodies), max_size=6), st.randoms())
def test_order_of_arrival_and_odd_bodies_change_nothing(
    told: list[tuple[str, dict[str, Any]]], random: Any
) -> None:
    events = [START, *(event(at, kind, **body) for at, (kind, body) in enumerate(told, 2))]
    shuffled = list(events)
    random.shuffle(shuffled)
    assert fold(shuffled) == fold(events)
