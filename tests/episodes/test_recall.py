"""What speaks for an episode, and when nothing is the answer."""

from __future__ import annotations

import pytest

from topomem.episodes.fold import fold
from topomem.episodes.recall import FADING_MS, ask, best, match, score, with_guesses
from topomem.model.episode import Episode, Event

KNOWN = ("connect", "pool", "drain", "подпис", "conduct")


def episode(relevance: str = "normal", at: int = 0) -> Episode:
    (found,) = fold([Event("a" * 16, "", "start", at, "c", {"relevance": relevance})])
    return found


def test_words_count_most_then_the_tag_then_time() -> None:
    tags = [score(episode(tag), 0.5, 0) for tag in ("critical", "high", "normal", "low")]
    assert tags == sorted(tags, reverse=True)
    assert len(set(tags)) == 4
    assert score(episode("low"), 1.0, 0) > score(episode("critical"), 0.5, 0)
    recent, old = score(episode(at=FADING_MS), 0.5, FADING_MS), score(episode(), 0.5, FADING_MS)
    assert recent > old > score(episode(), 0.3, FADING_MS)


def test_the_rarer_a_word_the_more_it_tells() -> None:
    hits = [("e1", "pool"), ("e1", "drain"), *((f"e{at}", "pool") for at in range(2, 9))]
    found = match(hits, ("pool", "drain"), 8)
    assert list(found) == ["e1"]
    assert found["e1"].stems == ("drain", "pool")
    assert found["e1"].share == pytest.approx(1.0)
    assert match(hits, ("pool", "drain", "unheard", "of"), 8) == {}
    assert set(match(hits, ("pool",), 8)) == {f"e{at}" for at in range(1, 9)}
    assert len(best(match(hits, ("pool",), 8), 3)) == 3


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("conect", "connect"),
        ("poool", "pool"),
        ("darin", "drain"),
        ("подпыс", "подпис"),
        ("kubernetes", None),
        ("pol", None),
        ("poo1", None),
        ("conduit", "conduct"),
    ],
)
def test_a_slip_is_read_as_what_it_is_like(written: str, meant: str | None) -> None:
    asked = with_guesses(ask(written), (), lambda shortest, longest: [
        one for one in KNOWN if shortest <= len(one) <= longest
    ])  # fmt: skip
    assert list(asked.guessed.values()) == ([meant] if meant else [])
    assert asked.read == ((meant,) if meant else asked.stems)


def test_words_that_only_hold_a_sentence_together_ask_for_nothing() -> None:
    assert ask("и не в the of", fillers={"the", "of"}).stems == ()
