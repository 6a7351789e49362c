"""The memory of what was tried: recalled, corrected, as of a moment, or said to be absent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.copies import copy_of, indexed_template, top
from support.history import build, git

import topomem
from topomem.api.episode_writing import Linked, NewEvent
from topomem.api.memory import Memory
from topomem.errors import AmbiguousSymbol, UnknownItem, UnknownSymbol, UsageError
from topomem.model.episode import START

TEXT = """
=== c1
--- shop/prices.py
RATE = 0.2

def tax(amount):
    return amount * RATE

def label(amount):
    return f"{amount} in all"
--- shop/cart.py
class Cart:
    def total(self):
        return 0

    def clear(self):
        return None
=== c2 < c1
--- shop/prices.py
RATE = 0.2

def tax(amount):
    return round(amount * RATE, 2)

def label(amount):
    return f"{amount} in all"
=== c3 < c2
--> shop/prices.py -> shop/taxes.py
"""

Made = Callable[[], Memory]


@pytest.fixture(scope="module", name="template")
def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed_template(TEXT, tmp_path_factory)


@pytest.fixture(name="memory")
def _memory(template: Path, tmp_path: Path) -> Memory:
    """An indexed repository of its own, on its last commit."""
    return copy_of(template, tmp_path)


def begin(memory: Memory, title: str, request: str = "", **more: object) -> str:
    return memory.start_episode(title, NewEvent(START, request, **more)).id  # type: ignore[arg-type]


def note(memory: Memory, episode: str, text: str, **more: object) -> str:
    return memory.add_event(episode, NewEvent("note", text, **more)).id  # type: ignore[arg-type]


def titles(memory: Memory, **query: object) -> list[str]:
    return [one.episode.title for one in memory.episodes(**query).episodes]  # type: ignore[arg-type]


# recall


def test_what_is_written_is_found_by_its_words_links_and_outcome(memory: Memory) -> None:
    links = Linked(issues=("#7",), paths=("shop/cart.py",))
    key = begin(memory, "Round the tax", "customers pay cents", links=links)
    other = begin(memory, "Colour the buttons")
    memory.finish_episode(key, "failed", "rounding twice loses a cent per line")
    assert titles(memory, text="losing cents") == ["Round the tax"]
    assert titles(memory, issue="7") == ["Round the tax"]
    assert titles(memory, path="shop") == ["Round the tax"]
    assert titles(memory, outcome="failed") == ["Round the tax"]
    assert titles(memory, outcome="open") == ["Colour the buttons"]
    shown = memory.episode(other[:8]).answer.episode
    assert (shown.id, shown.outcome) == (other, "open")


def test_every_event_is_read_back_with_what_it_is_bound_to(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    kinds = ["request", "plan", "approval", "tool_result", "incident", "review", "note"]
    for kind in kinds:
        memory.add_event(key, NewEvent(kind, f"the {kind}"))
    found = memory.episode(key).answer.episode
    assert [event.kind for event in found.events] == ["start", *kinds]
    head = git(top(memory), "rev-parse", "HEAD").strip()
    assert {event.commit_id for event in found.events} == {head}
    assert {event.dirty for event in found.events} == {""}


def test_the_same_call_twice_adds_one_event(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    assert begin(memory, "Round the tax") == key
    event = NewEvent("incident", "invoices are wrong")
    assert memory.add_event(key, event) == memory.add_event(key, event)
    memory.finish_episode(key, "failed", "x")
    memory.finish_episode(key, "failed", "x")
    assert len(memory.episode(key).answer.episode.events) == 3
    again = begin(memory, "Round the tax")
    assert again != key
    assert begin(memory, "Round the tax") == again


# links through the diff


def test_a_committed_patch_is_linked_to_the_symbols_it_changed(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    memory.add_event(key, NewEvent("patch", commit="HEAD~1"))
    found = memory.episode(key).answer.episode.links
    assert [link.symbol for link in found.symbols] == ["shop/prices.py#tax"]
    assert found.paths == ("shop/prices.py",)


def test_a_patch_is_found_under_the_present_name_of_what_it_changed(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    memory.add_event(key, NewEvent("patch", commit="HEAD~1"))
    assert titles(memory, symbol="shop/taxes.py#tax") == ["Round the tax"]
    assert titles(memory, symbol="label") == []
    assert titles(memory, path="shop/taxes.py") == ["Round the tax"]


def test_what_is_on_disk_and_what_was_only_proposed_is_linked_too(memory: Memory) -> None:
    cart = top(memory) / "shop/cart.py"
    cart.write_text(cart.read_text().replace("return None", "return 1"))
    key = begin(memory, "Clear the cart")
    memory.add_event(key, NewEvent("patch", "tried on disk"))
    diff = git(top(memory), "diff")
    git(top(memory), "checkout", "-q", "shop/cart.py")
    other = begin(memory, "Clear it otherwise")
    memory.add_event(other, NewEvent("patch", "rejected in review", patch=diff))
    assert titles(memory, symbol="Cart.clear") == ["Clear it otherwise", "Clear the cart"]
    assert titles(memory, symbol="Cart") == ["Clear it otherwise", "Clear the cart"]
    assert titles(memory, symbol="Cart.total") == []
    first = memory.episode(key).answer.episode.first
    assert len(first.dirty) == 16


def test_finishing_links_what_changed_meanwhile(memory: Memory) -> None:
    key = begin(memory, "Clear the cart")
    cart = top(memory) / "shop/cart.py"
    cart.write_text(cart.read_text().replace("return 0", "return 1"))
    git(top(memory), "commit", "-q", "-a", "-m", "x")
    memory.index(jobs=1)
    memory.finish_episode(key, "rolled_back", "it is not that simple")
    assert titles(memory, symbol="Cart.total") == ["Clear the cart"]


def test_a_patch_without_more_is_what_changed_since_the_beginning(memory: Memory) -> None:
    key = begin(memory, "Clear the cart")
    cart = top(memory) / "shop/cart.py"
    cart.write_text(cart.read_text().replace("return 0", "return 1"))
    git(top(memory), "commit", "-q", "-a", "-m", "x")
    memory.index(jobs=1)
    memory.add_event(key, NewEvent("patch"))
    assert titles(memory, symbol="Cart.total") == ["Clear the cart"]


def test_a_decision_is_meant_by_any_of_its_names(memory: Memory) -> None:
    folder = top(memory) / "adr"
    folder.mkdir()
    (folder / "0007-use-cents.md").write_text("# Use cents\n\n## Status\n\nAccepted\n")
    git(top(memory), "add", "-A")
    git(top(memory), "commit", "-q", "-m", "decide")
    memory.index(jobs=1)
    begin(memory, "Count in cents", links=Linked(decisions=("7",)))
    for name in ("7", "adr/0007-use-cents.md", "Use cents"):
        assert titles(memory, decision=name) == ["Count in cents"]
    assert titles(memory, decision="8") == []
    (folder / "0008-use-mills.md").write_text("# Use mills\n\n## Status\n\nProposed\n")
    begin(memory, "Count in mills", links=Linked(decisions=("8",)))
    git(top(memory), "add", "-A")
    git(top(memory), "commit", "-q", "-m", "propose")
    memory.index(jobs=1)
    assert titles(memory, decision="8") == ["Count in mills"]
    for unknown, said in (("9", "no decision"), ("Use", "several")):
        with pytest.raises(UnknownItem, match=said):
            begin(memory, "Never", links=Linked(decisions=(unknown,)))
    assert titles(memory, decision="9") == []


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Cart.total", "shop/cart.py#Cart.total"),
        ("total", "Cart.total"),
        ("shop/cart.py:3", "total"),
        ("./shop/cart.py#Cart.total", "total"),
        ("shop/prices.py#tax", "shop/taxes.py#tax"),
        ("shop/cart.py", "shop/cart.py"),
    ],
)
def test_a_symbol_is_linked_by_any_of_its_names(memory: Memory, said: str, asked: str) -> None:
    key = begin(memory, "Look at it", links=Linked(symbols=(said,)))
    assert titles(memory, symbol=asked) == ["Look at it"]
    told = memory.show(asked).episodes
    assert [one.episode.id for one in told] == [key]
    note(memory, key, "seen", links=Linked(symbols=(said,)))
    events = memory.episode(key).answer.episode.events
    assert events[0].names("symbol") == events[1].names("symbol")


def test_what_is_linked_must_be_there(memory: Memory) -> None:
    (top(memory) / "shop/shelf.py").write_text("class Shelf:\n    def total(self):\n        pass\n")
    begin(memory, "Build a shelf", links=Linked(symbols=("Shelf",)))
    assert titles(memory, symbol="shop/shelf.py#Shelf") == ["Build a shelf"]
    git(top(memory), "add", "-A")
    git(top(memory), "commit", "-q", "-m", "shelf")
    memory.index(jobs=1)
    key = begin(memory, "One")
    with pytest.raises(AmbiguousSymbol) as found:
        begin(memory, "Two", links=Linked(symbols=("total",)))
    assert found.value.choices == ("shop/cart.py#Cart.total", "shop/shelf.py#Shelf.total")
    for unknown in ("nothing", "shop/cart.py#Cart.nothing", "nowhere.py#x"):
        with pytest.raises(UnknownSymbol):
            note(memory, key, "seen", links=Linked(symbols=(unknown,)))
    for outside in ("../x.py", "/etc/passwd", "shop/../../x.py"):
        with pytest.raises(UsageError, match="outside"):
            note(memory, key, "seen", links=Linked(paths=(outside,)))
    assert len(memory.episode(key).answer.episode.events) == 1
    note(memory, key, "seen", links=Linked(paths=(f"{top(memory)}/shop/shelf.py",)))
    assert titles(memory, path="./shop/shelf.py") == ["One", "Build a shelf"]


def test_links_are_kept_as_written_where_nothing_is_indexed(tmp_path: Path) -> None:
    build(TEXT, tmp_path).checkout()
    memory = topomem.open(tmp_path)
    links = Linked(symbols=("tax",), decisions=("7",))
    made = memory.start_episode("Round the tax", NewEvent(START, links=links))
    assert made.notes == ("not indexed, so linked as written: tax, 7",)
    assert memory.episode(made.id).answer.episode.first.names("symbol") == ("tax",)


def test_an_episode_does_not_take_its_own_place(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    with pytest.raises(UsageError, match="itself"):
        memory.supersede_episode(key, key[:8], "better")
    assert memory.episode(key).answer.episode.outcome == "open"


# update


def test_a_superseded_episode_is_never_told_as_current(memory: Memory) -> None:
    old, new = begin(memory, "Retry three times"), begin(memory, "Retry five times")
    memory.finish_episode(old, "succeeded", "retry retry retry three")
    memory.supersede_episode(old, new, "three was too few")
    assert titles(memory) == ["Retry five times"]
    assert titles(memory, text="retry") == ["Retry five times"]
    assert sorted(titles(memory, all=True)) == ["Retry five times", "Retry three times"]
    shown = memory.episode(old).answer.episode
    assert (shown.outcome, shown.finished_as, shown.superseded_by) == (
        "superseded",
        "succeeded",
        (new,),
    )
    assert memory.episode(new).answer.supersedes == (old,)
    with pytest.raises(UsageError, match="already"):
        memory.supersede_episode(new, old, "back again")


def test_a_note_in_other_words_takes_the_place_of_the_older_one(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    said = "The connection pool of the client is drained by the health check every few seconds"
    old = note(memory, key, said)
    done = memory.add_event(key, NewEvent("note", f"{said}."))
    assert done.replaced == (old,)
    assert memory.add_event(key, NewEvent("note", f"{said}.")).id == done.id
    found = memory.episode(key).answer.episode
    assert found.replaced == {old}
    assert [event.id for event in found.events][1:] == [old, done.id]


def test_notes_that_contradict_are_both_kept_and_shown(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    old = note(memory, key, "the retry limit of the client is 5")
    new = memory.add_event(key, NewEvent("note", "the retry limit of the client is not 5"))
    assert (new.replaced, new.rivals) == ((), (old,))
    found = memory.episode(key).answer.episode
    assert not found.replaced
    assert old in found.conflicts[0]


def test_evidence_is_never_taken_for_the_same(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    said = "The connection pool of the client is drained by the health check every few seconds"
    for text in (said, f"{said}."):
        assert memory.add_event(key, NewEvent("test_evidence", text)).replaced == ()


def test_notes_of_other_episodes_are_left_alone(memory: Memory) -> None:
    said = "The connection pool of the client is drained by the health check every few seconds"
    one, two = begin(memory, "One"), begin(memory, "Two")
    note(memory, one, said)
    assert memory.add_event(two, NewEvent("note", f"{said}.")).replaced == ()


def test_notes_of_their_own_meet_by_what_they_are_about(memory: Memory) -> None:
    said = "The connection pool of the client is drained by the health check every few seconds"
    links = Linked(symbols=("shop/cart.py#Cart",))
    old = note(memory, "", said, links=links)
    assert memory.add_event("", NewEvent("note", f"{said}.")).replaced == ()
    assert memory.add_event("", NewEvent("note", f"{said}!", links=links)).replaced == (old,)


# as of


def test_an_episode_is_told_as_it_stood_at_a_commit(memory: Memory) -> None:
    key = begin(memory, "Round the tax", commit="HEAD~2")
    memory.add_event(key, NewEvent("note", "halfway there", commit="HEAD~1"))
    memory.finish_episode(key, "failed", "cents are lost")
    first = memory.episode(key, as_of="HEAD~2").answer.episode
    assert (first.outcome, len(first.events)) == ("open", 1)
    assert len(memory.episode(key, as_of="HEAD~1").answer.episode.events) == 2
    assert memory.episode(key).answer.episode.outcome == "failed"
    assert titles(memory, text="cents lost", as_of="HEAD~1") == []
    assert titles(memory, text="halfway", as_of="HEAD~2") == []


def test_nothing_is_told_of_other_branches(memory: Memory) -> None:
    git(top(memory), "checkout", "-q", "-b", "side", "HEAD~1")
    git(top(memory), "commit", "-q", "--allow-empty", "-m", "side")
    key = begin(memory, "On the side")
    git(top(memory), "checkout", "-q", "main")
    assert titles(memory, all=True) == []
    assert titles(memory, text="side") == []
    with pytest.raises(UnknownItem, match="as of this revision"):
        memory.episode(key)
    memory.index(all_refs=True, jobs=1)
    assert titles(memory, as_of="side") == ["On the side"]


def test_what_was_amended_is_there_where_what_became_of_it_is(memory: Memory) -> None:
    folder = top(memory)
    date = "2002-02-02T00:00:00Z"
    git(folder, "commit", "-q", "--allow-empty", "--date", date, "-m", "first try")
    old = git(folder, "rev-parse", "HEAD").strip()
    begin(memory, "Round the tax")
    git(folder, "commit", "-q", "--amend", "--allow-empty", "-m", "second try")
    git(folder, "commit", "-q", "--allow-empty", "--date", "2001-01-01T00:00:00Z", "-m", "later")
    memory.index(jobs=1)
    rewritten = git(folder, "rev-parse", "HEAD~1").strip()
    for _ in range(2):
        (found,) = memory.episodes().episodes
        assert found.notes == (f"{old[:12]}: was rewritten as {rewritten[:12]}",)
        assert titles(memory, as_of="HEAD~1") == ["Round the tax"]
        assert titles(memory, as_of="HEAD~2") == []
        git(folder, "reflog", "expire", "--expire=now", "--all")
        git(folder, "gc", "-q", "--prune=now")  # the commit itself is gone the second time


def test_what_was_dropped_is_told_and_said_to_be_so(memory: Memory) -> None:
    folder = top(memory)
    git(folder, "commit", "-q", "--allow-empty", "--date", "2001-01-01T00:00:00Z", "-m", "dropped")
    begin(memory, "Round the tax")
    git(folder, "reset", "-q", "--hard", "HEAD~1")
    (found,) = memory.episodes().episodes
    assert "no reference" in found.notes[0]
    assert titles(memory, as_of="HEAD~1") == []


# several at once


def test_the_best_of_several_comes_first_and_all_are_counted(memory: Memory) -> None:
    for number in range(4):
        begin(memory, f"Cache the prices, take {number}")
    begin(memory, "Cache the prices in the cart, with an expiry", relevance="critical")
    begin(memory, "Colour the buttons")
    answer = memory.episodes(text="cache of prices with expiry", limit=2)
    assert answer.episodes[0].episode.relevance == "critical"
    assert (len(answer.episodes), answer.total) == (2, 5)
    assert "3 more" in answer.notes[0]


# abstention


def test_what_was_never_written_is_not_answered(memory: Memory) -> None:
    begin(memory, "Round the tax", "customers pay cents")
    for question in ("kubernetes ingress", "kubernetes cents ingress timeout", "the of and", "?!"):
        answer = memory.episodes(text=question)
        assert answer.episodes == ()
        assert answer.empty
        assert answer.empty.reason == "no_match"
    assert titles(memory, issue="8") == []


def test_nothing_recorded_is_no_error(memory: Memory) -> None:
    answer = memory.episodes()
    assert answer.empty
    assert "nothing was recorded" in answer.empty.detail


# slips of the pen


def test_a_misspelt_word_is_read_as_one_that_is_known_and_said_so(memory: Memory) -> None:
    begin(memory, "Drain the connection pool")
    answer = memory.episodes(text="conection pool")
    assert [one.episode.title for one in answer.episodes] == ["Drain the connection pool"]
    assert answer.mode == "typo"
    assert "conect" in answer.notes[0]
    assert titles(memory, text="pools connections") == ["Drain the connection pool"]


def test_numbers_are_never_guessed(memory: Memory) -> None:
    begin(memory, "Raise the limit to 12345")
    assert titles(memory, text="12346") == []


# two scripts


def test_russian_and_english_inflections_meet(memory: Memory) -> None:
    begin(memory, "Проверить подпись запроса", "подписанные запросы падали")
    begin(memory, "Verify the signature of requests")
    assert titles(memory, text="подписи запросов") == ["Проверить подпись запроса"]
    assert titles(memory, text="verifying signatures") == ["Verify the signature of requests"]


# deletion and putting away


def test_what_is_deleted_is_gone_from_every_answer(memory: Memory) -> None:
    key, other = begin(memory, "Round the tax"), begin(memory, "Colour the buttons")
    event = note(memory, other, "a quixotry of cents")
    note(memory, key, "quixotry as well")
    store = memory._opened.store
    store.delete_item(key, "asked for", 1)
    store.delete_item(event, "asked for", 2)
    assert titles(memory, all=True) == ["Colour the buttons"]
    assert titles(memory, text="quixotry", all=True) == []
    with pytest.raises(UnknownItem):
        memory.episode(key)
    for file in store.folder.glob("authored.duckdb*"):
        file.unlink()
    assert titles(memory, text="quixotry", all=True) == []
    assert begin(memory, "Round the tax") == key  # it says the same, so it stays away
    assert titles(memory, all=True) == ["Colour the buttons"]


def test_what_is_put_away_is_found_by_its_words_and_says_so(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    memory.archive_episode(key, "years ago")
    assert titles(memory) == []
    (found,) = memory.episodes(text="rounding taxes").episodes
    assert found.is_put_away
    assert "archived" in found.notes


def test_beyond_the_cap_the_oldest_are_put_away(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from topomem.api import episodes

    monkeypatch.setattr(episodes, "MOST_HOT", 2)
    keys = [begin(memory, f"Try the {name}") for name in ("anvil", "bellows", "crucible")]
    for key in keys:
        memory.finish_episode(key, "abandoned", "no")
    critical = begin(memory, "Never forget this", relevance="critical")
    told = [one.episode.id for one in memory.episodes().episodes]
    assert sorted(told) == sorted([critical, keys[2]])
    assert titles(memory, text="try an anvil") == ["Try the anvil"]


def test_episodes_outlive_every_derived_row(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    memory.add_event(key, NewEvent("patch", commit="HEAD~1"))
    before = memory.episodes().episodes
    for file in memory._opened.store.folder.glob("*.duckdb*"):
        file.unlink()
    assert memory.episodes().episodes == before  # no index is needed to read them
    memory.index(jobs=1)
    assert memory.episodes().episodes == before
    assert [one.episode.id for one in memory.show("tax").episodes] == [key]


# misuse


def test_wrong_words_are_told_with_the_right_ones(memory: Memory) -> None:
    key = begin(memory, "Round the tax")
    for wrong in (
        lambda: memory.add_event(key, NewEvent("musing", "x")),
        lambda: memory.add_event(key, NewEvent("note", " ")),
        lambda: memory.finish_episode(key, "fine"),
        lambda: memory.finish_episode(key, "superseded"),
        lambda: memory.episodes(outcome="fine"),
        lambda: memory.start_episode(" "),
        lambda: begin(memory, "x", relevance="huge"),
    ):
        with pytest.raises(UsageError):
            wrong()
    for unknown in ("", "zz", "0" * 16, "abc"):
        with pytest.raises(UnknownItem):
            memory.episode(unknown)
    assert len(memory.episode(key).answer.episode.events) == 1


# secrets


def test_no_secret_enters_by_any_door(memory: Memory) -> None:
    token = "ghp_" + "a8Kz4TqLm2Xw9RbV7cYd3NfH6sJpQeUtGi15"  # made up
    links = Linked(issues=(token,), paths=(token,))
    key = begin(memory, f"Use {token}", f"with {token}", links=links, author=token)
    diff = f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+{token}\n"
    memory.add_event(key, NewEvent("patch", token, patch=diff))
    memory.add_event(key, NewEvent("tool_result", "ran", data={token: [token, {"x": token}]}))
    memory.finish_episode(key, "failed", f"{token} was wrong")
    memory.supersede_episode(key, begin(memory, "Another way"), f"not {token}")
    folder = memory._opened.store.folder
    for file in folder.rglob("*"):
        if file.is_file():
            assert token.encode() not in file.read_bytes(), file
    assert "[secret:" in memory.episode(key).answer.episode.title
