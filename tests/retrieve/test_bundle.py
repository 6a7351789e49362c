"""Bundles of a real store: what is found, how it is cited, that budgets hold."""

from __future__ import annotations

from typing import Any

import pytest
from support.library import Asker

from topomem.errors import BudgetTooSmall
from topomem.model.bundle import Bundle
from topomem.retrieve.render import markdown, printed_item
from topomem.retrieve.tokens import estimate
from topomem.retrieve.verify import Quote, verify


def first(bundle: Bundle) -> str:
    item = bundle.items[0]
    return f"{item.path}#{item.qualified_name}"


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        ("redirect to another location", "lib/app.py#Flask.redirect"),
        ("url without subdomain raises LookupError", "lib/routes.py#url_for"),
        ("Flask.run", "lib/app.py#Flask.run"),
        ("somewhere/else/lib/routes.py:3 fails", "lib/routes.py#url_for"),
        ("подписан файл", "lib/routes.py#подписать"),
        ("nothing_here", "other/routes.py#nothing_here"),
        ("redirections and locations", "lib/app.py#Flask.redirect"),
    ],
)
def test_the_best_answer_comes_first(library: Asker, task: str, answer: str) -> None:
    assert first(library.ask(task)) == answer


def test_tests_come_behind_the_code_they_test(library: Asker) -> None:
    paths = [str(item.path) for item in library.ask("url_for subdomain").items]
    assert paths.index("lib/routes.py") < paths.index("tests/test_routes.py")


def test_every_citation_is_found_word_for_word(library: Asker) -> None:
    made = library.ask("reconcile the ledger, redirect, url_for, nothing_here", 4000)
    assert len(made.items) >= 2
    quotes = [Quote(item.citation, item.text, item.detail) for item in made.items if item.citation]
    assert len(quotes) == len(made.items)
    assert verify(quotes, library.read) == ()


TASK = "reconcile the ledger in url_for"


@pytest.mark.parametrize("tokens", [200, 350, *range(400, 620, 13), 1000, 5000])
def test_no_budget_is_exceeded(library: Asker, tokens: int) -> None:
    made = library.ask(TASK, tokens)
    assert made.items
    assert made.used_tokens == estimate(markdown(made)) <= tokens


@pytest.mark.parametrize("tokens", [50, 100, 200, 500, 1000, 5000])
def test_no_budget_in_quarters_is_exceeded(library: Asker, tokens: int) -> None:
    made = library.ask(TASK, tokens, count="chars4")
    assert made.items
    spent = sum(len(printed_item(item)) // 4 + 3 * len(item.commits) for item in made.items)
    assert spent <= made.used_tokens <= tokens


@pytest.mark.parametrize(
    ("tokens", "count"),
    [*((tokens, "estimate") for tokens in (-1, 0, 1, 5, 20, 50)), (0, "chars4"), (5, "chars4")],
)
def test_a_budget_for_nothing_is_refused(library: Asker, tokens: int, count: str) -> None:
    with pytest.raises(BudgetTooSmall) as refusal:
        library.ask(TASK, tokens, count=count)
    assert refusal.value.hint


def test_a_first_hit_over_the_budget_is_shown_in_part(library: Asker) -> None:
    made = library.ask("reconcile_ledger", 500)
    assert first(made) == "lib/ledger.py#reconcile_ledger"
    assert made.used_tokens <= 500
    assert made.left_out[0].count > 0


def test_the_answer_is_of_its_commit(library: Asker) -> None:
    assert library.ask("telescope", at="c1").items == ()
    made = library.ask("telescope", at="c2")
    assert first(made) == "lib/routes.py#build_link"
    assert all(item.citation and item.citation.commit == library.ids["c2"] for item in made.items)
    assert made.as_of == library.ids["c2"]


def test_items_tell_the_commit_that_last_changed_them(library: Asker) -> None:
    made = library.ask("telescope redirect location", at="c2")
    told = {str(item.qualified_name): item.commits for item in made.items}
    assert told["build_link"] == (library.ids["c2"],)
    assert told["Flask.redirect"] == (library.ids["c1"],)
    assert library.ids["c2"][:12] in markdown(made)


def test_nothing_says_that_the_index_answered(library: Asker) -> None:
    made = library.ask("xylophone zeppelin")
    assert (made.items, made.mode, made.evidence) == ((), "nothing", 0.0)
    assert "canary" in made.notes[0]


def test_evidence_grows_with_what_is_found(library: Asker) -> None:
    answerable = library.ask("redirect location code").evidence
    partly = library.ask("redirect xylophone zeppelin umbrella").evidence
    assert 0 < partly < answerable <= 1


def test_same_question_same_answer(library: Asker) -> None:
    assert library.ask("url_for redirect") == library.ask("url_for redirect")


@pytest.mark.parametrize(
    "task", ["", "   ", "the of and", "\0\x1b[31m", "'; DROP TABLE x; --", "*?[" * 50]
)
def test_any_text_is_safe_to_ask(library: Asker, task: str) -> None:
    made: Any = library.ask(task)
    assert made.task == task
